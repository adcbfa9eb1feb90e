#include "espalier/model/compile/coordinate_names.h"

namespace espalier {
namespace {

/// in  place  of each internal number; -1: not among the n
std::vector<std::string> names(const Model& model, bool coordinates, const std::vector<int>& place,
                               int n) {
  std::vector<std::string> result(static_cast<std::size_t>(n));
  for (int b = 0; b < model.nb(); ++b) {
    const BodyTopology& body = model.topology.bodies[b];
    const JointKindInfo& kind = info(body.kind);
    for (int i = 0; i < (coordinates ? body.nq : body.nv); ++i) {
      const char* suffix = kind.coordinates[i];
      if (!coordinates && kind.dofs[i] != nullptr) suffix = kind.dofs[i];
      if (const int at = place[(coordinates ? body.q : body.u) + i]; at >= 0)
        result[at] = (b == 0 ? "base" : model.bodies[b].joint) + suffix;
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> coordinateNames(const Model& model, Joints which) {
  if (which == Joints::All) return names(model, true, model.spanningCoordinate, model.nq());
  return names(model, true, model.publicCoordinate, model.publicNq);
}
std::vector<std::string> dofNames(const Model& model, Joints which) {
  if (which == Joints::All) return names(model, false, model.spanningDof, model.nv());
  return names(model, false, model.publicDof, model.publicNv);
}

}  // namespace espalier
