#include "tests/support/maximal.h"
#include "tests/support/laws.h"

#include <algorithm>

namespace espalier::testing {
namespace {

/// Two unit vectors square to n and to one another, as rows.
Eigen::Matrix<double, 2, 3> across(const V3& n) {
  const V3 x = n.unitOrthogonal();
  Eigen::Matrix<double, 2, 3> rows;
  rows.row(0) = x;
  rows.row(1) = n.cross(x);
  return rows;
}

/// Rows on (omega, rdot): the angular part holds `angular`, the linear one `linear`.
Eigen::MatrixXd blocks(const Eigen::MatrixXd& angular, const Eigen::MatrixXd& linear) {
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(angular.rows() + linear.rows(), 6);
  C.topLeftCorner(angular.rows(), 3) = angular;
  C.bottomRightCorner(linear.rows(), 3) = linear;
  return C;
}

const Eigen::MatrixXd every = M3::Identity();
const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(0, 3);

/// Turns about a, advancing by pitch: omega and rdot both along a, and tied to one another.
Eigen::MatrixXd screw(const V3& a, double pitch) {
  Eigen::MatrixXd C = blocks(across(a), every);
  C.bottomLeftCorner<3, 3>() = -pitch * a * a.transpose();
  return C;
}

}  // namespace

Maximal::Maximal(const MechanismTree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& u)
    : tree_(tree), at_(tree.move(q, u)) {
  addMasses();
  J_.resize(0, V_.size());
  addJoints(q, u);
  addTiesAndGears();
  addLaws(q, u);
  decompose();
}

void Maximal::addMasses() {
  const int n = 6 * tree_.nb();
  V_.setZero(n);
  f_.setZero(n);
  bodyM_.setZero(n, n);
  for (int i = 0; i < tree_.nb(); ++i) {
    const MechanismTree::Body& b = tree_.bodies[i];
    const BodyMotion& at = at_[i];
    const V3 arm = at.X.R * b.com;
    centres_.push_back(at.X.p + arm);
    V_.segment<6>(6 * i) = six(at.w, at.v + at.w.cross(arm));
    const M3 I = at.X.R * b.I * at.X.R.transpose();
    bodyM_.block<3, 3>(6 * i, 6 * i) = I;
    bodyM_.block<3, 3>(6 * i + 3, 6 * i + 3) = b.mass * M3::Identity();
    f_.segment<3>(6 * i) = -at.w.cross(I * at.w);
  }
  M_ = bodyM_;
}

Maximal::Relative Maximal::relative(const FrameOnBody& a, const FrameOnBody& b) const {
  struct End {
    Pose X;
    V3 w, v, vBias;                                 // of F's origin; its acceleration at Vdot = 0
    Eigen::Matrix<double, 3, Eigen::Dynamic> W, L;  // w = W V, v = L V
  };
  const auto end = [this](const FrameOnBody& f) {
    End e{tree_.pose(at_, f), V3::Zero(), V3::Zero(), V3::Zero(), {}, {}};
    e.W.setZero(3, V_.size());
    e.L.setZero(3, V_.size());
    if (f.body < 0) return e;
    const V3 arm = e.X.p - centres_[f.body];
    e.w = V_.segment<3>(6 * f.body);
    e.v = V_.segment<3>(6 * f.body + 3) + e.w.cross(arm);
    e.vBias = e.w.cross(e.w.cross(arm));
    e.W.middleCols<3>(6 * f.body).setIdentity();
    e.L.middleCols<3>(6 * f.body) = -crossMatrix(arm);
    e.L.middleCols<3>(6 * f.body + 3).setIdentity();
    return e;
  };
  const End A = end(a), B = end(b);
  const M3 Rt = A.X.R.transpose();
  const V3 d = B.X.p - A.X.p, w = B.w - A.w, v = B.v - A.v;
  const V3 carried = v - A.w.cross(d);
  Relative rel{Rt * B.X.R, Rt * d, {}, Six(6, V_.size()), {}};
  rel.x = six(Rt * w, Rt * carried);
  rel.J.topRows<3>() = Rt * (B.W - A.W);
  rel.J.bottomRows<3>() = Rt * (B.L - A.L + crossMatrix(d) * A.W);
  rel.bias = six(-Rt * A.w.cross(w), Rt * (B.vBias - A.vBias - A.w.cross(v) - A.w.cross(carried)));
  return rel;
}

Maximal::Rows Maximal::tieRows(const MechanismTree::Tie& tie, const Relative& between) {
  const V3 a = tie.axis;
  Eigen::MatrixXd C;
  switch (tie.kind) {
    case LoopKind::POINT: C = blocks(none, every); break;
    case LoopKind::FIXED: C = blocks(every, every); break;
    case LoopKind::REVOLUTE: C = blocks(across(a), every); break;
    case LoopKind::PRISMATIC: C = blocks(every, across(a)); break;
    case LoopKind::CYLINDRICAL: C = blocks(across(a), across(a)); break;
    case LoopKind::PLANAR: C = blocks(across(a), a.transpose()); break;
    case LoopKind::SCREW: C = screw(a, tie.pitch); break;
    case LoopKind::UNIVERSAL: {
      // omega lies in the plane of a and of R b, which B carries along.
      const V3 b = between.R * tie.axis2, omega = between.x.head<3>();
      C = blocks(a.cross(b).transpose(), every);
      const V3 rate = a.cross(omega.cross(b));
      return {C, blocks(rate.transpose(), M3::Zero())};
    }
  }
  return {C, Eigen::MatrixXd::Zero(C.rows(), 6)};
}

Maximal::Rows Maximal::jointRows(const MechanismTree::Joint& j, const Relative& between) {
  const auto like = [&](LoopKind kind) {
    return tieRows({kind, {}, {}, j.axes[0], j.axes[1], j.pitch}, between);
  };
  switch (j.kind) {
    case JointKind::Fixed: return like(LoopKind::FIXED);
    case JointKind::Revolute: return like(LoopKind::REVOLUTE);
    case JointKind::Prismatic: return like(LoopKind::PRISMATIC);
    case JointKind::Helical: return like(LoopKind::SCREW);
    case JointKind::Cylindrical: return like(LoopKind::CYLINDRICAL);
    case JointKind::Universal: return like(LoopKind::UNIVERSAL);
    case JointKind::Euler:
    case JointKind::Spherical: return like(LoopKind::POINT);
    case JointKind::Planar: return like(LoopKind::PLANAR);
    case JointKind::Translation: return {blocks(every, none), Eigen::MatrixXd::Zero(3, 6)};
    case JointKind::Floating: break;
  }
  return {Eigen::MatrixXd(0, 6), Eigen::MatrixXd(0, 6)};
}

void Maximal::add(const Rows& rows, const Relative& between) {
  const auto more = rows.C.rows();
  J_.conservativeResize(J_.rows() + more, Eigen::NoChange);
  bias_.conservativeResize(bias_.size() + more);
  J_.bottomRows(more) = rows.C * between.J;
  bias_.tail(more) = rows.C * between.bias + rows.Cdot * between.x;
}

void Maximal::addJoints(const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  U_.resize(tree_.nv, V_.size());
  uBias_.resize(tree_.nv);
  for (int i = 0; i < tree_.nb(); ++i) {
    const MechanismTree::Joint& j = tree_.joints[i];
    const Relative between = relative({j.parent, j.X_PJ}, {i, {}});
    add(jointRows(j, between), between);
    const MechanismTree::JointMotion m = tree_.jointMotion(j, q, u);
    const Eigen::MatrixXd inverse = m.S.completeOrthogonalDecomposition().pseudoInverse();
    U_.middleRows(j.u, j.nv) = inverse * between.J;
    uBias_.segment(j.u, j.nv) = inverse * (between.bias - m.Sdot_u);
    // Its rotor resists udot = U Vdot + bias.
    const Eigen::MatrixXd rates = U_.middleRows(j.u, j.nv);
    M_ += j.rotorInertia * rates.transpose() * rates;
    f_ -= j.rotorInertia * rates.transpose() * uBias_.segment(j.u, j.nv);
  }
}

void Maximal::addTiesAndGears() {
  for (const MechanismTree::Tie& tie : tree_.ties) {
    const Relative between = relative(tie.a, tie.b);
    add(tieRows(tie, between), between);
  }
  for (const MechanismTree::Gear& gear : tree_.gears) {
    J_.conservativeResize(J_.rows() + 1, Eigen::NoChange);
    bias_.conservativeResize(bias_.size() + 1);
    J_.bottomRows<1>().setZero();
    bias_.tail<1>().setZero();
    for (const auto& [dof, weight] : gear.terms) {
      J_.bottomRows<1>() += weight * U_.row(dof);
      bias_.tail<1>() += weight * uBias_.segment<1>(dof);
    }
  }
}

void Maximal::addLaws(const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  for (const MechanismTree::Law& law : tree_.laws) {
    const LawRates rates = ratesOf(tree_, law, q, u);
    J_.conservativeResize(J_.rows() + 1, Eigen::NoChange);
    bias_.conservativeResize(bias_.size() + 1);
    J_.bottomRows<1>().setZero();
    bias_.tail<1>()[0] = rates.bias;
    for (std::size_t i = 0; i < law.dofs.size(); ++i) {
      J_.bottomRows<1>() += rates.K[i] * U_.row(law.dofs[i]);
      bias_.tail<1>() += rates.K[i] * uBias_.segment<1>(law.dofs[i]);
    }
  }
}

// In units that make M the identity, x = L' Vdot, the rows are A = J L^-T. Each is scaled to length
// one; QR with pivoting keeps an independent set of them: A' P = [Q1 Q2] [R1; 0], so that
//   N = L^-T Q2                                  V = N z are all the ways to move
//   Vdot_p = -L^-T Q1 R1^-T (P' bias)_1          has the right J Vdot
//   Vdot = Vdot_p + N (N' M N)^-1 N' (f - M Vdot_p)
void Maximal::decompose() {
  Eigen::MatrixXd metric = M_;
  for (int i = 0; i < tree_.nb(); ++i) {
    const Eigen::SelfAdjointEigenSolver<M3> I(bodyM_.block<3, 3>(6 * i, 6 * i));
    if (I.eigenvalues()[0] < 1e-12) metric.diagonal().segment<3>(6 * i).array() += 1e-3;
    if (tree_.bodies[i].mass < 1e-12) metric.diagonal().segment<3>(6 * i + 3).array() += 1e-3;
  }
  root_.compute(metric);
  Eigen::MatrixXd At = root_.matrixL().solve(J_.transpose());
  scale_ = At.colwise().norm().cwiseMax(1e-300).cwiseInverse();
  At = At * scale_.asDiagonal();
  const auto n = V_.size();
  Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(n, n);
  if (At.cols() > 0) {
    qr_.setThreshold(1e-9);
    qr_.compute(At);
    Q = qr_.householderQ();
    rank_ = static_cast<int>(qr_.rank());
    const Eigen::VectorXd pivots = qr_.matrixR().diagonal().cwiseAbs();
    if (rank_ > 0) conditioning_ = pivots[rank_ - 1] / pivots[0];
    if (rank_ > 0 && rank_ < pivots.size()) dropped_ = pivots[rank_] / pivots[0];
  }
  range_ = Q.leftCols(rank_);
  null_ = root_.matrixU().solve(Q.rightCols(n - rank_));
  spanning_ = U_ * null_;
  projected_.compute(null_.transpose() * M_ * null_);
}

Eigen::VectorXd Maximal::particular() const {
  if (rank_ == 0) return Eigen::VectorXd::Zero(V_.size());
  const Eigen::VectorXd wanted =
      -(qr_.colsPermutation().transpose() * scale_.cwiseProduct(bias_)).head(rank_);
  const Eigen::VectorXd x = qr_.matrixR()
                                .topLeftCorner(rank_, rank_)
                                .triangularView<Eigen::Upper>()
                                .transpose()
                                .solve(wanted);
  return root_.matrixU().solve(range_ * x);
}

Eigen::VectorXd Maximal::solve(const Eigen::VectorXd& f) const {
  const Eigen::VectorXd p = particular();
  if (dofs() == 0) return p;
  return p + null_ * projected_.solve(null_.transpose() * (f - M_ * p));
}

void Maximal::addGravity(const V3& gravity) {
  for (int i = 0; i < tree_.nb(); ++i) f_.segment<3>(6 * i + 3) += tree_.bodies[i].mass * gravity;
}

void Maximal::push(int body, const V3& at, const V3& force, const V3& couple) {
  if (body < 0) return;
  f_.segment<3>(6 * body) += couple + (at - centres_[body]).cross(force);
  f_.segment<3>(6 * body + 3) += force;
}

void Maximal::push(const std::string& link, const V3& at, const V3& force, const V3& couple) {
  push(tree_.link(link).body, at, force, couple);
}

Eigen::VectorXd Maximal::bodyAccelerations(const Eigen::VectorXd& tau) const {
  return solve(f_ + U_.transpose() * tau);
}

Eigen::VectorXd Maximal::accelerations(const Eigen::VectorXd& tau) const {
  return U_ * bodyAccelerations(tau) + uBias_;
}

Eigen::VectorXd Maximal::consistent(const Eigen::VectorXd& u) const {
  return spanning_ * spanning_.completeOrthogonalDecomposition().solve(u);
}

std::vector<int> Maximal::independentDofs() const {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(spanning_.transpose());
  std::vector<int> y;
  for (int k = 0; k < dofs(); ++k) y.push_back(qr.colsPermutation().indices()[k]);
  std::sort(y.begin(), y.end());
  return y;
}

Maximal::Reduced Maximal::reduced(const std::vector<int>& y) const {
  const Eigen::MatrixXd Y = spanning_(y, Eigen::all);
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(Y);
  const Eigen::MatrixXd B = null_ * lu.inverse();  // V = B u_y
  const Eigen::VectorXd p = particular(), udot = U_ * p + uBias_;
  const Eigen::VectorXd VdotAtRest = p - B * udot(y);  // with udot_y = 0
  Reduced r;
  r.G = U_ * B;
  r.g = U_ * VdotAtRest + uBias_;
  r.M = B.transpose() * M_ * B;
  r.h = B.transpose() * (M_ * VdotAtRest - f_);
  const Eigen::VectorXd s = Y.jacobiSvd().singularValues();
  r.condition = s[0] / s[s.size() - 1];
  return r;
}

double Maximal::potentialEnergy(const V3& gravity) const {
  double energy = 0;
  for (int i = 0; i < tree_.nb(); ++i) energy -= tree_.bodies[i].mass * gravity.dot(centres_[i]);
  return energy;
}

V6 Maximal::momentum() const {
  V6 sum = V6::Zero();
  const Eigen::VectorXd P = bodyM_ * V_;
  for (int i = 0; i < tree_.nb(); ++i) {
    sum.head<3>() += P.segment<3>(6 * i) + centres_[i].cross(V3(P.segment<3>(6 * i + 3)));
    sum.tail<3>() += P.segment<3>(6 * i + 3);
  }
  return sum;
}

}  // namespace espalier::testing
