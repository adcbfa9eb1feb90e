#include "espalier/model/loops/all_loops.h"

#include <algorithm>

namespace espalier {
double closureResidual(const Model& model, const Lowered<double>& par, const double* q) {
  if (!model.hasLoops()) return 0;
  return LoopSystem{model.topology, par, allClosures(model), model.mechanism.couplings}
      .equations(q)
      .largest();
}

std::vector<Closure> allClosures(const Model& model) {
  std::vector<Closure> closures = model.mechanism.closures;
  closures.insert(closures.end(), model.bilateral.closures.begin(), model.bilateral.closures.end());
  return closures;
}

AssemblyResult closeAllLoops(const Model& model, const Lowered<double>& par, bool holds,
                             std::vector<double>& q) {
  const Topology& t = model.topology;
  std::vector<double> closed = q;
  AssemblyResult result{true, 0, -1};
  const Mechanism& m = model.mechanism;
  if (!m.isTree())
    result =
        holds ? assembleDependents(t, par, m, closed) : loopsOf(t, par, m).assemble({}, closed);
  const BilateralLoops& loops = model.bilateral;
  if (!loops.isEmpty()) {
    const double gap = LoopSystem{t, par, loops.closures, {}}.equations(closed.data()).largest();
    if (!(gap <= left_alone) || !result.isClosed) {
      closed = q;
      result = LoopSystem{t, par, allClosures(model), m.couplings}.assemble(
          holds ? loops.independent : std::vector<char>{}, closed);
    }
  }
  if (result.isClosed) q = std::move(closed);
  return result;
}

}  // namespace espalier
