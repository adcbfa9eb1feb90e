#include "espalier/compat/arboris/joint_slots.h"

namespace espalier::sim {

std::vector<JointSlot> jointSlots(const Model& model, bool qualified) {
  std::vector<JointSlot> slots;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodyTopology& t = model.topology.bodies[b];
    if (t.nv == 0) continue;
    const std::string& own = b == 0 ? model.bodies[b].name : model.bodies[b].joint;
    slots.push_back({qualified ? model.name + "/" + own : own, t.kind, t.q, t.nq, t.u, t.nv});
  }
  return slots;
}

}  // namespace espalier::sim
