#include "espalier/batch/observed_names.h"

#include <algorithm>

namespace espalier {

std::vector<JointNumber> jointNumbers(const StepData& world, bool areDofs) {
  std::vector<JointNumber> all;
  for (const auto& sys : world.owned) {
    const Model& model = *sys->model;
    for (int b = 0; b < model.nb(); ++b) {
      const BodyTopology& t = model.topology.bodies[b];
      const JointKindInfo& kind = info(t.kind);
      const BodyInfo& body = model.bodies[b];
      const std::string& joint = b == 0 ? body.name : body.joint;
      for (int k = 0; k < (areDofs ? t.nv : t.nq); ++k) {
        const char* suffix = areDofs && kind.dofs[0] ? kind.dofs[k] : kind.coordinates[k];
        const int coordinate = sys->q0 + t.q + k;
        all.push_back({joint, joint + suffix, areDofs ? sys->u0 + t.u + k : coordinate,
                       kind.quaternion >= 0 ? -1 : coordinate});
      }
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const JointNumber& a, const JointNumber& b) { return a.row < b.row; });
  return all;
}

std::vector<PlacedFrame> bodyLinks(const StepData& world) {
  std::vector<PlacedFrame> all;
  for (std::size_t r = 0; r < world.owned.size(); ++r) {
    const Model& model = *world.owned[r]->model;
    for (int b = 0; b < model.nb(); ++b) {
      const BodyInfo& body = model.bodies[b];
      all.push_back({body.name, static_cast<int>(r), b, {transpose(body.R_LC), zero3<double>()}});
    }
  }
  return all;
}

std::vector<PlacedFrame> allFrames(const StepData& world) {
  std::vector<PlacedFrame> all = bodyLinks(world);
  for (const auto of : {&Model::links, &Model::frames})
    for (std::size_t r = 0; r < world.owned.size(); ++r)
      for (const FrameInfo& frame : (*world.owned[r]->model).*of)
        if (frame.rotor < 0)
          all.push_back({frame.name, static_cast<int>(r), frame.body, frame.X_CF});
  return all;
}

}  // namespace espalier
