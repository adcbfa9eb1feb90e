#include "espalier/compat/arboris/link_plan.h"

#include "espalier/compat/arboris/actor.h"
#include "espalier/compat/arboris/simulation.h"
#include "espalier/core/check.h"

namespace espalier::sim {

void LinkPlan::addBody(Body& body, const std::optional<InertialSpec>& inertial) {
  bodies_.push_back({&body, inertial});
}

LinkPlan::PlannedBody* LinkPlan::bodyOf(const Frame& frame) {
  for (PlannedBody& body : bodies_)
    if (frame.hasCarrier(body.body->carrier())) return &body;
  return nullptr;
}

void LinkPlan::addLink(const Frame& frame0, std::unique_ptr<LinkedJoint> joint, const Frame& frame1,
                       const std::string& name) {
  PlannedBody *parent = bodyOf(frame0), *child = bodyOf(frame1);
  const bool isGround = frame0.hasCarrier(frame0.simulation().ground().carrier());
  ESPALIER_REQUIRE(child && child->robot < 0,
                   "frame 1 is on a body of addBody() that no link carries yet");
  ESPALIER_REQUIRE(
      isGround || (parent && parent->robot >= 0),
      "frame 0 is on the ground, or on a body of addBody() that a link carries already");
  for (const Frame* frame : {&frame0, &frame1})
    ESPALIER_REQUIRE(!dynamic_cast<const MovingSubFrame*>(frame),
                     "a joint is between frames that are fixed to their bodies");
  if (isGround) robots_.emplace_back();
  child->robot = isGround ? static_cast<int>(robots_.size()) - 1 : parent->robot;
  child->X_LB = inverse(frame1.bpose());
  const std::string& carried = child->body->getName();
  robots_[child->robot].push_back({name.empty() ? carried + "Joint" : name,
                                   isGround ? "" : parent->body->getName(),
                                   static_cast<int>(child - bodies_.data()), std::move(joint),
                                   isGround ? frame0.bpose() : parent->X_LB * frame0.bpose()});
}

std::vector<SystemSpec> LinkPlan::specs() const {
  std::vector<SystemSpec> specs;
  for (const std::vector<PlannedLink>& links : robots_) {
    SystemSpec& spec = specs.emplace_back();
    spec.name = bodies_[links[0].child].body->getName();
    const bool floats = links[0].joint->isFree();
    if (!floats) spec.links.emplace_back().name = "world";
    for (const PlannedLink& planned : links) {
      const PlannedBody& body = bodies_[planned.child];
      LinkSpec& link = spec.links.emplace_back();
      link.name = body.body->getName();
      link.inertial = body.inertial;
      if (link.inertial) link.inertial->X_LC = body.X_LB * link.inertial->X_LC;
      if (floats && &planned == &links[0]) continue;
      spec.joints.push_back(planned.joint->spec(planned.name,
                                                planned.parent.empty() ? "world" : planned.parent,
                                                link.name, planned.X_PJ));
    }
  }
  return specs;
}

bool LinkPlan::bind(const std::string& link, const Carrier& carrier) {
  for (PlannedBody& body : bodies_) {
    if (body.robot < 0 || body.body->getName() != link) continue;
    body.body->setCarrier({carrier.tree, carrier.body, carrier.X_CB * body.X_LB});
    return true;
  }
  return false;
}

void LinkPlan::handOver(int robot, Actor& actor, std::vector<BuiltJoint>& built) {
  for (PlannedLink& planned : robots_[robot]) {
    const std::string& link = bodies_[planned.child].body->getName();
    const int body = actor.model().body(link);
    built.push_back({std::move(planned.joint),
                     body == 0 ? planned.X_PJ : identityTransform<double>(), &actor, body});
  }
}

void LinkPlan::clear() {
  robots_.clear();
  std::erase_if(bodies_, [](const PlannedBody& body) { return body.robot >= 0; });
}

std::optional<InertialSpec> inertialOf(const Matrix6x6& mass) {
  const double m = mass(5, 5);
  InertialSpec in;
  in.mass = m;
  Eigen::Vector3d c = Eigen::Vector3d::Zero();
  if (m > 0) c << mass(2, 4) / m, mass(0, 5) / m, mass(1, 3) / m;
  Eigen::Matrix3d C;
  C << 0, -c.z(), c.y(), c.z(), 0, -c.x(), -c.y(), c.x(), 0;
  const Eigen::Matrix3d about = mass.topLeftCorner<3, 3>() + m * C * C;
  Matrix6x6 whole;
  whole << about - m * C * C, m * C, -m * C, m * Eigen::Matrix3d::Identity();
  const double size = mass.cwiseAbs().maxCoeff();
  ESPALIER_REQUIRE(mass.allFinite() && m >= 0 &&
                       (whole - mass).cwiseAbs().maxCoeff() <= 1e-9 * size &&
                       (about - about.transpose()).cwiseAbs().maxCoeff() <= 1e-9 * size,
                   "a body's mass matrix is [I, m [c]; -m [c], m 1] with a symmetric I");
  if (size == 0) return std::nullopt;
  in.X_LC.p = {c.x(), c.y(), c.z()};
  in.I = {about(0, 0), about(0, 1), about(0, 2), about(1, 1), about(1, 2), about(2, 2)};
  return in;
}

}  // namespace espalier::sim
