#pragma once

// A robot built in code, link by link, in RaiSim's names.
//
//   Child pole;
//   pole.name = "pole";
//   pole.body.setMass(1);
//   pole.body.setCom({0, 0, -0.5});
//   pole.body.setInertia({0.1, 0, 0, 0.1, 0, 0.01});
//   pole.body.addCollision(Capsule{0.05, 0.9}, {0, 0, -0.5});
//   pole.joint.name = "hinge";
//   pole.joint.type = Joint::REVOLUTE;
//   pole.joint.jointAxis({0, 1, 0});
//   Child root;                          // named "world": welded to it
//   root.name = "world";
//   root.addChild(pole);
//   world.addArticulatedSystem(root);    // or toSpec(root, {"hinge"}), with a joint order

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "espalier/model/spec/spec.h"
#include "espalier/robot/math.h"

namespace espalier {

/// A link, its joint, and its children.
class Child {
 public:
  class Joint {
   public:
    enum Type : int {
      FIXED = static_cast<int>(JointKind::Fixed),
      REVOLUTE = static_cast<int>(JointKind::Revolute),
      PRISMATIC = static_cast<int>(JointKind::Prismatic),
      SPHERICAL = static_cast<int>(JointKind::Spherical),
      FLOATING = static_cast<int>(JointKind::Floating)
    };
    /// robot->getJointType(1) == Joint::Type::REVOLUTE
    friend constexpr bool operator==(JointKind kind, Type type) {
      return static_cast<int>(kind) == static_cast<int>(type);
    }

    Type type = FIXED;
    std::string name;                                ///< empty: PARENT-CHILD
    Vec<3> axis = Vec<3>(0, 0, 1);                   ///< in the joint frame
    Vec<3> pos_P;                                    ///< m, in the parent link
    Mat<3, 3> rot = Mat<3, 3>(identity3<double>());  ///< R of the joint frame in the parent link
    Vec<2> limit;                                    ///< rad or m, lower and upper; equal: none
    double effort = unlimited;                       ///< N m or N
    double velocity_limit = 0;                       ///< rad/s or m/s; 0: none
    double damping = 0;                              ///< N m s/rad or N s/m
    double friction = 0;                             ///< N m or N, dry
    double stiffness = 0;                            ///< N m/rad or N/m
    std::vector<double> springMount;                 ///< q at rest; empty: the neutral q
    double rotor_inertia = 0;                        ///< kg m^2 or kg

    static Joint getFloatingBaseJoint() {
      Joint joint;
      joint.type = FLOATING;
      return joint;
    }
    void jointAxis(const Vec<3>& a) { axis = a; }
    void jointPosition(const Vec<3>& p) { pos_P = p; }
  };

  class Body {
   public:
    void setMass(double mass) { inertial.mass = mass; }  ///< kg
    /// xx, xy, xz, yy, yz, zz in kg m^2, about the centre of mass, axes of the link.
    void setInertia(const Vec<6>& I) { inertial.I = {I[0], I[1], I[2], I[3], I[4], I[5]}; }
    void setInertia(const Vec<3>& I) { inertial.I = {I[0], 0, 0, I[1], 0, I[2]}; }
    void setCom(const Vec<3>& com) { inertial.X_LC.p = com; }  ///< m, in the link
    double getMass() const { return inertial.mass; }
    Vec<3> getCom() const { return inertial.X_LC.p; }
    /// A shape at a place in the link.
    CollisionSpec& addCollision(const Shape& shape, const Vec<3>& position = {},
                                const std::string& material = "default");
    VisualSpec& addVisual(const Shape& shape, const Vec<3>& position = {});

    InertialSpec inertial;  ///< all zero: a massless link
    std::vector<CollisionSpec> colObj;
    std::vector<VisualSpec> visObj;
  };

  Child() = default;
  Child(Body itsBody, Joint itsJoint, std::string itsName)
      : name(std::move(itsName)), body(std::move(itsBody)), joint(std::move(itsJoint)) {}

  /// Among the welded ones if its joint is FIXED, else among the moving ones.
  ///   errors  throws std::invalid_argument for a FLOATING joint: only the root may have it
  void addChild(const Child& below);

  /// The Spec for World::addArticulatedSystem: toSpec(*this).
  operator SystemSpec() const;

  std::string name;  ///< of the link
  Body body;
  Joint joint;                     ///< of the root: FIXED welds it to the world, FLOATING does not
  std::vector<Child> child;        ///< on joints that move
  std::vector<Child> fixedBodies;  ///< welded to this link
};

using Joint = Child::Joint;

/// The tree as a Spec: links and joints from the root down, the welded before the moving, as in a
/// file that lists them so. Impossible numbers are compile()'s to refuse.
///   in   jointOrder    of the joints that move, empty: as they are met
///   in   ignoredPairs  links that never collide
SystemSpec toSpec(const Child& root, const std::vector<std::string>& jointOrder = {},
                  const std::vector<std::pair<std::string, std::string>>& ignoredPairs = {});

}  // namespace espalier
