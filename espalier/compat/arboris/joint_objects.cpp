// r is the joint frame J of model/joints/alone.h, n its L.

#include "espalier/compat/arboris/joint_objects.h"

#include <cmath>

#include "espalier/core/check.h"
#include "espalier/model/joints/alone.h"
#include "espalier/spatial/exponential.h"

namespace espalier {
namespace {

template <int N>
JointAlone<double> ask(const JointObject<N>& joint) {
  return jointAlone(joint.kind(), joint.axes().data(), 0, joint.gpos().data(), joint.gvel().data());
}

Twist array(const Motion<double>& m) { return {m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z}; }

template <int N>
std::array<std::array<double, N>, 6> columns(const Motion<double>* S) {
  std::array<std::array<double, N>, 6> J;
  for (int k = 0; k < N; ++k) {
    const Twist s = array(S[k]);
    for (int i = 0; i < 6; ++i) J[i][k] = s[i];
  }
  return J;
}

Twist times(const Matrix6& A, const Twist& x) {
  Twist y{};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) y[i] += A[i][j] * x[j];
  return y;
}

Twist negative(Twist x) {
  for (double& v : x) v = -v;
  return x;
}

/// -ad(T) A
Matrix6 minusAd(const Twist& T, const Matrix6& A) {
  const Motion<double> t{{T[0], T[1], T[2]}, {T[3], T[4], T[5]}};
  Matrix6 out;
  for (int k = 0; k < 6; ++k) {
    const Motion<double> column{{A[0][k], A[1][k], A[2][k]}, {A[3][k], A[4][k], A[5][k]}};
    const Twist c = array(crossMotion(t, column));
    for (int i = 0; i < 6; ++i) out[i][k] = -c[i];
  }
  return out;
}

template <std::size_t N>
void requireFinite(const std::array<double, N>& x, const char* what) {
  for (const double value : x)
    ESPALIER_REQUIRE(std::isfinite(value),
                     std::string(what) + " of a joint is finite, not " + std::to_string(value));
}
void requireStep(double dt) {
  ESPALIER_REQUIRE(std::isfinite(dt), "dt is finite, not " + std::to_string(dt));
}

JointSpec between(JointKind kind, const std::string& name, const std::string& parent,
                  const std::string& child, const Transformd& X_PJ) {
  JointSpec joint;
  joint.name = name;
  joint.kind = kind;
  joint.parent = parent;
  joint.child = child;
  joint.X_PJ = X_PJ;
  return joint;
}

bool isPose(const Matrix4& H) {
  const auto product = [&H](int i, int j) {
    return H[i][0] * H[j][0] + H[i][1] * H[j][1] + H[i][2] * H[j][2];
  };
  for (int i = 0; i < 3; ++i) {
    if (!std::isfinite(H[i][3])) return false;
    for (int j = 0; j < 3; ++j)
      if (!(std::abs(product(i, j) - (i == j)) < 1e-6)) return false;
  }
  const Vec3d x{H[0][0], H[0][1], H[0][2]}, y{H[1][0], H[1][1], H[1][2]},
      z{H[2][0], H[2][1], H[2][2]};
  return dot(cross(x, y), z) > 0 && H[3] == std::array<double, 4>{0, 0, 0, 1};
}

}  // namespace

Matrix4 poseMatrix(const Transformd& X) {
  const auto& [R, p] = X;
  return {{{R.r0.x, R.r0.y, R.r0.z, p.x},
           {R.r1.x, R.r1.y, R.r1.z, p.y},
           {R.r2.x, R.r2.y, R.r2.z, p.z},
           {0, 0, 0, 1}}};
}
Transformd poseOf(const Matrix4& H) {
  return {{{H[0][0], H[0][1], H[0][2]}, {H[1][0], H[1][1], H[1][2]}, {H[2][0], H[2][1], H[2][2]}},
          {H[0][3], H[1][3], H[2][3]}};
}

Matrix6 adjoint(const Matrix4& H) {
  Matrix6 A{};
  for (int k = 0; k < 3; ++k) {
    const Vec3d column{H[0][k], H[1][k], H[2][k]};
    const Vec3d moved = cross(Vec3d{H[0][3], H[1][3], H[2][3]}, column);
    const double top[3] = {column.x, column.y, column.z}, low[3] = {moved.x, moved.y, moved.z};
    for (int i = 0; i < 3; ++i) {
      A[i][k] = A[3 + i][3 + k] = top[i];
      A[3 + i][k] = low[i];
    }
  }
  return A;
}

Matrix4 inversePose(const Matrix4& H) {
  Matrix4 inverted{};
  inverted[3][3] = 1;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      inverted[i][j] = H[j][i];
      inverted[i][3] -= H[j][i] * H[j][3];
    }
  return inverted;
}

template <class Joint>
Matrix4 JointQueries<Joint>::ipose() const {
  return inversePose(static_cast<const Joint&>(*this).pose());
}
template <class Joint>
Twist JointQueries<Joint>::itwist() const {
  const Joint& joint = static_cast<const Joint&>(*this);
  return negative(times(adjoint(joint.pose()), joint.twist()));
}
template <class Joint>
Matrix6 JointQueries<Joint>::iadjoint() const {
  return adjoint(ipose());
}
template <class Joint>
Matrix6 JointQueries<Joint>::idadjoint() const {
  return minusAd(static_cast<const Joint&>(*this).twist(), iadjoint());
}
template class JointQueries<JointObject<1>>;
template class JointQueries<JointObject<2>>;
template class JointQueries<JointObject<3>>;
template class JointQueries<FreeJoint>;

template <int N>
void JointObject<N>::setGpos(const Coordinates& gpos) {
  requireFinite(gpos, "gpos");
  gpos_ = gpos;
}
template <int N>
void JointObject<N>::setGvel(const Coordinates& gvel) {
  requireFinite(gvel, "gvel");
  gvel_ = gvel;
}
template <int N>
void JointObject<N>::integrate(double dt) {
  requireStep(dt);
  Coordinates step;
  for (int k = 0; k < N; ++k) step[k] = dt * gvel_[k];
  withJoint(kind_, [&]<class J>() {
    if constexpr (J::nq == N && J::nv == N) J::advance(gpos_.data(), step.data(), gpos_.data());
  });
}
template <int N>
void JointObject<N>::integrate(const Coordinates& gvel, double dt) {
  requireStep(dt);
  setGvel(gvel);
  integrate(dt);
}
template <int N>
JointSpec JointObject<N>::spec(const std::string& name, const std::string& parent,
                               const std::string& child, const Transformd& X_PJ) const {
  JointSpec joint = between(kind_, name, parent, child, X_PJ);
  for (int a = 0; a < info(kind_).axes; ++a) joint.axes[a] = axes_[a];
  return joint;
}
template <int N>
Matrix4 JointObject<N>::pose() const {
  return poseMatrix(ask(*this).X_JL);
}
template <int N>
Twist JointObject<N>::twist() const {
  return array(partialTwist(ask(*this).S, gvel_.data(), N));
}
template <int N>
typename JointObject<N>::Jacobian JointObject<N>::jacobian() const {
  return columns<N>(ask(*this).S);
}
template <int N>
typename JointObject<N>::Jacobian JointObject<N>::djacobian() const {
  return columns<N>(ask(*this).ring);
}
template class JointObject<1>;
template class JointObject<2>;
template class JointObject<3>;

FreeJoint::FreeJoint() : gpos_{}, gvel_{} {
  for (int i = 0; i < 4; ++i) gpos_[i][i] = 1;
}
FreeJoint::FreeJoint(const Matrix4& gpos, const Twist& gvel) : gpos_(gpos), gvel_(gvel) {
  ESPALIER_REQUIRE(isPose(gpos), "gpos of a FreeJoint is a rotation, a position and 0 0 0 1");
}
void FreeJoint::setGpos(const Matrix4& gpos) {
  ESPALIER_REQUIRE(isPose(gpos), "gpos of a FreeJoint is a rotation, a position and 0 0 0 1");
  gpos_ = gpos;
}
void FreeJoint::setGvel(const Twist& gvel) {
  requireFinite(gvel, "gvel");
  gvel_ = gvel;
}
void FreeJoint::integrate(double dt) {
  requireStep(dt);
  const Vec3d w = Vec3d{gvel_[0], gvel_[1], gvel_[2]} * dt,
              v = Vec3d{gvel_[3], gvel_[4], gvel_[5]} * dt;
  const Transformd H = poseOf(gpos_);
  const Quat<double> turned = normalized(quaternion(H.R) * expQuat(w));
  gpos_ = poseMatrix({rotation(turned), H.p + mul(H.R, exponentialTranslation(w, v))});
}
void FreeJoint::integrate(const Twist& gvel, double dt) {
  requireStep(dt);
  setGvel(gvel);
  integrate(dt);
}
JointSpec FreeJoint::spec(const std::string& name, const std::string& parent,
                          const std::string& child, const Transformd& X_PJ) const {
  return between(JointKind::Floating, name, parent, child, X_PJ);
}
Matrix6 FreeJoint::jacobian() const {
  Matrix6 one{};
  for (int i = 0; i < 6; ++i) one[i][i] = 1;
  return one;
}

}  // namespace espalier
