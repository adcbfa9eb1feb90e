#pragma once

// A controller pushes with gforce0 + Z nu', where nu' is the velocity that the step ends with (in
// the World's schemes of second order the mean over the step): the part in Z acts implicitly
// (arboris' update_controllers).
//
// In a step of the World the symmetric part of Z, as far as it takes energy out and lies along the
// tree, is implicit; of the rest the value at the step's beginning acts. RUNGE_KUTTA_4 holds all of
// it constant over the step.

#include <Eigen/Core>

namespace espalier::sim {

class Simulation;

class Controller {
 public:
  virtual ~Controller() = default;
  /// Once, before the first step.
  virtual void init(Simulation&) {}
  /// Adds its part for the step that lasts dt and ends at time t, where nu' is.
  ///   io   gforce0  [n]     N or N m, power gforce0 . nu; keeps its size
  ///   io   Z        [n][n]  keeps its size
  virtual void update(double dt, double t, Eigen::VectorXd& gforce0, Eigen::MatrixXd& Z) = 0;
};

}  // namespace espalier::sim
