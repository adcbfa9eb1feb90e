#pragma once

// The public face of a single body: sphere, box, cylinder, capsule, mesh, compound, ground, height
// map. RaiSim's names; world axes unless said otherwise.

#include <Eigen/Core>

#include "espalier/robot/math.h"
#include "espalier/robot/object.h"
#include "espalier/step/free_body.h"

struct dxGeom;  // ODE's dGeomID is a dxGeom*

namespace espalier {

class SingleBodyObject : public Object {
 public:
  SingleBodyObject(StepData& world, std::string name, ObjectType type, FreeBody& body)
      : Object(world, std::move(name)), type_(type), body_(body) {}

  int getIndexInWorld() const override { return body_.object; }
  ObjectType getObjectType() const override { return type_; }
  BodyType getBodyType() const override { return body_.type; }
  /// STATIC bodies never move, KINEMATIC ones keep the velocity they are given, DYNAMIC ones obey
  /// forces. Between steps only.
  ///   errors  throws std::invalid_argument for a plane, a height map or a body without mass that
  ///           should become DYNAMIC
  void setBodyType(BodyType type);

  // ---- state; of the body's origin, not of its centre of mass

  Eigen::Vector3d getPosition() const;    ///< m
  Eigen::Vector4d getQuaternion() const;  ///< w, x, y, z; body to world
  Eigen::Matrix3d getRotationMatrix() const;
  Eigen::Matrix3d getOrientation() const { return getRotationMatrix(); }
  Eigen::Vector3d getLinearVelocity() const;   ///< m/s
  Eigen::Vector3d getAngularVelocity() const;  ///< rad/s
  Eigen::Vector3d getComPosition() const;      ///< m, of the centre of mass
  void setPosition(const Eigen::Vector3d& position);
  void setPosition(double x, double y, double z) { setPosition(Eigen::Vector3d(x, y, z)); }
  /// A quaternion (w, x, y, z), made unit; an Eigen::Quaterniond; or a rotation matrix R_WB.
  ///   errors  throw std::invalid_argument for a zero quaternion or a matrix that is no rotation
  void setOrientation(const Vec<4>& quaternion);
  void setOrientation(const Mat<3, 3>& R_WB);
  template <class Q>
  void setOrientation(const Eigen::QuaternionBase<Q>& q) {
    setOrientation(Vec<4>(q.w(), q.x(), q.y(), q.z()));
  }
  void setOrientation(double w, double x, double y, double z) {
    setOrientation(Vec<4>(w, x, y, z));
  }
  void setPose(const Eigen::Vector3d& position, const Vec<4>& quaternion);
  void setPose(const Eigen::Vector3d& position, const Mat<3, 3>& R_WB);
  template <class Q>
  void setPose(const Eigen::Vector3d& position, const Eigen::QuaternionBase<Q>& q) {
    setPose(position, Vec<4>(q.w(), q.x(), q.y(), q.z()));
  }
  /// errors  throws std::invalid_argument for a STATIC body
  void setLinearVelocity(const Eigen::Vector3d& velocity);
  void setAngularVelocity(const Eigen::Vector3d& velocity);
  void setVelocity(const Eigen::Vector3d& linear, const Eigen::Vector3d& angular);
  void setVelocity(double vx, double vy, double vz, double wx, double wy, double wz) {
    setVelocity({vx, vy, vz}, {wx, wy, wz});
  }

  // The same in RaiSim's forms, which fill their argument. The body index of a single body is 0.
  //   errors  throw std::invalid_argument for another index
  void getQuaternion(Eigen::Vector4d& quaternion) const { quaternion = getQuaternion(); }
  void getRotationMatrix(Eigen::Matrix3d& R_WB) const { R_WB = getRotationMatrix(); }
  void getLinearVelocity(Eigen::Vector3d& velocity) const { velocity = getLinearVelocity(); }
  void getAngularVelocity(Eigen::Vector3d& velocity) const { velocity = getAngularVelocity(); }
  void getOrientation(int body, Eigen::Matrix3d& R_WB) const;
  void getVelocity(int body, Eigen::Vector3d& velocity) const;
  /// Of a point of the body (m, from its origin, body axes).
  void getVelocity(int body, const Vec<3>& point_B, Eigen::Vector3d& velocity) const;

  // ---- inertia; authored, takes effect in the next step

  double getMass() const { return body_.mass; }  ///< kg
  void setMass(double mass);                     ///< the inertia is kept
  Eigen::Matrix3d getInertia_B() const;          ///< kg m^2 about the centre of mass, body axes
  Eigen::Matrix3d getInertiaMatrix_B() const { return getInertia_B(); }
  Eigen::Matrix3d getInertiaMatrix_W() const;  ///< the same in world axes
  void setInertia(const Eigen::Matrix3d& inertia);
  Eigen::Vector3d getCom_B() const;  ///< m, body frame
  Eigen::Vector3d getCom() const { return getCom_B(); }
  void setCom(const Eigen::Vector3d& com);
  void setLinearDamping(double damping);   ///< N s/m
  void setAngularDamping(double damping);  ///< N m s/rad
  double getLinearDamping() const { return body_.linearDamping; }
  double getAngularDamping() const { return body_.angularDamping; }

  // ---- forces; act for one step

  /// At the centre of mass, or at a point of the body (m, from its origin, body axes). N.
  void setExternalForce(const Eigen::Vector3d& force);
  void setExternalForce(const Eigen::Vector3d& force, const Eigen::Vector3d& point_B);
  void setExternalTorque(const Eigen::Vector3d& torque);  ///< N m
  void clearExternalForcesAndTorques();
  // In RaiSim's forms, with the index of the body, which is 0, and the point (m, from its origin, body
  // axes) before the force (world axes).
  //   errors  throw std::invalid_argument where body is not 0

  void setExternalForce(int body, const Eigen::Vector3d& force);
  void setExternalForce(int body, const Eigen::Vector3d& point_B, const Eigen::Vector3d& force);
  void setExternalTorque(int body, const Eigen::Vector3d& torque);
  void getPosition(int body, Eigen::Vector3d& position) const;  ///< m, of the origin

  // ---- dynamics

  double getKineticEnergy() const;                                  ///< J
  double getPotentialEnergy(const Eigen::Vector3d& gravity) const;  ///< J, 0 at the origin
  double getEnergy(const Eigen::Vector3d& gravity) const;           ///< J
  Eigen::Vector3d getLinearMomentum() const;                        ///< N s
  Eigen::Vector3d getAngularMomentum() const;                       ///< N m s about its com

  // ---- shapes

  /// All its shapes get this material; takes effect in the next step.
  void setMaterial(const std::string& material);
  std::string getMaterial() const;  ///< of its first shape; empty without any
  void setCollisionGroup(std::uint64_t group, std::uint64_t mask);
  void setCollisionGroup(std::uint64_t group) { setCollisionGroup(group, getCollisionMask()); }
  void setCollisionMask(std::uint64_t mask) { setCollisionGroup(getCollisionGroup(), mask); }
  /// Of its first shape; 0 without any.
  std::uint64_t getCollisionGroup() const;
  std::uint64_t getCollisionMask() const;
  /// ODE's geom of its first shape (CollisionBody::getCollisionObject); null without any.
  dxGeom* getCollisionObject() const;

  /// A colour's name or its red, green, blue and opacity ("red", "0.8 0.3 0.3 1"), or any other
  /// text, such as a texture's name. World::spec() writes colours.
  void setAppearance(const std::string& appearance) { appearance_ = appearance; }
  /// As it was set; else the colour of its first visual; else empty.
  std::string getAppearance() const;
  /// As data, in its present state, with all edits.
  BodySpec spec() const;

  // ---- for the modules above

  const FreeBody& body() const { return body_; }

 protected:
  /// Its first shape, with all edits, and the geom that it is.   pre  it has one
  const Shape& shape() const;
  GeomId geom() const { return body_.geoms.front(); }

 private:
  friend class World;
  void wake();
  void noteForce(const Vec3d& point_B, const Vec3d& force);

  ObjectType type_;
  FreeBody& body_;
  std::string appearance_;
};

}  // namespace espalier
