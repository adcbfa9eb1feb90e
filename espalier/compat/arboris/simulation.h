#pragma once

// Simulation: a World driven stage by stage, in arboris' manner. Everything between the
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
// actuation, springs and gravity; joint damping is in B. Closed loops of a robot are a constraint
// between all joints of its spanning tree there (embedded_loops.h). With Stepping::WORLD the same
// calls drive World::integrate1() and integrate2() in the World's scheme, everything of the World
// acts, and controllers come on top; there are no constraints of this module then.
//
// Robots may also be built here from joint objects, as arboris' World.add_link does:
//
//   Body& arm = simulation.addBody("Arm", mass_matrix);
//   RzJoint& shoulder = simulation.addLink(simulation.ground(), RzJoint(0.5), arm);
//   auto& elbow = simulation.add<SubFrame>(arm, Transformd{identity3<double>(), {0, 0.5, 0}});
//   simulation.addLink(elbow, RzJoint(1), simulation.addBody("Forearm", mass_matrix));
//   simulation.init();                              // the robot is in the World from here on
//   simulate(simulation, time);
//   shoulder.gpos();                                // follows the state; setGpos() changes it

#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <Eigen/LU>

#include "espalier/compat/arboris/actor.h"
#include "espalier/compat/arboris/constraint_solver.h"
#include "espalier/compat/arboris/controller.h"
#include "espalier/compat/arboris/frame.h"
#include "espalier/compat/arboris/link_plan.h"
#include "espalier/world/world.h"

namespace espalier::sim {

enum class Stepping { ARBORIS, WORLD };

class Simulation {
 public:
  /// pre  the world outlives this, and what moves in it is added before. If something that moves is
  ///      removed later, the next stage throws std::invalid_argument
  ///   errors  throws std::invalid_argument for a robot that the stepping cannot move (actor.h)
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
    return add(std::make_shared<T>(std::forward<Arguments>(arguments)...));
  }
  /// One that others own, too.
  ///   errors  throws std::invalid_argument where it is null, or was added before
  template <class T>
  T& add(std::shared_ptr<T> made) {
    T* kept = made.get();
    keep(std::move(made));
    return *kept;
  }
  Body& ground() { return *ground_; }
  const Body& ground() const { return *ground_; }
  /// By link name; with several systems that share it, "system/link".
  ///   errors  throws std::invalid_argument where there is none
  Body& body(const std::string& name);

  /// A body that addLink() will carry. Frames may hang on it at once; its numbers are there from
  /// init() on.
  ///   in   mass  6x6 matrix about the body's frame, [I, m [c]; -m [c], m], as arboris has it; zero:
  ///              massless
  ///   errors  throws std::invalid_argument where the name is taken, or the matrix is no rigid
  ///           body's
  Body& addBody(const std::string& name, const Matrix6x6& mass);
  Body& addBody(const std::string& name, const std::optional<InertialSpec>& inertial);
  /// Joins two frames: frame 0 is the joint's r, frame 1 its n. Links from the ground begin a robot
  /// of the World each, which floats where the joint is a FreeJoint. gpos and gvel are where it
  /// starts. The joint returned is the Simulation's: its gpos and gvel are those at t after each
  /// stage that loads or moves the state, and what is set in it between steps acts from the next
  /// updateDynamic() on.
  ///   in   frame0  on the ground, or on a body that a link carries already
  ///   in   frame1  on a body of addBody() that none carries yet
  ///   in   name    of the joint; empty: that of frame 1's body and "Joint". A floating base's dofs
  ///                have its body's name
  ///   errors  throws std::invalid_argument; nothing has changed then
  template <class Joint>
  Joint& addLink(const Frame& frame0, const Joint& joint, const Frame& frame1,
                 const std::string& name = {}) {
    return addLink(frame0, std::make_shared<Joint>(joint), frame1, name);
  }
  /// With a joint that others own, too: it is the one that follows the state.
  template <class Joint>
  Joint& addLink(const Frame& frame0, std::shared_ptr<Joint> joint, const Frame& frame1,
                 const std::string& name = {}) {
    Joint* given = joint.get();
    planLink(frame0, std::make_unique<LinkedJointOf<Joint>>(std::move(joint)), frame1, name);
    return *given;
  }

  const std::vector<std::shared_ptr<Controller>>& controllers() const { return controllers_; }
  const std::vector<std::shared_ptr<Constraint>>& constraints() const { return constraints_; }
  /// Sweeps of the constraint solver; 20 as arboris.
  void setConstraintSweeps(int sweeps);

  // ---- the stages, in this order; one that comes too early throws std::invalid_argument, as a dt does
  // that is not positive and finite

  /// Once before the first step, and again after something was added.
  ///   errors  throws std::invalid_argument with every diagnostic where planned links do not compile
  void init();
  void updateDynamic();
  /// Asks the controllers for their part of the step that lasts dt and ends at t (s).
  ///   errors  throws std::invalid_argument where a controller changed the sizes of gforce or Z,
  ///           and what a controller throws; the step is given up then (abandonStep())
  void updateControllers(double dt, double t);
  void updateControllers(double dt) { updateControllers(dt, currentTime() + dt); }
  void updateConstraints(double dt);
  /// The state at t + dt. All matrices are those of t until the next updateDynamic().
  ///   errors  throws std::invalid_argument where something that moves was removed; in arboris' step
  ///           also where a robot's loops cannot be closed for the World's copy (Actor::store())
  void integrate(double dt);
  /// Gives up the step that updateDynamic() began: state and time stay as they were before it. With
  /// Stepping::WORLD the World forgets its contacts and the forces set for that step. init() and
  /// updateDynamic() begin with it.
  void abandonStep();

  // ---- results of the stages: [n] and [n][n], n = ndof(), velocities nu

  int ndof() const { return static_cast<int>(gvel_.size()); }
  //
  // Valid from their stage to integrate(). With Stepping::WORLD the matrices, which that does not
  // need, are computed when asked for, at the World's evaluation point. Z and Y throw
  // std::invalid_argument before the first updateControllers().

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
  ///   errors  throws std::invalid_argument where there is no such dof, or it has no coordinate
  double gpos(int dof) const;
  /// Robots in the World's order, then single bodies that move.
  const std::vector<std::unique_ptr<Actor>>& actors() const { return actors_; }
  /// Checks that the World still has their objects. Every stage calls it.
  ///   errors  throws std::invalid_argument with the name of the removed object
  void requireObjects() const;
  /// Gravity that the step brings by itself: none in arboris' own.
  Vec3d gravityOfStep() const;
  /// How long after t the coordinates are that a controller's implicit part should push on:
  /// gforce = gforce0 + Z nu', q' = q + lookAhead nu'. dt in arboris' step; as the World's scheme is.
  double lookAhead(double dt) const;

 private:
  /// The last stage of the present step; NONE: it did not begin.
  enum class Stage { NONE, DYNAMIC, CONTROLLERS };
  void keep(std::shared_ptr<Controller> controller);
  void keep(std::shared_ptr<Constraint> constraint);
  void keep(std::shared_ptr<Frame> frame);
  template <class T>
  void keep(std::vector<std::shared_ptr<T>>& list, std::shared_ptr<T> added);
  void requireStage(Stage stage, double dt) const;
  void load(double ahead);
  void store();
  void addActor(std::unique_ptr<Actor> actor);
  void planLink(const Frame& frame0, std::unique_ptr<LinkedJoint> joint, const Frame& frame1,
                const std::string& name);
  void buildLinks();
  void setJoints(std::size_t first);
  std::pair<int, int> dofsOf(const BuiltJoint& built) const;
  void takeJoints();
  void showJoints();
  void askControllers(double dt, double t);
  void computeMatrices() const;
  void computeAdmittance() const;
  void integrateWorld(double dt);

  World& world_;
  Stepping stepping_;
  std::vector<std::unique_ptr<Actor>> actors_;
  std::unique_ptr<Body> ground_;
  std::deque<Body> bodies_;  // of all trees and plans; addresses stay
  struct NamedBody {
    std::string system;  // empty: planned
    Body* body;
  };
  std::vector<NamedBody> named_;
  LinkPlan plan_;
  std::vector<BuiltJoint> linked_;
  std::vector<std::shared_ptr<Frame>> frames_;
  std::vector<std::shared_ptr<Controller>> controllers_;
  std::vector<std::shared_ptr<Constraint>> constraints_;
  ConstraintSolver solver_;
  int sweeps_ = 20;
  bool isReady_ = false;
  Stage stage_ = Stage::NONE;
  State before_;  // of the World, where updateDynamic() began its step
  bool isBegun_ = false;
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
