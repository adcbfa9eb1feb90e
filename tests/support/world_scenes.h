#pragma once

// What the tests of the world room put into a world: single bodies, slopes, and the robots of
// models/ in their nominal poses.

#include <Eigen/Dense>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "espalier/io/urdf.h"
#include "espalier/world/world.h"

namespace espalier::testing {

inline Eigen::Vector3d toEigen(const Vec3d& v) { return {v.x, v.y, v.z}; }
inline Vec3d fromEigen(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

/// One homogeneous floating body with one collision shape.
inline SystemSpec freeBody(const std::string& name, const Shape& shape, double mass) {
  LinkSpec link;
  link.name = name;
  link.inertial = InertialSpec{mass, identityTransform<double>(), inertia(shape, mass).I};
  link.collisions.push_back({.name = "", .shape = shape});
  SystemSpec spec;
  spec.name = name;
  spec.links = {link};
  return spec;
}

/// A fixed base, a joint of the given kind, and one homogeneous body on it.
inline SystemSpec jointedBody(JointKind kind, const Shape& shape, double mass,
                              const Vec3d& axis = {0, 0, 1}) {
  SystemSpec spec = freeBody("body", shape, mass);
  LinkSpec world;
  world.name = "world";
  spec.links.insert(spec.links.begin(), world);
  JointSpec joint;
  joint.name = "joint";
  joint.kind = kind;
  joint.parent = "world";
  joint.child = "body";
  joint.axes[0] = axis;
  spec.joints = {joint};
  return spec;
}

/// A shape that never moves.
inline BodySpec fixedShape(const std::string& name, const Shape& shape,
                           const Transformd& X_WB = identityTransform<double>()) {
  BodySpec spec;
  spec.name = name;
  spec.type = BodyType::STATIC;
  spec.collisions.push_back({.name = "", .shape = shape});
  spec.X_WB = X_WB;
  return spec;
}

/// The half space below a plane that is turned about y by the angle: x points down the slope.
inline BodySpec slope(double angle) {
  Transformd X_WB = identityTransform<double>();
  X_WB.R = {
      {std::cos(angle), 0, std::sin(angle)}, {0, 1, 0}, {-std::sin(angle), 0, std::cos(angle)}};
  return fixedShape("slope", Plane{}, X_WB);
}
/// Unit vector down the slope, and its normal.
inline Eigen::Vector3d downhill(double angle) { return {std::cos(angle), 0, -std::sin(angle)}; }
inline Eigen::Vector3d normalOf(double angle) { return {std::sin(angle), 0, std::cos(angle)}; }

inline std::string modelFile(const std::string& name) {
  return std::string(ESPALIER_SOURCE_DIR) + "/models/" + name + "/" + name + ".urdf";
}
inline SystemSpec modelSpec(const std::string& name) {
  return io::loadUrdf(modelFile(name)).value();
}
/// The coordinates of a model's nominal pose.
inline Eigen::VectorXd nominal(const std::string& name) {
  std::ifstream in(std::string(ESPALIER_SOURCE_DIR) + "/models/" + name + "/nominal.json");
  const auto q = nlohmann::json::parse(in).at("q").get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
}

/// The same number for every joint dof; 0 for the base's six.
inline Eigen::VectorXd jointGains(const ArticulatedSystem& robot, double gain) {
  Eigen::VectorXd k = Eigen::VectorXd::Constant(robot.getDOF(), gain);
  if (robot.model().topology.floating) k.head<6>().setZero();
  return k;
}

/// Puts a robot into a pose, under PD control towards it.
inline void holdPose(ArticulatedSystem& robot, const Eigen::VectorXd& q, double kp, double kd) {
  robot.setState(q, Eigen::VectorXd::Zero(robot.getDOF()));
  robot.setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  robot.setPdGains(jointGains(robot, kp), jointGains(robot, kd));
  robot.setPdTarget(q, Eigen::VectorXd::Zero(robot.getDOF()));
}

/// A model of models/ in its nominal pose, set off by so much, under PD control.
inline ArticulatedSystem* addRobot(World& world, const std::string& name, double kp, double kd,
                                   const Eigen::Vector3d& offset = {0, 0, 0}) {
  SystemSpec spec = modelSpec(name);
  spec.X_WB.p = fromEigen(offset);  // where a fixed base is welded
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  Eigen::VectorXd q = nominal(name);
  if (robot->model().topology.floating) q.head<3>() += offset;
  holdPose(*robot, q, kp, kd);
  return robot;
}

/// q and u of a floating body at a place, not turned.
inline void place(ArticulatedSystem& body, const Eigen::Vector3d& p,
                  const Eigen::Vector3d& v = Eigen::Vector3d::Zero(),
                  const Eigen::Vector3d& w = Eigen::Vector3d::Zero(),
                  const Eigen::Vector4d& quaternion = {1, 0, 0, 0}) {
  Eigen::VectorXd q(7), u(6);
  q << p, quaternion;
  u << v, w;
  body.setState(q, u);
}

/// Which of the world's systems an object of a contact is; -1 for other objects.
inline int systemOf(const World& world, int object) {
  for (int s = 0; s < world.systemCount(); ++s)
    if (world.system(s)->getIndexInWorld() == object) return s;
  return -1;
}

/// Force on a contact's first body times the step, world axes.
inline Eigen::Vector3d impulseOn(const Contact& c) { return toEigen(tmul(c.frame, c.impulse)); }

inline constexpr double gravity = 9.81;  ///< m/s^2, the world's default

}  // namespace espalier::testing
