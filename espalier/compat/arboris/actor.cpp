#include "espalier/compat/arboris/actor.h"

#include <cmath>

#include "espalier/core/check.h"

namespace espalier::sim {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A single body as a robot of one link.
std::shared_ptr<const Model> modelOf(const SingleBodyObject& body) {
  SystemSpec spec;
  spec.name = body.getName();
  spec.links.emplace_back().name = body.getName();
  const Eigen::Vector3d c = body.getCom_B();
  const Eigen::Matrix3d I = body.getInertia_B();
  spec.links[0].inertial = InertialSpec{body.getMass(),
                                        {identity3<double>(), {c.x(), c.y(), c.z()}},
                                        {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)}};
  Expected<Model> model = compile(spec);
  ESPALIER_REQUIRE(model.hasValue(), "'" + body.getName() + "' cannot be simulated:\n" +
                                         model.diagnostics().toString());
  return std::make_shared<const Model>(std::move(model).value());
}

}  // namespace

Actor::Actor(ArticulatedSystem& robot, int firstDof, bool keepsGaps)
    : robot_(&robot),
      object_(&robot),
      name_(robot.getName()),
      // A copy: an edited robot gets another model, and a removed one takes its own away.
      model_(std::make_shared<const Model>(robot.model())),
      tree_(*model_, firstDof),
      hold_(Eigen::MatrixXd::Zero(model_->nv(), model_->nv())),
      axes_(model_->nv()),
      keepsGaps_(keepsGaps && !model_->mechanism.isTree()) {
  ESPALIER_REQUIRE(!keepsGaps || model_->rotors.empty(),
                   "robot '" + name_ +
                       "' has geared rotors that are no bodies, which arboris' step has no "
                       "equations for: set SystemSpec::rotorsAsBodies, or take Stepping::WORLD");
  ESPALIER_REQUIRE(!keepsGaps || model_->bilateral.isEmpty(),
                   "robot '" + name_ +
                       "' has bilateral loops, which arboris' step has no equations for: let them "
                       "be embedded, tie its links by BallAndSocket, or take Stepping::WORLD");
  force_.setZero(model_->nv());
}

Actor::Actor(SingleBodyObject& body, int firstDof)
    : body_(&body),
      object_(&body),
      name_(body.getName()),
      model_(modelOf(body)),
      tree_(*model_, firstDof),
      own_(model_->lowered) {
  q_.setZero(7);
  u_.setZero(6);
  force_.setZero(6);
}

bool Actor::standsFor(const Object& object) const {
  if (&object != object_) return false;
  if (object.getObjectType() != ObjectType::ARTICULATED_SYSTEM)
    return body_ && object.getBodyType() == BodyType::DYNAMIC;
  if (!robot_) return false;
  const Topology &own = model_->topology,
                 &its = static_cast<const ArticulatedSystem&>(object).model().topology;
  bool isSame = own.nb == its.nb && own.nq == its.nq && own.nv == its.nv;
  for (int b = 0; isSame && b < own.nb; ++b)
    isSame = own.bodies[at(b)].kind == its.bodies[at(b)].kind &&
             own.bodies[at(b)].parent == its.bodies[at(b)].parent;
  return isSame;
}

const Lowered<double>& Actor::parameters() const {
  return robot_ ? robot_->parametersInForce() : own_;
}

void Actor::load(double ahead) {
  if (robot_) {
    q_ = robot_->getSpanningCoordinate();
    u_ = robot_->getSpanningVelocity();
    if (hasOwn_ && q_ == storedQ_ && u_ == storedU_) {
      q_ = ownQ_;
      u_ = ownU_;
    }
  } else {
    q_ << body_->getPosition(), body_->getQuaternion();
    u_ << body_->getLinearVelocity(), body_->getAngularVelocity();
  }
  tree_.set(parameters(), q_, u_, ahead);
}

void Actor::store() {
  tree_.get(q_, u_);
  if (robot_ && !model_->mechanism.isTree()) {
    ownQ_ = q_;
    ownU_ = u_;
    robot_->setSpanningCoordinate(q_);
    Eigen::VectorXd independent(model_->publicNv);
    for (int d = 0; d < model_->nv(); ++d)
      if (model_->publicDof[at(d)] >= 0)
        independent[model_->publicDof[at(d)]] = u_[model_->spanningDof[at(d)]];
    robot_->setGeneralizedVelocity(independent);
    storedQ_ = robot_->getSpanningCoordinate();
    storedU_ = robot_->getSpanningVelocity();
    hasOwn_ = keepsGaps_;
  } else if (robot_) {
    robot_->setState(q_, u_);
  } else {
    body_->setPose(q_.head<3>(), q_.tail<4>());
    body_->setVelocity(u_.head<3>(), u_.tail<3>());
  }
}

void Actor::push(const Eigen::VectorXd& gforce, const Eigen::MatrixXd& Z,
                 const Eigen::VectorXd& gvel) {
  const int nv = model_->nv();
  tree_.forceFrom(gforce, Z, gvel, force_);
  if (body_) {
    body_->setExternalForce(Eigen::Vector3d(force_.head<3>()), Eigen::Vector3d::Zero());
    body_->setExternalTorque(force_.tail<3>());
    return;
  }
  Actuation& actuation = robot_->actuation();
  for (int d = 0; d < nv; ++d) actuation.controlForce[at(d)] = force_[d];
  tree_.blockFrom(Z, hold_);
  hold_ = -0.5 * (hold_ + hold_.transpose()).eval();
  pack(actuation);
}

void Actor::announce() {
  if (robot_) robot_->actuation().hasControl = true;
}

void Actor::release() {
  if (robot_) robot_->actuation().hasControl = false;
}

void Actor::addDamping(Eigen::MatrixXd& B) const {
  if (!robot_) return;
  for (int d = model_->topology.floating ? 6 : 0; d < model_->nv(); ++d) {
    const int place = tree_.firstDof() + model_->spanningDof[at(d)];
    B(place, place) += robot_->actuation().damping[at(d)];
  }
}

/// hold_, without the part that adds energy, into the tree's sparsity; on the diagonal alone where
/// the World solves in the independent joints of closed loops. Terms outside of the tree's sparsity
/// are moved to the two diagonals it couples: diag(|o|) - o is diagonally dominant, so that the sum
/// still holds at least as fast.
void Actor::pack(Actuation& actuation) {
  const Topology& t = model_->topology;
  if (hold_.isZero(0)) {
    for (double& x : actuation.controlImpedance) x = 0;
    return;
  }
  axes_.compute(hold_);
  const auto& Q = axes_.eigenvectors();
  hold_ = Q * axes_.eigenvalues().cwiseMax(0.0).asDiagonal() * Q.transpose();
  for (double& x : actuation.controlImpedance) x = 0;
  for (int d = 0; d < t.nv; ++d)
    for (int other = d; other >= 0;
         other = !model_->mechanism.isTree() ? -1 : t.dofParent[at(other)]) {
      actuation.controlImpedance[at(t.row[at(d)] + t.dofDepth[at(other)])] = hold_(d, other);
      hold_(d, other) = hold_(other, d) = 0;
    }
  for (int d = 0; d < t.nv; ++d)
    actuation.controlImpedance[at(t.row[at(d)] + t.dofDepth[at(d)])] +=
        hold_.row(d).cwiseAbs().sum();
}

}  // namespace espalier::sim
