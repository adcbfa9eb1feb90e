#include <cmath>
#include <random>

#include "espalier/model/coordinates_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {
namespace {

/// Calls f(first q, first u) for every quaternion of the tree, and g(q, u) for every other number.
template <class F, class G>
void forEachCoordinate(const Topology& t, F&& quaternion, G&& number) {
  for (const BodyTopology& b : t.bodies) {
    const int ball = info(b.kind).quaternion;
    for (int k = 0; k < (ball < 0 ? b.nq : ball); ++k) number(b.q + k, b.u + k);
    if (ball >= 0) quaternion(b.q + ball, b.u + ball);
  }
}

Quat<double> load(const double* q) { return {q[0], q[1], q[2], q[3]}; }
void store(const Quat<double>& x, double* q) {
  q[0] = x.w;
  q[1] = x.x;
  q[2] = x.y;
  q[3] = x.z;
}

}  // namespace

void neutral(const Topology& t, double* q) {
  for (const BodyTopology& b : t.bodies) neutral(b.kind, q + b.q);
}

namespace {

void difference(const Topology& t, bool isOfJoints, const double* q0, const double* q1,
                double* step) {
  const auto plain = [&](int q, int u, int count) {
    for (int k = 0; k < count; ++k) step[u + k] = q1[q + k] - q0[q + k];
  };
  coordinates_detail::forEachRun(
      t, isOfJoints,
      [&](const BodyTopology& b) {
        const int before = b.nq - 4, q = b.q + before;
        plain(b.q, b.u, before);
        const Vec3d v = logQuat(load(q1 + q) * conjugate(load(q0 + q)));
        put(step + b.u + before, v.x, v.y, v.z);
      },
      plain);
}

}  // namespace

void difference(const Topology& t, const double* q0, const double* q1, double* step) {
  difference(t, false, q0, q1, step);
}
void differenceOfJoints(const Topology& t, const double* q0, const double* q1, double* step) {
  difference(t, true, q0, q1, step);
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

ESPALIER_FOR_WORLD_SCALARS(ESPALIER_INSTANTIATE_COORDINATES)

}  // namespace espalier
