// The structs of spatial/ against dense 3x3 and 6x6 matrices written out with Eigen.

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "espalier/spatial/inertia.h"
#include "tests/support/compare.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

using M3 = Eigen::Matrix3d;
using M6 = Eigen::Matrix<double, 6, 6>;
using V3 = Eigen::Vector3d;
using V6 = Eigen::Matrix<double, 6, 1>;

constexpr double tolerance = 1e-15;

V3 dense(const Vec3d& v) { return {v.x, v.y, v.z}; }
M3 dense(const Mat3d& m) {
  M3 d;
  d << dense(m.r0).transpose(), dense(m.r1).transpose(), dense(m.r2).transpose();
  return d;
}
M3 dense(const Sym3<double>& s) {
  M3 d;
  d << s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz;
  return d;
}
V6 dense(const Motion<double>& m) {
  V6 d;
  d.head<3>() = dense(m.w), d.tail<3>() = dense(m.v);
  return d;
}
V6 dense(const Force<double>& f) {
  V6 d;
  d.head<3>() = dense(f.n), d.tail<3>() = dense(f.f);
  return d;
}
M3 skew(const V3& a) {
  M3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}
/// [I, [h]; [h]', m] on [w; v].
M6 dense(const RigidInertia<double>& b) {
  M6 d;
  d << dense(b.I), skew(dense(b.h)), -skew(dense(b.h)), b.m * M3::Identity();
  return d;
}
M6 dense(const ArticulatedInertia<double>& a) {
  M6 d;
  d << dense(a.I), dense(a.H), dense(a.H).transpose(), dense(a.M);
  return d;
}
/// Twists from a parent to a child turned by E at p: [E 0; -E[p] E].
M6 toChildMatrix(const Mat3d& e, const Vec3d& p) {
  M6 d;
  d << dense(e), M3::Zero(), -dense(e) * skew(dense(p)), dense(e);
  return d;
}
/// a x on twists: [[w] 0; [v] [w]].
M6 crossMatrix(const Motion<double>& a) {
  M6 d;
  d << skew(dense(a.w)), M3::Zero(), skew(dense(a.v)), skew(dense(a.w));
  return d;
}

template <class Struct, class Expected>
void expectSame(const Struct& ours, const Expected& expected) {
  const auto d = dense(ours);
  EXPECT_LT((d - expected).cwiseAbs().maxCoeff(),
            tolerance * (1 + 4 * expected.cwiseAbs().maxCoeff()));
}

class Algebra : public ::testing::TestWithParam<int> {
 protected:
  Random random_{static_cast<std::uint64_t>(GetParam())};
  Vec3d a_ = random_.vector(2), b_ = random_.vector(2), c_ = random_.vector(2);
  Mat3d A_{random_.vector(1), random_.vector(1), random_.vector(1)};
  Mat3d B_{random_.vector(1), random_.vector(1), random_.vector(1)};
  Sym3<double> S_{random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1),
                  random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1)};
  Mat3d E_ = random_.rotation();
  Motion<double> m_{random_.vector(1), random_.vector(1)}, n_{random_.vector(1), random_.vector(1)};
  Force<double> f_{random_.vector(1), random_.vector(1)}, g_{random_.vector(1), random_.vector(1)};
  RigidInertia<double> I_ = random_.inertia(), J_ = random_.inertia();
};

TEST_P(Algebra, Vectors) {
  expectSame(a_ + b_, V3(dense(a_) + dense(b_)));
  expectSame(a_ - b_, V3(dense(a_) - dense(b_)));
  expectSame(-a_, V3(-dense(a_)));
  expectSame(a_ * 3.0, V3(3 * dense(a_)));
  expectSame(madd(a_, 2.5, b_), V3(2.5 * dense(a_) + dense(b_)));
  expectSame(nmadd(a_, 2.5, b_), V3(dense(b_) - 2.5 * dense(a_)));
  expectSame(cross(a_, b_), V3(dense(a_).cross(dense(b_))));
  EXPECT_NEAR(dot(a_, b_), dense(a_).dot(dense(b_)), 1e-14);
  EXPECT_NEAR(norm(a_), dense(a_).norm(), 1e-15);
}

TEST_P(Algebra, Matrices) {
  expectSame(mul(A_, a_), V3(dense(A_) * dense(a_)));
  expectSame(tmul(A_, a_), V3(dense(A_).transpose() * dense(a_)));
  expectSame(mul(A_, B_), M3(dense(A_) * dense(B_)));
  expectSame(transpose(A_), M3(dense(A_).transpose()));
  expectSame(mul(S_, a_), V3(dense(S_) * dense(a_)));
  expectSame(congruence(E_, S_), M3(dense(E_).transpose() * dense(S_) * dense(E_)));
  expectSame(identity3<double>(), M3(M3::Identity()));
}

TEST_P(Algebra, Transforms) {
  const Transformd X{E_, a_}, Y{random_.rotation(), b_};
  Eigen::Matrix4d dx = Eigen::Matrix4d::Identity(), dy = dx;
  dx.topLeftCorner<3, 3>() = dense(X.R), dx.topRightCorner<3, 1>() = dense(X.p);
  dy.topLeftCorner<3, 3>() = dense(Y.R), dy.topRightCorner<3, 1>() = dense(Y.p);
  const Transformd product = X * Y, back = inverse(X);
  expectSame(product.R, M3((dx * dy).topLeftCorner<3, 3>()));
  expectSame(product.p, V3((dx * dy).topRightCorner<3, 1>()));
  expectSame(back.R, M3(dx.inverse().topLeftCorner<3, 3>()));
  expectSame(back.p, V3(dx.inverse().topRightCorner<3, 1>()));
  expectSame(X * c_, V3((dx * dense(c_).homogeneous()).head<3>()));
}

TEST_P(Algebra, TwistsAndWrenches) {
  expectSame(m_ + n_, V6(dense(m_) + dense(n_)));
  expectSame(m_ - n_, V6(dense(m_) - dense(n_)));
  expectSame(m_ * 0.3, V6(0.3 * dense(m_)));
  expectSame(madd(m_, 0.3, n_), V6(0.3 * dense(m_) + dense(n_)));
  expectSame(f_ - g_, V6(dense(f_) - dense(g_)));
  expectSame(madd(f_, 0.3, g_), V6(0.3 * dense(f_) + dense(g_)));
  EXPECT_NEAR(dot(m_, f_), dense(m_).dot(dense(f_)), 1e-14);
  expectSame(crossMotion(m_, n_), V6(crossMatrix(m_) * dense(n_)));
  expectSame(crossForce(m_, f_), V6(-crossMatrix(m_).transpose() * dense(f_)));
  expectSame(toChild(E_, a_, m_), V6(toChildMatrix(E_, a_) * dense(m_)));
  expectSame(toParent(E_, a_, f_), V6(toChildMatrix(E_, a_).transpose() * dense(f_)));
}

TEST_P(Algebra, Inertias) {
  const M6 X = toChildMatrix(E_, a_), I = dense(I_);
  expectSame(mul(I_, m_), V6(I * dense(m_)));
  expectSame(toParent(E_, a_, I_), M6(X.transpose() * I * X));
  RigidInertia<double> sum = I_;
  sum += J_;
  expectSame(sum, M6(I + dense(J_)));

  ArticulatedInertia<double> A{S_, A_, congruence(B_, S_)};
  const M6 dA = dense(A);
  expectSame(mul(A, m_), V6(dA * dense(m_)));
  expectSame(articulated(I_), I);
  ArticulatedInertia<double> more = A;
  more += I_;
  expectSame(more, M6(dA + I));
  more += A;
  expectSame(more, M6(2 * dA + I));
  shift(A, a_);
  const M6 P = toChildMatrix(identity3<double>(), a_);
  expectSame(A, M6(P.transpose() * dA * P));
}

INSTANTIATE_TEST_SUITE_P(Random, Algebra, ::testing::Range(0, 20));

}  // namespace
}  // namespace espalier::testing
