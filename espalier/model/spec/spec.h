#pragma once

// Spec: the authored system as plain structs; importers fill it, compile() reads it, and nothing
// in it depends on the engine. Names are strings here and only here.
//
// Frames as in URDF: a link's frame L is its joint's frame J at q = 0; X_AB is the pose of B in A.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "espalier/geometry/shape.h"
#include "espalier/geometry/wrapping.h"
#include "espalier/model/joints/joint_kind.h"
#include "espalier/model/spec/tape.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

struct InertialSpec {
  double mass = 0;                                ///< kg
  Transformd X_LC = identityTransform<double>();  ///< centre of mass and the axes of I, in the link
  Sym3<double> I{0, 0, 0, 0, 0, 0};  ///< kg m^2 about the centre of mass, in the axes of X_LC
};

struct CollisionSpec {
  std::string name;  ///< may be empty: then it is known as LINK/i only
  Shape shape;
  Transformd X_LG = identityTransform<double>();
  std::string material = "default";
  std::uint64_t group = 1;  ///< collides with shapes that have this bit in their mask
  std::uint64_t mask = ~std::uint64_t{0};
  int line = 0;
  Vec3d meshScale{1, 1, 1};  ///< already applied to the mesh data; kept for export
};

struct VisualSpec {
  std::string name;
  Shape shape;
  Vec3d meshScale{1, 1, 1};  ///< already applied to the mesh data; kept for export
  Transformd X_LG = identityTransform<double>();
  std::array<double, 4> rgba{0.7, 0.7, 0.7, 1.0};
  std::string material;  ///< URDF material name, may be empty
  int line = 0;
};

struct LinkSpec {
  std::string name;
  std::optional<InertialSpec> inertial;  ///< none: massless
  /// Share of its weight that a force at its centre of mass takes off, 1 lets it hover; a force, not
  /// part of M or h.
  double gravityCompensation = 0;
  std::vector<CollisionSpec> collisions;
  std::vector<VisualSpec> visuals;
  int line = 0;
  std::string file = {};  ///< in which the line is; empty: the system's
};

struct JointLimits {
  double lower = -unlimited;  ///< rad or m, every dof of the joint; spherical: see below
  double upper = unlimited;
  double effort = unlimited;    ///< N m or N
  double velocity = unlimited;  ///< rad/s or m/s

  // Spherical joints only (model/spec/spherical_limits.h), rad. `upper` bounds the angle of the rotation,
  // `lower` is then 0 or -upper; equal bounds are none, as in RaiSim.
  double swing = unlimited;        ///< angle between axes[0] and where the child carries it
  double twistLower = -unlimited;  ///< turn about axes[0]
  double twistUpper = unlimited;
};

struct JointDynamics {
  double damping = 0;               ///< N m s/rad or N s/m
  double friction = 0;              ///< N m or N, dry
  double stiffness = 0;             ///< N m/rad or N/m, towards springMount
  std::vector<double> springMount;  ///< q at rest, nq numbers; empty: the neutral q
  double rotorInertia = 0;          ///< kg m^2 or kg, added to the diagonal of M
};

/// The actuator of a joint with one dof, and its command at the start:
///   force = feedforward + kp (target - q) + kd (targetRate - qdot), within [lower, upper]
struct ActuatorSpec {
  double kp = 0;                                 ///< N m/rad or N/m
  double kd = 0;                                 ///< N m s/rad or N s/m
  double target = 0;                             ///< rad or m
  double targetRate = 0;                         ///< rad/s or m/s
  double feedforward = 0;                        ///< N m or N
  double lower = -unlimited, upper = unlimited;  ///< N m or N; the joint's effort limit holds too
};

/// q = multiplier * q_of(joint) + offset.
struct MimicSpec {
  std::string joint;
  double multiplier = 1;
  double offset = 0;
};

struct JointSpec {
  std::string name;
  JointKind kind = JointKind::Fixed;
  std::string parent, child;                      ///< link names
  Transformd X_PJ = identityTransform<double>();  ///< joint frame in the parent link
  std::array<Vec3d, 3> axes{
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< in the joint frame; unit after compile
  double pitch = 0;                        ///< m/rad, helical only
  JointLimits limits;
  JointDynamics dynamics;
  std::optional<MimicSpec> mimic;
  /// Whether its coordinates are among those that users speak of, where it lies in a loop or a
  /// coupling; none: compile() chooses, joints with an actuator first.
  std::optional<bool> independent;
  std::optional<ActuatorSpec> actuator;
  int line = 0;
  std::string file = {};  ///< in which the line is; empty: the system's
};

/// The joint that closes a loop: the motions it leaves free between frame A on the predecessor and
/// frame B on the successor. Axes are those of A unless said.
enum class LoopKind {
  POINT,        ///< origins coincide (a ball joint, a pin in the plane): 3 rows
  FIXED,        ///< frames coincide: 6 rows
  REVOLUTE,     ///< turns about the axis: 5 rows
  PRISMATIC,    ///< slides along the axis: 5 rows
  CYLINDRICAL,  ///< turns about and slides along the axis: 4 rows
  UNIVERSAL,    ///< turns about the axis, and about `axis2` of B, across it: 4 rows
  PLANAR,       ///< slides across the axis and turns about it: 3 rows
  SCREW         ///< slides along the axis by `pitch` for each radian about it: 5 rows
};

/// Two links tied where the tree has no joint.
struct LoopSpec {
  std::string name;
  LoopKind kind = LoopKind::POINT;
  /// Link names. "world" is the ground: where the base floats the world's own frame, else the base's.
  std::string predecessor, successor;
  Transformd X_PA = identityTransform<double>();  ///< A in the predecessor link
  Transformd X_SB = identityTransform<double>();  ///< B in the successor link
  Vec3d axis{1, 0, 0};                            ///< in A; and in B where both have it
  Vec3d axis2{0, 1, 0};                           ///< in B, universal only
  double pitch = 0;                               ///< m/rad, screw only
  bool isBilateral = false;  ///< kept by rows of the constraint solver instead of coordinates
  int line = 0;
  std::string file = {};  ///< in which the line is; empty: the system's
};

/// Two links geared to one another: ratio (sum of q on the way to the predecessor) + offset =
/// sum of q on the way to the successor, both ways from their nearest common ancestor.
struct CouplingSpec {
  std::string name;
  std::string predecessor, successor;  ///< link names
  double ratio = 1;
  double offset = 0;  ///< rad or m
  int line = 0;
  std::string file = {};  ///< in which the line is; empty: the system's
};

/// Joints tied by equations of one's own: phi(q) = 0, where q are the coordinates of the joints, one
/// joint after another.
struct ConstraintSpec {
  std::string name;
  std::vector<std::string> joints;  ///< their velocities are the rates of their coordinates
  Tape phi;                         ///< traced (model/spec/trace.h) or read from a file
  int line = 0;
  std::string file = {};  ///< in which the line is; empty: the system's
};

/// A tendon. Its length is a sum of coordinates of joints of one dof, in the unit of coefficient x
/// coordinate, and of ways that run from point to point, straight or round a surface, in m. Its tension
/// acts on each joint times the coefficient, and on the points along the ways; positive where it pushes.
struct TendonSpec {
  struct Term {
    std::string joint;
    double coefficient = 1;
  };
  struct Point {
    std::string link;  ///< "world": the ground, as in LoopSpec
    Vec3d position{};  ///< m, in the link
  };
  /// A surface that a way is led round.
  struct Wrap {
    int after = 0;     ///< between points[after] and the next
    std::string link;  ///< as of a Point
    Transformd X_LS = identityTransform<double>();
    WrapSurface surface;
    std::optional<Point> side;  ///< as of wrap() (geometry/wrapping.h)
  };
  /// What runs from point to point; behind a pulley its length counts by 1/divisor.
  struct Way {
    std::vector<Point> points;
    double divisor = 1;
    std::vector<Wrap> wraps{};  ///< in the order of the points, one between two of them at most
  };

  std::string name;
  std::vector<Term> terms;
  std::vector<Way> ways;
  double lower = -unlimited, upper = unlimited;  ///< of the length
  double stiffness = 0;                          ///< of its spring
  double restLower = 0, restUpper = 0;           ///< lengths between which the spring is slack
  double damping = 0, friction = 0;              ///< the friction is dry
  std::optional<ActuatorSpec> actuator;          ///< of its length
  int line = 0;
  std::string file;  ///< in which that line stands; empty: the robot's
};

/// A motor that drives a joint through a gear. Kept for export; it does not act.
struct TransmissionSpec {
  std::string name, type, joint, actuator;
  double reduction = 1;
  int line = 0;
};

/// Two links that never collide.
struct IgnoredPair {
  std::string first, second;
  std::string reason;  ///< origin, for listings: "MJCF <exclude>"; no influence on the model

  IgnoredPair(std::string one, std::string other, std::string why = "")
      : first(std::move(one)), second(std::move(other)), reason(std::move(why)) {}
};

/// One articulated system: a tree of links, and what closes its loops. The root is the link that no joint has as child; a
/// root named "world" (or fixedBase) is welded to the world, any other floats.
/// A still or streaming medium in which a whole system moves (model/drag.h).
struct MediumSpec {
  double density = 0;    ///< kg/m^3
  double viscosity = 0;  ///< Pa s, dynamic
  Vec3d wind{0, 0, 0};   ///< m/s, world axes

  bool acts() const { return density > 0 || viscosity > 0; }
};

struct SystemSpec {
  std::string name;
  std::string file;  ///< for diagnostics; "<text>" where it came as text
  std::vector<LinkSpec> links;
  std::vector<JointSpec> joints;        ///< in order of appearance
  std::vector<std::string> jointOrder;  ///< empty: order of appearance
  std::vector<LoopSpec> loops;
  std::vector<CouplingSpec> couplings;
  std::vector<ConstraintSpec> constraints;
  std::vector<TendonSpec> tendons;
  std::vector<TransmissionSpec> transmissions;
  std::vector<IgnoredPair> ignoredPairs;
  bool selfCollides = true;  ///< false: no two of its links collide
  bool fixedBase = false;    ///< weld the root although it is not named "world"
  /// Geared rotors stay bodies, each with a joint of its own (model/compile/gyrostats.h).
  bool rotorsAsBodies = false;
  Transformd X_WB = identityTransform<double>();  ///< where the root is welded, or starts
  MediumSpec medium{};
  bool unbounded = false;  ///< lifts the bounds on magnitudes (model/spec/check_magnitudes.h)
};

/// How two materials meet.
struct MaterialPairSpec {
  std::string first = "default", second = "default";
  double friction = 0.8;  ///< Coulomb, dynamic
  double restitution = 0;
  double restitutionThreshold = 0.01;  ///< m/s, slower impacts do not bounce
  double staticFriction = -1;          ///< at rest; < 0: as `friction`
  double staticVelocity = 0.01;        ///< m/s, slip at which `friction` is reached (linearly)
  double rollingFriction = 0;          ///< m, torque across the normal per normal force
  double spinningFriction = 0;         ///< m, torque about the normal per normal force
  int line = 0;
};

/// How a body moves: never, as prescribed, or by Newton's law.
enum class BodyType { STATIC, KINEMATIC, DYNAMIC };

/// A rigid body on its own: a ball, a crate, a compound of shapes, the ground, a terrain.
struct BodySpec {
  std::string name;
  std::vector<CollisionSpec> collisions;  ///< X_LG is in the body's frame B
  std::vector<VisualSpec> visuals;        ///< empty: the collisions are drawn
  InertialSpec inertial;                  ///< X_LC in B; for DYNAMIC bodies the mass is > 0
  BodyType type = BodyType::DYNAMIC;
  Transformd X_WB = identityTransform<double>();
  Vec3d velocity{0, 0, 0};         ///< m/s, of B's origin, world axes
  Vec3d angularVelocity{0, 0, 0};  ///< rad/s, world axes
  int line = 0;
  std::string file = {};  ///< in which the line is; empty: the world's
};

/// A robot of a world, and how it starts.
struct PlacedSystemSpec {
  SystemSpec system;
  /// Public order; or of all joints, in spanning order, which their number tells: with loops these
  /// say which way the loops are bent. Empty: neutral at system.X_WB, and at rest.
  std::vector<double> q, u;
};

struct WorldSpec {
  std::string file;  ///< for diagnostics
  std::vector<PlacedSystemSpec> systems;
  std::vector<BodySpec> bodies;
  std::vector<MaterialPairSpec> materials;
  MaterialPairSpec defaultMaterial;
  Vec3d gravity{0, 0, -9.81};  ///< m/s^2
  double timeStep = 0.005;     ///< s, as RaiSim's world files have it
  double erp = 0;              ///< share of a penetration removed in one step
  double slop = 0;             ///< m, penetration left alone
  /// m/s or rad/s, > 0: the speed at which a penetration, or a joint beyond its limit, is pushed
  /// back, at most.
  double maxDepenetrationVelocity = 3;
};

}  // namespace espalier
