#pragma once

// The evaluation of observations in lanes, for the translation units that instantiate it.

#include <algorithm>
#include <array>
#include <cstring>

#include "espalier/batch/observation_block.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/scalar/lanes.h"
#include "espalier/spatial/rotation.h"
#include "espalier/step/motor.h"

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

  /// Registers of worlds, so that what is read of a row is long. An odd number: columns that are apart by a power of
  /// two would meet in the same lines of the cache.
  static constexpr int registers = 15;

  int width() const override { return registers * lanes_v<T>; }
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

  int distribute(std::span<const int> worlds);
  T load(const S* row) const;
  T load(const ObservedArray& array, int column) const;
  template <class E>
  T loadAs(const ObservedArray& array, int column) const;
  void move(Robot& robot);
  void put(const Term& term, int i, const T& x);
  void put(const Term& term, const Vec3<T>& v);
  void evaluate(const Term& term);
  void evaluateFrame(const Term& term);
  Vec3<T> down() const;
  void putQuaternion(const Term& term, const Mat3<T>& R);
  void putHeights(const Term& term, const Mat3<T>& R, const Vec3<T>& p);

  const Plan& plan_;
  std::vector<Robot> robots_;

  /// Worlds in the lanes of one register.
  struct Register {
    std::span<const int> worlds;
    bool areNeighbours = false;  ///< rows are read as a whole register
    bool fillLanes = false;      ///< arrays, too
  };
  std::array<Register, registers> all_;

  // In progress
  const Register* at_ = nullptr;
  S* values_ = nullptr;
};

template <class T>
void ObservationLanes<T>::evaluate(std::span<const int> worlds, S* values) {
  const int count = distribute(worlds);
  const auto select = [&](int i) {
    at_ = &all_[i];
    values_ = values + i * lanes_v<T>;
  };
  for (int i = 0; i < count && plan_.hasFrames; ++i) {
    select(i);
    for (Robot& robot : robots_)
      if (!robot.plan.bodies.empty()) move(robot);
    for (const Term& term : plan_.terms)
      if (term.body >= 0) evaluateFrame(term);
  }
  for (const Term& term : plan_.terms)
    for (int i = 0; i < count && term.body < 0; ++i) {
      select(i);
      evaluate(term);
    }
}

/// Worlds to registers; returns how many these are.
template <class T>
int ObservationLanes<T>::distribute(std::span<const int> worlds) {
  constexpr std::size_t lanes = lanes_v<T>;
  const std::size_t count = (worlds.size() + lanes - 1) / lanes;
  for (std::size_t i = 0; i < count; ++i) {
    Register& at = all_[i];
    at.worlds = worlds.subspan(i * lanes, std::min(lanes, worlds.size() - i * lanes));
    bool follow = true;
    for (std::size_t k = 1; k < at.worlds.size(); ++k)
      follow &= at.worlds[k] == at.worlds[0] + static_cast<int>(k);
    at.fillLanes = follow && at.worlds.size() == lanes;
    at.areNeighbours =
        at.fillLanes || (follow && at.worlds[0] % lanes_v<T> == 0);  // rows are whole registers
  }
  return static_cast<int>(count);
}

template <class T>
T ObservationLanes<T>::load(const S* row) const {
  T x;
  if (at_->areNeighbours) {
    std::memcpy(&x, row + at_->worlds[0], sizeof x);
    return x;
  }
  for (int l = 0; l < lanes_v<T>; ++l)
    setLane(x, l, row[at_->worlds[l < std::ssize(at_->worlds) ? l : 0]]);
  return x;
}

template <class T>
template <class E>
T ObservationLanes<T>::loadAs(const ObservedArray& array, int column) const {
  const char* at = static_cast<const char*>(array.data) + column * array.columnStride;
  T x;
  if constexpr (std::is_same_v<E, S>) {
    if (at_->fillLanes && array.worldStride == sizeof(S)) {
      std::memcpy(&x, at + at_->worlds[0] * array.worldStride, sizeof x);
      return x;
    }
  }
  for (int l = 0; l < lanes_v<T>; ++l) {
    E number;
    std::memcpy(&number, at + at_->worlds[l < std::ssize(at_->worlds) ? l : 0] * array.worldStride,
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
    const BodyTopology& body = t.bodies[b];
    for (int i = body.q; i < body.q + body.nq; ++i) robot.q[i] = load(robot.plan.q[i]);
    for (int d = body.u; d < body.u + body.nv; ++d) robot.u[d] = load(robot.plan.u[d]);
  }
  chainKinematics(t, robot.plan.parameters, robot.plan.bodies, robot.q.data(), robot.u.data(),
                  robot.ws);
}

/// Number i of a term into its column.
template <class T>
void ObservationLanes<T>::put(const Term& term, int i, const T& x) {
  const auto number = static_cast<std::size_t>(term.number + i);
  const T difference = term.minus.data ? x - load(term.minus, i) : x;
  T y = fma(bc<T>(plan_.scale[number]), difference, bc<T>(plan_.offset[number]));
  const bool isReduced = term.reduction != Reduction::NONE;
  S* at = values_ + (term.column + (isReduced ? 0 : i)) * width();
  if (isReduced) {
    T before = bc<T>(0.0);
    if (!term.isFirst || i > 0) std::memcpy(&before, at, sizeof before);
    y = term.reduction == Reduction::SQUARES ? fma(y, y, before) : max(before, abs(y));
  }
  std::memcpy(at, &y, sizeof y);
}
template <class T>
void ObservationLanes<T>::put(const Term& term, const Vec3<T>& v) {
  put(term, 0, v.x);
  put(term, 1, v.y);
  put(term, 2, v.z);
}

/// What needs no pose.
template <class T>
void ObservationLanes<T>::evaluate(const Term& term) {
  const auto row = [&](std::size_t i) { return load(term.rows[i]); };
  switch (term.source) {
    case QuantitySource::ROWS:
      for (std::size_t i = 0; i < term.rows.size(); ++i) put(term, static_cast<int>(i), row(i));
      return;
    case QuantitySource::TORQUE: {
      const auto command = [&](std::size_t i) { return load(term.rows[i] + *plan_.inForce); };
      const Motor<T> motor{row(4), row(5), command(2) - row(0), command(3), command(6)};
      return put(term, 0, boundedTorque(wantedTorque(motor, row(1), {}), row(7), row(8)));
    }
    case QuantitySource::ARRAY:
      for (int i = 0; i < term.count; ++i) put(term, i, load(term.array, i));
      return;
    case QuantitySource::CONTACT: {
      const auto touches = norm(Vec3<T>{row(0), row(1), row(2)}) > bc<T>(term.threshold);
      return put(term, 0, select(touches, bc<T>(1.0), bc<T>(0.0)));
    }
    case QuantitySource::CONTACT_FORCE: return put(term, {row(0), row(1), row(2)});
    default: return;
  }
}

/// The unit vector along gravity; zero without gravity.
template <class T>
Vec3<T> ObservationLanes<T>::down() const {
  const Rows<S>& rows = plan_.gravity;
  const Vec3<T> g{load(rows.row(0)), load(rows.row(1)), load(rows.row(2))};
  const T zero = bc<T>(0.0), length = norm(g);
  const auto isThere = length > zero;
  return g * select(isThere, bc<T>(1.0) / select(isThere, length, bc<T>(1.0)), zero);
}

template <class T>
void ObservationLanes<T>::evaluateFrame(const Term& term) {
  const auto b = static_cast<std::size_t>(term.body);
  const Workspace<T>& ws = robots_[term.robot].ws;
  const Mat3<T> R = mul(ws.R[b], bc<T>(term.X_CF.R));
  const Vec3<T> x = ws.x[b] + mul(ws.R[b], bc<T>(term.X_CF.p)), p = ws.origin + x;
  const Motion<T>& V = ws.V[b];
  const auto putVector = [&](const Vec3<T>& v) { put(term, term.isLocal ? tmul(R, v) : v); };
  switch (term.source) {
    case QuantitySource::POSITION: return putVector(p);
    case QuantitySource::VELOCITY: return putVector(V.v + cross(V.w, x));
    case QuantitySource::ANGULAR_VELOCITY: return putVector(V.w);
    case QuantitySource::GRAVITY: return put(term, tmul(R, down()));
    case QuantitySource::CONTACT_FORCE:
      return putVector({load(term.rows[0]), load(term.rows[1]), load(term.rows[2])});
    case QuantitySource::QUATERNION: return putQuaternion(term, R);
    case QuantitySource::HEIGHTS: return putHeights(term, R, p);
    default: break;
  }
  const T numbers[9] = {R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z};
  for (int i = 0; i < 9; ++i) put(term, i, numbers[i]);
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
  for (int i = 0; i < 4; ++i) put(term, i, numbers[i]);
}

/// From the frame's origin up to the ground at points around it.
template <class T>
void ObservationLanes<T>::putHeights(const Term& term, const Mat3<T>& R, const Vec3<T>& p) {
  const T length = sqrt(fma(R.r0.x, R.r0.x, R.r1.x * R.r1.x)), one = bc<T>(1.0);
  const auto isUpright = length > bc<T>(1e-6);  // else x points up or down: no yaw
  const T c = select(isUpright, R.r0.x / length, one);
  const T s = select(isUpright, R.r1.x / length, bc<T>(0.0));
  const Rows<S>& rows = plan_.terrain;
  const Vec3<T> terrain{load(rows.row(0)), load(rows.row(1)), load(rows.row(2))};
  for (int i = 0; i < term.count; ++i) {
    const auto& [forward, left] = term.points[i];
    const T a = bc<T>(forward), b = bc<T>(left);
    const T x = p.x - terrain.x + fnma(s, b, c * a), y = p.y - terrain.y + fma(s, a, c * b);
    T height;
    for (int l = 0; l < lanes_v<T>; ++l) {
      const double z =
          plan_.ground.height(static_cast<double>(lane(x, l)), static_cast<double>(lane(y, l)));
      setLane(height, l, static_cast<S>(z));
    }
    put(term, i, height + terrain.z - p.z);
  }
}

}  // namespace espalier
