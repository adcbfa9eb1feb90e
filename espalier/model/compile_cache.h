#pragma once

// Compiled models by what they were compiled from, so that a hundred equal robots are one Model.

#include <map>
#include <memory>
#include <string>

#include "espalier/model/model.h"

namespace espalier {

/// All that compile() reads of a system, as bytes: equal bytes, equal models. Where it stands, file
/// and line numbers are left out; triangles count by a 128-bit hash.
std::string contentOf(const SystemSpec& spec);

class CompileCache {
 public:
  /// compile(spec), or the same Model as the last time while anybody holds it. The base of a fixed
  /// robot stands at the world's origin, wherever spec.X_WB puts it: the caller places it.
  ///   out  the model with the remarks of its first compilation; or none and every problem
  ///   cost reading the spec once where it is known, 6 us for a quadruped
  Expected<std::shared_ptr<const Model>> compile(const SystemSpec& spec);

  /// Models that somebody holds.
  int size() const;

 private:
  struct Entry {
    std::weak_ptr<const Model> model;
    Diagnostics diagnostics;
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace espalier
