#pragma once

// What the steps of a batch were worth, world by world, as StepReport tells it of a World.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

/// Of all steps of the last call, [worlds] each.
template <class S>
struct BatchReport {
  explicit BatchReport(std::size_t worlds)
      : flags(worlds),
        residual(worlds),
        closure(worlds),
        penetration(worlds),
        iterations(worlds),
        uncorrected(worlds) {}

  std::vector<std::uint32_t> flags;  ///< as StepReport::flags, of any of the steps
  std::vector<S> residual;           ///< m/s, the largest violation of the contact law
  std::vector<S> closure;            ///< m, or 1 for directions: the largest gap of a closed loop
  std::vector<S> penetration;        ///< m, of the deepest contact
  /// Sweeps and Newton steps of the contact solvers, the sum over the steps. In throughput mode worlds of one
  /// register are solved together, and each has the number of the slowest.
  std::vector<std::int32_t> iterations;
  /// Steps in which contacts were solved as their penetrations are, because no motion was found that corrects them.
  std::vector<std::int32_t> uncorrected;

  /// Of one world: no step yet.
  void clear(std::size_t world) {
    flags[world] = 0;
    residual[world] = closure[world] = penetration[world] = S(0);
    iterations[world] = uncorrected[world] = 0;
  }
};

}  // namespace espalier
