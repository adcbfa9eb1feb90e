#include "espalier/compat/arboris/frame.h"

#include "espalier/compat/arboris/simulation.h"
#include "espalier/core/check.h"
#include "espalier/dynamics/tree/jacobian.h"

namespace espalier::sim {
namespace {

Vector6 stacked(const Mat3d& R_WF, const Vec3d& w, const Vec3d& v) {
  const Vec3d a = tmul(R_WF, w), b = tmul(R_WF, v);
  Vector6 twist;
  twist << a.x, a.y, a.z, b.x, b.y, b.z;
  return twist;
}

}  // namespace

Frame::Frame(const Frame& body, const Transformd& bpose, std::string name)
    : bpose_(body.bpose_ * bpose),
      simulation_(body.simulation_),
      name_(std::move(name)),
      carrier_(body.carrier_) {
  ESPALIER_REQUIRE(!dynamic_cast<const MovingSubFrame*>(&body),
                   "a frame hangs on a body, not on the moving frame '" + body.name_ + "'");
}

Transformd Frame::pose() const {
  if (!carrier_->tree) return bpose_;
  const Workspace<double>& ws = carrier_->tree->workspace();
  const auto b = static_cast<std::size_t>(carrier_->body);
  return Transformd{ws.R[b], ws.origin + ws.x[b]} * carrier_->X_CB * bpose_;
}

Motion<double> Frame::driftAt(const Vec3d& p) const {
  const Transformd X_gf = pose();
  const Vec3d w = mul(X_gf.R, btwist_.w), v = mul(X_gf.R, btwist_.v);
  return {w, v + cross(w, p - X_gf.p)};
}

Motion<double> Frame::twistAt(const Vec3d& p) const {
  const Motion<double> drift = driftAt(p);
  if (!carrier_->tree) return drift;
  const Workspace<double>& ws = carrier_->tree->workspace();
  const Motion<double>& V = ws.V[carrier_->body];
  return {V.w + drift.w, velocityAt(V, p - ws.origin) + drift.v};
}

std::span<const Tree::Column> Frame::columnsAt(const Vec3d& p) const {
  if (!carrier_->tree) return {};
  const Workspace<double>& ws = carrier_->tree->workspace();
  const Vec3d r = p - ws.origin;
  const Vec3d velocity = velocityAt(ws.V[carrier_->body], r);
  std::vector<Tree::Column>& columns = carrier_->tree->scratch();
  const auto count =
      static_cast<std::size_t>(carrier_->tree->columns(carrier_->body, columns.data()));
  for (std::size_t j = 0; j < count; ++j) {
    Tree::Column& c = columns[j];
    c.S.v = velocityAt(c.S, r);
    c.dS.v = velocityAt(c.dS, r) + cross(c.S.w, velocity);
  }
  return {columns.data(), count};
}

void Frame::requireIn(const Simulation& simulation) const {
  ESPALIER_REQUIRE(&simulation == &simulation_,
                   "the frame '" + name_ + "' belongs to another Simulation");
}

Vector6 Frame::twist() const {
  const Transformd X_gf = pose();
  const Motion<double> V = twistAt(X_gf.p);
  return stacked(X_gf.R, V.w, V.v);
}

Matrix6X Frame::jacobian() const {
  const Transformd X_gf = pose();
  Matrix6X J = Matrix6X::Zero(6, simulation_.ndof());
  for (const Tree::Column& c : columnsAt(X_gf.p)) J.col(c.dof) = stacked(X_gf.R, c.S.w, c.S.v);
  return J;
}

/// R' turns with the frame and its origin moves with it: d(R' a) = R' (da - w_f x a), and a point
/// that moves over its body by v_d has dS.v + S.w x v_d.
Matrix6X Frame::djacobian() const {
  const Transformd X_gf = pose();
  const Vec3d turn = twistAt(X_gf.p).w, slide = driftAt(X_gf.p).v;
  Matrix6X dJ = Matrix6X::Zero(6, simulation_.ndof());
  for (const Tree::Column& c : columnsAt(X_gf.p))
    dJ.col(c.dof) = stacked(X_gf.R, c.dS.w - cross(turn, c.S.w),
                            c.dS.v + cross(c.S.w, slide) - cross(turn, c.S.v));
  return dJ;
}

void Body::setViscosity(const Matrix6x6& viscosity) {
  ESPALIER_REQUIRE(viscosity.allFinite(), "the viscosity of '" + getName() + "' must be finite");
  viscosity_ = viscosity;
  isViscous_ = !viscosity.isZero(0);
}

void MovingSubFrame::setBpose(const Transformd& bpose, const Vector6& btwist) {
  ESPALIER_REQUIRE(btwist.allFinite(), "the twist of '" + getName() + "' must be finite");
  bpose_ = bpose;
  btwist_ = {{btwist[0], btwist[1], btwist[2]}, {btwist[3], btwist[4], btwist[5]}};
}

}  // namespace espalier::sim
