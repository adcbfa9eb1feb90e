#pragma once

// States as JSON: {"q": [...], "u": [...], "tau": [...], "udot": [...]}, all of them optional.

#include <string>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/model/model.h"

namespace espalier::cli {

/// One state; numbers of all joints in the model's own (internal) order, quaternions unit, loops
/// closed. Of u, tau and udot only the independent dofs count.
struct StateInput {
  std::vector<double> q, u, tau;
  std::vector<double> udot;           ///< empty where none was given
  std::vector<std::string> warnings;  ///< corrections made
};

struct StateFile {
  std::vector<StateInput> states;
  bool isList = false;  ///< the file holds a list of states
};

/// Reads a state or a list of states, in the authored order; "-" is standard input.
///   errors  unreadable JSON, unknown keys, wrong sizes, what is not a finite number, a quaternion
///           of length zero, loops that do not close (with what is left); each with file, place in
///           the list and key; numbers beyond the bounds of model/spec/check_magnitudes.h
///   in   unbounded   lifts these bounds
Expected<StateFile> readStates(const std::string& path, const Model& model, bool unbounded = false);

/// The same from text that is at hand.
Expected<StateFile> parseStates(const std::string& text, const std::string& path,
                                const Model& model, bool unbounded = false);
/// The text of a file, or standard input.
Expected<std::string> readStateText(const std::string& path);

/// As Diagnostics name it: the path, or "<standard input>" for "-".
std::string stateFileName(const std::string& path);

/// Neutral q, or the closed one nearest to it; everything else 0.
StateInput restingState(const Model& model);

}  // namespace espalier::cli
