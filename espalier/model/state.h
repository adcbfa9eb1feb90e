#pragma once

// State: everything that moves, as a value. Copy it, compare it, hash it, put it back.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/model/model.h"

namespace espalier {

struct State {
  std::vector<double> q;  ///< internal order; of a world: system after system
  std::vector<double> u;
  double time = 0;  ///< s

  friend bool operator==(const State&, const State&) = default;
};

/// The neutral coordinates of a model, at rest, at time 0.
State neutralState(const Model& model);

/// FNV-1a over the bytes of q and u: equal states, equal hashes.
std::uint64_t hash(const State& state);
/// The same over any bytes.
std::uint64_t hash(std::span<const std::byte> bytes);

}  // namespace espalier
