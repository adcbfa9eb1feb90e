#pragma once

// Simulation: a World driven stage by stage, in arboris' manner (seed 004). Everything between the
// stages can be read, and whoever derives from Controller or Constraint is asked at its stage.
//
//   Simulation simulation(world);
//   simulation.add<WeightController>();
//   auto& hand = simulation.add<SubFrame>(simulation.body("Hand"), bpose);
//   simulation.add<BallAndSocket>(simulation.ground(), hand);
//   simulate(simulation, timeline, {&csv});         // or stage by stage:
//
//   updateDynamic()            M, B, N at the state t                     M nu' + (N + B) nu = 0
//   updateControllers(dt)      gforce0, Z_a;  Z = M/dt + B + N - sum Z_a,  Y = Z^-1
//   updateConstraints(dt)      gforce = sum gforce0 + sum J' f
//   integrate(dt)              nu+ = Y (M nu / dt + gforce),  q+ = q (+) dt nu+
//
// That is Stepping::ARBORIS: dense, of first order, with N implicit in arboris' own form
// (mechanism.h), velocities as arboris counts them (tree.h), without the World's contacts, limits,
// actuation, springs and gravity; joint damping is in B. With Stepping::WORLD the same calls drive
// World::integrate1() and integrate2() in the World's scheme, everything of the World acts, and
// controllers come on top; there are no constraints of this room then.

#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <Eigen/LU>

#include "espalier/simulate/actor.h"
#include "espalier/simulate/constraint_solver.h"
#include "espalier/simulate/controller.h"
#include "espalier/simulate/frame.h"
#include "espalier/world/world.h"

namespace espalier::sim {

enum class Stepping { ARBORIS, WORLD };

class Simulation {
 public:
  /// pre  the world outlives this, and what moves in it is added before
  explicit Simulation(World& world, Stepping stepping = Stepping::ARBORIS);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  World& world() { return world_; }
  const World& world() const { return world_; }
  Stepping stepping() const { return stepping_; }

  // ---- building

  /// Makes and keeps a controller, constraint or frame, or one of a class derived from these.
  template <class T, class... Arguments>
  T& add(Arguments&&... arguments) {
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T& kept = *made;
    keep(std::move(made));
    return kept;
  }
  Body& ground() { return *ground_; }
  /// By link name; with several systems that share it, "system/link".
  ///   errors  throws std::invalid_argument where there is none
  Body& body(const std::string& name);
  const std::vector<std::unique_ptr<Controller>>& controllers() const { return controllers_; }
  const std::vector<std::unique_ptr<Constraint>>& constraints() const { return constraints_; }
  /// Sweeps of the constraint solver; 20 as arboris.
  void setConstraintSweeps(int sweeps);

  // ---- the stages, in this order

  /// Once before the first step, and again after something was added.
  void init();
  void updateDynamic();
  void updateControllers(double dt);
  void updateConstraints(double dt);
  /// The state at t + dt. All matrices now speak of the past.
  void integrate(double dt);

  // ---- what they left: [n] and [n][n], n = ndof(), velocities nu

  int ndof() const { return static_cast<int>(gvel_.size()); }
  //
  // Valid from their stage to integrate(). With Stepping::WORLD the matrices, which that does not
  // need, are computed when asked for, at the World's evaluation point.

  const Eigen::MatrixXd& massMatrix() const { return computeMatrices(), M_; }    ///< M
  const Eigen::MatrixXd& viscosity() const { return computeMatrices(), B_; }     ///< B
  const Eigen::MatrixXd& nleffects() const { return computeMatrices(), N_; }     ///< N
  const Eigen::MatrixXd& impedance() const { return computeAdmittance(), Z_; }   ///< Z
  const Eigen::MatrixXd& admittance() const { return computeAdmittance(), Y_; }  ///< Y, Z^-1
  const Eigen::VectorXd& gforce() const { return gforce_; }  ///< gforce0, then with J' f
  /// sum Z_a of the controllers; empty where there are none.
  const Eigen::MatrixXd& controllerImpedance() const { return Za_; }
  const Eigen::VectorXd& gvel() const { return gvel_; }  ///< at t; after integrate() at t + dt
  /// Velocities of all that moves; the coordinates stay. Between steps only.
  void setGvel(const Eigen::VectorXd& gvel);
  double currentTime() const { return world_.getWorldTime(); }
  const ConstraintSolver& constraintSolver() const { return solver_; }

  /// Dofs of joints by name, in that order; a floating base has its root link's name.
  ///   errors  throws std::invalid_argument for an unknown name
  std::vector<int> dofs(const std::vector<std::string>& joints) const;
  /// The same, for joints whose velocities are the rates of their coordinates.
  ///   errors  throws std::invalid_argument for others
  std::vector<int> linearDofs(const std::vector<std::string>& joints) const;
  /// Coordinate of such a dof, at t.
  double gpos(int dof) const;
  /// Robots in the World's order, then single bodies that move.
  const std::vector<std::unique_ptr<Actor>>& actors() const { return actors_; }
  /// Gravity that the step brings by itself: none in arboris' own.
  Vec3d gravityOfStep() const;
  /// How long after t the coordinates are that a controller's implicit part should push on:
  /// gforce = gforce0 + Z nu', q' = q + lookAhead nu'. dt in arboris' step; as the World's scheme is.
  double lookAhead(double dt) const;

 private:
  void keep(std::unique_ptr<Controller> controller);
  void keep(std::unique_ptr<Constraint> constraint);
  void keep(std::unique_ptr<Frame> frame);
  void load(double ahead);
  void store();
  void addActor(std::unique_ptr<Actor> actor);
  void computeMatrices() const;
  void computeAdmittance() const;
  void integrateWorld(double dt);

  World& world_;
  Stepping stepping_;
  std::vector<std::unique_ptr<Actor>> actors_;
  std::unique_ptr<Body> ground_;
  std::deque<Body> bodies_;  // of all trees; addresses stay
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<std::unique_ptr<Constraint>> constraints_;
  ConstraintSolver solver_;
  int sweeps_ = 20;
  bool isReady_ = false;
  double dt_ = 0;

  Eigen::VectorXd gforce_, gvel_, impetus_;
  Eigen::MatrixXd Za_;
  mutable Eigen::MatrixXd M_, B_, N_, Z_, Y_;
  mutable Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  mutable bool hasMatrices_ = false, hasAdmittance_ = false;
  struct JointDof {
    std::string joint;
    const Tree* tree;
    int coordinate;  // in the tree; -1: none
  };
  std::vector<JointDof> joints_;  // by dof
};

}  // namespace espalier::sim
