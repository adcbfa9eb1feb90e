#include "tests/support/closure.h"
#include "tests/support/laws.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace espalier::testing {
namespace {

V3 rotationVector(const M3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.axis() * turn.angle();
}

/// The angle of R about a, the turn nearest to `near`.
double angleAbout(const V3& a, const M3& R, double near) {
  const V3 x = a.unitOrthogonal(), y = a.cross(x), turned = R * x;
  const double angle = std::atan2(turned.dot(y), turned.dot(x)), full = 2 * std::numbers::pi;
  return angle + full * std::round((near - angle) / full);
}

Eigen::VectorXd tieResidual(const MechanismTree& tree, const MechanismTree::Tie& tie,
                            const std::vector<BodyMotion>& at) {
  const Pose X = tree.pose(at, tie.a).inverse() * tree.pose(at, tie.b);
  const V3 a = tie.axis, along = a * a.dot(X.p), tilt = X.R * a - a;
  switch (tie.kind) {
    case LoopKind::POINT: return X.p;
    case LoopKind::FIXED: return six(rotationVector(X.R), X.p);
    case LoopKind::REVOLUTE: return six(tilt, X.p);
    case LoopKind::PRISMATIC: return six(rotationVector(X.R), X.p - along);
    case LoopKind::CYLINDRICAL: return six(tilt, X.p - along);
    case LoopKind::UNIVERSAL: return six(V3(a.dot(X.R * tie.axis2), 0, 0), X.p);
    case LoopKind::PLANAR: return six(tilt, along);
    case LoopKind::SCREW: {
      const double near = tie.pitch == 0 ? 0 : a.dot(X.p) / tie.pitch;
      return six(tilt, X.p - tie.pitch * angleAbout(a, X.R, near) * a);
    }
  }
  return {};
}

}  // namespace

Eigen::VectorXd closureResidual(const MechanismTree& tree, const Eigen::VectorXd& q) {
  const std::vector<BodyMotion> at = tree.place(q);
  Eigen::VectorXd all(0);
  const auto append = [&all](const Eigen::VectorXd& more) {
    all.conservativeResize(all.size() + more.size());
    all.tail(more.size()) = more;
  };
  for (const MechanismTree::Tie& tie : tree.ties) append(tieResidual(tree, tie, at));
  for (const MechanismTree::Gear& gear : tree.gears) {
    double sum = gear.offset;
    for (const auto& [dof, weight] : gear.terms) sum += weight * q[tree.coordinateOf(dof)];
    append(Eigen::VectorXd::Constant(1, sum));
  }
  for (const MechanismTree::Law& law : tree.laws)
    append(Eigen::VectorXd::Constant(1, valueOf(tree, law, q)));
  return all;
}

Closed close(const MechanismTree& tree, const Eigen::VectorXd& q, const std::vector<int>& held) {
  std::vector<int> free;
  for (int d = 0; d < tree.nv; ++d)
    if (std::find(held.begin(), held.end(), d) == held.end()) free.push_back(d);
  const auto moved = [&](const Eigen::VectorXd& from, const Eigen::VectorXd& part) {
    Eigen::VectorXd step = Eigen::VectorXd::Zero(tree.nv);
    step(free) = part;
    return tree.advance(from, step);
  };
  const auto n = static_cast<Eigen::Index>(free.size());
  Closed best{q, 0};
  Eigen::VectorXd phi = closureResidual(tree, q);
  if (phi.size() == 0) return best;
  best.residual = phi.cwiseAbs().maxCoeff();
  Eigen::VectorXd at = q;
  for (int round = 0, idle = 0; round < 60 && idle < 3; ++round) {
    // min |K step + phi|^2 + mu |step|^2, K by central differences.
    const double h = 1e-6, mu = std::clamp(phi.squaredNorm(), 1e-12, 1e-2);
    Eigen::MatrixXd A(phi.size() + n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::VectorXd e = h * Eigen::VectorXd::Unit(n, k);
      A.col(k).head(phi.size()) =
          (closureResidual(tree, moved(at, e)) - closureResidual(tree, moved(at, -e))) / (2 * h);
    }
    A.bottomRows(n) = std::sqrt(mu) * Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(phi.size() + n);
    b.head(phi.size()) = -phi;
    Eigen::VectorXd step = A.householderQr().solve(b);
    step *= std::min(1.0, 0.5 / std::max(1e-300, step.cwiseAbs().maxCoeff()));
    at = moved(at, step);
    phi = closureResidual(tree, at);
    const double residual = phi.cwiseAbs().maxCoeff();
    idle = residual < 0.5 * best.residual || best.residual > 1e-9 ? 0 : idle + 1;
    if (residual < best.residual) best = {at, residual};
    if (best.residual < 2e-16) break;
  }
  return best;
}

std::vector<MechanismState> randomStates(const MechanismTree& tree, const Eigen::VectorXd& q0,
                                         std::uint64_t seed, int count, double stride,
                                         double worst) {
  Random random(seed);
  const auto numbers = [&random](Eigen::Index n, double size) {
    Eigen::VectorXd x(n);
    for (double& value : x) value = random.uniform(-size, size);
    return x;
  };
  std::vector<MechanismState> states;
  const Eigen::VectorXd rest = Eigen::VectorXd::Zero(tree.nv);
  Eigen::VectorXd q = q0;
  int dofs = -1;
  for (int tries = 0; static_cast<int>(states.size()) < count && tries < 20 * count; ++tries) {
    const Maximal here(tree, q, rest);
    if (dofs < 0 || here.dofs() < dofs) {  // the states before were singular ones
      states.clear();
      dofs = here.dofs();
    }
    if (here.dofs() == dofs && here.conditioning() > worst)
      states.push_back({q, here.consistent(numbers(tree.nv, 2))});
    const Closed next = close(tree, tree.advance(q, here.consistent(numbers(tree.nv, stride))));
    // A step that fell onto another branch, or found none, is not taken.
    if (next.converged() && tree.difference(q, next.q).cwiseAbs().maxCoeff() < 3 * stride)
      q = next.q;
  }
  return states;
}

}  // namespace espalier::testing
