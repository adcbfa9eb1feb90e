#include "espalier/dynamics/simd/chain_lanes.h"

#include <algorithm>

#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/dynamics/tree/kinematics_impl.h"
#include "espalier/dynamics/tree/mass_matrix_impl.h"

namespace espalier {
namespace {

constexpr int W = lanes_v<DoubleLanes>;
const JointExtra<DoubleLanes> no_extra{};

/// f.template operator()<Joint>() for the kinds a node may have.
template <class F>
ESPALIER_INLINE void withNode(JointKind kind, F&& f) {
  if (kind == JointKind::Revolute)
    f.template operator()<RevoluteJoint>();
  else
    f.template operator()<PrismaticJoint>();
}

ESPALIER_INLINE DoubleLanes gather(const double* from, const std::array<int, W>& place) {
  DoubleLanes x;
  for (int l = 0; l < W; ++l) setLane(x, l, from[place[l]]);
  return x;
}

// A struct of lanes is W structs of doubles laid crosswise; these move one lane.
template <class Plain, class Wide>
ESPALIER_INLINE void putLane(Wide& to, int lane, const Plain& from) {
  static_assert(sizeof(Wide) == sizeof(Plain) * W);
  const double* f = reinterpret_cast<const double*>(&from);
  double* t = reinterpret_cast<double*>(&to);
  for (std::size_t i = 0; i < sizeof(Plain) / sizeof(double); ++i) t[i * W + lane] = f[i];
}
template <class Plain, class Wide>
ESPALIER_INLINE void takeLane(const Wide& from, int lane, Plain& to) {
  static_assert(sizeof(Wide) == sizeof(Plain) * W);
  double* t = reinterpret_cast<double*>(&to);
  const double* f = reinterpret_cast<const double*>(&from);
  for (std::size_t i = 0; i < sizeof(Plain) / sizeof(double); ++i) t[i] = f[i * W + lane];
}

/// A struct of the root's in every lane.
template <template <class> class S>
ESPALIER_INLINE S<DoubleLanes> inAllLanes(const S<double>& from) {
  S<DoubleLanes> to;
  const double* f = reinterpret_cast<const double*>(&from);
  DoubleLanes* t = reinterpret_cast<DoubleLanes*>(&to);
  for (std::size_t i = 0; i < sizeof(from) / sizeof(double); ++i) t[i] = DoubleLanes(f[i]);
  return to;
}

bool isHingeOrSlider(JointKind kind) {
  return kind == JointKind::Revolute || kind == JointKind::Prismatic;
}

/// The chains on the root, from it on, by their first bodies; none where they are not alike.
std::vector<std::vector<int>> chainsOf(const Topology& t) {
  std::vector<std::vector<int>> chains;
  std::vector<std::size_t> chainOf(static_cast<std::size_t>(t.nb));
  for (int b = 1; b < t.nb; ++b) {
    const BodyTopology& body = t.bodies[b];
    if (!isHingeOrSlider(body.kind)) return {};
    std::size_t& chain = chainOf[b];
    if (body.parent == 0) {
      chain = chains.size();
      chains.emplace_back();
    } else {
      chain = chainOf[body.parent];
      if (chains[chain].back() != body.parent) return {};  // it branches
    }
    chains[chain].push_back(b);
  }
  const auto kindOf = [&](int b) { return t.bodies[b].kind; };
  for (const std::vector<int>& chain : chains)
    if (!std::equal(chain.begin(), chain.end(), chains[0].begin(), chains[0].end(),
                    [&](int a, int b) { return kindOf(a) == kindOf(b); }))
      return {};
  return chains;
}

}  // namespace

ChainLanes::ChainLanes(const Topology& topology, const Lowered<double>& parameters)
    : t_(topology), par_(&parameters) {
  plan();
  load(parameters);
}

void ChainLanes::plan() {
  const std::vector<std::vector<int>> chains = chainsOf(t_);
  const std::size_t count = chains.size(), length = count > 0 ? chains[0].size() : 0;
  const std::size_t nodes = (count + W - 1) / W * length;
  if (nodes == 0 || count * length < 2 * nodes) return;
  nodes_ = AlignedArray<Node>(nodes);
  nodeOf_.assign(static_cast<std::size_t>(t_.nb), -1);
  laneOf_.assign(static_cast<std::size_t>(t_.nb), -1);
  for (std::size_t n = 0; n < nodes; ++n) {
    Node& node = nodes_[n];
    const std::size_t first = n / length * W, depth = n % length;
    node.isFirst = depth == 0;
    node.isLast = depth + 1 == length;
    node.filled = static_cast<int>(std::min<std::size_t>(W, count - first));
    for (std::size_t l = 0; l < W; ++l) {
      const bool isIdle = l >= static_cast<std::size_t>(node.filled);
      const int b = chains[isIdle ? first : first + l][depth];
      const BodyTopology& body = t_.bodies[b];
      node.kind = body.kind;
      node.body[l] = b;
      node.q[l] = body.q;
      node.u[l] = body.u;
      if (isIdle) continue;
      nodeOf_[b] = static_cast<int>(n);
      laneOf_[b] = static_cast<int>(l);
    }
  }
  const std::size_t longest = length + 6;
  row_ = AlignedArray<T>(longest);
  idleRow_ = AlignedArray<double>(longest);
}

void ChainLanes::load(const Lowered<double>& parameters) {
  par_ = &parameters;
  for (Node& node : nodes_) {
    for (int l = 0; l < W; ++l) putLane(node.par, l, parameters.bodies[node.body[l]]);
    node.armature = gather(parameters.armature.data(), node.u);
    node.spin = parameters.hasRotors ? gather(parameters.spin.data(), node.u) : T(0.0);
  }
}

/// f(node, lane, body) of every body but the root, in their order.
template <class F>
ESPALIER_INLINE void ChainLanes::forBodies(F&& f) const {
  for (int b = 1; b < t_.nb; ++b) f(nodes_[nodeOf_[b]], laneOf_[b], b);
}

/// What the first bodies of all chains hand to the root, the last chain's first.
template <class Plain, class Wide>
ESPALIER_INLINE void ChainLanes::addToRoot(Wide Node::*from, Plain& sum) const {
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    if (!nodes_[n].isFirst) continue;
    for (int l = nodes_[n].filled; l-- > 0;) {
      Plain part;
      takeLane(nodes_[n].*from, l, part);
      sum += part;
    }
  }
}

void ChainLanes::kinematics(const double* q, const double* u, Workspace<double>& ws) {
  using namespace kinematics_detail;
  placeBase(t_, *par_, q, u, ws);
  ws.Ib[0] = inertiaAt(ws.R[0], ws.x[0], par_->bodies[0].I);
  const Mat3<T> R0 = inAllLanes(ws.R[0]);
  const Vec3<T> x0 = inAllLanes(ws.x[0]);
  const Motion<T> V0 = inAllLanes(ws.V[0]);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    const T qn = gather(q, node.q), un = gather(u, node.u);
    const Node& above = node.isFirst ? node : nodes_[n - 1];
    const CarrierMotion<T> carrier =
        node.isFirst ? CarrierMotion<T>{R0, x0, V0} : CarrierMotion<T>{above.R, above.x, above.V};
    withNode(
        node.kind, [&]<class J>() __attribute__((always_inline)) {
          place<J>(node.par, no_extra, &qn, &un, carrier,
                   BodyMotion<T>{node.R, node.x, &node.S, node.V, node.c});
        });
    node.Ib = inertiaAt(node.R, node.x, node.par.I);
  }
}

void ChainLanes::velocities(const double* u, Workspace<double>& ws) {
  using namespace kinematics_detail;
  if (t_.floating) baseTwist(u, ws);
  const Motion<T> V0 = inAllLanes(ws.V[0]);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    const T un = gather(u, node.u);
    // The same for a slider.
    twist<RevoluteJoint>(node.isFirst ? V0 : nodes_[n - 1].V, &node.S, &un, node.V, node.c);
  }
}

void ChainLanes::bias(const Vec3d& gravity, Workspace<double>& ws, double* h) {
  using namespace inverse_dynamics_detail;
  ws.A[0] = ws.c[0];
  ws.A[0].v -= gravity;
  if (t_.floating) ws.F[0] = wrench(ws.Ib[0], ws.V[0], ws.A[0]);
  const Motion<T> A0 = inAllLanes(ws.A[0]);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    const Motion<T> A = (node.isFirst ? A0 : nodes_[n - 1].A) + node.c;
    node.A = A;
    node.F = wrench(node.Ib, node.V, A);
  }
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    if (!node.isLast) node.F += nodes_[n + 1].F;
    T own = dot(node.S, node.F);
    if (par_->hasRotors)
      spinRotorInWorld(node.kind, node.S, node.spin, node.A, node.c, node.F.n, own);
    for (int l = 0; l < node.filled; ++l) h[node.u[l]] = lane(own, l);
  }
  if (!t_.floating) return;
  Force<double> f = ws.F[0];
  addToRoot(&Node::F, f);
  ws.F[0] = f;
  put(h, f.f.x, f.f.y, f.f.z, f.n.x, f.n.y, f.n.z);
}

void ChainLanes::massMatrix(Workspace<double>& ws) {
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    RigidInertia<T> Ic = node.Ib;
    if (!node.isLast) Ic += nodes_[n + 1].Ic;
    node.Ic = Ic;
    Force<T> F = mul(Ic, node.S);
    const int last = t_.dofDepth[node.u[0]];
    T* row = row_.data();
    row[last] = dot(node.S, F) + node.armature;
    if (par_->hasRotors) F.n = madd(rotors::alongAxis(node.kind, node.S), node.spin, F.n);
    int d = last;
    for (std::size_t above = n; !nodes_[above].isFirst; --above)
      row[--d] = dot(nodes_[above - 1].S, F);
    if (t_.floating) put(row, F.f.x, F.f.y, F.f.z, F.n.x, F.n.y, F.n.z);
    double* rows[W];
    for (int l = 0; l < W; ++l)
      rows[l] = l < node.filled ? &ws.H[t_.row[node.u[l]]] : idleRow_.data();
    toRows(row, last + 1, rows);
  }
  rotors::addGeared(t_, *par_, ws.H.data());
  ws.Ic[0] = ws.Ib[0];
  if (!t_.floating) return;
  addToRoot(&Node::Ic, ws.Ic[0]);
  mass_matrix_detail::baseRows(ws.Ic[0], ws.H.data());
}

void ChainLanes::exportColumns(Workspace<double>& ws) const {
  forBodies([&](const Node& node, int l, int) { takeLane(node.S, l, ws.S[node.u[l]]); });
}

void ChainLanes::exportBody(int b, Workspace<double>& ws) const {
  if (b == 0) return;
  const Node& node = nodes_[nodeOf_[b]];
  const int l = laneOf_[b];
  takeLane(node.R, l, ws.R[b]);
  takeLane(node.x, l, ws.x[b]);
  takeLane(node.V, l, ws.V[b]);
  takeLane(node.A, l, ws.A[b]);
}

void ChainLanes::exportAll(Workspace<double>& ws) const {
  exportColumns(ws);
  forBodies([&](const Node& node, int l, int b) {
    exportBody(b, ws);
    takeLane(node.c, l, ws.c[b]);
    takeLane(node.Ib, l, ws.Ib[b]);
  });
}

Force<double> ChainLanes::momentum(const double* u, const Workspace<double>& ws) const {
  Force<double> sum = mul(ws.Ib[0], ws.V[0]);
  forBodies([&](const Node& node, int l, int) {
    Force<double> part;
    takeLane(mul(node.Ib, node.V), l, part);
    sum += part;
  });
  if (!par_->hasRotors) return sum;
  forBodies([&](const Node& node, int l, int) {
    const int dof = node.u[l];
    Motion<double> S;
    takeLane(node.S, l, S);
    sum.n = madd(rotors::alongAxis(node.kind, S), par_->spin[dof] * u[dof], sum.n);
  });
  return sum;
}

RigidInertia<double> ChainLanes::totalInertia(const Workspace<double>& ws) const {
  RigidInertia<double> sum = ws.Ib[0];
  forBodies([&](const Node& node, int l, int) {
    RigidInertia<double> part;
    takeLane(node.Ib, l, part);
    sum += part;
  });
  return sum;
}

}  // namespace espalier
