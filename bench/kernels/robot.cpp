#include "bench/kernels/robot.h"

#include <random>

#include "espalier/model/coordinates.h"

namespace espalier::bench {
namespace {

constexpr std::uint64_t seed = 20261121;

AlignedArray<double> numbers(int count) {
  return AlignedArray<double>(static_cast<std::size_t>(count));
}

}  // namespace

Robot::Robot(const Model& model)
    : topology(model.topology),
      inDouble(model.lowered),
      inFloat(lowered<float>(model.lowered)),
      q(numbers(state_count * topology.nq)),
      u(numbers(state_count * topology.nv)),
      udot(u),
      tau(u) {
  for (int i = 0; i < state_count; ++i)
    randomConfiguration(topology, seed + static_cast<std::uint64_t>(i), 1.0,
                        q.data() + i * topology.nq);
  std::mt19937_64 bits(seed);
  const auto fill = [&](AlignedArray<double>& x, double size) {
    for (double& xi : x) xi = size * (2 * (static_cast<double>(bits() >> 11) * 0x1p-53) - 1);
  };
  fill(u, 1);
  fill(udot, 1);
  fill(tau, 10);
}

}  // namespace espalier::bench
