#pragma once

// Compiled models by the content of their Spec, so that a hundred equal robots are one Model, in
// whatever worlds they are.

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "espalier/model/model.h"

namespace espalier {

/// All that compile() reads of a system, as bytes: equal bytes, equal models. Where it stands (unless
/// isBaseTied(spec)), file and line numbers are left out; triangles count by a 128-bit hash.
std::string contentOf(const SystemSpec& spec);

/// May be used by several threads.
class CompileCache {
 public:
  /// The one that all worlds of the process ask.
  static CompileCache& ofProcess();

  /// compile(spec), or the same Model as the last time while anybody holds it. The base of a fixed
  /// robot stands at the world's origin, wherever spec.X_WB puts it: the caller places it. One that
  /// isBaseTied(spec) stands where its loops hold it.
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
  std::shared_ptr<const Model> find(const std::string& content, Diagnostics& diagnostics) const;

  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace espalier
