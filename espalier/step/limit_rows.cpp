#include "espalier/step/limit_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "espalier/step/contact_law.h"
#include "espalier/step/row_columns.h"
#include "espalier/step/spherical_bounds.h"
#include "espalier/step/tendons.h"

namespace espalier {
namespace {

/// Solves with rows that joined, after which all that u+ comes near to join, too.
constexpr int most_rounds = 4;

void add(StepData& world, const JointRow& row) { world.jointRows[world.jointRowCount++] = row; }

/// Whether a limit takes part in the step.
bool isNear(const StepData& world, double gap, double rate) {
  return gap < 0.01 + 2 * world.dt * std::abs(rate);
}

/// Where a limit's gap is curved in the step, a row of MIDPOINT takes the second order along: the gap
/// at the next evaluation point is gap + dt (v+ + dt/2 v'), v' at constant u. It asks for no more
/// speed back than comes in, so that the stop makes no energy.
double biasOfCurved(const StepData& world, double gap, double acceleration, double sign,
                    double rate) {
  const double first = lawOf(world).bias(gap, rate);
  const double second = evaluationOffsetOf(world.scheme, world.dt) * sign * acceleration;
  return std::max(first + second, std::min(first, rate));
}

JointRow rowOf(System& sys, int dof, bool isUpper) {
  JointRow row{&sys, dof, isUpper ? JointRowKind::UPPER : JointRowKind::LOWER};
  row.sign = isUpper ? -1 : 1;
  return row;
}

///   in  rate  of the coordinate
JointRow rowOf(const StepData& world, System& sys, int dof, bool isUpper, double gap, double rate) {
  JointRow row = rowOf(sys, dof, isUpper);
  row.bias = lawOf(world).bias(gap, row.sign * rate);
  return row;
}

///   pre  measureTendons()
JointRow tendonRowOf(const StepData& world, System& sys, int tendon, bool isUpper, double gap) {
  JointRow row = rowOf(sys, sys.firstTendon() + tendon, isUpper);
  row.bias = biasOfCurved(world, gap, tendonAcceleration(world, sys, tendon), row.sign,
                          row.sign * sys.tendons[tendon].rate);
  return row;
}

JointRow ballRowOf(const StepData& world, System& sys, const LimitedBall& ball,
                   const SphericalBound& bound, const Vec3d& w) {
  JointRow row = rowOf(sys, ball.u, bound.isUpper);
  row.angle = bound.angle;
  row.direction = bound.direction;
  row.bias = biasOfCurved(world, bound.gap, bound.acceleration, row.sign,
                          row.sign * dot(bound.direction, w));
  return row;
}

JointRow speedRowOf(System& sys, int dof, double most, double rate) {
  JointRow row{&sys, dof, JointRowKind::SPEED, rate > 0 ? -1.0 : 1.0};
  row.bias = most;
  return row;
}

double mostSpeedOf(const System& sys, int dof) {
  const int rotor = dof - sys.model->nv();
  return rotor < 0 ? sys.actuation.speed[dof] : sys.model->rotors[rotor].limits.velocity;
}

int firstLimitedSpeed(const System& sys) { return sys.topology().floating ? 6 : 0; }

/// Position limits of dofs and rotors: visit(dof, coordinate, lower, upper).
template <class Visit>
void forEachCoordinate(const System& sys, const Visit& visit) {
  for (const LimitedDof& l : sys.limits) visit(l.u, sys.qm[l.q], l.lower, l.upper);
  const int nv = sys.model->nv();
  for (std::size_t r = 0; r < sys.model->rotors.size(); ++r) {
    const RotorInfo& rotor = sys.model->rotors[r];
    visit(nv + static_cast<int>(r), rotor.angle(sys.qm.data()), rotor.limits.lower,
          rotor.limits.upper);
  }
}

/// visit(isUpper, gap)
template <class Visit>
void forBothSides(double q, double lower, double upper, const Visit& visit) {
  visit(false, q - lower);
  visit(true, upper - q);
}

Vec3d spinOf(const LimitedBall& ball, const double* u, int stride = 1) {
  return {u[ball.u * stride], u[(ball.u + 1) * stride], u[(ball.u + 2) * stride]};
}

void findNearTendons(StepData& world, System& sys, const double* u) {
  measureTendons(sys, u);
  for (int i = 0; i < static_cast<int>(sys.tendons.size()); ++i) {
    const TendonState& state = sys.tendons[i];
    const TendonSpec& spec = sys.model->tendons[i].spec;
    forBothSides(state.length, spec.lower, spec.upper, [&](bool isUpper, double gap) {
      if (isNear(world, gap, state.rate)) add(world, tendonRowOf(world, sys, i, isUpper, gap));
    });
  }
}

void findNearBalls(StepData& world, System& sys, const double* u) {
  std::array<SphericalBound, 4> bounds;
  for (const LimitedBall& ball : sys.limitedBalls) {
    const Vec3d w = spinOf(ball, u);
    const int count = boundsAt(ball, &sys.qm[ball.q], w, bounds);
    for (int i = 0; i < count; ++i) {
      const SphericalBound& bound = bounds[i];
      // The direction turns with the joint: its largest possible speed counts.
      if (isNear(world, bound.gap, norm(w) * norm(bound.direction)))
        add(world, ballRowOf(world, sys, ball, bound, w));
    }
  }
}

void findNearSpeeds(StepData& world, System& sys, const double* u) {
  for (int d = firstLimitedSpeed(sys); d < sys.firstTendon(); ++d) {
    const double most = mostSpeedOf(sys, d), rate = rateOf(sys, d, u);
    if (std::abs(rate) > 0.5 * most) add(world, speedRowOf(sys, d, most, rate));
  }
}

/// The limits of a system that u+ breaks and that have no row yet.
class BrokenLimits {
 public:
  BrokenLimits(StepData& world, System& sys, const double* uNext, int stride)
      : world_(world),
        sys_(sys),
        uNext_(uNext),
        stride_(stride),
        least_(world.solvesAgain < most_rounds ? -world.settings.tolerance : unlimited) {}

  void coordinates() {
    forEachCoordinate(sys_, [&](int dof, double q, double lower, double upper) {
      const double rate = rateOf(sys_, dof, sys_.rates.data()), next = rateNext(dof);
      if (!mayBreak(std::min(q - lower, upper - q), rate, next)) return;
      forBothSides(q, lower, upper, [&](bool isUpper, double gap) {
        if (mayBreak(gap, rate, next))
          addBroken(rowOf(world_, sys_, dof, isUpper, gap, rate), next);
      });
    });
  }

  void tendons() {
    for (int i = 0; i < static_cast<int>(sys_.tendons.size()); ++i) {
      const TendonSpec& spec = sys_.model->tendons[i].spec;
      if (spec.lower == -unlimited && spec.upper == unlimited) continue;
      const TendonState& state = sys_.tendons[i];
      const double next = tendonRate(sys_, i, uNext_, stride_);
      forBothSides(state.length, spec.lower, spec.upper, [&](bool isUpper, double gap) {
        if (mayBreak(gap, state.rate, next))
          addBroken(tendonRowOf(world_, sys_, i, isUpper, gap), next);
      });
    }
  }

  void balls() {
    std::array<SphericalBound, 4> bounds;
    for (const LimitedBall& ball : sys_.limitedBalls) {
      const Vec3d w = spinOf(ball, sys_.rates.data()), next = spinOf(ball, uNext_, stride_);
      if (world_.dt * norm(next) < 0.005) continue;  // what is that near has its row
      const int count = boundsAt(ball, &sys_.qm[ball.q], w, bounds);
      for (int i = 0; i < count; ++i) {
        const SphericalBound& bound = bounds[i];
        const double length = norm(bound.direction);
        if (mayBreak(bound.gap, norm(w) * length, norm(next) * length))
          addBroken(ballRowOf(world_, sys_, ball, bound, w), dot(bound.direction, next));
      }
    }
  }

  void speeds() {
    for (int d = firstLimitedSpeed(sys_); d < sys_.firstTendon(); ++d) {
      const double most = mostSpeedOf(sys_, d), next = rateNext(d);
      if (std::abs(next) > most) addBroken(speedRowOf(sys_, d, most, next), next);
    }
  }

 private:
  /// False where no law asks for an impulse: the gap is open at the end of the step.
  bool mayBreak(double gap, double rate, double next) const {
    return gap < 2 * world_.dt * (std::abs(rate) + std::abs(next));
  }
  double rateNext(int dof) const {
    if (dof < sys_.model->nv()) return uNext_[dof * stride_];
    RotorInfo::Term own;
    double sum = 0;
    for (const RotorInfo::Term& term : termsOf(*sys_.model, dof, own))
      sum += term.factor * uNext_[term.u * stride_];
    return sum;
  }
  bool hasRow(const JointRow& row) const {
    const auto first = world_.jointRows.begin();
    return std::any_of(first, first + world_.jointRowCount, [&](const JointRow& other) {
      return other.system == row.system && other.dof == row.dof && other.kind == row.kind &&
             other.angle == row.angle && other.sign == row.sign;
    });
  }
  void addBroken(const JointRow& row, double next) {
    if (!(row.sign * next + row.bias >= least_) && !hasRow(row)) add(world_, row);
  }

  StepData& world_;
  System& sys_;
  const double* uNext_;
  int stride_;
  double least_;
};

}  // namespace

void findLimitRows(StepData& world, System& sys) {
  const double* u = sys.rates.data();
  forEachCoordinate(sys, [&](int dof, double q, double lower, double upper) {
    const double rate = rateOf(sys, dof, u);
    forBothSides(q, lower, upper, [&](bool isUpper, double gap) {
      if (isNear(world, gap, rate)) add(world, rowOf(world, sys, dof, isUpper, gap, rate));
    });
  });
  if (!sys.tendons.empty()) findNearTendons(world, sys, u);
  if (!sys.limitedBalls.empty()) findNearBalls(world, sys, u);
  if (sys.actuation.limitsSpeed) findNearSpeeds(world, sys, u);
}

bool findBrokenLimits(StepData& world, System& sys, const double* uNext, int stride) {
  const int rows = world.jointRowCount;
  BrokenLimits broken(world, sys, uNext, stride);
  broken.coordinates();
  if (!sys.tendons.empty()) broken.tendons();
  if (!sys.limitedBalls.empty()) broken.balls();
  if (sys.actuation.limitsSpeed) broken.speeds();
  world.report.limits += world.jointRowCount - rows;
  return world.jointRowCount > rows;
}

}  // namespace espalier
