#include "espalier/batch/lane_system.h"

#include <algorithm>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "espalier/batch/lane_system_impl.h"
#include "espalier/core/processor.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {
namespace {

template <class Plain>
double* asNumbers(Plain& x) {
  return reinterpret_cast<double*>(&x);
}

#if defined(__AVX2__)
/// Four rows of four become columns.
template <class Load, class Store>
void transpose4(Load&& row, Store&& column) {
  const __m256d a = row(0), b = row(1), c = row(2), d = row(3);
  const __m256d ab0 = _mm256_unpacklo_pd(a, b), ab1 = _mm256_unpackhi_pd(a, b);
  const __m256d cd0 = _mm256_unpacklo_pd(c, d), cd1 = _mm256_unpackhi_pd(c, d);
  column(0, _mm256_permute2f128_pd(ab0, cd0, 0x20));
  column(1, _mm256_permute2f128_pd(ab1, cd1, 0x20));
  column(2, _mm256_permute2f128_pd(ab0, cd0, 0x31));
  column(3, _mm256_permute2f128_pd(ab1, cd1, 0x31));
}
#endif

template <class X>
bool isSame(const std::vector<X>& a, const std::vector<X>& b) {
  if (a.size() != b.size() || a.empty()) return a.size() == b.size();
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(X)) == 0;
}

}  // namespace

bool haveSameParameters(const Lowered<double>& a, const Lowered<double>& b) {
  return isSame(a.bodies, b.bodies) && isSame(a.extra, b.extra) && isSame(a.armature, b.armature) &&
         isSame(a.spin, b.spin) && isSame(a.geared, b.geared);
}

bool haveSameShapes(const Model& a, const Model& b) {
  return std::equal(a.collisions.begin(), a.collisions.end(), b.collisions.begin(),
                    b.collisions.end(), [](const CollisionInfo& x, const CollisionInfo& y) {
                      return x.body == y.body && std::memcmp(&x.X_CG, &y.X_CG, sizeof(x.X_CG)) == 0;
                    });
}

bool haveSameClosures(const Model& a, const Model& b) {
  return std::equal(a.mechanism.closures.begin(), a.mechanism.closures.end(),
                    b.mechanism.closures.begin(), b.mechanism.closures.end(),
                    [](const Closure& x, const Closure& y) {
                      return std::memcmp(&x.X_CA, &y.X_CA, sizeof x.X_CA) == 0 &&
                             std::memcmp(&x.X_CB, &y.X_CB, sizeof x.X_CB) == 0;
                    });
}

LaneSystem::LaneSystem(int laneCount, const System& like)
    : lanes(laneCount), bodies(like.model->bodies.size()) {}
LaneSystem::~LaneSystem() = default;

int LaneSystem::widest() { return hasWideRegisters() ? most_lanes : lanes_v<DoubleLanes>; }

std::unique_ptr<LaneSystem> LaneSystem::make(const System& like,
                                             const Lowered<double>& parameters) {
  if (hasWideRegisters()) return std::unique_ptr<LaneSystem>(newLaneSystem_v4(like, parameters));
  return std::make_unique<LaneSystemOf<DoubleLanes>>(like, parameters);
}

void LaneSystem::put(double* to, const Sources& from, int count) const {
  int i = 0;
#if defined(__AVX2__)
  for (; i + 4 <= count; i += 4)
    for (int l = 0; l < lanes; l += 4)
      transpose4([&](int k) { return _mm256_loadu_pd(from[l + k] + i); },
                 [&](int k, __m256d x) { _mm256_storeu_pd(to + (i + k) * lanes + l, x); });
#endif
  for (; i < count; ++i)
    for (int l = 0; l < lanes; ++l) to[i * lanes + l] = from[l][i];
}

void LaneSystem::take(const double* from, const Targets& to, int count) const {
  int i = 0;
#if defined(__AVX2__)
  for (; i + 4 <= count; i += 4)
    for (int l = 0; l < lanes; l += 4)
      transpose4([&](int k) { return _mm256_loadu_pd(from + (i + k) * lanes + l); },
                 [&](int k, __m256d x) { _mm256_storeu_pd(to[l + k] + i, x); });
#endif
  for (; i < count; ++i)
    for (int l = 0; l < lanes; ++l) to[l][i] = from[i * lanes + l];
}

void LaneSystem::takeBodies(int lane, System& sys) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    take(bodies[b].R, lane, asNumbers(sys.ws.R[b]), 9);
    take(bodies[b].x, lane, asNumbers(sys.ws.x[b]), 3);
    take(bodies[b].V, lane, asNumbers(sys.ws.V[b]), 6);
    take(bodies[b].A, lane, asNumbers(sys.ws.A[b]), 6);
  }
  take(at.S, lane, asNumbers(sys.ws.S[0]), static_cast<int>(sys.ws.S.size()) * 6);
}

void LaneSystem::takeImpulse(int lane, System& sys) const {
  Workspace<double>& solver = sys.solver();
  take(at.H, lane, solver.H.data(), static_cast<int>(solver.H.size()));
  take(at.Dinv, lane, solver.Dinv.data(), static_cast<int>(solver.Dinv.size()));
  take(at.z, lane, sys.z.data(), sys.solved().nv);
  take(at.h, lane, sys.h.data(), sys.topology().nv);
  take(at.y, lane, sys.y(), sys.solved().nv);
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
  take(at.reducedColumns, lane, asNumbers(*sys.solvedColumns()),
       sys.mechanism().firstReduced.back() * 6);
  takeAll(at.G, sys.loopWs.G);
}

}  // namespace espalier
