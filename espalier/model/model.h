#pragma once

// Model: one articulated system after compile(). Immutable, shared, indices only; names are kept
// for reports. The authored system is in spec.h, the state in state.h.
//
// Every body has its own frame C (joint axis along z) and the URDF link frame L of the link its
// joint carries; they share the origin. Public calls speak of L, the engine of C.

#include <optional>
#include <string>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/core/id.h"
#include "espalier/model/compile/authored.h"
#include "espalier/model/drag.h"
#include "espalier/model/loops/bilateral.h"
#include "espalier/model/loops/mechanism.h"
#include "espalier/model/lowered.h"
#include "espalier/model/spec/spec.h"
#include "espalier/model/topology.h"

namespace espalier {

/// Body i and the joint that carries it.
struct BodyInfo {
  std::string name;   ///< of the link the joint carries; the root link for body 0
  std::string joint;  ///< of the joint; empty for body 0
  Mat3d R_LC = identity3<double>();
  JointLimits limits;
  JointDynamics dynamics;  ///< springMount filled
  std::optional<ActuatorSpec> actuator;
  std::array<Vec3d, 3> axes{};  ///< unit, in the joint frame as authored
  int specJoint = -1;           ///< index in SystemSpec::joints; -1 for body 0
};

/// A frame fixed to a body. Every joint of the file leaves one, fixed joints too.
struct FrameInfo {
  std::string name;
  int body = 0;
  Transformd X_LF = identityTransform<double>();  ///< as authored
  Transformd X_CF = identityTransform<double>();
  std::string parent{}, child{};      ///< links of the joint; empty for a link's own frame
  JointKind kind = JointKind::Fixed;  ///< of the joint
  int rotor = -1;                     ///< index in Model::rotors: it turns with it
};

/// A geared rotor that is no body: its inertia is its carrier's, and the terms of its spin stand in
/// Lowered (gyrostats.h). Its angle is a sum of others.
struct RotorInfo {
  std::string name;   ///< of its link
  std::string joint;  ///< of the joint it turns on
  int body = 0;       ///< that carries it
  struct Term {
    int q, u;
    double factor;
  };
  std::vector<Term> terms;                        ///< its angle: sum of factor q + offset
  double offset = 0;                              ///< rad
  Transformd X_LJ = identityTransform<double>();  ///< its joint at q = 0, in its carrier
  Vec3d axis{0, 0, 1};                            ///< unit, in J
  double inertia = 0;                             ///< kg m^2 about it
  JointLimits limits;

  double angle(const double* q) const {
    double sum = offset;
    for (const Term& term : terms) sum += term.factor * q[term.q];
    return sum;
  }
  double rate(const double* u) const {
    double sum = 0;
    for (const Term& term : terms) sum += term.factor * u[term.u];
    return sum;
  }
};

/// A tendon in the numbers of the tree: its length is offset, the sum of factor q of the joints that
/// are bodies, and the sum of share x length of the straight segments and of the arcs between them.
struct TendonInfo {
  struct End {
    int body = -1;    ///< -1: the world
    Vec3d point_L{};  ///< as authored; of the world: in its frame
    Vec3d point_C{};  ///< in the engine's axes
  };
  struct Segment {
    End from, to;
    double share = 1;
  };
  /// A surface between two segments; the first ends and the second begins somewhere on it.
  struct Wrap {
    int segment = 0;  ///< the first of the two
    WrapSurface surface;
    End centre;
    Mat3d R_L = identity3<double>();  ///< axes of the surface, as authored
    Mat3d R_C = identity3<double>();  ///< in the engine's axes
    std::optional<End> side;
  };

  TendonSpec spec;
  std::vector<RotorInfo::Term> terms;
  double offset = 0;
  std::vector<Segment> segments;
  std::vector<Wrap> wraps;

  /// Coefficients of its length and rate in the joints' coordinates and rates.
  double jointLength(const double* q) const {
    double sum = offset;
    for (const RotorInfo::Term& term : terms) sum += term.factor * q[term.q];
    return sum;
  }
  double jointRate(const double* u) const {
    double sum = 0;
    for (const RotorInfo::Term& term : terms) sum += term.factor * u[term.u];
    return sum;
  }
};

/// Weight of a link that LinkSpec::gravityCompensation takes off its body.
struct HeldWeight {
  int body = 0;
  double mass = 0;   ///< kg, compensated
  Vec3d centre_L{};  ///< m, where, as authored
  Vec3d centre_C{};  ///< m, in the engine's axes
};

struct CollisionInfo {
  std::string name;  ///< LINK/i
  int body = 0;
  Transformd X_LG = identityTransform<double>();  ///< as authored
  Transformd X_CG = identityTransform<double>();
  Shape shape;
  std::string material;
  std::uint64_t group = 1, mask = ~std::uint64_t{0};
};

/// Two bodies of a robot that never collide, a < b.
struct IgnoredBodies {
  int a, b;
  std::string reason;  ///< for listings
};

struct Model {
  std::string name;
  Topology topology;
  Authored authored;
  Lowered<double> lowered;
  std::vector<BodyInfo> bodies;
  std::vector<FrameInfo> frames;  ///< one for each joint, in order of appearance
  std::vector<FrameInfo> links;   ///< one for each link of the file
  std::vector<CollisionInfo> collisions;
  Mechanism mechanism;            ///< embedded loops and couplings; of a tree there are none
  BilateralLoops bilateral;       ///< loops that rows of the contact problem keep
  std::vector<RotorInfo> rotors;  ///< geared rotors that are no bodies
  std::vector<TendonInfo> tendons;
  std::vector<HeldWeight> heldWeights;
  MediumSpec medium;
  std::vector<DragBox> dragBoxes;  ///< of links that move in a medium that acts
  /// First each body with its parent, in the order of the bodies, then the others.
  std::vector<IgnoredBodies> ignoredBodyPairs;
  /// Position of each dof and coordinate among those that users speak of: the independent ones, in
  /// the authored order (appearance or jointOrder); -1 for joints that loops make dependent.
  std::vector<int> publicDof, publicCoordinate;
  /// The same among all joints.
  std::vector<int> spanningDof, spanningCoordinate;
  int publicNv = 0, publicNq = 0;
  bool publicOrderIsInternal = true;
  double mass = 0;  ///< kg, fixed base included

  bool hasLoops() const { return !mechanism.isTree() || !bilateral.isEmpty(); }
  int nb() const { return topology.nb; }
  int nq() const { return topology.nq; }
  int nv() const { return topology.nv; }  ///< of the spanning tree
  /// Index by name; -1 where there is none.
  int body(const std::string& link) const;
  int joint(const std::string& name) const;
  int frame(const std::string& name) const;
  int rotor(const std::string& joint) const;
};

/// Everything of a model that follows from its authored parameters: lowered, the bodies' axes, and
/// where frames, links and collision bodies sit in the engine's axes. Allocates nothing the second
/// time.
void lower(Model& model);

/// Spec -> Model.
///   errors  all of checkSpec's; a movable body whose inertia is singular along its joint
///   warnings massless bodies that only carry others; parts kept but not yet dynamic
Expected<Model> compile(const SystemSpec& spec);

}  // namespace espalier
