#include "espalier/model/coordinate_names.h"

namespace espalier {
namespace {

/// Suffixes of the names of a joint's coordinates; a one-dof joint has none.
std::vector<const char*> suffixes(JointKind kind, bool coordinates) {
  switch (kind) {
    case JointKind::Fixed: return {};
    case JointKind::Revolute:
    case JointKind::Prismatic:
    case JointKind::Helical: return {""};
    case JointKind::Universal: return {".1", ".2"};
    case JointKind::Euler: return {".1", ".2", ".3"};
    case JointKind::Planar: return {".x", ".y", ".angle"};
    case JointKind::Translation: return {".x", ".y", ".z"};
    case JointKind::Spherical:
      if (coordinates) return {".qw", ".qx", ".qy", ".qz"};
      return {".wx", ".wy", ".wz"};
    case JointKind::Floating:
      if (coordinates) return {".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"};
      return {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
  }
  return {};
}

/// in  place  of each internal number; -1: not among the n
std::vector<std::string> names(const Model& model, bool coordinates, const std::vector<int>& place,
                               int n) {
  std::vector<std::string> result(static_cast<std::size_t>(n));
  for (int b = 0; b < model.nb(); ++b) {
    const BodyTopology& body = model.topology.bodies[b];
    int i = coordinates ? body.q : body.u;
    for (const char* suffix : suffixes(body.kind, coordinates))
      if (const int at = place[i++]; at >= 0)
        result[at] = (b == 0 ? "base" : model.bodies[b].joint) + suffix;
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
