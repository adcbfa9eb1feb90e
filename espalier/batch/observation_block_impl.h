#pragma once

// The evaluation of observations in lanes, for the translation units that instantiate it.

#include <cmath>
#include <cstring>

#include "espalier/batch/observation_block.h"
#include "espalier/dynamics/tree/chain_kinematics.h"
#include "espalier/scalar/lanes.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

template <class T>
class ObservationLanes final : public ObservationBlock<value_t<T>> {
 public:
  using S = value_t<T>;
  using Plan = ObservationPlan<S>;
  using Term = typename Plan::Term;

  explicit ObservationLanes(const Plan& plan) : plan_(plan) {
    robots_.reserve(plan.robots.size());
    for (const auto& robot : plan.robots) robots_.emplace_back(robot);
  }

  int width() const override { return lanes_v<T>; }
  void evaluate(std::span<const int> worlds, S* values) override;

 private:
  /// One robot of all lanes.
  struct Robot {
    explicit Robot(const typename Plan::Robot& of)
        : plan(of),
          q(static_cast<std::size_t>(of.model->nq())),
          u(static_cast<std::size_t>(of.model->nv())),
          ws(of.model->topology) {}
    const typename Plan::Robot& plan;
    AlignedArray<T> q, u;
    Workspace<T> ws;
  };

  T load(const S* row) const;
  T load(const ObservedArray& array, int column) const;
  template <class E>
  T loadAs(const ObservedArray& array, int column) const;
  void move(Robot& robot);
  void put(int column, const T& x);
  void put(const Term& term, const Vec3<T>& v);
  void evaluate(const Term& term);
  void evaluateFrame(const Term& term);
  void putQuaternion(const Term& term, const Mat3<T>& R);
  void putHeights(const Term& term, const Mat3<T>& R, const Vec3<T>& p);

  const Plan& plan_;
  std::vector<Robot> robots_;

  // Of the call in progress
  std::span<const int> worlds_;
  bool areNeighbours_ = false;
  bool fillLanes_ = false;
  S* values_ = nullptr;
};

template <class T>
void ObservationLanes<T>::evaluate(std::span<const int> worlds, S* values) {
  worlds_ = worlds;
  values_ = values;
  const int first = worlds[0], count = static_cast<int>(worlds.size());
  fillLanes_ = count == lanes_v<T>;
  bool follow = true;
  for (int i = 1; i < count; ++i) follow &= worlds[static_cast<std::size_t>(i)] == first + i;
  // Rows end with a whole register.
  areNeighbours_ = follow && (fillLanes_ || first % lanes_v<T> == 0);
  fillLanes_ &= follow;
  for (Robot& robot : robots_)
    if (!robot.plan.bodies.empty()) move(robot);
  for (const Term& term : plan_.terms) evaluate(term);
}

template <class T>
T ObservationLanes<T>::load(const S* row) const {
  T x;
  if (areNeighbours_) {
    std::memcpy(&x, row + worlds_[0], sizeof x);
    return x;
  }
  for (int l = 0; l < lanes_v<T>; ++l) {
    const auto k = static_cast<std::size_t>(l);
    setLane(x, l, row[worlds_[k < worlds_.size() ? k : 0]]);
  }
  return x;
}

template <class T>
template <class E>
T ObservationLanes<T>::loadAs(const ObservedArray& array, int column) const {
  const char* at = static_cast<const char*>(array.data) + column * array.columnStride;
  T x;
  if constexpr (std::is_same_v<E, S>) {
    if (fillLanes_ && array.worldStride == sizeof(S)) {
      std::memcpy(&x, at + worlds_[0] * array.worldStride, sizeof x);
      return x;
    }
  }
  for (int l = 0; l < lanes_v<T>; ++l) {
    const auto k = static_cast<std::size_t>(l);
    E number;
    std::memcpy(&number, at + worlds_[k < worlds_.size() ? k : 0] * array.worldStride,
                sizeof number);
    setLane(x, l, static_cast<S>(number));
  }
  return x;
}

template <class T>
T ObservationLanes<T>::load(const ObservedArray& array, int column) const {
  switch (array.type) {
    case ObservedArray::Type::FLOAT: return loadAs<float>(array, column);
    case ObservedArray::Type::DOUBLE: return loadAs<double>(array, column);
    case ObservedArray::Type::INT32: return loadAs<std::int32_t>(array, column);
    case ObservedArray::Type::INT64: return loadAs<std::int64_t>(array, column);
    case ObservedArray::Type::BOOL: return loadAs<std::uint8_t>(array, column);
  }
  return bc<T>(0.0);
}

/// Poses and twists of the bodies that are needed, from their joints' coordinates alone.
template <class T>
void ObservationLanes<T>::move(Robot& robot) {
  const Topology& t = robot.plan.model->topology;
  for (const int b : robot.plan.bodies) {
    const BodyTopology& body = t.bodies[static_cast<std::size_t>(b)];
    for (int i = body.q; i < body.q + body.nq; ++i)
      robot.q[static_cast<std::size_t>(i)] = load(robot.plan.q[static_cast<std::size_t>(i)]);
    for (int d = body.u; d < body.u + body.nv; ++d)
      robot.u[static_cast<std::size_t>(d)] = load(robot.plan.u[static_cast<std::size_t>(d)]);
  }
  chainKinematics(t, robot.plan.parameters, robot.plan.bodies, robot.q.data(), robot.u.data(),
                  robot.ws);
}

template <class T>
void ObservationLanes<T>::put(int column, const T& x) {
  const auto c = static_cast<std::size_t>(column);
  const T y = fma(bc<T>(plan_.scale[c]), x, bc<T>(plan_.offset[c]));
  std::memcpy(values_ + c * lanes_v<T>, &y, sizeof y);
}
template <class T>
void ObservationLanes<T>::put(const Term& term, const Vec3<T>& v) {
  put(term.column, v.x);
  put(term.column + 1, v.y);
  put(term.column + 2, v.z);
}

template <class T>
void ObservationLanes<T>::evaluate(const Term& term) {
  const auto row = [&](std::size_t i) { return load(term.rows[i]); };
  switch (term.source) {
    case QuantitySource::ROWS:
      for (std::size_t i = 0; i < term.rows.size(); ++i)
        put(term.column + static_cast<int>(i), row(i));
      return;
    case QuantitySource::ARRAY:
      for (int i = 0; i < term.count; ++i) put(term.column + i, load(term.array, i));
      return;
    case QuantitySource::CONTACT: {
      const auto touches = norm(Vec3<T>{row(0), row(1), row(2)}) > bc<T>(term.threshold);
      return put(term.column, select(touches, bc<T>(1.0), bc<T>(0.0)));
    }
    default: return evaluateFrame(term);
  }
}

template <class T>
void ObservationLanes<T>::evaluateFrame(const Term& term) {
  Mat3<T> R = identity3<T>();
  Vec3<T> x = zero3<T>(), p = x;
  Motion<T> V = zeroMotion<T>();
  if (term.body >= 0) {
    const auto b = static_cast<std::size_t>(term.body);
    const Workspace<T>& ws = robots_[static_cast<std::size_t>(term.robot)].ws;
    R = mul(ws.R[b], bc<T>(term.X_CF.R));
    x = ws.x[b] + mul(ws.R[b], bc<T>(term.X_CF.p));
    p = ws.origin + x;
    V = ws.V[b];
  }
  const auto putVector = [&](const Vec3<T>& v) { put(term, term.isLocal ? tmul(R, v) : v); };
  switch (term.source) {
    case QuantitySource::POSITION: return putVector(p);
    case QuantitySource::VELOCITY: return putVector(V.v + cross(V.w, x));
    case QuantitySource::ANGULAR_VELOCITY: return putVector(V.w);
    case QuantitySource::GRAVITY: return put(term, tmul(R, bc<T>(plan_.down)));
    case QuantitySource::CONTACT_FORCE:
      return putVector({load(term.rows[0]), load(term.rows[1]), load(term.rows[2])});
    case QuantitySource::QUATERNION: return putQuaternion(term, R);
    case QuantitySource::HEIGHTS: return putHeights(term, R, p);
    default: break;
  }
  const T numbers[9] = {R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z};
  for (int i = 0; i < 9; ++i) put(term.column + i, numbers[i]);
}

template <class T>
void ObservationLanes<T>::putQuaternion(const Term& term, const Mat3<T>& R) {
  T numbers[4];
  for (int l = 0; l < lanes_v<T>; ++l) {
    const auto row = [&](const Vec3<T>& r) {
      return Vec3d{static_cast<double>(lane(r.x, l)), static_cast<double>(lane(r.y, l)),
                   static_cast<double>(lane(r.z, l))};
    };
    const Quat<double> x = quaternion(Mat3d{row(R.r0), row(R.r1), row(R.r2)});
    const double of[4] = {x.w, x.x, x.y, x.z};
    for (int i = 0; i < 4; ++i) setLane(numbers[i], l, static_cast<S>(of[i]));
  }
  for (int i = 0; i < 4; ++i) put(term.column + i, numbers[i]);
}

/// From the frame's origin up to the ground at points around it.
template <class T>
void ObservationLanes<T>::putHeights(const Term& term, const Mat3<T>& R, const Vec3<T>& p) {
  const T length = sqrt(fma(R.r0.x, R.r0.x, R.r1.x * R.r1.x)), one = bc<T>(1.0);
  const auto isUpright = length > bc<T>(1e-6);  // else x points up or down: no yaw
  const T c = select(isUpright, R.r0.x / length, one);
  const T s = select(isUpright, R.r1.x / length, bc<T>(0.0));
  for (int i = 0; i < term.count; ++i) {
    const auto& [forward, left] = term.points[static_cast<std::size_t>(i)];
    const T a = bc<T>(forward), b = bc<T>(left);
    const T x = p.x + fnma(s, b, c * a), y = p.y + fma(s, a, c * b);
    T height;
    for (int l = 0; l < lanes_v<T>; ++l) {
      const double z =
          plan_.ground.height(static_cast<double>(lane(x, l)), static_cast<double>(lane(y, l)));
      setLane(height, l, static_cast<S>(z));
    }
    put(term.column + i, height - p.z);
  }
}

}  // namespace espalier
