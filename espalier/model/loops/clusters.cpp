#include "espalier/model/loops/clusters.h"

#include <algorithm>
#include <numeric>

namespace espalier {

LoopPath pathBetween(const Topology& t, int a, int b) {
  const auto rootwards = [&](int body) {
    std::vector<int> way;
    for (; body >= 0; body = t.bodies[body].parent) way.push_back(body);
    std::reverse(way.begin(), way.end());
    return way;
  };
  LoopPath path{rootwards(a), rootwards(b)};
  std::size_t same = 0;
  while (same < path.first.size() && same < path.second.size() &&
         path.first[same] == path.second[same])
    ++same;
  // A base that is welded to the world is the world.
  if (same == 0 && !t.floating) same = 1;
  for (auto* way : {&path.first, &path.second})
    way->erase(way->begin(),
               way->begin() + static_cast<std::ptrdiff_t>(std::min(same, way->size())));
  return path;
}

std::vector<std::vector<int>> findClusters(const Topology& t,
                                           const std::vector<std::vector<int>>& ties) {
  std::vector<int> root(static_cast<std::size_t>(t.nb));
  std::iota(root.begin(), root.end(), 0);
  const auto rootOf = [&](int i) {
    while (root[i] != i) i = root[i];
    return i;
  };
  for (const std::vector<int>& tie : ties)
    for (const int body : tie) {
      const int a = rootOf(tie[0]), b = rootOf(body);
      root[std::max(a, b)] = std::min(a, b);
    }
  std::vector<std::vector<int>> clusters(static_cast<std::size_t>(t.nb));
  for (int b = 0; b < t.nb; ++b) clusters[rootOf(b)].push_back(b);
  std::vector<char> isTied(static_cast<std::size_t>(t.nb));
  for (const std::vector<int>& tie : ties)
    for (const int body : tie) isTied[body] = 1;
  std::erase_if(clusters, [&](const std::vector<int>& c) { return c.empty() || !isTied[c[0]]; });
  return clusters;
}

}  // namespace espalier
