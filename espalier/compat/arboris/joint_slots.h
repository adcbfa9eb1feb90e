#pragma once

#include <string>
#include <vector>

#include "espalier/model/model.h"

namespace espalier::sim {

/// A joint by name, and its numbers in q and u, internal order.
struct JointSlot {
  std::string name;  ///< of a floating base: its root link's
  JointKind kind;
  int q, nq, u, nv;
};
/// The movable joints of a model, in internal order.
///   in   qualified   names are MODEL/JOINT
std::vector<JointSlot> jointSlots(const Model& model, bool qualified);

}  // namespace espalier::sim
