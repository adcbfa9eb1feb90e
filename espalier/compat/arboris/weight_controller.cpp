#include "espalier/compat/arboris/weight_controller.h"

#include "espalier/compat/arboris/mechanism.h"
#include "espalier/compat/arboris/simulation.h"

namespace espalier::sim {

void WeightController::update(double, double, Eigen::VectorXd& gforce0, Eigen::MatrixXd&) {
  const Vec3d wanted = gravity_.value_or(simulation_->world().getGravity());
  const Vec3d missing = wanted - simulation_->gravityOfStep();
  for (const auto& actor : simulation_->actors()) addWeight(actor->tree(), missing, gforce0);
}

}  // namespace espalier::sim
