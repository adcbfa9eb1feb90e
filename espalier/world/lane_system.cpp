#include "espalier/world/lane_system.h"

#include "espalier/core/processor.h"
#include "espalier/scalar/instantiate.h"
#include "espalier/world/lane_system_impl.h"

namespace espalier {
namespace {

/// The numbers of a plain struct.
template <class Plain>
constexpr int numbersOf = static_cast<int>(sizeof(Plain) / sizeof(double));

template <class Plain>
double* asNumbers(Plain& x) {
  return reinterpret_cast<double*>(&x);
}

}  // namespace

LaneParameters::LaneParameters(const System& like) : whole(like.parameters) {
  if (like.loops) limbs = makeLimbSet(like.topology(), like.loops->m, whole);
}

LaneSystem::LaneSystem(int laneCount, const System& like)
    : lanes(laneCount),
      bodies(static_cast<std::size_t>(like.topology().nb)),
      screws(like.loops ? like.loops->at.screw.size() : 0) {}
LaneSystem::~LaneSystem() = default;

std::unique_ptr<LaneSystem> LaneSystem::make(const System& like, const LaneParameters& parameters) {
  if (hasWideRegisters()) return std::unique_ptr<LaneSystem>(newLaneSystem_v4(like, parameters));
  return std::make_unique<LaneSystemOf<DoubleLanes>>(like, parameters);
}

void LaneSystem::putGroup(int group, int lane, const LaneGroup<double>& numbers) const {
  constexpr int size = numbersOf<LaneGroup<double>>;
  put(at.group + group * size * lanes, lane, reinterpret_cast<const double*>(&numbers), size);
}

void LaneSystem::takeBody(int lane, int body, Workspace<double>& ws) const {
  const Body& b = bodies[static_cast<std::size_t>(body)];
  take(at.origin, lane, asNumbers(ws.origin), 3);
  take(b.R, lane, asNumbers(ws.R[body]), 9);
  take(b.x, lane, asNumbers(ws.x[body]), 3);
  take(b.V, lane, asNumbers(ws.V[body]), 6);
  take(b.A, lane, asNumbers(ws.A[body]), 6);
}

void LaneSystem::takeColumns(int lane, System& sys) const {
  const auto takeAll = [&](const double* from, auto& to) {
    const int size = numbersOf<std::remove_reference_t<decltype(to[0])>>;
    take(from, lane, reinterpret_cast<double*>(to.data()), static_cast<int>(to.size()) * size);
  };
  Workspace<double>& solver = sys.solver();
  takeAll(at.H, solver.H);
  takeAll(at.Dinv, solver.Dinv);
  take(at.z, lane, sys.z.data(), sys.solved().nv);
  if (sys.loops) {
    for (std::size_t s = 0; s < screws.size(); ++s)
      take(screws[s], lane, asNumbers(sys.loops->at.screw[s]), 6);
    takeAll(at.G, sys.loops->at.G);
  } else {
    takeAll(at.S, sys.ws.S);
  }
}

}  // namespace espalier
