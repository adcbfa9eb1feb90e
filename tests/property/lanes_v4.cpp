// All algorithms in the lanes of x86-64-v4. No test here, and nothing that another room could
// be given by the linker: see tests/CMakeLists.txt.

#include "espalier/scalar/instantiate.h"
#include "tests/support/all_algorithms.h"
#include "tests/support/cluster_algorithms.h"

namespace espalier::testing {

int runDoubleLanes_v4(const Topology& t, const Lowered<double>& par,
                      const WorldState<double>* worlds, double* const* results) {
  return runAllAlgorithms<DoubleLanes>(t, par, worlds, results);
}
int runFloatLanes_v4(const Topology& t, const Lowered<float>& par, const WorldState<float>* worlds,
                     float* const* results) {
  return runAllAlgorithms<FloatLanes>(t, par, worlds, results);
}
int runClustersInDoubleLanes_v4(const Topology& t, const Lowered<double>& par, const Mechanism& m,
                                const MechanismWorld* worlds, double* const* results) {
  return runClusterAlgorithms<DoubleLanes>(t, par, m, worlds, results);
}
int runClustersInFloatLanes_v4(const Topology& t, const Lowered<float>& par, const Mechanism& m,
                               const MechanismWorld* worlds, float* const* results) {
  return runClusterAlgorithms<FloatLanes>(t, par, m, worlds, results);
}
int widthOfDoubleLanes_v4() { return lanes_v<DoubleLanes>; }
int widthOfFloatLanes_v4() { return lanes_v<FloatLanes>; }

}  // namespace espalier::testing
