#include "espalier/dynamics/simd/branch_plan.h"

#include <algorithm>

namespace espalier {
namespace {

class Scheduler {
 public:
  explicit Scheduler(const Topology& t) : t_(t), done_(t.nb, 0), toLeaf_(t.nb, 0) {
    plan_.nodeOf.assign(t.nb, -1);
    plan_.laneOf.assign(t.nb, -1);
    plan_.children.resize(t.nb);
    for (int b = t.nb - 1; b > 0; --b) {
      const int parent = t.bodies[b].parent;
      plan_.children[parent].push_back(b);
      toLeaf_[parent] = std::max(toLeaf_[parent], toLeaf_[b] + 1);
    }
  }

  BranchPlan run() {
    done_[0] = 1;
    last_.fill(-1);
    for (int left = t_.nb - 1; left > 0;) left -= addNode();
    for (BranchNode& node : plan_.nodes) link(node);
    plan_.isProfitable = t_.nb > 1 && onlyHingesAndSliders() &&
                         t_.nb - 1 >= 2 * static_cast<int>(plan_.nodes.size());
    plan_.isStraight = plan_.isProfitable &&
                       std::all_of(plan_.nodes.begin(), plan_.nodes.end(), [](const BranchNode& n) {
                         return (n.onBase || n.parentNode >= 0) && (n.isLeaf || n.childNode >= 0);
                       });
    return std::move(plan_);
  }

 private:
  bool onlyHingesAndSliders() const {
    return std::all_of(t_.bodies.begin() + 1, t_.bodies.end(), [](const BodyTopology& b) {
      return b.kind == JointKind::Revolute || b.kind == JointKind::Prismatic;
    });
  }

  /// Ready bodies, the longest way to a leaf first, then by index.
  std::vector<int> ready() const {
    std::vector<int> bodies;
    for (int b = 1; b < t_.nb; ++b)
      if (!done_[b] && done_[t_.bodies[b].parent]) bodies.push_back(b);
    std::stable_sort(bodies.begin(), bodies.end(),
                     [this](int a, int b) { return toLeaf_[a] > toLeaf_[b]; });
    return bodies;
  }

  int addNode() {
    std::vector<int> bodies = ready();
    BranchNode node;
    node.kind = t_.bodies[bodies.front()].kind;
    node.body.fill(-1);
    int filled = 0;
    const auto put = [&](int lane, int body) {
      node.body[lane] = body;
      ++filled;
      bodies.erase(std::find(bodies.begin(), bodies.end(), body));
    };
    for (int lane = 0; lane < branch_lanes; ++lane) {  // go on where the lane was
      for (int b : bodies)
        if (t_.bodies[b].kind == node.kind && t_.bodies[b].parent == last_[lane]) {
          put(lane, b);
          break;
        }
    }
    for (int lane = 0; lane < branch_lanes; ++lane) {
      if (node.body[lane] >= 0) continue;
      for (int b : bodies)
        if (t_.bodies[b].kind == node.kind) {
          put(lane, b);
          break;
        }
    }
    const int stand_in =
        *std::find_if(node.body.begin(), node.body.end(), [](int b) { return b >= 0; });
    for (int lane = 0; lane < branch_lanes; ++lane) {
      const int b = node.body[lane];
      const BodyTopology& source = t_.bodies[b >= 0 ? b : stand_in];
      node.q[lane] = source.q;
      node.u[lane] = source.u;
      if (b < 0) continue;
      done_[b] = 1;
      node.isGeared |= t_.gearOf[source.u] >= 0;
      node.carriesGear |= t_.carriesGear[b] != 0;
      last_[lane] = b;
      plan_.nodeOf[b] = static_cast<int>(plan_.nodes.size());
      plan_.laneOf[b] = lane;
    }
    plan_.nodes.push_back(node);
    return filled;
  }

  bool isGeared(int body) const { return body >= 0 && t_.gearOf[t_.bodies[body].u] >= 0; }

  /// Where the geared children of all lanes lie in their lanes, and no other geared bodies.
  int gearNodeOf(const BranchNode& node) const {
    int found = -1;
    for (int lane = 0; lane < branch_lanes; ++lane) {
      if (node.body[lane] < 0) continue;
      for (const int child : plan_.children[node.body[lane]]) {
        if (!isGeared(child)) continue;
        const bool fits = found < 0 || found == plan_.nodeOf[child];
        if (plan_.laneOf[child] != lane || !fits) return -1;
        found = plan_.nodeOf[child];
      }
    }
    if (found < 0) return -1;
    for (int lane = 0; lane < branch_lanes; ++lane) {
      const int child = plan_.nodes[found].body[lane];
      if (isGeared(child) && t_.bodies[child].parent != node.body[lane]) return -1;
    }
    return found;
  }

  /// Finds out whether parents and children lie in the same lanes of one node.
  void link(BranchNode& node) {
    bool sameParent = true, sameChild = true;
    node.isLeaf = true;
    node.onBase = true;
    int parent = -1, child = -1;
    for (int lane = 0; lane < branch_lanes; ++lane) {
      const int b = node.body[lane];
      if (b < 0) continue;
      const int p = t_.bodies[b].parent;
      node.onBase &= p == 0;
      sameParent &= p > 0 && plan_.laneOf[p] == lane && (parent < 0 || parent == plan_.nodeOf[p]);
      parent = plan_.nodeOf[p];
      const std::vector<int>& children = plan_.children[b];
      node.isLeaf &= children.empty();
      sameChild &= children.size() == 1 && plan_.laneOf[children[0]] == lane &&
                   (child < 0 || child == plan_.nodeOf[children[0]]);
      if (!children.empty()) child = plan_.nodeOf[children[0]];
    }
    node.parentNode = sameParent ? parent : -1;
    node.childNode = sameChild ? child : -1;
    node.gearNode = gearNodeOf(node);
  }

  const Topology& t_;
  BranchPlan plan_;
  std::vector<char> done_;
  std::vector<int> toLeaf_;
  std::array<int, branch_lanes> last_{};
};

}  // namespace

BranchPlan planBranches(const Topology& t) { return Scheduler(t).run(); }

BranchPlan planStraightDofs(const Topology& t) {
  const int base = t.floating ? 6 : 0;
  std::vector<std::vector<int>> limbs;
  std::vector<int> limbOf(static_cast<std::size_t>(t.nv), -1);
  for (int d = base; d < t.nv; ++d) {
    const int parent = t.dofParent[d];
    if (parent == base - 1) {
      limbOf[d] = static_cast<int>(limbs.size());
      limbs.push_back({d});
      continue;
    }
    if (parent < base || limbs[limbOf[parent]].back() != parent) return {};  // it branches
    limbOf[d] = limbOf[parent];
    limbs[limbOf[d]].push_back(d);
  }
  const int count = static_cast<int>(limbs.size());
  BranchPlan plan;
  for (int first = 0; first < count; first += branch_lanes)
    for (std::size_t depth = 0; depth < limbs[first].size(); ++depth) {
      BranchNode& node = plan.nodes.emplace_back();
      node.parentNode = depth == 0 ? -1 : static_cast<int>(plan.nodes.size()) - 2;
      for (int l = 0; l < branch_lanes; ++l) {
        const bool isIdle = first + l >= count;
        const std::vector<int>& limb = limbs[isIdle ? first : first + l];
        if (limb.size() != limbs[0].size()) return {};
        node.u[l] = limb[depth];
        node.body[l] = isIdle ? -1 : limb[depth];
      }
    }
  plan.isStraight = t.nv - base >= 2 * static_cast<int>(plan.nodes.size());
  return plan;
}

}  // namespace espalier
