// Ties -> Mechanism: assemble, find clusters, drop rows that say nothing new, choose the independent
// dofs, order the elimination.

#include "espalier/model/compile/compile_steps.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "espalier/model/coordinates.h"
#include "espalier/model/loops/assembly.h"
#include "espalier/model/loops/change_points.h"
#include "espalier/model/loops/clusters.h"
#include "espalier/model/loops/elimination.h"
#include "espalier/model/loops/first_assembly.h"
#include "espalier/model/loops/loop_plan.h"
#include "espalier/model/loops/loop_ties.h"
#include "espalier/model/loops/mechanism_layout.h"
#include "espalier/model/loops/rounding.h"
#include "espalier/model/spec/check_report.h"

namespace espalier {
namespace {

constexpr double far = 0.15;  // rad or m, between samples from all over

class MechanismCompiler {
 public:
  MechanismCompiler(const SystemSpec& spec, const Model& tree, RigidBodies& rigid,
                    Diagnostics& diagnostics)
      : model_(tree), t_(tree.topology), report_{spec, diagnostics}, rigid_(rigid) {}

  Mechanism run() {
    LoopTies ties = findTies(spec(), model_, report_.diagnostics);
    if (report_.diagnostics.hasErrors() || (ties.closures.empty() && ties.couplings.empty()))
      return loneJoints(t_);
    m_.closures = std::move(ties.closures);
    m_.couplings = std::move(ties.couplings);
    noteRows();
    ties_ = std::move(ties.ofClosures);
    ties_.insert(ties_.end(), ties.ofCouplings.begin(), ties.ofCouplings.end());
    if (!closeLoops()) return loneJoints(t_);
    addSamples(loosenAll());
    for (std::vector<int>& bodies : findClusters(t_, ties_)) addCluster(std::move(bodies));
    if (report_.diagnostics.hasErrors()) return loneJoints(t_);
    if (!rigid_.bodies.empty()) {
      rigid_.q = m_.assembled;
      return loneJoints(t_);
    }
    warnOfLimits();
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

  LoopSystem all() const { return {t_, model_.lowered, closed_, m_.couplings}; }

  bool closeLoops() {
    std::vector<std::vector<int>> ties = ties_;
    ties.insert(ties.end(), rowTies_.begin(), rowTies_.end());
    const auto assemble = [&] {
      return assembleFirst(model_, spec().X_WB, all(), ties, m_.assembled);
    };
    AssemblyResult result = assemble();
    if (!result.isClosed && closeButForRounding()) {
      loosenAll();
      result = assemble();
    }
    if (!result.isClosed) {
      reportOpen(report_, ownerOf(result.worst), result.residual);
      return false;
    }
    return true;
  }

  void addSamples(const std::vector<std::vector<double>>& closed) {
    for (const std::vector<double>& q : closed)
      samples_.push_back(loopsOf(t_, model_.lowered, m_).equations(q.data()));
    sampled_.insert(sampled_.end(), closed.begin(), closed.end());
  }

  void warnOfLimits() {
    constexpr std::size_t most = 3;
    const std::vector<int> outside = outsideLimits(model_, ties_, m_.assembled);
    if (outside.empty()) return;
    std::string joints;
    for (std::size_t i = 0; i < std::min(outside.size(), most); ++i) {
      const BodyInfo& body = model_.bodies[outside[i]];
      joints += (i > 0 ? ", " : "") + inQuotes(body.joint) + " at " +
                printed(m_.assembled[t_.bodies[outside[i]].q]) + " (" + printed(body.limits.lower) +
                " to " + printed(body.limits.upper) + ")";
    }
    if (outside.size() > most) joints += " and " + std::to_string(outside.size() - most) + " more";
    report_.warn(
        spec().joints[model_.bodies[outside[0]].specJoint].line,
        "the loops were not found closed within the limits of all joints: they are assembled "
        "with " +
            joints,
        "widen these limits, or correct the lengths or the zeros of the joints");
  }

  bool closeButForRounding() {
    std::vector<Misfit> misfits;
    if (!closeFrames(model_, m_.assembled, closed_, m_.couplings, misfits)) return false;
    std::copy_n(closed_.begin(), m_.closures.size(), m_.closures.begin());
    for (const Misfit& misfit : misfits) {
      if (misfit.closure >= 0) moved_.insert(misfit.closure);
      warnOf(report_,
             misfit.closure >= 0 ? loopOf(closed_[misfit.closure])
                                 : placeOf(m_.couplings[misfit.coupling]),
             misfit.gap);
    }
    return true;
  }

  /// Closed configurations where rows that repeat others but for rounding are left out.
  std::vector<std::vector<double>> loosenAll() {
    const auto look = [&] { return closedNearby(all(), m_.assembled); };
    const std::vector<std::vector<double>> near = look();
    bool isAny = false;
    for (const std::vector<int>& bodies : findClusters(t_, ties_))
      isAny |= loosenRows(bodies, near);
    return isAny ? look() : near;
  }

  static bool isSmall(const LoopGap& gap) {
    constexpr double small = 1e-7;
    return gap.distance < small && gap.angle < small;
  }

  /// Rows that repeat others but for rounding would leave less to move than is meant.
  bool loosenRows(const std::vector<int>& bodies, const std::vector<std::vector<double>>& near) {
    ClusterRows rows{dofsOf(bodies), {}, {}};
    for (const auto& [place, row] : rowsOfCluster(bodies)) {
      rows.places.push_back(place);
      rows.raw.push_back(row);
      rows.isMoved |= place.closure >= 0 && moved_.count(place.closure) > 0;
    }
    for (const int d : rows.dofs) {
      const int joint = model_.bodies[t_.dofBody[d]].specJoint;
      rows.flagged += joint >= 0 && spec().joints[joint].independent.value_or(false);
    }
    const std::optional<LoopGap> gap = loosen(model_, rows, near, m_.closures, m_.couplings);
    if (!gap) return false;
    std::copy(m_.closures.begin(), m_.closures.end(), closed_.begin());
    if (isSmall(*gap)) return true;  // what was moved has been told
    report_.warn(
        lineOf(rows.places),
        "some equations of the loops through link " + inQuotes(model_.bodies[bodies[0]].name) +
            " repeat others but for rounding, and are left out: they hold to " + printed(*gap),
        "write lengths and axes with more digits, or correct them");
    return true;
  }

  /// A joint with limits may keep it away, and most such linkages have one: then it is a note.
  void remarkChangePoint(const Closure& c) {
    const auto excess = changePointExcess(model_, c, m_.assembled.data());
    if (!excess || *excess > change_point_excess) return;
    const LoopPath path = pathBetween(t_, c.a, c.b);
    bool isLimited = false;
    for (const auto* way : {&path.first, &path.second})
      for (const int b : *way) {
        const JointLimits& l = model_.bodies[b].limits;
        isLimited |= l.lower > -unlimited || l.upper < unlimited;
      }
    report_.add(
        isLimited ? Severity::Note : Severity::Warning, loopOf(c),
        "closes a four-bar with a change point: two of its sides are as long as the other two "
        "(to " +
            printed(*excess) +
            " of all); where its bars lie in one line it can go on in two ways, and will go on as "
            "it came",
        "give it a limit before that, a second bar that guides it, or sides that differ by more");
  }

  const LoopSpec& loopOf(const Closure& c) const { return spec().loops[c.spec]; }
  static SpecPlace placeOf(const Coupling& c) {
    SpecPlace place(c.line);
    place.part = (c.phi ? "constraint " : "coupling ") + inQuotes(c.name);
    return place;
  }
  /// The loop or coupling of a row.
  SpecPlace ownerOf(int row) const {
    const int i = all().ownerOf(row), n = static_cast<int>(closed_.size());
    return i < n ? loopOf(closed_[i]) : placeOf(m_.couplings[i - n]);
  }

  // ---- clusters

  std::vector<int> dofsOf(const std::vector<int>& bodies) const {
    std::vector<int> dofs;
    for (const int b : bodies)
      for (int k = 0; k < t_.bodies[b].nv; ++k) dofs.push_back(t_.bodies[b].u + k);
    return dofs;
  }

  /// The rows of a cluster, and their places among those of closed_ and the couplings.
  std::vector<std::pair<RowPlace, int>> rowsOfCluster(const std::vector<int>& bodies) const {
    std::vector<std::pair<RowPlace, int>> rows;
    int row = 0;
    const auto add = [&](const std::vector<int>& tied, int count, RowPlace place) {
      const bool isOurs = std::binary_search(bodies.begin(), bodies.end(), tied[0]);
      for (int k = 0; k < count; ++k, ++row) {
        place.index = k;
        if (isOurs) rows.emplace_back(place, row);
      }
    };
    for (std::size_t i = 0; i < m_.closures.size(); ++i)
      add(ties_[i], rowsOf(m_.closures[i].kind), {static_cast<int>(i), -1, 0});
    for (std::size_t i = 0; i < m_.couplings.size(); ++i)
      add(ties_[m_.closures.size() + i], 1, {-1, static_cast<int>(i), 0});
    return rows;
  }

  void addCluster(std::vector<int> bodies) {
    Cluster c;
    c.carrier = t_.bodies[bodies[0]].parent;
    c.dofs = dofsOf(bodies);
    c.bodies = std::move(bodies);
    std::vector<int> raw;  // rows of the whole system that are this cluster's
    std::vector<LoopRow> rows;
    for (const auto& [place, row] : rowsOfCluster(c.bodies)) {
      raw.push_back(row);
      rows.push_back({place.closure, place.coupling, place.index, {}, {}});
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

  /// A cluster with nothing to move is rigid. Where the file says that one of its joints moves, that
  /// is an error.
  void weld(const Cluster& c, int rank, const SpecPlace& line) {
    const bool isMeantToMove = std::any_of(c.bodies.begin(), c.bodies.end(), [&](int b) {
      const int joint = model_.bodies[b].specJoint;
      return joint >= 0 && spec().joints[joint].independent.value_or(false);
    });
    const std::string why = whatBinds(model_, c.dofs, m_.assembled);
    const std::string what = "the loops through link " + inQuotes(model_.bodies[c.bodies[0]].name) +
                             " leave nothing to move: " + std::to_string(rank) +
                             " independent equations for " + std::to_string(c.dofs.size()) +
                             " dofs" + why;
    const std::string remedy = why.empty()
                                   ? "remove a loop or add a joint"
                                   : "make it parallel to them, or give the loop a joint more";
    if (isMeantToMove) return report_.error(line, what, remedy);
    report_.warn(line, what + "; its links are welded to one another as they are assembled",
                 remedy);
    rigid_.bodies.insert(rigid_.bodies.end(), c.bodies.begin(), c.bodies.end());
  }

  struct Sampled {
    Pivots pivots;
    int at = -1;  // of samples_; -1: none
  };

  /// The pivots where most rows count.
  ///   in   moves  looks only where a dof is left and some have moved from the assembled configuration
  Sampled mostPivots(const Cluster& c, const std::vector<int>& raw, bool moves) const {
    constexpr double elsewhere = 1e-3;  // rad or m
    const int n = static_cast<int>(c.dofs.size()), count = static_cast<int>(raw.size());
    std::vector<double> preference, step(t_.nv);
    for (const int d : c.dofs) preference.push_back(preferenceOf(d));
    const auto isElsewhere = [&](const std::vector<double>& q) {
      difference(t_, m_.assembled.data(), q.data(), step.data());
      return std::any_of(c.dofs.begin(), c.dofs.end(),
                         [&](int d) { return std::abs(step[d]) > elsewhere; });
    };
    Sampled best;
    for (int i = 0; i < std::ssize(samples_); ++i) {
      Pivots p =
          choosePivots(jacobian(raw, c.dofs, samples_[i]), count, n, preference, negligible_pivot);
      if (best.at >= 0 && p.rank() <= best.pivots.rank()) continue;
      if (moves && (p.rank() == n || !isElsewhere(sampled_[i]))) continue;
      best = {std::move(p), i};
    }
    return best;
  }

  /// Rows that count, dofs that depend.
  void choose(Cluster& c, const std::vector<int>& raw, const std::vector<LoopRow>& rows) {
    const int n = static_cast<int>(c.dofs.size()), count = static_cast<int>(raw.size());
    Sampled sampled = mostPivots(c, raw, false);
    // Close to a singular configuration rows that imply one another elsewhere differ by rounding.
    if (sampled.pivots.rank() == n && sampled.at != 0) {
      addSamples(closedNearby(all(), m_.assembled, far));
      if (Sampled moving = mostPivots(c, raw, true); moving.at >= 0) sampled = std::move(moving);
    }
    Pivots& best = sampled.pivots;
    if (best.rank() == n) return weld(c, n, lineOf(rows));
    checkFlags(c, best, lineOf(rows));
    std::sort(best.rows.begin(), best.rows.end());
    std::vector<int> kept;
    for (const int r : best.rows) {
      kept.push_back(raw[r]);
      c.rows.push_back(withColumns(rows[r], raw[r], c));
    }
    c.dropped = count - best.rank();
    std::sort(best.columns.begin(), best.columns.end());
    c.plan = makePlan(c.rows, n, best.columns);
    orderPivots(c.plan, c.rows, jacobian(kept, c.dofs, samples_[sampled.at]), n);
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

  /// Threshold of pivots at a change point: a hundredth of those elsewhere. Those of the plan,
  /// whose order is not made for each configuration, have to be looked at before; one that follows
  /// a small one is large, which says nothing: none counts for more than the largest number of K.
  void measurePivots(Cluster& c, const std::vector<int>& kept) {
    constexpr double share = 1e-2, before = 3;
    const int n = static_cast<int>(c.dofs.size()), rows = static_cast<int>(kept.size());
    for (const LoopEquations& e : farSamples()) {
      const std::vector<double> K = jacobian(kept, c.dofs, e);
      const Pivots all = choosePivots(K, rows, n, {}, 0);
      if (all.rank() < rows) continue;
      c.leastPivot = std::max(c.leastPivot, share * all.size.back());
      const std::vector<double> own = pivotsOf(c.plan, K, n);
      for (const LoopBlock& block : c.plan.blocks)
        for (int k = block.first; k < block.first + block.size; ++k) {
          const double most = block.isInverted ? HUGE_VAL : all.size.front();
          c.plan.leastPivots[k] =
              std::max(c.plan.leastPivots[k], before * share * std::min(own[k], most));
        }
    }
  }

  /// As samples_, but from all over: what is assembled may be a change point itself.
  const std::vector<LoopEquations>& farSamples() {
    if (far_.empty())
      for (const auto& q : closedNearby(all(), m_.assembled, far))
        far_.push_back(loopsOf(t_, model_.lowered, m_).equations(q.data()));
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

  template <class Rows>
  SpecPlace lineOf(const Rows& rows) const {
    const auto& first = rows.front();
    if (first.closure < 0) return m_.couplings[first.coupling].line;
    const LoopSpec& loop = loopOf(m_.closures[first.closure]);
    return {loop.file, loop.line};
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

  void checkFlags(const Cluster& c, const Pivots& pivots, const SpecPlace& at) {
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
  RigidBodies& rigid_;
  Mechanism m_;
  std::vector<std::vector<int>> ties_;  // closures, then couplings
  std::vector<Closure> closed_;         // ours, then those that rows keep
  std::vector<std::vector<int>> rowTies_;
  std::set<int> moved_;                       // of closed_: by closeButForRounding()
  std::vector<std::vector<double>> sampled_;  // [nq] each, closed; the assembled one first
  std::vector<LoopEquations> samples_;        // there
  std::vector<LoopEquations> far_;
};

}  // namespace

Mechanism compileMechanism(const SystemSpec& spec, const Model& tree, RigidBodies& rigid,
                           Diagnostics& diagnostics) {
  return MechanismCompiler(spec, tree, rigid, diagnostics).run();
}

}  // namespace espalier
