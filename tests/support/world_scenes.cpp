#include "tests/support/world_scenes.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "espalier/io/urdf/urdf.h"
#include "tests/support/source_folder.h"

namespace espalier::testing {

SystemSpec freeBody(const std::string& name, const Shape& shape, double mass) {
  LinkSpec link;
  link.name = name;
  link.inertial = InertialSpec{mass, identityTransform<double>(), inertia(shape, mass).I};
  link.collisions.push_back({.name = "", .shape = shape});
  SystemSpec spec;
  spec.name = name;
  spec.links = {link};
  return spec;
}

SystemSpec jointedBody(JointKind kind, const Shape& shape, double mass, const Vec3d& axis) {
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

BodySpec fixedShape(const std::string& name, const Shape& shape, const Transformd& X_WB) {
  BodySpec spec;
  spec.name = name;
  spec.type = BodyType::STATIC;
  spec.collisions.push_back({.name = "", .shape = shape});
  spec.X_WB = X_WB;
  return spec;
}

BodySpec slope(double angle) {
  Transformd X_WB = identityTransform<double>();
  X_WB.R = {
      {std::cos(angle), 0, std::sin(angle)}, {0, 1, 0}, {-std::sin(angle), 0, std::cos(angle)}};
  return fixedShape("slope", Plane{}, X_WB);
}

std::string modelFile(const std::string& name) {
  return sourceFolder() + "/models/" + name + "/" + name + ".urdf";
}

SystemSpec modelSpec(const std::string& name) { return io::loadUrdf(modelFile(name)).value(); }

Eigen::VectorXd nominal(const std::string& name) {
  std::ifstream in(sourceFolder() + "/models/" + name + "/nominal.json");
  const auto q = nlohmann::json::parse(in).at("q").get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
}

Eigen::VectorXd jointGains(const ArticulatedSystem& robot, double gain) {
  Eigen::VectorXd k = Eigen::VectorXd::Constant(robot.getDOF(), gain);
  if (robot.model().topology.floating) k.head<6>().setZero();
  return k;
}

void holdPose(ArticulatedSystem& robot, const Eigen::VectorXd& q, double kp, double kd) {
  robot.setState(q, Eigen::VectorXd::Zero(robot.getDOF()));
  robot.setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  robot.setPdGains(jointGains(robot, kp), jointGains(robot, kd));
  robot.setPdTarget(q, Eigen::VectorXd::Zero(robot.getDOF()));
}

ArticulatedSystem* addRobot(World& world, const std::string& name, double kp, double kd,
                            const Eigen::Vector3d& offset) {
  SystemSpec spec = modelSpec(name);
  spec.X_WB.p = fromEigen(offset);  // where a fixed base is welded
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  Eigen::VectorXd q = nominal(name);
  if (robot->model().topology.floating) q.head<3>() += offset;
  holdPose(*robot, q, kp, kd);
  return robot;
}

void place(ArticulatedSystem& body, const Eigen::Vector3d& p, const Eigen::Vector3d& v,
           const Eigen::Vector3d& w, const Eigen::Vector4d& quaternion) {
  Eigen::VectorXd q(7), u(6);
  q << p, quaternion;
  u << v, w;
  body.setState(q, u);
}

int systemOf(const World& world, int object) {
  for (int s = 0; s < world.systemCount(); ++s)
    if (world.system(s)->getIndexInWorld() == object) return s;
  return -1;
}

}  // namespace espalier::testing
