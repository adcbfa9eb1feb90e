#pragma once

// A simulator as the benchmarks see it. A scene is written once, as data; every engine builds it
// its own way and is driven and measured by the same code, so that two figures of one row differ
// by the engine alone.
//
// bench/engine/espalier_engine.cpp and bench/peers/*_engine.cpp implement it; a program is linked
// with one of them. SI units, z up, quaternions w,x,y,z, world axes.

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

using Vec3 = std::array<double, 3>;
using Quaternion = std::array<double, 4>;

/// A homogeneous ball or box.
struct Solid {
  enum class Kind { Ball, Box };
  Kind kind = Kind::Ball;
  Vec3 size{};      ///< m; ball: radius first; box: whole edges
  double mass = 0;  ///< kg; 0: it never moves
  Vec3 position{};  ///< m, of its centre
  Vec3 velocity{};  ///< m/s
  std::string material = "default";
};

/// Heights on a grid of equal pitch, centred on the origin; solid below.
struct Terrain {
  int xSamples = 0, ySamples = 0;
  double xSize = 0, ySize = 0;  ///< m, from the first to the last sample
  std::vector<double> heights;  ///< m, [ySamples][xSamples], x runs fastest
};

struct Angle {
  std::string joint;
  double value;  ///< rad
};

/// A floating robot. Its file is the engine's own: a URDF for Espalier, an MJCF for MuJoCo.
struct Robot {
  std::string file;
  Vec3 position{};            ///< m, of the base
  std::vector<Angle> angles;  ///< of the joints that are not at zero
  bool collides = true;
};

struct Friction {
  std::string first, second;
  double value;
};

struct Scene {
  double dt = 1e-3;                ///< s
  double gravity = 9.81;           ///< m/s^2, downwards
  bool hasGround = true;           ///< the half space below z = 0, of the material "ground"
  std::optional<Terrain> terrain;  ///< in its place, of the same material
  double friction = 0;             ///< of all pairs of materials that are not listed
  std::vector<Friction> frictions;
  double restitution = 0;
  /// Share of a penetration removed in a step; none: as the engine has it by default. MuJoCo, whose
  /// contacts are soft, has no such thing.
  std::optional<double> erp;
  /// Iterations of the contact solver at most; none: as the engine has it by default.
  std::optional<int> iterations;
  /// Residual at which it stops, m/s; none: as by default. Espalier alone states one in m/s.
  std::optional<double> tolerance;
  std::vector<Solid> solids;
  std::vector<Robot> robots;
};

/// Where a joint of one dof stands in its robot's q and u.
struct Place {
  int q, u;
};

/// A robot's coordinates; q begins with the base's position. Valid until the next step.
struct RobotState {
  const double* q;
  const double* u;
  double* torque;  ///< [nv] N m or N; applyTorque() hands it to the engine
};

/// What the last step was worth. Negative: the engine does not say.
struct StepFacts {
  int contacts = 0;      ///< points with an impulse
  double depth = 0;      ///< m, of the deepest contact, as the engine sees it
  double residual = -1;  ///< m/s, violation of the contact law
  int iterations = -1;   ///< of the contact solver
  int unconverged = -1;  ///< 1 where it stopped early
  double closure = -1;   ///< m, largest gap of a closed loop
};

/// Steps several engines at once.
class Abreast {
 public:
  virtual ~Abreast() = default;
  virtual void step() = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;

  virtual void step() = 0;
  /// Side by side in the lanes of a register, as many as `lanes()`; none where the engine cannot.
  ///   in  all  engines of one scene, this one among them; they outlive what is returned
  virtual std::unique_ptr<Abreast> abreast(const std::vector<Engine*>& /*all*/) { return {}; }
  /// A step in two halves; between them positions and velocities are those at which the engine
  /// evaluates its forces. Engines that know no halves do nothing in the first.
  virtual void beginStep() {}
  virtual void endStep() { step(); }
  /// Accelerations at the present state without contacts, their loops' forces included; nothing
  /// of it is kept.
  virtual void forwardDynamics(int /*robot*/) { noRobots(); }
  /// The same of as many worlds at once as the engine has lanes for, all in the state that the first
  /// call finds; and how many those are.
  virtual void forwardDynamicsInLanes(int /*robot*/) { noRobots(); }
  virtual int lanes() const { return 1; }
  virtual StepFacts facts() const { return {}; }

  virtual Vec3 position(int solid) const = 0;
  virtual Quaternion orientation(int solid) const = 0;
  virtual Vec3 velocity(int solid) const = 0;
  virtual Vec3 spin(int solid) const = 0;               ///< rad/s
  virtual void push(int solid, const Vec3& force) = 0;  ///< N at its centre, for one step

  virtual Place joint(int /*robot*/, const std::string& /*name*/) const { noRobots(); }
  virtual RobotState state(int /*robot*/) { noRobots(); }
  virtual void applyTorque(int /*robot*/) { noRobots(); }  ///< acts until the next call
  virtual void pushBase(int /*robot*/, const Vec3& /*force*/) { noRobots(); }  ///< at its origin
  virtual std::vector<Vec3> feet(int /*robot*/) const { noRobots(); }  ///< centres of its balls
  virtual double mass(int /*robot*/) const { noRobots(); }
  virtual double energy(int /*robot*/) { noRobots(); }  ///< J, kinetic and potential
  virtual Vec3 momentum(int /*robot*/) { noRobots(); }  ///< kg m/s, linear

 private:
  [[noreturn]] static void noRobots() { throw std::logic_error("this engine builds no robots"); }
};

/// The scene, ready for its first step. `scheme`: one of the engine's own names.
///   errors  throws std::exception where the engine cannot build the scene
std::unique_ptr<Engine> makeEngine(const Scene& scene, const std::string& scheme);

}  // namespace bench
