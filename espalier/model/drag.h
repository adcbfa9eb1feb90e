#pragma once

// Drag of a medium on the links of a system. Every link is taken for the box of uniform density that has its
// mass and principal moments of inertia, which gives its size without looking at shapes. In the box's axes, with
// sizes s, d their mean, v and w against the medium:
//
//   f_i = -(3 pi d mu + rho/2 s_j s_k |v_i|) v_i                      at the centre of mass
//   n_i = -(pi d^3 mu + rho/64 s_i (s_j^4 + s_k^4) |w_i|) w_i
//
// as MuJoCo's forces of fluids by inertia. None takes more from a link in a step than would stop it.

#include <algorithm>
#include <numbers>

#include "espalier/model/spec/spec.h"
#include "espalier/spatial/motion.h"

namespace espalier {

/// A link in a medium.
struct DragBox {
  int body = 0;
  double mass = 0;                                ///< kg, of the link alone
  Vec3d moments{};                                ///< kg m^2, principal
  Vec3d size{};                                   ///< m
  Transformd X_LB = identityTransform<double>();  ///< centre and principal axes, as authored
  Transformd X_CB = identityTransform<double>();  ///< in the engine's axes
};

///   in  link  with inertia;  X_LL  of the link in its body
DragBox makeDragBox(const LinkSpec& link, int body, const Transformd& X_LL);

/// The wrench on a link about its body's origin, world axes.
///   in  R, x   pose of the body, x from the origin of V;  V  twist of the body
///       dt     s, of the step
template <class T>
Force<T> dragOf(const MediumSpec& medium, const DragBox& box, const Mat3<T>& R, const Vec3<T>& x,
                const Motion<T>& V, double dt) {
  const Mat3<T> axes = mul(R, bc<T>(box.X_CB.R));
  const Vec3<T> r = mul(R, bc<T>(box.X_CB.p));
  const Vec3<T> v = tmul(axes, V.v + cross(V.w, x + r) - bc<T>(medium.wind)), w = tmul(axes, V.w);
  const auto& [a, b, c] = box.size;
  const double d = (a + b + c) / 3, mu = std::numbers::pi * d * medium.viscosity;
  const auto brake = [&](const T& rate, double viscous, double form, double most) {
    const T share = bc<T>(viscous) + bc<T>(medium.density * form) * abs(rate);
    return -rate * min(share, bc<T>(most / dt));
  };
  const auto fourth = [](double p, double q) { return p * p * p * p + q * q * q * q; };
  const Vec3<T> f = mul(axes, Vec3<T>{brake(v.x, 3 * mu, b * c / 2, box.mass),
                                      brake(v.y, 3 * mu, a * c / 2, box.mass),
                                      brake(v.z, 3 * mu, a * b / 2, box.mass)});
  const double turn = mu * d * d;
  const Vec3<T> n = mul(axes, Vec3<T>{brake(w.x, turn, a * fourth(b, c) / 64, box.moments.x),
                                      brake(w.y, turn, b * fourth(a, c) / 64, box.moments.y),
                                      brake(w.z, turn, c * fourth(a, b) / 64, box.moments.z)});
  return {n + cross(r, f), f};
}

}  // namespace espalier
