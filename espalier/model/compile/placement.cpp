#include "espalier/model/compile/placement.h"

#include "espalier/model/joints/dispatch.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

Placement::Placement(const Topology& t, const Lowered<double>& par, const double* q)
    : R(static_cast<std::size_t>(t.nb)), x(R.size()), S(static_cast<std::size_t>(t.nv)) {
  if (t.floating) {
    R[0] = rotation(Quat<double>{q[3], q[4], q[5], q[6]});
    x[0] = {q[0], q[1], q[2]};
    const Mat3d e = identity3<double>();
    const Vec3d axes[3] = {e.r0, e.r1, e.r2};
    for (std::size_t k = 0; k < 3; ++k) {
      S[k] = {{0, 0, 0}, axes[k]};
      S[3 + k] = {axes[k], cross(x[0], axes[k])};
    }
  } else {
    R[0] = transpose(par.bodies[0].E);
    x[0] = par.bodies[0].p;
  }
  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& b = t.bodies[i];
    const auto parent = static_cast<std::size_t>(b.parent);
    withJoint(b.kind, [&]<class J>() {
      Mat3d e;
      Vec3d p;
      J::pose(par.bodies[i], par.extra[i], q + b.q, e, p);
      JointFrames<double> f{mul(R[parent], transpose(e)), {}, x[parent] + mul(R[parent], p)};
      if constexpr (J::needsJointAxes) f.R_XJ = mul(R[parent], transpose(par.bodies[i].E));
      J::columns(par.extra[i], q + b.q, f, &S[b.u]);
      R[i] = f.R_XC;
      x[i] = f.o;
    });
  }
}

}  // namespace espalier
