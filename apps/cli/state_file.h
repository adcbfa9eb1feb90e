#pragma once

// States as JSON: {"q": [...], "u": [...], "tau": [...], "udot": [...]}, all of them optional.

#include <string>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/model/model.h"

namespace espalier::cli {

/// One state; numbers in the model's own (internal) order, quaternions unit.
struct StateInput {
  std::vector<double> q, u, tau;
  std::vector<double> udot;           ///< empty where none was given
  std::vector<std::string> warnings;  ///< what was put right
};

struct StateFile {
  std::vector<StateInput> states;
  bool isList = false;  ///< the file holds a list of states
};

/// Reads a state or a list of states, in the authored order; "-" is standard input.
///   errors  unreadable JSON, unknown keys, wrong sizes, what is not a finite number, a quaternion
///           of length zero; each with file, place in the list and key
Expected<StateFile> readStates(const std::string& path, const Model& model);

/// Neutral q, everything else 0.
StateInput restingState(const Model& model);

}  // namespace espalier::cli
