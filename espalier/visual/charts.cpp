#include "espalier/visual/charts.h"

#include <utility>

#include "espalier/core/check.h"

namespace espalier {
namespace {

void requireOneForEach(const std::string& title, std::size_t names, std::size_t values) {
  ESPALIER_REQUIRE(names == values, "chart '" + title + "' takes " + std::to_string(names) +
                                        " numbers, not " + std::to_string(values));
}

}  // namespace

void TimeSeriesGraph::addDataPoints(double time, const Eigen::VectorXd& values) {
  requireOneForEach(title, names.size(), static_cast<std::size_t>(values.size()));
  if (samples_.size() >= most_samples)  // nobody takes them; half go at a time
    samples_.erase(samples_.begin(), samples_.begin() + most_samples / 2);
  samples_.push_back({time, {values.data(), values.data() + values.size()}});
}
std::vector<TimeSeriesGraph::Sample> TimeSeriesGraph::takeSamples() {
  return std::exchange(samples_, {});
}

void BarChart::setData(const std::vector<float>& data) {
  requireOneForEach(title, names.size(), data.size());
  data_ = data;
  hasChanged_ = true;
}
bool BarChart::takeChange() { return std::exchange(hasChanged_, false); }

}  // namespace espalier
