#pragma once

// What the tests of the world room put into a world: single bodies, slopes, and the robots of
// models/ in their nominal poses.

#include <Eigen/Core>
#include <cmath>
#include <string>

#include "espalier/world/world.h"
#include "tests/support/eigen_vectors.h"

namespace espalier::testing {

/// One homogeneous floating body with one collision shape.
SystemSpec freeBody(const std::string& name, const Shape& shape, double mass);

/// A fixed base, a joint of the given kind, and one homogeneous body on it.
SystemSpec jointedBody(JointKind kind, const Shape& shape, double mass,
                       const Vec3d& axis = {0, 0, 1});

/// A shape that never moves.
BodySpec fixedShape(const std::string& name, const Shape& shape,
                    const Transformd& X_WB = identityTransform<double>());

/// The half space below a plane that is turned about y by the angle: x points down the slope.
BodySpec slope(double angle);
/// Unit vector down the slope, and its normal.
inline Eigen::Vector3d downhill(double angle) { return {std::cos(angle), 0, -std::sin(angle)}; }
inline Eigen::Vector3d normalOf(double angle) { return {std::sin(angle), 0, std::cos(angle)}; }

std::string modelFile(const std::string& name);
SystemSpec modelSpec(const std::string& name);
/// The coordinates of a model's nominal pose.
Eigen::VectorXd nominal(const std::string& name);

/// The same number for every joint dof; 0 for the base's six.
Eigen::VectorXd jointGains(const ArticulatedSystem& robot, double gain);

/// Puts a robot into a pose, under PD control towards it.
void holdPose(ArticulatedSystem& robot, const Eigen::VectorXd& q, double kp, double kd);

/// A model of models/ in its nominal pose, set off by so much, under PD control.
ArticulatedSystem* addRobot(World& world, const std::string& name, double kp, double kd,
                            const Eigen::Vector3d& offset = {0, 0, 0});

/// q and u of a floating body at a place, not turned.
void place(ArticulatedSystem& body, const Eigen::Vector3d& p,
           const Eigen::Vector3d& v = Eigen::Vector3d::Zero(),
           const Eigen::Vector3d& w = Eigen::Vector3d::Zero(),
           const Eigen::Vector4d& quaternion = {1, 0, 0, 0});

/// Which of the world's systems an object of a contact is; -1 for other objects.
int systemOf(const World& world, int object);

/// Force on a contact's first body times the step, world axes.
inline Eigen::Vector3d impulseOn(const Contact& c) { return toEigen(tmul(c.frame, c.impulse)); }

inline constexpr double gravity = 9.81;  ///< m/s^2, the world's default

}  // namespace espalier::testing
