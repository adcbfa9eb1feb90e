// Which bodies of a MuJoCo model become one system.

#include <algorithm>
#include <numeric>

#include "espalier/io/mjcf_parts.h"

namespace espalier::io {

MjcfGroups groupMjcfBodies(const MjcfModel& model) {
  const std::size_t n = model.bodies.size();
  std::vector<int> top(n, 0), rank(n, 0);
  std::vector<char> moves(n, 0);
  for (std::size_t b = 1; b < n; ++b) {  // parents come first
    const MjcfBody& body = model.bodies[b];
    top[b] = body.parent == 0 ? static_cast<int>(b) : top[static_cast<std::size_t>(body.parent)];
    if (!body.joints.empty()) moves[static_cast<std::size_t>(top[b])] = 1;
  }
  std::iota(rank.begin(), rank.end(), 0);
  const auto find = [&](int t) {
    while (rank[static_cast<std::size_t>(t)] != t) t = rank[static_cast<std::size_t>(t)];
    return t;
  };
  const auto join = [&](int a, int b) {
    a = top[static_cast<std::size_t>(a)];
    b = top[static_cast<std::size_t>(b)];
    if (!moves[static_cast<std::size_t>(a)] || !moves[static_cast<std::size_t>(b)]) return;
    a = find(a);
    b = find(b);
    rank[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  };
  for (const MjcfLoop& loop : model.loops) join(loop.first.body, loop.second.body);
  for (const auto& [a, b] : model.coupled) join(a, b);
  for (const MjcfTendon& tendon : model.tendons) {
    if (!tendon.acts()) continue;
    int first = -1;  // of those that move
    const auto tie = [&](int body) {
      if (!moves[static_cast<std::size_t>(top[static_cast<std::size_t>(body)])]) return;
      if (first >= 0) join(first, body);
      first = body;
    };
    for (const MjcfTerm& term : tendon.terms) tie(term.body);
    for (const MjcfWay& way : tendon.ways) forEachBody(way, tie);
  }

  MjcfGroups groups;
  groups.of.assign(n, -1);
  for (std::size_t b = 1; b < n; ++b) {
    if (!moves[static_cast<std::size_t>(top[b])]) continue;
    const int first = find(top[b]);
    if (groups.of[static_cast<std::size_t>(first)] < 0) {
      groups.of[static_cast<std::size_t>(first)] = static_cast<int>(groups.all.size());
      groups.all.emplace_back();
    }
    groups.of[b] = groups.of[static_cast<std::size_t>(first)];
    if (top[b] == static_cast<int>(b)) {
      groups.all[static_cast<std::size_t>(groups.of[b])].push_back(static_cast<int>(b));
    }
  }
  return groups;
}

}  // namespace espalier::io
