#include "espalier/model/assembly.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/model/coordinates.h"
#include "espalier/model/elimination.h"
#include "espalier/model/loop_rows.h"
#include "espalier/model/placement.h"
#include "espalier/model/play.h"

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

void evaluateLoops(const Topology& t, const Lowered<double>& par,
                   const std::vector<Closure>& closures, const std::vector<Coupling>& couplings,
                   const double* q, LoopEquations& out, bool byAngle) {
  const Placement at(t, par, q);
  out.rows = static_cast<int>(couplings.size());
  out.columns = t.nv;
  for (const Closure& c : closures) out.rows += rowsOf(c.kind);
  out.phi.assign(static_cast<std::size_t>(out.rows), 0.0);
  out.J.assign(static_cast<std::size_t>(out.rows * t.nv), 0.0);
  out.hasFlipped = false;
  int row = 0;
  const auto entry = [&](int dof) -> double& {
    return out.J[static_cast<std::size_t>(row * t.nv + dof)];
  };
  const Mat3d one = identity3<double>();
  for (const Closure& c : closures) {
    const auto R = [&](int b) { return b < 0 ? one : at.R[static_cast<std::size_t>(b)]; };
    const auto x = [&](int b) {
      return b < 0 ? Vec3d{0, 0, 0} : at.x[static_cast<std::size_t>(b)];
    };
    const LoopFrames<double> f = framesOf(c, R(c.a), x(c.a), R(c.b), x(c.b));
    out.hasFlipped |= hasFlipped(c, f);
    int index = 0;
    for (const RowKind& kind : rowTable(c.kind)) {
      Force<double> W;
      const bool isAngle = byAngle && kind.form == RowKind::Form::TURN && kind.b != 3;
      if ((c.loose >> index++ & 1u) != 0) {
        ++row;
        continue;
      }
      out.phi[static_cast<std::size_t>(row)] =
          isAngle ? angleOf(c, 3 - kind.a - kind.b, f, W) : rowOf(c, kind, f, W);
      for (const int sign : {-1, 1})
        for (int b = sign < 0 ? c.a : c.b; b >= 0;
             b = t.bodies[static_cast<std::size_t>(b)].parent) {
          const BodyTopology& body = t.bodies[static_cast<std::size_t>(b)];
          for (int d = body.u; d < body.u + body.nv; ++d)
            entry(d) += sign * dot(at.S[static_cast<std::size_t>(d)], W);
        }
      ++row;
    }
  }
  for (const Coupling& c : couplings) {
    if (c.isLoose) {
      ++row;
      continue;
    }
    if (c.phi) {
      playRow(c, q, out.phi[static_cast<std::size_t>(row)],
              [&](const Coupling::Term& term, double d) { entry(term.u) = d; });
      ++row;
      continue;
    }
    out.phi[static_cast<std::size_t>(row)] = -c.offset;
    for (const Coupling::Term& term : c.terms) {
      out.phi[static_cast<std::size_t>(row)] += term.factor * q[term.q];
      entry(term.u) += term.factor;
    }
    ++row;
  }
}

namespace {

/// Damped least squares from one start.
AssemblyResult descend(const Topology& t, const Lowered<double>& par,
                       const std::vector<Closure>& closures, const std::vector<Coupling>& couplings,
                       const std::vector<char>& held, bool byAngle, std::vector<double>& q) {
  LoopEquations now, next;
  evaluateLoops(t, par, closures, couplings, q.data(), now, byAngle);
  std::vector<double> trial(q.size());
  double damping = 1e-3;
  const auto square = [](const LoopEquations& e) {
    double sum = 0;
    for (const double x : e.phi) sum += x * x;
    return sum;
  };
  for (int i = 0; i < 200 && now.largest() > closed / 10 && damping < 1e8; ++i) {
    for (int d = 0; d < t.nv && !held.empty(); ++d)
      for (int r = 0; r < now.rows && held[static_cast<std::size_t>(d)]; ++r)
        now.J[static_cast<std::size_t>(r * t.nv + d)] = 0;
    // Towards the end Newton's method, where rows may still depend on one another.
    const double floor = 1e-14 + 1e-3 * std::min(damping, square(now));
    std::vector<double> step =
        dampedSolve(now.J, now.rows, now.columns, now.phi, std::max(damping * square(now), floor));
    double length = 0;
    for (double& x : step) length = std::max(length, std::abs(x = -x));
    for (double& x : step) x *= std::min(1.0, 0.5 / std::max(length, 1e-300));
    advance(t, q.data(), step.data(), trial.data());
    evaluateLoops(t, par, closures, couplings, trial.data(), next, byAngle);
    if (square(next) < square(now)) {
      std::swap(now, next);
      q = trial;
      damping = std::max(damping * 0.3, 1e-6);
    } else if (now.largest() < closed) {
      break;
    } else {
      damping *= 4;
    }
  }
  AssemblyResult result;
  result.residual = now.largest();
  for (int r = 0; r < now.rows; ++r)
    if (!(std::abs(now.phi[static_cast<std::size_t>(r)]) < result.residual)) result.worst = r;
  result.isClosed = result.residual < closed * 10 && !now.hasFlipped;
  return result;
}

/// By angles first, which find the way from afar.
AssemblyResult near(const Topology& t, const Lowered<double>& par,
                    const std::vector<Closure>& closures, const std::vector<Coupling>& couplings,
                    const std::vector<char>& held, std::vector<double>& q) {
  descend(t, par, closures, couplings, held, true, q);
  return descend(t, par, closures, couplings, held, false, q);
}

}  // namespace

AssemblyResult closeNear(const Topology& t, const Lowered<double>& par,
                         const std::vector<Closure>& closures,
                         const std::vector<Coupling>& couplings, std::vector<double>& q) {
  return near(t, par, closures, couplings, {}, q);
}

AssemblyResult assemble(const Topology& t, const Lowered<double>& par,
                        const std::vector<Closure>& closures,
                        const std::vector<Coupling>& couplings, const std::vector<char>& held,
                        std::vector<double>& q) {
  constexpr int starts = 24;
  const std::vector<double> wanted = q;
  std::vector<double> neutralQ(q.size());
  neutral(t, neutralQ.data());
  AssemblyResult best = near(t, par, closures, couplings, held, q);
  std::vector<double> step(static_cast<std::size_t>(t.nv)), random(q.size()), trial;
  for (int s = 1; s < starts && !best.isClosed; ++s) {
    // Further and further away, reproducibly.
    randomConfiguration(t, static_cast<std::uint64_t>(s), 1.0, random.data());
    difference(t, neutralQ.data(), random.data(), step.data());
    for (int d = 0; d < t.nv; ++d) {
      const bool stays =
          (!held.empty() && held[static_cast<std::size_t>(d)]) || (t.floating && d < 6);
      step[static_cast<std::size_t>(d)] *= stays ? 0 : 3.0 * s / starts;
    }
    trial.resize(q.size());
    advance(t, wanted.data(), step.data(), trial.data());
    const AssemblyResult found = near(t, par, closures, couplings, held, trial);
    if (found.isClosed || found.residual < best.residual) {
      best = found;
      q = trial;
    }
  }
  return best;
}

AssemblyResult assembleDependents(const Topology& t, const Lowered<double>& par, const Mechanism& m,
                                  std::vector<double>& q) {
  std::vector<char> held(t.nv, 0);
  for (const int d : m.dofOfY) held[d] = 1;
  return assemble(t, par, m.closures, m.couplings, held, q);
}

}  // namespace espalier
