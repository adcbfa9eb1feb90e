#include "espalier/simulate/weight_controller.h"

#include "espalier/simulate/mechanism.h"
#include "espalier/simulate/simulation.h"

namespace espalier::sim {

void WeightController::update(double, double, Eigen::VectorXd& gforce0, Eigen::MatrixXd&) {
  const Vec3d wanted = gravity_.value_or(simulation_->world().getGravity());
  const Vec3d missing = wanted - simulation_->gravityOfStep();
  for (const auto& actor : simulation_->actors()) addWeight(actor->tree(), missing, gforce0);
}

}  // namespace espalier::sim
