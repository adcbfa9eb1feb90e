#include "espalier/model/loops/assembly.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/model/compile/placement.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/loops/elimination.h"
#include "espalier/model/loops/loop_rows.h"
#include "espalier/model/spec/play.h"

namespace espalier {
namespace {

constexpr double closed = 1e-12;

/// phi and K of a row of a tape.
template <class Put>
void playRow(const Coupling& c, const double* q, double& phi, Put&& put) {
  const Tape& tape = *c.phi;
  std::vector<double> inputs, K(c.terms.size()), values(static_cast<std::size_t>(tape.values()));
  for (const Coupling::Term& term : c.terms) inputs.push_back(q[term.q]);
  std::vector<Dual<double>> tangents(values.size());
  playValues(tape, inputs.data(), values.data(), &phi);
  playJacobian(tape, inputs.data(), tangents.data(), K.data());
  for (std::size_t i = 0; i < K.size(); ++i) put(c.terms[i], K[i]);
}

}  // namespace

std::vector<Motion<double>> jointMotions(const Topology& t, const Lowered<double>& par,
                                         const double* q) {
  return Placement(t, par, q).S;
}

Vec3d placeOfLoop(const Topology& t, const Lowered<double>& par, const Closure& loop,
                  const double* q) {
  if (loop.a < 0) return loop.X_CA.p;
  const Placement at(t, par, q);
  const auto a = static_cast<std::size_t>(loop.a);
  return at.x[a] + mul(at.R[a], loop.X_CA.p);
}

double LoopEquations::largest() const {
  double most = 0;
  for (const double x : phi) most = std::isfinite(x) ? std::max(most, std::abs(x)) : HUGE_VAL;
  return most;
}

namespace {

/// Writes the rows of one configuration, one after the other.
class LoopRows {
 public:
  LoopRows(const Topology& t, const Placement& at, const double* q, LoopEquations& out)
      : t_(t), at_(at), q_(q), out_(out) {}

  void add(const Closure& c, bool byAngle) {
    const LoopFrames<double> f = framesOf(c, turn(c.a), place(c.a), turn(c.b), place(c.b));
    out_.hasFlipped |= hasFlipped(c, f);
    int index = 0;
    for (const RowKind& kind : rowTable(c.kind)) {
      if ((c.loose >> index++ & 1u) == 0) add(c, kind, f, byAngle);
      ++row_;
    }
  }
  void add(const Coupling& c) {
    if (!c.isLoose) c.phi ? addTape(c) : addLinear(c);
    ++row_;
  }

 private:
  double& phi() { return out_.phi[row_]; }
  double& entry(int dof) { return out_.J[row_ * t_.nv + dof]; }
  Mat3d turn(int b) const { return b < 0 ? identity3<double>() : at_.R[b]; }
  Vec3d place(int b) const { return b < 0 ? Vec3d{0, 0, 0} : at_.x[b]; }

  void add(const Closure& c, const RowKind& kind, const LoopFrames<double>& f, bool byAngle) {
    Force<double> W;
    const bool isAngle = byAngle && kind.form == RowKind::Form::TURN && kind.b != 3;
    phi() = isAngle ? angleOf(c, 3 - kind.a - kind.b, f, W) : rowOf(c, kind, f, W);
    addWay(c.a, -1, W);
    addWay(c.b, 1, W);
  }
  /// J of the joints between the world and body b.
  void addWay(int b, int sign, const Force<double>& W) {
    for (; b >= 0; b = t_.bodies[b].parent) {
      const BodyTopology& body = t_.bodies[b];
      for (int d = body.u; d < body.u + body.nv; ++d) entry(d) += sign * dot(at_.S[d], W);
    }
  }
  void addTape(const Coupling& c) {
    playRow(c, q_, phi(), [&](const Coupling::Term& term, double d) { entry(term.u) = d; });
  }
  void addLinear(const Coupling& c) {
    phi() = -c.offset;
    for (const Coupling::Term& term : c.terms) {
      phi() += term.factor * q_[term.q];
      entry(term.u) += term.factor;
    }
  }

  const Topology& t_;
  const Placement& at_;
  const double* q_;
  LoopEquations& out_;
  int row_ = 0;
};

}  // namespace

LoopEquations LoopSystem::equations(const double* q, bool byAngle) const {
  const Placement at(t, par, q);
  LoopEquations out;
  out.rows = static_cast<int>(couplings.size());
  out.columns = t.nv;
  for (const Closure& c : closures) out.rows += rowsOf(c.kind);
  out.phi.assign(static_cast<std::size_t>(out.rows), 0.0);
  out.J.assign(static_cast<std::size_t>(out.rows * t.nv), 0.0);
  LoopRows rows(t, at, q, out);
  for (const Closure& c : closures) rows.add(c, byAngle);
  for (const Coupling& c : couplings) rows.add(c);
  return out;
}

namespace {

double squareOf(const LoopEquations& e) {
  double sum = 0;
  for (const double x : e.phi) sum += x * x;
  return sum;
}

void clearColumns(const std::vector<char>& held, LoopEquations& e) {
  for (std::size_t d = 0; d < held.size(); ++d)
    for (int r = 0; r < e.rows && held[d]; ++r)
      e.J[static_cast<std::size_t>(r * e.columns) + d] = 0;
}

/// The damped step, no coordinate by more than 0.5.
std::vector<double> stepOf(const LoopEquations& e, double damping) {
  // Towards the end Newton's method, where rows may still depend on one another.
  const double square = squareOf(e), floor = 1e-14 + 1e-3 * std::min(damping, square);
  std::vector<double> step =
      dampedSolve(e.J, e.rows, e.columns, e.phi, std::max(damping * square, floor));
  double length = 0;
  for (double& x : step) length = std::max(length, std::abs(x = -x));
  for (double& x : step) x *= std::min(1.0, 0.5 / std::max(length, 1e-300));
  return step;
}

AssemblyResult resultOf(const LoopEquations& e) {
  AssemblyResult result;
  result.residual = e.largest();
  for (int r = 0; r < e.rows; ++r)
    if (!(std::abs(e.phi[r]) < result.residual)) result.worst = r;
  result.isClosed = result.residual < closed * 10 && !e.hasFlipped;
  return result;
}

}  // namespace

/// Damped least squares from one start.
AssemblyResult LoopSystem::descend(const std::vector<char>& held, bool byAngle,
                                   std::vector<double>& q) const {
  LoopEquations now = equations(q.data(), byAngle);
  std::vector<double> trial(q.size());
  double damping = 1e-3;
  for (int i = 0; i < 200 && now.largest() > closed / 10 && damping < 1e8; ++i) {
    clearColumns(held, now);
    advance(t, q.data(), stepOf(now, damping).data(), trial.data());
    LoopEquations next = equations(trial.data(), byAngle);
    if (squareOf(next) < squareOf(now)) {
      now = std::move(next);
      q = trial;
      damping = std::max(damping * 0.3, 1e-6);
    } else if (now.largest() < closed) {
      break;
    } else {
      damping *= 4;
    }
  }
  return resultOf(now);
}

/// By angles first, which find the way from afar.
AssemblyResult LoopSystem::closeNear(const std::vector<char>& held, std::vector<double>& q) const {
  descend(held, true, q);
  return descend(held, false, q);
}

AssemblyResult LoopSystem::assemble(const std::vector<char>& held, std::vector<double>& q) const {
  constexpr int starts = 24;
  const std::vector<double> wanted = q;
  std::vector<double> neutralQ(q.size());
  neutral(t, neutralQ.data());
  AssemblyResult best = closeNear(held, q);
  std::vector<double> step(static_cast<std::size_t>(t.nv)), random(q.size()), trial;
  for (int s = 1; s < starts && !best.isClosed; ++s) {
    // Further and further away, reproducibly.
    randomConfiguration(t, static_cast<std::uint64_t>(s), 1.0, random.data());
    difference(t, neutralQ.data(), random.data(), step.data());
    for (int d = 0; d < t.nv; ++d) {
      const bool stays = (!held.empty() && held[d]) || (t.floating && d < 6);
      step[d] *= stays ? 0 : 3.0 * s / starts;
    }
    trial.resize(q.size());
    advance(t, wanted.data(), step.data(), trial.data());
    const AssemblyResult found = closeNear(held, trial);
    if (found.isClosed || found.residual < best.residual) {
      best = found;
      q = trial;
    }
  }
  return best;
}

int LoopSystem::ownerOf(int row) const {
  const int n = static_cast<int>(closures.size());
  for (int i = 0; i < n; ++i) {
    if (row < rowsOf(closures[i].kind)) return i;
    row -= rowsOf(closures[i].kind);
  }
  return n + row;
}

LoopSystem loopsOf(const Topology& t, const Lowered<double>& par, const Mechanism& m) {
  return {t, par, m.closures, m.couplings};
}

AssemblyResult assembleDependents(const Topology& t, const Lowered<double>& par, const Mechanism& m,
                                  std::vector<double>& q) {
  std::vector<char> held(t.nv, 0);
  for (const int d : m.dofOfY) held[d] = 1;
  return loopsOf(t, par, m).assemble(held, q);
}

}  // namespace espalier
