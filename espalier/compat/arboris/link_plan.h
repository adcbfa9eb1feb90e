#pragma once

// Bodies and the joints between their frames, before they are robots of a World: what
// Simulation::addBody() and addLink() collect. A body's frame may lie anywhere on it; its link's
// frame L is the frame n of the joint that carries it (docs/conventions.md).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "espalier/compat/arboris/frame.h"
#include "espalier/compat/arboris/linked_joint.h"
#include "espalier/model/spec/spec.h"

namespace espalier::sim {

class Actor;

/// A joint of addLink() in its robot.
struct BuiltJoint {
  std::unique_ptr<LinkedJoint> joint;
  Transformd
      X_Jr;  ///< not the identity for the free joint of a floating base, whose J is the world
  Actor* actor = nullptr;
  int body = 0;  ///< of the model
};

class LinkPlan {
 public:
  /// A body that no joint carries yet.
  ///   pre  it outlives this; no other planned one has its name
  void addBody(Body& body, const std::optional<InertialSpec>& inertial);
  /// As Simulation::addLink().
  void addLink(const Frame& frame0, std::unique_ptr<LinkedJoint> joint, const Frame& frame1,
               const std::string& name);
  bool isEmpty() const { return robots_.empty(); }
  /// The robots that the links make, in the order of their first ones.
  std::vector<SystemSpec> specs() const;
  /// Puts a planned body on the link of its name; false where none is planned.
  ///   in   carrier  of the link's frame L
  bool bind(const std::string& link, const Carrier& carrier);
  /// The planned joints of the robot, which is this actor now, leave the plan for `built`.
  void handOver(int robot, Actor& actor, std::vector<BuiltJoint>& built);
  /// Removes the bodies that links carry, once all robots are handed over.
  void clear();

 private:
  struct PlannedBody {
    Body* body;
    std::optional<InertialSpec> inertial;  // in the body's frame
    int robot = -1;                        // -1: not linked
    Transformd X_LB = identityTransform<double>();
  };
  struct PlannedLink {
    std::string name;
    std::string parent;  // empty: the ground
    int child;           // among bodies_
    std::unique_ptr<LinkedJoint> joint;
    Transformd X_PJ;  // r in the parent's link, or in the world
  };
  PlannedBody* bodyOf(const Frame& frame);

  std::vector<PlannedBody> bodies_;
  std::vector<std::vector<PlannedLink>> robots_;
};

/// Mass, centre and inertia of [I, m [c]; -m [c], m]; none where it is zero.
///   errors  throws std::invalid_argument where it is no such matrix
std::optional<InertialSpec> inertialOf(const Matrix6x6& mass);

}  // namespace espalier::sim
