#include "espalier/dynamics/simd/subtree_mechanism.h"

#include "espalier/core/check.h"
#include "espalier/core/processor.h"
#include "espalier/dynamics/simd/subtree_mechanism_impl.h"
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

SubtreePacks::~SubtreePacks() = default;

SubtreePacks* newSubtreePacks(const SubtreePlan& plan) {
  return new SubtreePacksOf<DoubleLanes, DoubleLanes>(plan);
}

SubtreeMechanism::SubtreeMechanism(const Topology& topology, const Mechanism& mechanism)
    : SubtreeMechanism(topology, mechanism, hasWideRegisters()) {}

SubtreeMechanism::SubtreeMechanism(const Topology& topology, const Mechanism& mechanism, bool wide)
    : t_(topology),
      plan_(planSubtrees(topology, mechanism,
                         wide ? std::vector<int>{4, 8} : std::vector<int>{base_lanes})) {
  if (!plan_.isProfitable) return;
  root_ = std::make_unique<PartWorkspace<double>>(root());
  packs_.reset(wide ? newSubtreePacks_v4(plan_) : newSubtreePacks(plan_));
  numbers_.body.resize(static_cast<std::size_t>(t_.nb));
  numbers_.dof.resize(static_cast<std::size_t>(t_.nv));
  numbers_.reducedColumn.resize(static_cast<std::size_t>(mechanism.firstReduced.back()));
  packs_->find(numbers_);
  subtree_mechanism_detail::find(root(), *root_, numbers_);  // the root's place is last
}

SubtreeMechanism::~SubtreeMechanism() = default;

void SubtreeMechanism::load(const Lowered<double>& parameters, const LoopWorkspace<double>& loops) {
  subtree_mechanism_detail::load(root(), static_cast<int>(plan_.root.size()), parameters, loops,
                                 *root_);
  packs_->load(parameters, loops);
}

double SubtreeMechanism::close(double* q, double tolerance, int iterations,
                               LoopWorkspace<double>& loops) {
  const double worst = packs_->close(q, tolerance, iterations, loops);
  subtree_mechanism_detail::close(root(), root().t.nq, q, tolerance, iterations, *root_, loops);
  return worst;
}

void SubtreeMechanism::bias(const Vec3d& gravity, const double* u, LoopWorkspace<double>& loops,
                            double* h) {
  subtree_mechanism_detail::addBias(root(), gravity, u, *root_, loops, h);
  packs_->addBias(gravity, u, loops, h);
}

void SubtreeMechanism::massMatrix(double* H) {
  subtree_mechanism_detail::addMassMatrix(root(), *root_, H);
  packs_->addMassMatrix(H);
}

Motion<double> SubtreeMechanism::reducedColumn(int index) const {
  Motion<double> s;
  takeLane(numbers_.reducedColumn[index], s);
  return s;
}

void SubtreeMechanism::exportBody(int body, Workspace<double>& ws) const {
  const SubtreeNumbers::Body& from = numbers_.body[body];
  ws.origin = root_->ws.origin;
  takeLane(from.R, ws.R[body]);
  takeLane(from.x, ws.x[body]);
  takeLane(from.V, ws.V[body]);
  takeLane(from.A, ws.A[body]);
}

void SubtreeMechanism::exportAll(Workspace<double>& ws) const {
  for (int b = 0; b < t_.nb; ++b) {
    exportBody(b, ws);
    takeLane(numbers_.body[b].c, ws.c[b]);
  }
  for (int d = 0; d < t_.nv; ++d) takeLane(numbers_.dof[d], ws.S[d]);
}

}  // namespace espalier
