#pragma once

// State: everything that moves, as a value. Copy it, compare it, hash it, put it back, keep it as
// bytes.

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
  /// Of a world: what its steps so far leave behind for the next one (step/history.h). It is ignored
  /// where q or u were written since. Empty: the next step starts without.
  std::vector<double> history{};

  /// The same motion: q, u and time.
  friend bool operator==(const State& a, const State& b) {
    return a.q == b.q && a.u == b.u && a.time == b.time;
  }
};

/// The neutral coordinates of a model, at rest, at time 0.
State neutralState(const Model& model);

/// FNV-1a over the bytes of q and u: equal states, equal hashes.
std::uint64_t hash(const State& state);
/// The same over any bytes.
std::uint64_t hash(std::span<const std::byte> bytes);

/// A state as bytes: a header, its numbers, a checksum.
std::vector<std::byte> toBytes(const State& state);
///   errors  throws std::invalid_argument where the bytes are damaged or no state
State stateFromBytes(std::span<const std::byte> bytes);

}  // namespace espalier
