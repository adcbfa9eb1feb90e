#include "espalier/model/coordinates.h"

#include <cmath>
#include <random>

#include "espalier/model/joints/dispatch.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {
namespace {

/// Calls f(first q, first u) for every quaternion of the tree, and g(q, u) for every other number.
template <class F, class G>
void forEachCoordinate(const Topology& t, F&& quaternion, G&& number) {
  for (const BodyTopology& b : t.bodies) {
    const bool ball = b.kind == JointKind::Spherical || b.kind == JointKind::Floating;
    const int plain = ball ? b.nq - 4 : b.nq;
    for (int k = 0; k < plain; ++k) number(b.q + k, b.u + k);
    if (ball) quaternion(b.q + plain, b.u + plain);
  }
}

/// Numbers in a row that joints without quaternions have.
struct Run {
  int q, u, count;
};
/// Those from body i on, which becomes the next one with a quaternion, or none.
Run plainRun(const Topology& t, std::size_t& i) {
  Run run{t.bodies[i].q, t.bodies[i].u, 0};
  for (; i < t.bodies.size() && t.bodies[i].nq == t.bodies[i].nv; ++i) run.count += t.bodies[i].nq;
  return run;
}

Quat<double> load(const double* q) { return {q[0], q[1], q[2], q[3]}; }
void store(const Quat<double>& x, double* q) {
  q[0] = x.w;
  q[1] = x.x;
  q[2] = x.y;
  q[3] = x.z;
}

}  // namespace

template <class T>
void advance(const Topology& t, const T* q, const T* step, T* out) {
  for (std::size_t i = 0; i < t.bodies.size();) {
    const Run run = plainRun(t, i);
    for (int k = 0; k < run.count; ++k) out[run.q + k] = q[run.q + k] + step[run.u + k];
    if (i == t.bodies.size()) return;
    const BodyTopology& ball = t.bodies[i++];
    withJoint(ball.kind, [&]<class J>() { J::advance(q + ball.q, step + ball.u, out + ball.q); });
  }
}

void neutral(const Topology& t, double* q) {
  for (const BodyTopology& b : t.bodies) withJoint(b.kind, [&]<class J>() { J::neutral(q + b.q); });
}

namespace {

void differenceFrom(std::size_t first, const Topology& t, const double* q0, const double* q1,
                    double* step) {
  for (std::size_t i = first; i < t.bodies.size();) {
    const Run run = plainRun(t, i);
    for (int k = 0; k < run.count; ++k) step[run.u + k] = q1[run.q + k] - q0[run.q + k];
    if (i == t.bodies.size()) return;
    const BodyTopology& ball = t.bodies[i++];
    const int plain = ball.nq - 4;
    for (int k = 0; k < plain; ++k) step[ball.u + k] = q1[ball.q + k] - q0[ball.q + k];
    const Vec3d v = logQuat(load(q1 + ball.q + plain) * conjugate(load(q0 + ball.q + plain)));
    put(step + ball.u + plain, v.x, v.y, v.z);
  }
}

}  // namespace

void difference(const Topology& t, const double* q0, const double* q1, double* step) {
  differenceFrom(0, t, q0, q1, step);
}
void differenceOfJoints(const Topology& t, const double* q0, const double* q1, double* step) {
  differenceFrom(t.floating ? 1 : 0, t, q0, q1, step);
}

void normalize(const Topology& t, double* q) {
  forEachCoordinate(
      t,
      [&](int i, int) {
        const Quat<double> x = load(q + i);
        const double n2 = x.w * x.w + x.x * x.x + x.y * x.y + x.z * x.z;
        store(n2 > 0 && std::isfinite(n2) ? normalized(x) : Quat<double>{1, 0, 0, 0}, q + i);
      },
      [](int, int) {});
}

void randomConfiguration(const Topology& t, std::uint64_t seed, double spread, double* q) {
  std::mt19937_64 bits(seed);
  // Not std::uniform_real_distribution: its numbers differ between standard libraries.
  const auto uniform = [&] { return 2 * (static_cast<double>(bits() >> 11) * 0x1p-53) - 1; };
  forEachCoordinate(
      t,
      [&](int i, int) {
        Quat<double> x;
        double n2;
        do {  // uniform on the sphere, by rejection from the cube
          x = {uniform(), uniform(), uniform(), uniform()};
          n2 = x.w * x.w + x.x * x.x + x.y * x.y + x.z * x.z;
        } while (n2 > 1 || n2 < 0.01);
        store(normalized(x), q + i);
      },
      [&](int i, int) { q[i] = spread * uniform(); });
}

#define ESPALIER_INSTANTIATE(T) template void advance<T>(const Topology&, const T*, const T*, T*);
ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE)
#undef ESPALIER_INSTANTIATE

}  // namespace espalier
