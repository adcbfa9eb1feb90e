#include "espalier/server/drag.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "espalier/robot/articulated_system.h"
#include "espalier/robot/single_body.h"

namespace espalier {
namespace {

constexpr double rate = 10;                // rad/s, of the whole mass on the spring
constexpr double most_acceleration = 100;  // m/s^2, of the whole mass
// An explicit spring and damper at a mass m stay well within their bounds of stability,
// k dt^2 / m < 4 and d dt / m < 2.
constexpr double most_stiffness = 0.1, most_damping = 0.5;

/// kg; 3 over the trace of J M^-1 J' of the point.
double massAtHand(const ArticulatedSystem& robot, int body, const Vec3d& point_B) {
  double trace = 0;
  Eigen::VectorXd udot;
  Eigen::Vector3d acceleration;
  for (int axis = 0; axis < 3; ++axis) {
    Vec<3> force;
    force[axis] = 1;
    robot.applyTestForce(body, Vec<3>(point_B), force, udot, acceleration);
    trace += acceleration[axis];
  }
  return trace > 0 ? 3 / trace : 0;
}

double massAtHand(const SingleBodyObject& body, const Vec3d& point_B) {
  const Eigen::Vector3d r = Eigen::Vector3d(point_B.x, point_B.y, point_B.z) - body.getCom_B();
  Eigen::Matrix3d cross;
  cross << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
  const double turning = (cross.transpose() * body.getInertia_B().inverse() * cross).trace();
  return 3 / (3 / body.getMass() + turning);
}

}  // namespace

DragLaw DragLaw::of(double mass, double atHand, double dt) {
  const double stiffness = std::min(mass * rate * rate, most_stiffness * atHand / (dt * dt));
  const double damping = std::min(2 * std::sqrt(stiffness * mass), most_damping * atHand / dt);
  return {stiffness, damping, mass * most_acceleration};
}

Vec3d DragLaw::force(const Vec3d& p, const Vec3d& v, const Vec3d& target) const {
  const Vec3d f = (target - p) * stiffness - v * damping;
  const double size = norm(f);
  return size > most ? f * (most / size) : f;
}

std::optional<Drag> Drag::start(World& world, Object& object, int body, const Vec3d& point_B) {
  Drag drag;
  drag.world_ = &world;
  drag.object_ = &object;
  drag.body_ = body;
  drag.point_ = point_B;
  double mass = 0, atHand = 0;
  if (const auto* robot = dynamic_cast<const ArticulatedSystem*>(&object)) {
    mass = robot->getTotalMass();
    atHand = massAtHand(*robot, body, point_B);
  } else if (const auto* single = dynamic_cast<const SingleBodyObject*>(&object);
             single && single->getBodyType() == BodyType::DYNAMIC) {
    mass = single->getMass();
    atHand = massAtHand(*single, point_B);
  }
  if (!(mass > 0 && atHand > 0 && std::isfinite(atHand))) return std::nullopt;
  drag.law_ = DragLaw::of(mass, atHand, world.getTimeStep());
  return drag;
}

bool Drag::isAt(const Object& object, int body, const Vec3d& point_B) const {
  return object_ == &object && body_ == body && norm(point_ - point_B) < 1e-6;
}

bool Drag::apply() const {
  const int count = world_->objectCount();
  int at = 0;
  while (at < count && world_->getObject(at) != object_) ++at;
  if (at == count) return false;
  Eigen::Vector3d p, v;
  if (auto* robot = dynamic_cast<ArticulatedSystem*>(object_)) {
    robot->getPosition(body_, Vec<3>(point_), p);
    robot->getVelocity(body_, Vec<3>(point_), v);
    const Vec3d f = law_.force({p[0], p[1], p[2]}, {v[0], v[1], v[2]}, target_);
    robot->setExternalForce(body_, Vec<3>(point_), Vec<3>(f));
  } else if (auto* single = dynamic_cast<SingleBodyObject*>(object_)) {
    const Eigen::Vector3d point_B(point_.x, point_.y, point_.z);
    p = single->getPosition() + single->getRotationMatrix() * point_B;
    single->getVelocity(0, Vec<3>(point_), v);
    const Vec3d f = law_.force({p[0], p[1], p[2]}, {v[0], v[1], v[2]}, target_);
    single->setExternalForce(Eigen::Vector3d(f.x, f.y, f.z), point_B);
  }
  return true;
}

}  // namespace espalier
