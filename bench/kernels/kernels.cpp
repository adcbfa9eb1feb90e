#include "bench/kernels/kernels.h"

#include "bench/kernels/kernels_impl.h"
#include "bench/kernels/kernels_v4.h"
#include "espalier/core/processor.h"
#include "espalier/scalar/instantiate.h"

namespace espalier::bench {

const char* name(Metric metric) {
  static constexpr const char* names[] = {"kinematics", "inverse_dynamics", "crba",
                                          "factor",     "dynamics",         "forward_dynamics"};
  return names[static_cast<int>(metric)];
}

Kernels::Kernels(const char* scalarName, int worldCount) : scalar(scalarName), worlds(worldCount) {}
Kernels::~Kernels() = default;

std::vector<std::unique_ptr<Kernels>> allKernels(const Robot& robot) {
  std::vector<std::unique_ptr<Kernels>> all;
  all.push_back(std::make_unique<KernelsOf<double>>("double", robot));
  all.push_back(std::make_unique<KernelsOf<float>>("float", robot));
  if (hasWideRegisters()) {
    all.emplace_back(newWideDoubleKernels_v4(robot));
    all.emplace_back(newWideFloatKernels_v4(robot));
  } else {
    all.push_back(std::make_unique<KernelsOf<DoubleLanes>>("lanes_double", robot));
    all.push_back(std::make_unique<KernelsOf<FloatLanes>>("lanes_float", robot));
  }
  return all;
}

}  // namespace espalier::bench
