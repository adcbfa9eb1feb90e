// Which bodies of a MuJoCo model become one system.

#include <algorithm>
#include <numeric>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {

namespace {

/// Trees of bodies below the world, joined where something couples them; named by their top bodies.
class Trees {
 public:
  explicit Trees(const MjcfModel& model)
      : top_(model.bodies.size(), 0), root_(top_.size(), 0), moves_(top_.size(), 0) {
    std::iota(root_.begin(), root_.end(), 0);
    for (std::size_t b = 1; b < top_.size(); ++b) {  // parents come first
      const MjcfBody& body = model.bodies[b];
      top_[b] = body.parent == 0 ? static_cast<int>(b) : top_[body.parent];
      if (!body.joints.empty()) moves_[top_[b]] = 1;
    }
  }

  bool isTop(int body) const { return top_[body] == body; }
  bool moves(int body) const { return moves_[top_[body]] != 0; }
  /// The first tree of those that are joined with the body's.
  int first(int body) const {
    int t = top_[body];
    while (root_[t] != t) t = root_[t];
    return t;
  }
  void join(int a, int b) {
    if (!moves(a) || !moves(b)) return;
    a = first(a);
    b = first(b);
    root_[std::max(a, b)] = std::min(a, b);
  }
  void join(const MjcfTendon& tendon) {
    int last = -1;  // of those that move
    const auto tie = [&](int body) {
      if (!moves(body)) return;
      if (last >= 0) join(last, body);
      last = body;
    };
    for (const MjcfTerm& term : tendon.terms) tie(term.body);
    for (const MjcfWay& way : tendon.ways) forEachBody(way, tie);
  }

 private:
  std::vector<int> top_, root_;
  std::vector<char> moves_;
};

}  // namespace

MjcfGroups groupMjcfBodies(const MjcfModel& model) {
  Trees trees(model);
  for (const MjcfLoop& loop : model.loops) trees.join(loop.first.body, loop.second.body);
  for (const auto& [a, b] : model.coupled) trees.join(a, b);
  for (const MjcfTendon& tendon : model.tendons)
    if (tendon.acts()) trees.join(tendon);

  MjcfGroups groups;
  groups.of.assign(model.bodies.size(), -1);
  for (int b = 1; b < static_cast<int>(model.bodies.size()); ++b) {
    if (!trees.moves(b)) continue;
    const int first = trees.first(b);
    if (groups.of[first] < 0) {
      groups.of[first] = static_cast<int>(groups.all.size());
      groups.all.emplace_back();
    }
    groups.of[b] = groups.of[first];
    if (trees.isTop(b)) groups.all[groups.of[b]].push_back(b);
  }
  return groups;
}

}  // namespace espalier::io
