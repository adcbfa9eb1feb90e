// A single body in the step.
//
// In flight v' = g and I w' = -w x I w. The centre of mass then moves exactly in every scheme whose
// mean velocity is (u + u+)/2. The angular momentum L = I w + sum of torques is remembered from
// step to step and w is set to I(q)^-1 L at the start of the next: it is kept to rounding, whatever
// the scheme makes of the gyroscopic torque.
//
// A body that turns by more than farBodyTurn (scheme.h) in a step has its free rotation integrated by itself
// (free_rotation.h), which keeps its energy, too; torques and impulses add to it as to the velocity
// of a body that does not turn. The rotation by them comes after the free one.

#include "espalier/step/free_bodies.h"

#include <cmath>
#include <utility>

#include "espalier/step/free_rotation.h"
#include "espalier/step/pose.h"
#include "espalier/step/runge_kutta.h"

namespace espalier {
namespace {

/// Of a symmetric positive definite matrix.
Sym3<double> inverse(const Sym3<double>& a) {
  const double xx = a.yy * a.zz - a.yz * a.yz, xy = a.xz * a.yz - a.xy * a.zz,
               xz = a.xy * a.yz - a.xz * a.yy;
  const double k = 1 / (a.xx * xx + a.xy * xy + a.xz * xz);
  return {k * xx,
          k * xy,
          k * xz,
          k * (a.xx * a.zz - a.xz * a.xz),
          k * (a.xy * a.xz - a.xx * a.yz),
          k * (a.xx * a.yy - a.xy * a.xy)};
}

Sym3<double> plusDiagonal(Sym3<double> a, double x) {
  a.xx += x;
  a.yy += x;
  a.zz += x;
  return a;
}

Sym3<double> turned(const FreeBody& b, const Mat3d& R, const Sym3<double>& s) {
  return b.isRound ? s : congruence(transpose(R), s);
}

void turn(const double* q, const Vec3d& by, double* out) {
  putQuaternion(normalized(expQuat(by) * quaternionOf(q)), out);
}

/// Four stages of I w' = torque - w x I w, R' = [w] R, from R and w; the change of both.
void rungeKutta(const FreeBody& b, const Vec3d& w0, const Vec3d& torque, double dt, Vec3d& turnBy,
                Vec3d& dw) {
  const auto& [at, share] = stages;
  Vec3d rate{0, 0, 0}, acceleration{0, 0, 0};
  turnBy = dw = {0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    const Vec3d theta = rate * (dt * at[i]), w = w0 + acceleration * (dt * at[i]);
    const Mat3d R = mul(rotation(expQuat(theta)), b.R);
    rate = rotationRate(theta, w);
    acceleration = mul(turned(b, R, b.inverseI),
                       torque - w * b.angularDamping - cross(w, mul(turned(b, R, b.I), w)));
    turnBy += rate * (dt * share[i]);
    dw += acceleration * (dt * share[i]);
  }
}

/// w x I w at the mean velocity, or its mean over a step that turns the body far.
Vec3d gyroscopicTorque(const FreeBody& b, double dt) {
  if (b.isFast) return mul(b.inertia, b.freeDw) * (-1 / dt);
  return b.isRound ? Vec3d{0, 0, 0} : cross(b.meanW, mul(b.inertia, b.meanW));
}

FreeRotation startOf(const FreeBody& b, const Mat3d& R0, const Vec3d& w) {
  return {{1, 0, 0, 0}, mul(b.I, tmul(R0, w))};
}

/// w in world axes.
Vec3d velocityOf(const FreeBody& b, const Mat3d& R0, const FreeRotation& r) {
  return mul(R0, mul(rotation(r.turn), mul(b.inverseI, r.L)));
}

/// The free rotation over the step, and the orientation at its evaluation point.
void rotateFar(FreeBody& b, const Mat3d& R0, double evaluationOffset, double dt) {
  FreeRotation now = startOf(b, R0, b.w);
  if (evaluationOffset > 0) {
    now = rotateFreely(b.inverseI, now, evaluationOffset);
    b.R = mul(R0, rotation(now.turn));
  }
  now = rotateFreely(b.inverseI, now, dt - evaluationOffset);
  b.freeTurn = now.turn;
  b.freeDw = velocityOf(b, R0, now) - b.w;
}

/// Half the impulse of torque and damper, the free rotation, the other half: second order in them.
///   in  w0  rad/s, with contact impulses
///   out turn, w
void rotateFarUnder(const FreeBody& b, const Mat3d& R0, const Vec3d& torque, double dt,
                    const Vec3d& w0, Quat<double>& turnBy, Vec3d& w) {
  const auto kick = [&](const Mat3d& R, const Vec3d& at) {
    return at + mul(turned(b, R, b.inverseI), torque - at * b.angularDamping) * (dt / 2);
  };
  const FreeRotation end = rotateFreely(b.inverseI, startOf(b, R0, kick(R0, w0)), dt);
  turnBy = end.turn;
  w = kick(mul(R0, rotation(end.turn)), velocityOf(b, R0, end));
}

}  // namespace

bool isPositiveDefinite(const Sym3<double>& a) {
  const double two = a.xx * a.yy - a.xy * a.xy;
  const double three =
      a.zz * two - a.yz * (a.xx * a.yz - a.xy * a.xz) + a.xz * (a.xy * a.yz - a.yy * a.xz);
  return a.xx > 0 && two > 0 && three > 0 && std::isfinite(three);
}

void lower(FreeBody& b) {
  const bool plain = b.I.xy == 0 && b.I.xz == 0 && b.I.yz == 0;
  b.isRound = plain && b.I.xx == b.I.yy && b.I.yy == b.I.zz;
  b.inverseI = inverse(b.I);
}

void evaluate(FreeBody& b, const double* q, double* u, Scheme scheme, double dt) {
  const double evaluationOffset = evaluationOffsetOf(scheme, dt);
  const Mat3d R0 = rotation(quaternionOf(q));
  const bool isMoved = b.isDynamic();
  if (isMoved && b.knowsL) {
    const Vec3d w = mul(turned(b, R0, b.inverseI), b.L), r = mul(R0, b.com);
    const Vec3d v = vector3(u) + cross(vector3(u + 3) - w, r);  // that of the centre of mass stays
    put(v, u);
    put(w, u + 3);
  }
  b.w = vector3(u + 3);
  const Vec3d r0 = mul(R0, b.com);
  b.v = vector3(u) + cross(b.w, r0);
  if (isMoved && !b.knowsL) b.L = mul(turned(b, R0, b.I), b.w);
  b.R = R0;
  b.c = vector3(q) + r0;
  b.isFast = isMoved && !b.isRound && norm(b.w) * dt > info(scheme).farBodyTurn;
  if (evaluationOffset > 0) {
    double qm[7];
    turn(q, b.w * evaluationOffset, qm);
    b.R = rotation(quaternionOf(qm));
    b.c += b.v * evaluationOffset;
  }
  if (b.isFast) rotateFar(b, R0, evaluationOffset, dt);
  b.meanW = b.w;
  if (!isMoved) {
    b.inverseMass = 0;
    b.inverseInertia = {0, 0, 0, 0, 0, 0};
    return;
  }
  const double damping = implicitWeights(scheme, dt).damping;
  b.inertia = turned(b, b.R, b.I);
  b.inverseMass = 1 / (b.mass + damping * b.linearDamping);
  b.inverseInertia = b.angularDamping > 0
                         ? inverse(plusDiagonal(b.inertia, damping * b.angularDamping))
                         : turned(b, b.R, b.inverseI);
  b.rootMass = std::sqrt(b.inverseMass);
  b.rootInertia = root(b.inverseInertia);
}

void freeImpulse(FreeBody& b, const Vec3d& gravity, double dt) {
  if (!b.isDynamic()) {
    for (double& x : b.z) x = 0;
    return;
  }
  const Vec3d force = madd(gravity, b.mass, b.force) - b.v * b.linearDamping;
  const Vec3d torque = b.torque - b.w * b.angularDamping - gyroscopicTorque(b, dt);
  put(force * (dt * b.rootMass), b.z);
  put(tmul(b.rootInertia, torque) * dt, b.z + 3);
}

void meanVelocity(FreeBody& b) { b.meanW = b.w + b.dw() * 0.5; }

namespace {

/// v and w that the impulses of a step leave, where stages follow them.
///   pre  z holds free motion and impulses
std::pair<Vec3d, Vec3d> afterImpulses(const FreeBody& b, const Vec3d& gravity, double dt) {
  const Vec3d force = madd(gravity, b.mass, b.force) - b.v * b.linearDamping;
  const Vec3d torque = b.torque - b.w * b.angularDamping - gyroscopicTorque(b, dt);
  return {b.v + b.dv() - force * (dt * b.inverseMass),
          b.w + b.dw() - mul(b.inverseInertia, torque) * dt};
}

}  // namespace

void finish(FreeBody& b, const Vec3d& gravity, double* q, double* u, Scheme scheme, double dt) {
  Vec3d dv = b.dv(), dw = b.dw(), turnBy, moved;
  if (info(scheme).hasStages && b.isDynamic()) {
    const auto [v0, w0] = afterImpulses(b, gravity, dt);  // the free part is done again, in stages
    if (b.isFast) {
      Vec3d w;
      rotateFarUnder(b, rotation(quaternionOf(q)), b.torque, dt, w0, b.freeTurn, w);
      turnBy = {0, 0, 0};
      dw = w - w0;
    } else {
      rungeKutta(b, w0, b.torque, dt, turnBy, dw);
    }
    // m v' = f - b v is linear: its four stages are a Taylor series.
    const double k = b.linearDamping / b.mass, h = -k * dt;
    const Vec3d a0 = gravity + b.force * (1 / b.mass) - v0 * k;
    dv = a0 * (dt * (1 + h / 2 * (1 + h / 3 * (1 + h / 4))));
    moved = v0 * dt + a0 * (dt * dt * (0.5 + h / 6 * (1 + h / 4)));
    dv += v0 - b.v;
    dw += w0 - b.w;
    b.knowsL = false;
  } else {
    const double share = shareOfNext(scheme);
    turnBy = (b.isFast ? (dw - b.freeDw) * share : b.w + dw * share) * dt;
    moved = (b.v + dv * share) * dt;
    if (b.isDynamic()) {
      // Angular impulse: the change of I w beyond that of the free rotation.
      b.L += mul(b.inertia, dw) + gyroscopicTorque(b, dt) * dt;
      b.knowsL = !b.isRound;
    }
  }
  const Vec3d c0 = vector3(q) + mul(rotation(quaternionOf(q)), b.com);
  if (b.isFast) putQuaternion(normalized(quaternionOf(q) * b.freeTurn), q);
  turn(q, turnBy, q);
  const Vec3d r = mul(rotation(quaternionOf(q)), b.com), p = c0 + moved - r;
  const Vec3d w = b.w + dw, v = b.v + dv - cross(w, r);
  put(p, q);
  put(v, u);
  put(w, u + 3);
}

void pointMotion(const FreeBody& b, const Vec3d& p, const Vec3d& toCentre, Vec3d& velocity,
                 Vec3d& acceleration) {
  const Vec3d r = p - b.c;
  velocity = b.v + cross(b.w, r);
  acceleration = cross(b.w, cross(b.w, r + toCentre));
}

void makeUnit(double* q) {
  const double n2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (std::abs(n2 - 1) < 1e-15) return;
  const Quat<double> r =
      n2 > 0 ? normalized(Quat<double>{q[0], q[1], q[2], q[3]}) : Quat<double>{1, 0, 0, 0};
  q[0] = r.w;
  put({r.x, r.y, r.z}, q + 1);
}

double kineticEnergy(const FreeBody& b, const double* q, const double* u) {
  const Mat3d R = rotation(quaternionOf(q));
  const Vec3d w = vector3(u + 3), v = vector3(u) + cross(w, mul(R, b.com));
  return 0.5 * (b.mass * dot(v, v) + dot(w, mul(turned(b, R, b.I), w)));
}

double potentialEnergy(const FreeBody& b, const Vec3d& gravity, const double* q) {
  return -b.mass * dot(gravity, vector3(q) + mul(rotation(quaternionOf(q)), b.com));
}

double work(const FreeBody& b, const Vec3d& gravity, Scheme scheme, double dt) {
  if (info(scheme).hasStages) {
    const auto [v0, w0] = afterImpulses(b, gravity, dt);
    const Vec3d v = (v0 + b.v + b.dv()) * 0.5, w = (w0 + b.w + b.dw()) * 0.5;
    const double impulses = 0.5 * (b.mass * (dot(v0, v0) - dot(b.v, b.v)) +
                                   dot(w0, mul(b.inertia, w0)) - dot(b.w, mul(b.inertia, b.w)));
    return impulses +
           dt * (dot(b.force - v * b.linearDamping, v) + dot(b.torque - w * b.angularDamping, w));
  }
  const double share = shareOfNext(scheme), weight = implicitWeights(scheme, dt).damping / dt;
  const Vec3d dv = b.dv(), dw = b.dw();
  const Vec3d force = b.force - (b.v + dv * weight) * b.linearDamping;
  const Vec3d torque = b.torque - (b.w + dw * weight) * b.angularDamping;
  return dt * (dot(force, b.v + dv * share) + dot(torque, b.w + dw * share));
}

}  // namespace espalier
