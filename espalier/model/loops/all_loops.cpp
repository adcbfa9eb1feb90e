#include "espalier/model/loops/all_loops.h"

#include <algorithm>

namespace espalier {
namespace {

double residualOf(const Model& model, const Lowered<double>& par,
                  const std::vector<Closure>& closures, const std::vector<Coupling>& couplings,
                  const double* q) {
  LoopEquations now;
  loopEquations(model.topology, par, closures, couplings, q, now);
  return now.largest();
}

}  // namespace

double closureResidual(const Model& model, const Lowered<double>& par, const double* q) {
  if (!model.hasLoops()) return 0;
  return residualOf(model, par, allClosures(model), model.mechanism.couplings, q);
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
    result = holds ? assembleDependents(t, par, m, closed)
                   : assemble(t, par, m.closures, m.couplings, {}, closed);
  const BilateralLoops& loops = model.bilateral;
  if (!loops.isEmpty()) {
    const double gap = residualOf(model, par, loops.closures, {}, closed.data());
    if (!(gap <= left_alone) || !result.isClosed) {
      closed = q;
      result = assemble(t, par, allClosures(model), m.couplings,
                        holds ? loops.independent : std::vector<char>{}, closed);
    }
  }
  if (result.isClosed) q = std::move(closed);
  return result;
}

}  // namespace espalier
