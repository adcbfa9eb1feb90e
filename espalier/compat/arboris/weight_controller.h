#pragma once

#include <optional>

#include "espalier/compat/arboris/controller.h"
#include "espalier/spatial/vec3.h"

namespace espalier::sim {

/// Gravity. arboris' own step has none but this; a step of the World has the World's, and this
/// adds the difference, so that with it gravity is the one it names whatever the stepping.
class WeightController : public Controller {
 public:
  /// The World's gravity as it is at every step.
  WeightController() = default;
  explicit WeightController(const Vec3d& gravity) : gravity_(gravity) {}  ///< m/s^2

  void init(Simulation& simulation) override { simulation_ = &simulation; }
  void update(double dt, double t, Eigen::VectorXd& gforce0, Eigen::MatrixXd& Z) override;

 private:
  std::optional<Vec3d> gravity_;
  const Simulation* simulation_ = nullptr;
};

}  // namespace espalier::sim
