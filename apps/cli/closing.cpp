#include "apps/cli/closing.h"

#include <fmt/format.h>

#include <algorithm>

namespace espalier::cli {

AssemblyResult closeByDependents(const Model& model, std::vector<double>& q) {
  return closeAllLoops(model, model.lowered, true, q);
}

std::string whyOpen(const AssemblyResult& result) {
  return fmt::format("the loops do not close there: {:.3g} is left", result.residual);
}

std::vector<double> inOrder(const std::vector<double>& internal, const std::vector<int>& place) {
  const auto count = place.size() - static_cast<std::size_t>(std::ranges::count(place, -1));
  std::vector<double> to(count);
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] >= 0) to[place[i]] = internal[i];
  return to;
}

Eigen::VectorXd vectorInOrder(const std::vector<double>& internal, const std::vector<int>& place) {
  const std::vector<double> to = inOrder(internal, place);
  return Eigen::Map<const Eigen::VectorXd>(to.data(), static_cast<Eigen::Index>(to.size()));
}

}  // namespace espalier::cli
