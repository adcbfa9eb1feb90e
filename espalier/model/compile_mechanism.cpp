// Ties -> Mechanism: find clusters, assemble, drop rows that say nothing new, choose the independent
// dofs, order the elimination.

#include "espalier/model/compile_mechanism.h"

#include <algorithm>
#include <cmath>

#include "espalier/model/assembly.h"
#include "espalier/model/change_points.h"
#include "espalier/model/check_report.h"
#include "espalier/model/clusters.h"
#include "espalier/model/elimination.h"
#include "espalier/model/first_assembly.h"
#include "espalier/model/loop_plan.h"
#include "espalier/model/loop_ties.h"
#include "espalier/model/mechanism_layout.h"

namespace espalier {
namespace {

constexpr double negligible = 1e-8;  // of a Jacobian's largest entry

class MechanismCompiler {
 public:
  MechanismCompiler(const SystemSpec& spec, const Model& tree, Diagnostics& diagnostics)
      : model_(tree), t_(tree.topology), report_{spec, diagnostics} {}

  std::optional<Mechanism> run() {
    LoopTies ties = findTies(spec(), model_, report_.diagnostics);
    if (report_.diagnostics.hasErrors() || (ties.closures.empty() && ties.couplings.empty()))
      return {};
    m_.closures = std::move(ties.closures);
    m_.couplings = std::move(ties.couplings);
    noteRows();
    ties_ = std::move(ties.ofClosures);
    ties_.insert(ties_.end(), ties.ofCouplings.begin(), ties.ofCouplings.end());
    if (!closeLoops()) return {};
    for (std::vector<int>& bodies : findClusters(t_, ties_)) addCluster(std::move(bodies));
    if (report_.diagnostics.hasErrors()) return {};
    for (const Closure& c : m_.closures) remarkChangePoint(c);
    layOut(t_, m_);
    return std::move(m_);
  }

 private:
  const SystemSpec& spec() const { return report_.spec; }

  // ---- assembly and rank

  /// Loops that rows of the contact problem keep are closed, too, wherever this looks.
  void noteRows() {
    Diagnostics saidLater;
    const LoopTies rows = findBilateralTies(spec(), model_, saidLater);
    closed_ = m_.closures;
    closed_.insert(closed_.end(), rows.closures.begin(), rows.closures.end());
    rowTies_ = rows.ofClosures;
  }

  bool closeLoops() {
    std::vector<std::vector<int>> ties = ties_;
    ties.insert(ties.end(), rowTies_.begin(), rowTies_.end());
    const AssemblyResult result = assembleFirst(model_, closed_, m_.couplings, ties, m_.assembled);
    if (!result.isClosed) {
      const auto [name, at] = ownerOf(result.worst);
      report_.error(at, name + " cannot be closed: " + printed(result.residual) + " is left of it",
                    "correct the lengths, the frames of its ends, or the axes of its joints");
      return false;
    }
    for (const std::vector<double>& q : closedNearby(model_, closed_, m_.couplings, m_.assembled))
      evaluateLoops(t_, model_.lowered, m_.closures, m_.couplings, q.data(),
                    samples_.emplace_back());
    return true;
  }

  /// A joint with limits may keep it away, and most such linkages have one: then it is a note.
  void remarkChangePoint(const Closure& c) {
    const auto excess = changePointExcess(model_, c, m_.assembled.data());
    if (!excess || *excess > change_point_excess) return;
    const LoopSpec& loop = spec().loops[c.spec];
    const LoopPath path = pathBetween(t_, c.a, c.b);
    bool isLimited = false;
    for (const auto* way : {&path.first, &path.second})
      for (const int b : *way) {
        const JointLimits& l = model_.bodies[b].limits;
        isLimited |= l.lower > -unlimited || l.upper < unlimited;
      }
    report_.diagnostics.add(
        {isLimited ? Severity::Note : Severity::Warning, fileOf(spec(), loop), loop.line,
         "loop " + inQuotes(loop.name) +
             " closes a four-bar with a change point: two of its sides are as long as the other "
             "two (to " +
             printed(*excess) +
             " of all); where its bars lie in one line it can go on in two ways, and will go on as "
             "it came",
         "give it a limit before that, a second bar that guides it, or sides that differ by more"});
  }

  std::pair<std::string, SpecLine> ownerOf(int row) const {
    for (const Closure& c : closed_) {
      const LoopSpec& loop = spec().loops[c.spec];
      if (row < rowsOf(c.kind)) return {"loop " + inQuotes(loop.name), lineOf(spec(), loop)};
      row -= rowsOf(c.kind);
    }
    if (row < 0 || row >= static_cast<int>(m_.couplings.size()))
      return {"the loops", {spec().file, 0}};
    const Coupling& c = m_.couplings[row];
    return {(c.phi ? "constraint " : "coupling ") + inQuotes(c.name), {spec().file, c.line}};
  }

  // ---- clusters

  void addCluster(std::vector<int> bodies) {
    Cluster c;
    c.carrier = t_.bodies[bodies[0]].parent;
    for (const int b : bodies)
      for (int k = 0; k < t_.bodies[b].nv; ++k) c.dofs.push_back(t_.bodies[b].u + k);
    c.bodies = std::move(bodies);
    std::vector<int> raw;  // rows of the whole system that are this cluster's
    std::vector<LoopRow> rows;
    int row = 0;
    for (std::size_t i = 0; i < ties_.size(); ++i) {
      const bool isClosure = i < m_.closures.size();
      const int count = isClosure ? rowsOf(m_.closures[i].kind) : 1;
      const bool isOurs = std::binary_search(c.bodies.begin(), c.bodies.end(), ties_[i][0]);
      for (int k = 0; k < count; ++k, ++row) {
        if (!isOurs) continue;
        raw.push_back(row);
        const int index = static_cast<int>(i);
        rows.push_back({isClosure ? index : -1,
                        isClosure ? -1 : index - static_cast<int>(m_.closures.size()),
                        k,
                        {},
                        {}});
      }
    }
    choose(c, raw, rows);
    m_.clusters.push_back(std::move(c));
  }

  /// K of some rows at one sample, by some dofs.
  static std::vector<double> jacobian(const std::vector<int>& raw, const std::vector<int>& dofs,
                                      const LoopEquations& e) {
    std::vector<double> K;
    for (const int r : raw)
      for (const int d : dofs) K.push_back(e.J[r * e.columns + d]);
    return K;
  }

  /// Rows that count, dofs that depend.
  void choose(Cluster& c, const std::vector<int>& raw, const std::vector<LoopRow>& rows) {
    const int n = static_cast<int>(c.dofs.size()), count = static_cast<int>(raw.size());
    std::vector<double> preference;
    for (const int d : c.dofs) preference.push_back(preferenceOf(d));
    Pivots best;
    const LoopEquations* sample = nullptr;
    for (const LoopEquations& e : samples_) {
      Pivots p = choosePivots(jacobian(raw, c.dofs, e), count, n, preference, negligible);
      if (sample && p.rank() <= best.rank()) continue;
      best = std::move(p);
      sample = &e;
    }
    if (best.rank() == n) {
      const std::string why = whatBinds(model_, c.dofs, m_.assembled);
      report_.error(lineOfFirst(rows),
                    "the loops through link " + inQuotes(model_.bodies[c.bodies[0]].name) +
                        " leave nothing to move: " + std::to_string(best.rank()) +
                        " independent equations for " + std::to_string(n) + " dofs" + why,
                    why.empty() ? "remove a loop or add a joint"
                                : "make it parallel to them, or give the loop a joint more");
      return;
    }
    checkFlags(c, best, lineOfFirst(rows));
    std::sort(best.rows.begin(), best.rows.end());
    std::vector<int> kept;
    for (const int r : best.rows) {
      kept.push_back(raw[r]);
      c.rows.push_back(withColumns(rows[r], raw[r], c));
    }
    c.dropped = count - best.rank();
    std::sort(best.columns.begin(), best.columns.end());
    c.plan = makePlan(c.rows, n, best.columns);
    orderPivots(c.plan, jacobian(kept, c.dofs, *sample), n);
    c.plan.leastPivots.assign(kept.size(), 0.0);
    if (!varies(c)) return;
    c.gain = gainOf(c, kept);
    measurePivots(c, kept);
  }

  /// Whether G may change.
  bool varies(const Cluster& c) const {
    return std::any_of(c.rows.begin(), c.rows.end(), [&](const LoopRow& r) {
      return r.closure >= 0 || m_.couplings[r.coupling].phi;
    });
  }

  LoopRow withColumns(LoopRow row, int raw, const Cluster& c) const {
    for (int j = 0; j < static_cast<int>(c.dofs.size()); ++j)
      if (everDepends(raw, c.dofs[j])) {
        row.columns.push_back(j);
        row.sign.push_back(signOf(row, c.dofs[j]));
      }
    return row;
  }

  /// What pivots are at a change point: a hundredth of what they are elsewhere. Those of the plan,
  /// whose order is not made for each configuration, have to be looked at before.
  void measurePivots(Cluster& c, const std::vector<int>& kept) {
    constexpr double share = 1e-2, before = 3;
    const int n = static_cast<int>(c.dofs.size()), rows = static_cast<int>(kept.size());
    for (const LoopEquations& e : farSamples()) {
      const std::vector<double> K = jacobian(kept, c.dofs, e);
      const Pivots all = choosePivots(K, rows, n, {}, 0);
      if (all.rank() < rows) continue;
      c.leastPivot = std::max(c.leastPivot, share * all.size.back());
      const std::vector<double> own = pivotsOf(c.plan, K, n);
      for (int k = 0; k < rows; ++k)
        c.plan.leastPivots[k] = std::max(c.plan.leastPivots[k], before * share * own[k]);
    }
  }

  /// As samples_, but from all over: what is assembled may be a change point itself.
  const std::vector<LoopEquations>& farSamples() {
    if (far_.empty())
      for (const auto& q : closedNearby(model_, closed_, m_.couplings, m_.assembled, 0.15))
        evaluateLoops(t_, model_.lowered, m_.closures, m_.couplings, q.data(), far_.emplace_back());
    return far_;
  }

  /// The largest |G| where it is smallest, at least 1.
  double gainOf(const Cluster& c, const std::vector<int>& kept) const {
    const auto dofsAt = [&](const std::vector<int>& places) {
      std::vector<int> dofs;
      for (const int j : places) dofs.push_back(c.dofs[j]);
      return dofs;
    };
    double least = HUGE_VAL;
    for (const LoopEquations& e : samples_)
      least = std::min(least, largestSolution(jacobian(kept, dofsAt(c.plan.dependent), e),
                                              jacobian(kept, dofsAt(c.plan.independent), e),
                                              static_cast<int>(kept.size()), c.ny()));
    return std::max(least, 1.0);
  }

  double signOf(const LoopRow& row, int dof) const {
    if (row.closure < 0) {
      double sum = 0;
      for (const Coupling::Term& term : m_.couplings[row.coupling].terms)
        sum += term.u == dof ? term.factor : 0;
      return sum;
    }
    const Closure& c = m_.closures[row.closure];
    const LoopPath path = pathBetween(t_, c.a, c.b);
    const int body = t_.dofBody[dof];
    return std::find(path.second.begin(), path.second.end(), body) != path.second.end() ? 1 : -1;
  }

  SpecLine lineOfFirst(const std::vector<LoopRow>& rows) const {
    const LoopRow& first = rows.front();
    if (first.closure >= 0) return lineOf(spec(), spec().loops[m_.closures[first.closure].spec]);
    return {spec().file, m_.couplings[first.coupling].line};
  }

  bool everDepends(int rawRow, int dof) const {
    for (const LoopEquations& e : samples_)
      if (std::abs(e.J[rawRow * e.columns + dof]) > 1e-13) return true;
    return false;
  }

  std::optional<bool> flagOf(int dof) const {
    const BodyInfo& body = model_.bodies[t_.dofBody[dof]];
    if (body.specJoint < 0) return true;  // a floating base
    return spec().joints[body.specJoint].independent;
  }
  /// Large: rather dependent. A user's word weighs most; then joints with an actuator are
  /// independent. Dofs of ball joints, whose coordinates are no vector, and joints that mimic make
  /// bad independent ones.
  double preferenceOf(int dof) const {
    if (const auto flag = flagOf(dof)) return *flag ? 1e-6 : 1e6;
    const int body = t_.dofBody[dof];
    const JointSpec& joint = spec().joints[model_.bodies[body].specJoint];
    if (joint.actuator) return 1e-3;
    return t_.bodies[body].nv > 1 || joint.mimic ? 1e3 : 1;
  }

  void checkFlags(const Cluster& c, const Pivots& pivots, const SpecLine& at) {
    std::string wrong;
    int flagged = 0;
    for (int j = 0; j < static_cast<int>(c.dofs.size()); ++j) {
      const int d = c.dofs[j];
      const auto flag = flagOf(d);
      const bool isDependent =
          std::find(pivots.columns.begin(), pivots.columns.end(), j) != pivots.columns.end();
      flagged += flag && *flag;
      if (flag && *flag == isDependent && model_.bodies[t_.dofBody[d]].specJoint >= 0)
        wrong += (wrong.empty() ? "" : ", ") + inQuotes(model_.bodies[t_.dofBody[d]].joint);
    }
    if (wrong.empty()) return;
    const int free = static_cast<int>(c.dofs.size()) - pivots.rank();
    report_.error(
        at,
        "the flags 'independent' do not determine the motion: the loops leave " +
            std::to_string(free) + " dofs of " + std::to_string(c.dofs.size()) + " (rank " +
            std::to_string(pivots.rank()) + "), " + std::to_string(flagged) +
            " are flagged independent, and those of " + wrong + " cannot be kept",
        "flag as many independent joints as there are dofs, such that the others follow from them");
  }

  const Model& model_;
  const Topology& t_;
  CheckReport report_;
  Mechanism m_;
  std::vector<std::vector<int>> ties_;  // closures, then couplings
  std::vector<Closure> closed_;         // ours, then those that rows keep
  std::vector<std::vector<int>> rowTies_;
  std::vector<LoopEquations> samples_, far_;
};

}  // namespace

std::optional<Mechanism> compileMechanism(const SystemSpec& spec, const Model& tree,
                                          Diagnostics& diagnostics) {
  return MechanismCompiler(spec, tree, diagnostics).run();
}

}  // namespace espalier
