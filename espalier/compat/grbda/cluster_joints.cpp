#include "espalier/compat/grbda/cluster_joints.h"

#include <algorithm>
#include <cmath>

namespace espalier::ClusterJoint {
namespace {

using LoopConstraint::Static;

constexpr double closed = 1e-8;

ClusterBody on(int parent, ClusterBody body) {
  body.parent = parent;
  return body;
}

std::shared_ptr<const Static> nothingTied(int n) {
  return std::make_shared<Static>(unitMatrix<double>(n), DenseMatrix<double>(0, n));
}

/// How rotor i turns with each link, [N].
template <int N>
std::array<double, N> beltRow(const ParallelBeltTransmissionModule<N>& module) {
  std::array<double, N> row;
  double factor = module.gear_ratio;
  for (int j = 0; j < N; ++j) row[j] = factor *= module.belt_ratios[j];
  return row;
}

void requireRatios(double gear, const double* belts, int n) {
  bool isSound = std::isfinite(gear) && gear != 0;
  for (int i = 0; i < n; ++i) isSound = isSound && std::isfinite(belts[i]) && belts[i] != 0;
  ESPALIER_REQUIRE(isSound, "ratios of gears and belts are finite and not zero");
}
template <int N>
void requireRatios(const ParallelBeltTransmissionModule<N>& module) {
  requireRatios(module.gear_ratio, module.belt_ratios.data(), N);
}

std::shared_ptr<const Static> gear(const GearedTransmissionModule& m) {
  requireRatios(m.gear_ratio, nullptr, 0);
  return std::make_shared<Static>(DenseMatrix<double>{{1}, {m.gear_ratio}},
                                  DenseMatrix<double>{{m.gear_ratio, -1}});
}

std::shared_ptr<const Static> belts(const ParallelBeltTransmissionModule<1>& proximal,
                                    const ParallelBeltTransmissionModule<2>& distal) {
  requireRatios(proximal);
  requireRatios(distal);
  const auto a = beltRow(proximal);
  const auto b = beltRow(distal);
  return std::make_shared<Static>(DenseMatrix<double>{{1, 0}, {a[0], 0}, {b[0], b[1]}, {0, 1}},
                                  DenseMatrix<double>{{a[0], -1, 0, 0}, {b[0], 0, -1, b[1]}});
}

std::shared_ptr<const Static> belts(const ParallelBeltTransmissionModule<1>& proximal,
                                    const ParallelBeltTransmissionModule<2>& intermediate,
                                    const ParallelBeltTransmissionModule<3>& distal) {
  requireRatios(proximal);
  requireRatios(intermediate);
  requireRatios(distal);
  const auto a = beltRow(proximal);
  const auto b = beltRow(intermediate);
  const auto c = beltRow(distal);
  return std::make_shared<Static>(
      DenseMatrix<double>{
          {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {a[0], 0, 0}, {b[0], b[1], 0}, {c[0], c[1], c[2]}},
      DenseMatrix<double>{
          {-a[0], 0, 0, 1, 0, 0}, {-b[0], -b[1], 0, 0, 1, 0}, {-c[0], -c[1], -c[2], 0, 0, 1}});
}

std::vector<ClusterBody> fourBarBodies(const std::array<double, 2>& path1,
                                       const std::array<double, 2>& offset,
                                       const Transformd& X_PF) {
  const auto hinge = [](int parent, const Transformd& X) {
    ClusterBody body;
    body.parent = parent;
    body.X_PJ = X;
    return body;
  };
  const auto moved = [](double x, double y) { return Transformd{identity3<double>(), {x, y, 0}}; };
  return {hinge(-1, X_PF), hinge(-1, X_PF * moved(offset[0], offset[1])),
          hinge(0, moved(path1[0], 0))};
}

void requireBodies(const std::vector<ClusterBody>& bodies, const LoopConstraint::Base& constraint) {
  int nq = 0, nv = 0;
  std::vector<int> quaternions;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const ClusterBody& body = bodies[b];
    const JointKindInfo& kind = info(body.kind);
    ESPALIER_REQUIRE(body.parent >= -1 && body.parent < static_cast<int>(b),
                     "the parent of a cluster's body stands before it, or is -1");
    if (body.kind == JointKind::Spherical) quaternions.push_back(nq);
    for (int a = 0; a < kind.axes; ++a)
      ESPALIER_REQUIRE(std::abs(norm(body.axes[a]) - 1) < 1e-9, "a joint's axes are unit");
    nq += kind.nq;
    nv += kind.nv;
  }
  ESPALIER_REQUIRE(nq == constraint.numSpanningPos() && nv == constraint.numSpanningVel(),
                   "the joints have " + std::to_string(nq) + " coordinates, the constraint ties " +
                       std::to_string(constraint.numSpanningPos()));
  ESPALIER_REQUIRE(quaternions == constraint.data().quaternions,
                   "the constraint is told which coordinates are quaternions of spherical joints; "
                   "here " +
                       std::to_string(quaternions.size()) + " are, for it " +
                       std::to_string(constraint.data().quaternions.size()));
}

}  // namespace

Base::Base(std::vector<ClusterBody> bodies, std::shared_ptr<const LoopConstraint::Base> constraint)
    : bodies_(std::move(bodies)), constraint_(std::move(constraint)) {
  ESPALIER_REQUIRE(constraint_ != nullptr, "a cluster joint has a loop constraint");
  requireBodies(bodies_, *constraint_);
}

void Base::updateKinematics(const std::vector<double>& position,
                            const std::vector<double>& velocity) {
  const ConstraintData& data = constraint_->data();
  std::vector<double> q = position, u = velocity;
  if (static_cast<int>(q.size()) != data.nq) {
    ESPALIER_REQUIRE(static_cast<int>(q.size()) == constraint_->numIndependentPos(),
                     "positions are the independent ones or all");
    q = constraint_->gamma(position);
  }
  for (const int i : data.quaternions) {
    const double square =
        q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] + q[i + 3] * q[i + 3];
    ESPALIER_REQUIRE(std::abs(square - 1) <= closed,
                     "the quaternion at coordinate " + std::to_string(i) +
                         " is unit; its square is " + std::to_string(square));
  }
  ConstraintValues<double> values;
  constraintRates(data, q.data(), values);
  for (const double x : values.phi)
    ESPALIER_REQUIRE(std::abs(x) <= closed, "the positions do not meet the loop constraint: " +
                                                std::to_string(x) + " is left of it");
  if (static_cast<int>(u.size()) != data.nv) {
    ESPALIER_REQUIRE(static_cast<int>(u.size()) == data.ny(),
                     "velocities are the independent ones or all");
    u = values.G * velocity;
  } else {
    for (const double x : values.K* u)
      ESPALIER_REQUIRE(std::abs(x) <= closed, "the velocities do not meet the loop constraint: " +
                                                  std::to_string(x) + " is left of it");
  }
  constraintBiases(data, q.data(), u.data(), values);
  clusterKinematics(bodies_, values, q.data(), u.data(), kinematics_);
  constraint_values_ = std::move(values);
  q_ = std::move(q);
  u_ = std::move(u);
}

const Transformd& Base::pose(int body) const {
  ESPALIER_REQUIRE(body >= 0 && body < static_cast<int>(kinematics_.X.size()),
                   "a body of the cluster, after updateKinematics()");
  return kinematics_.X[body];
}

Free::Free()
    : Base(
          [] {
            ClusterBody body;
            body.kind = JointKind::Floating;
            return std::vector{body};
          }(),
          std::make_shared<LoopConstraint::Free>()) {}

Revolute::Revolute(const ClusterBody& link) : Base({on(-1, link)}, nothingTied(1)) {}

RevolutePair::RevolutePair(const ClusterBody& link_1, const ClusterBody& link_2)
    : Base({on(-1, link_1), on(0, link_2)}, nothingTied(2)) {}

RevoluteWithRotor::RevoluteWithRotor(const GearedTransmissionModule& m)
    : Base({on(-1, m.link), on(-1, m.rotor)}, gear(m)) {}

RevolutePairWithRotor::RevolutePairWithRotor(const ParallelBeltTransmissionModule<1>& proximal,
                                             const ParallelBeltTransmissionModule<2>& distal)
    : Base(
          {on(-1, proximal.link), on(-1, proximal.rotor), on(-1, distal.rotor), on(0, distal.link)},
          belts(proximal, distal)) {}

RevoluteTripleWithRotor::RevoluteTripleWithRotor(
    const ParallelBeltTransmissionModule<1>& proximal,
    const ParallelBeltTransmissionModule<2>& intermediate,
    const ParallelBeltTransmissionModule<3>& distal)
    : Base({on(-1, proximal.link), on(0, intermediate.link), on(1, distal.link),
            on(-1, proximal.rotor), on(-1, intermediate.rotor), on(-1, distal.rotor)},
           belts(proximal, intermediate, distal)) {}

TelloDifferential::TelloDifferential(Kind kind, const TelloDifferentialModule& m)
    : Base({on(-1, m.rotor_1), on(-1, m.rotor_2), on(-1, m.link_1), on(2, m.link_2)},
           std::make_shared<LoopConstraint::TelloDifferential>(kind, m.gear_ratio)) {}
const LoopConstraint::TelloDifferential& TelloDifferential::differential() const {
  return static_cast<const LoopConstraint::TelloDifferential&>(loopConstraint());
}

FourBar::FourBar(const std::array<double, 2>& path1, double path2,
                 const std::array<double, 2>& offset, int independent, const Transformd& X_PF)
    : Base(fourBarBodies(path1, offset, X_PF),
           std::make_shared<LoopConstraint::FourBar>(path1, path2, offset, independent)) {}

}  // namespace espalier::ClusterJoint
