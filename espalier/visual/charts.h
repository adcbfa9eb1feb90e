#pragma once

// Curves and bars that a program feeds, RaiSim's names. Made by Visuals (visuals.h).

#include <Eigen/Core>
#include <string>
#include <vector>

namespace espalier {

/// Several curves over time.
class TimeSeriesGraph {
 public:
  struct Sample {
    double time;
    std::vector<double> values;
  };

  const std::string title;
  const std::vector<std::string> names;  ///< of the curves
  const std::string xAxis, yAxis;

  TimeSeriesGraph(std::string called, std::vector<std::string> curves, std::string x, std::string y)
      : title(std::move(called)),
        names(std::move(curves)),
        xAxis(std::move(x)),
        yAxis(std::move(y)) {}
  /// in  time  s;  values  one for each curve, else throws std::invalid_argument
  void addDataPoints(double time, const Eigen::VectorXd& values);

  /// Those since the last call, in order; where nobody asks, the last ones, most_samples at most.
  std::vector<Sample> takeSamples();
  static constexpr std::size_t most_samples = 10'000;

 private:
  std::vector<Sample> samples_;
};

/// Bars, one for each name.
class BarChart {
 public:
  const std::string title;
  const std::vector<std::string> names;

  BarChart(std::string called, std::vector<std::string> bars)
      : title(std::move(called)), names(std::move(bars)) {}
  /// in  data  one for each bar, else throws std::invalid_argument
  void setData(const std::vector<float>& data);

  const std::vector<float>& data() const { return data_; }
  /// Whether the data were set since the last call.
  bool takeChange();

 private:
  std::vector<float> data_;
  bool hasChanged_ = false;
};

}  // namespace espalier
