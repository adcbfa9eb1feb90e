#include "espalier/dynamics/simd/limbs.h"

#include "espalier/core/check.h"
#include "espalier/core/processor.h"
#include "espalier/dynamics/simd/limbs_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {
namespace {

constexpr int base_lanes = lanes_v<DoubleLanes>;

template <class Plain>
void takeLane(const LanePlace& from, Plain& to) {
  auto* x = reinterpret_cast<double*>(&to);
  for (int i = 0; i < static_cast<int>(sizeof(Plain) / sizeof(double)); ++i)
    x[i] = from.at[i * from.lanes];
}

}  // namespace

LimbPacks::~LimbPacks() = default;

LimbPacks* newLimbPacks(const LimbPlan& plan) {
  return new LimbPacksOf<DoubleLanes, DoubleLanes>(plan);
}

Limbs::Limbs(const Topology& topology, const Mechanism& mechanism)
    : Limbs(topology, mechanism, hasWideRegisters()) {}

Limbs::Limbs(const Topology& topology, const Mechanism& mechanism, bool wide)
    : t_(topology),
      plan_(planLimbs(topology, mechanism,
                      wide ? std::vector<int>{4, 8} : std::vector<int>{base_lanes})) {
  if (!plan_.isWorthIt) return;
  trunk_ = std::make_unique<PartWorkspace<double>>(trunk());
  packs_.reset(wide ? newLimbPacks_v4(plan_) : newLimbPacks(plan_));
  numbers_.body.resize(static_cast<std::size_t>(t_.nb));
  numbers_.dof.resize(static_cast<std::size_t>(t_.nv));
  numbers_.screw.resize(static_cast<std::size_t>(mechanism.firstScrew.back()));
  packs_->find(numbers_);
  limbs_detail::find(trunk(), *trunk_, numbers_);  // the trunk's place is last
}

Limbs::~Limbs() = default;

void Limbs::load(const Lowered<double>& parameters, const LoopWorkspace<double>& loops) {
  limbs_detail::load(trunk(), static_cast<int>(plan_.trunk.size()), parameters, loops, *trunk_);
  packs_->load(parameters, loops);
}

double Limbs::close(double* q, double tolerance, int iterations, LoopWorkspace<double>& loops) {
  const double worst = packs_->close(q, tolerance, iterations, loops);
  limbs_detail::close(trunk(), trunk().t.nq, q, tolerance, iterations, *trunk_, loops);
  return worst;
}

void Limbs::bias(const Vec3d& gravity, const double* u, LoopWorkspace<double>& loops, double* h) {
  limbs_detail::addBias(trunk(), gravity, u, *trunk_, loops, h);
  packs_->addBias(gravity, u, loops, h);
}

void Limbs::massMatrix(double* H) {
  limbs_detail::addMassMatrix(trunk(), *trunk_, H);
  packs_->addMassMatrix(H);
}

Motion<double> Limbs::screw(int index) const {
  Motion<double> s;
  takeLane(numbers_.screw[static_cast<std::size_t>(index)], s);
  return s;
}

void Limbs::exportBody(int body, Workspace<double>& ws) const {
  const LimbNumbers::Body& from = numbers_.body[static_cast<std::size_t>(body)];
  ws.origin = trunk_->ws.origin;
  takeLane(from.R, ws.R[body]);
  takeLane(from.x, ws.x[body]);
  takeLane(from.V, ws.V[body]);
  takeLane(from.A, ws.A[body]);
}

void Limbs::exportAll(Workspace<double>& ws) const {
  for (int b = 0; b < t_.nb; ++b) {
    exportBody(b, ws);
    takeLane(numbers_.body[static_cast<std::size_t>(b)].c, ws.c[b]);
  }
  for (int d = 0; d < t_.nv; ++d) takeLane(numbers_.dof[static_cast<std::size_t>(d)], ws.S[d]);
}

}  // namespace espalier
