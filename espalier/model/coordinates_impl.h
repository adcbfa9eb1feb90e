#pragma once

// The definitions of model/coordinates.h, for the translation units that instantiate them.

#include "espalier/model/coordinates.h"
#include "espalier/model/joints/dispatch.h"

namespace espalier {
namespace coordinates_detail {

/// Calls ball(body) for every joint with a quaternion, and plain(first q, first u, count) for the
/// numbers of the others between them.
///   in  isOfJoints  not those of a floating base
template <class Ball, class Plain>
void forEachRun(const Topology& t, bool isOfJoints, Ball&& ball, Plain&& plain) {
  int q = 0, u = 0;
  for (const int b : t.balls) {
    const BodyTopology& body = t.bodies[b];
    if (body.q > q) plain(q, u, body.q - q);
    if (b > 0 || !isOfJoints) ball(body);
    q = body.q + body.nq;
    u = body.u + body.nv;
  }
  if (t.nq > q) plain(q, u, t.nq - q);
}

}  // namespace coordinates_detail

template <class T>
void advance(const Topology& t, const T* q, const T* step, T* out) {
  coordinates_detail::forEachRun(
      t, false,
      [&](const BodyTopology& b) {
        withJoint(b.kind, [&]<class J>() { J::advance(q + b.q, step + b.u, out + b.q); });
      },
      [&](int fromQ, int fromU, int count) {
        for (int k = 0; k < count; ++k) out[fromQ + k] = q[fromQ + k] + step[fromU + k];
      });
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_COORDINATES(T) \
  template void advance<T>(const Topology&, const T*, const T*, T*);
