// Loops, couplings and mimics -> Mechanism: resolve names, find clusters, assemble, drop rows that
// say nothing new, choose the independent dofs, order the elimination.

#include "espalier/model/compile_mechanism.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "espalier/model/assembly.h"
#include "espalier/model/check_report.h"
#include "espalier/model/clusters.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/elimination.h"
#include "espalier/model/loop_plan.h"

namespace espalier {
namespace {

constexpr double negligible = 1e-8;  // of a Jacobian's largest entry

std::string printed(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

class MechanismCompiler {
 public:
  MechanismCompiler(const SystemSpec& spec, const Model& tree, Diagnostics& diagnostics)
      : model_(tree), t_(tree.topology), report_{spec, diagnostics} {}

  std::optional<Mechanism> run() {
    for (const LoopSpec& loop : spec().loops) addClosure(loop);
    for (const CouplingSpec& coupling : spec().couplings) addCoupling(coupling);
    for (const BodyInfo& body : model_.bodies)
      if (body.specJoint >= 0 && spec().joints[at(body.specJoint)].mimic)
        addMimic(spec().joints[at(body.specJoint)]);
    if (failed_ || ties_.empty()) return {};
    if (!closeLoops()) return {};
    for (std::vector<int>& bodies : findClusters(t_, ties_)) addCluster(std::move(bodies));
    if (failed_) return {};
    layOut();
    return std::move(m_);
  }

 private:
  const SystemSpec& spec() const { return report_.spec; }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  void fail(int line, const std::string& what, std::string remedy) {
    failed_ = true;
    report_.error(line, what, std::move(remedy));
  }

  // ---- names to numbers

  void addClosure(const LoopSpec& loop) {
    if (loop.isBilateral)
      return fail(loop.line, "loop " + inQuotes(loop.name) + " asks to be kept by constraint rows",
                  "leave 'bilateral' out: loops are embedded, rows are not there yet");
    Closure c;
    c.kind = loop.kind;
    c.pitch = loop.pitch;
    c.spec = static_cast<int>(&loop - spec().loops.data());
    const Mat3d Q = axisToZ(loop.axis);
    const Transformd turn{Q, {0, 0, 0}};
    if (!place(loop, loop.predecessor, loop.X_PA * turn, c.a, c.X_LA) ||
        !place(loop, loop.successor, loop.X_SB * turn, c.b, c.X_LB))
      return;
    const Vec3d axis2 = tmul(Q, loop.axis2);
    c.axis2 = axis2 * (1 / norm(axis2));
    LoopPath path = pathBetween(t_, c.a, c.b);
    path.first.insert(path.first.end(), path.second.begin(), path.second.end());
    if (path.first.empty()) {
      fail(loop.line, "loop " + inQuotes(loop.name) + " ties two links that are one body",
           "remove it, or give the links a joint that moves");
      return;
    }
    m_.closures.push_back(c);
    ties_.push_back(std::move(path.first));
    toEngineAxes(model_, m_.closures.back());
  }

  /// A rotation whose z is along the axis.
  static Mat3d axisToZ(const Vec3d& axis) {
    const Vec3d z = axis * (1 / norm(axis));
    const double x = std::abs(z.x), y = std::abs(z.y);
    const Vec3d seed = x <= y && x <= std::abs(z.z)
                           ? Vec3d{1, 0, 0}
                           : (y <= std::abs(z.z) ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1});
    Vec3d a = cross(seed, z);
    a = a * (1 / norm(a));
    return transpose(Mat3d{a, cross(z, a), z});
  }

  bool place(const LoopSpec& loop, const std::string& link, const Transformd& X, int& body,
             Transformd& X_LF) {
    for (const FrameInfo& f : model_.links) {
      if (f.name != link) continue;
      body = f.body;
      X_LF = f.X_LF * X;
      return true;
    }
    if (link == "world" && t_.floating) {
      body = -1;
      X_LF = X;
      return true;
    }
    fail(loop.line,
         "loop " + inQuotes(loop.name) + " ends on " + inQuotes(link) +
             (link == "world" ? ", but the base is not called so" : ", which does not exist"),
         link == "world" ? "name the base link instead" : "name a link of the robot");
    return false;
  }

  void addCoupling(const CouplingSpec& spec) {
    const int a = model_.body(spec.predecessor), b = model_.body(spec.successor);
    if (a < 0 || b < 0) {
      fail(spec.line, "coupling " + inQuotes(spec.name) + " names a link that does not exist",
           "name two links of the robot");
      return;
    }
    const LoopPath path = pathBetween(t_, a, b);
    Coupling c;
    c.name = spec.name;
    c.line = spec.line;
    c.offset = -spec.offset;
    std::vector<int> tie;
    for (const int body : path.first) addTerm(c, tie, body, spec.ratio);
    for (const int body : path.second) addTerm(c, tie, body, -1);
    add(std::move(c), std::move(tie));
  }

  void addMimic(const JointSpec& joint) {
    const int a = model_.joint(joint.name), b = model_.joint(joint.mimic->joint);
    if (b < 0) {
      fail(joint.line,
           "joint " + inQuotes(joint.name) + " mimics " + inQuotes(joint.mimic->joint) +
               ", which does not move",
           "name a joint that moves in <mimic>");
      return;
    }
    Coupling c;
    c.name = joint.name;
    c.line = joint.line;
    c.offset = joint.mimic->offset;
    std::vector<int> tie;
    addTerm(c, tie, a, 1);
    addTerm(c, tie, b, -joint.mimic->multiplier);
    const LoopPath path = pathBetween(t_, a, b);
    for (const auto* way : {&path.first, &path.second})
      tie.insert(tie.end(), way->begin(), way->end());
    add(std::move(c), std::move(tie));
  }

  void addTerm(Coupling& c, std::vector<int>& tie, int body, double factor) {
    const BodyTopology& b = t_.bodies[at(body)];
    if (b.nv != 1) {
      fail(c.line,
           "coupling " + inQuotes(c.name) + " goes through joint " +
               inQuotes(model_.bodies[at(body)].joint) + ", which has no single coordinate",
           "couple hinges and sliders only");
      return;
    }
    c.terms.push_back({b.q, b.u, factor});
    tie.push_back(body);
  }

  void add(Coupling c, std::vector<int> tie) {
    if (failed_) return;
    if (tie.empty()) {
      fail(c.line,
           "coupling " + inQuotes(c.name) +
               " has no joint between its links and their "
               "common ancestor",
           "name two links that move against one another");
      return;
    }
    m_.couplings.push_back(std::move(c));
    ties_.push_back(std::move(tie));
  }

  // ---- assembly and rank

  bool closeLoops() {
    m_.assembled.resize(at(t_.nq));
    neutral(t_, m_.assembled.data());
    const AssemblyResult result =
        assemble(t_, model_.lowered, m_.closures, m_.couplings, {}, m_.assembled);
    if (!result.isClosed) {
      const auto [name, line] = ownerOf(result.worst);
      fail(line, name + " cannot be closed: " + printed(result.residual) + " is left of it",
           "correct the lengths, the frames of its ends, or the axes of its joints");
      return false;
    }
    // Special configurations have less rank: look at others on the same branch too.
    samples_.resize(1);
    evaluateLoops(t_, model_.lowered, m_.closures, m_.couplings, m_.assembled.data(), samples_[0]);
    std::vector<double> q, random(at(t_.nq)), none(at(t_.nq)), step(at(t_.nv));
    neutral(t_, none.data());
    for (int s = 0; s < 8; ++s) {
      randomConfiguration(t_, static_cast<std::uint64_t>(1000 + s), 1.0, random.data());
      difference(t_, none.data(), random.data(), step.data());
      for (double& x : step) x *= 0.02 * (1 + s);
      q.resize(at(t_.nq));
      advance(t_, m_.assembled.data(), step.data(), q.data());
      if (!assemble(t_, model_.lowered, m_.closures, m_.couplings, {}, q).isClosed) continue;
      evaluateLoops(t_, model_.lowered, m_.closures, m_.couplings, q.data(),
                    samples_.emplace_back());
    }
    return true;
  }

  std::pair<std::string, int> ownerOf(int row) const {
    for (const Closure& c : m_.closures) {
      const LoopSpec& loop = spec().loops[at(c.spec)];
      if (row < rowsOf(c.kind)) return {"loop " + inQuotes(loop.name), loop.line};
      row -= rowsOf(c.kind);
    }
    if (row < 0 || row >= static_cast<int>(m_.couplings.size())) return {"the loops", 0};
    return {"coupling " + inQuotes(m_.couplings[at(row)].name), m_.couplings[at(row)].line};
  }

  // ---- clusters

  void addCluster(std::vector<int> bodies) {
    Cluster c;
    c.carrier = t_.bodies[at(bodies[0])].parent;
    for (const int b : bodies)
      for (int k = 0; k < t_.bodies[at(b)].nv; ++k) c.dofs.push_back(t_.bodies[at(b)].u + k);
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
    choose(c, raw, std::move(rows));
    m_.clusters.push_back(std::move(c));
  }

  /// K of the cluster's rows at one sample.
  std::vector<double> jacobian(const Cluster& c, const std::vector<int>& raw,
                               std::size_t sample) const {
    const LoopEquations& e = samples_[sample];
    std::vector<double> K;
    for (const int r : raw)
      for (const int d : c.dofs) K.push_back(e.J[at(r * e.columns + d)]);
    return K;
  }

  /// Rows that count, dofs that depend.
  void choose(Cluster& c, const std::vector<int>& raw, std::vector<LoopRow> rows) {
    const int n = static_cast<int>(c.dofs.size()), count = static_cast<int>(raw.size());
    std::vector<double> preference;
    for (const int d : c.dofs) preference.push_back(preferenceOf(d));
    Pivots best;
    std::size_t sample = 0;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      Pivots p = choosePivots(jacobian(c, raw, s), count, n, preference, negligible);
      if (s > 0 && p.rank() <= best.rank()) continue;
      best = std::move(p);
      sample = s;
    }
    if (best.rank() == n) {
      fail(lineOf(rows),
           "the loops through link " + inQuotes(model_.bodies[at(c.bodies[0])].name) +
               " leave nothing to move: " + std::to_string(best.rank()) +
               " independent equations for " + std::to_string(n) + " dofs",
           "remove a loop or add a joint");
      return;
    }
    checkFlags(c, best, lineOf(rows));
    std::vector<int> kept = best.rows;
    std::sort(kept.begin(), kept.end());
    for (const int r : kept) {
      LoopRow row = rows[at(r)];
      for (int j = 0; j < n; ++j)
        if (everDepends(raw[at(r)], c.dofs[at(j)])) {
          row.columns.push_back(j);
          row.sign.push_back(signOf(row, c.dofs[at(j)]));
        }
      c.rows.push_back(std::move(row));
    }
    c.dropped = count - best.rank();
    std::vector<int> dependent = best.columns;
    std::sort(dependent.begin(), dependent.end());
    c.plan = makePlan(c.rows, n, dependent);
    std::vector<double> K;
    for (const int r : kept)
      for (const int d : c.dofs) K.push_back(samples_[sample].J[at(raw[at(r)] * t_.nv + d)]);
    orderPivots(c.plan, K, n);
    for (const LoopRow& r : c.rows)
      if (r.closure >= 0) c.gain = HUGE_VAL;
    if (c.gain == 0) return;
    for (const LoopEquations& e : samples_) c.gain = std::min(c.gain, gainAt(c, raw, kept, e));
    c.gain = std::max(c.gain, 1.0);
  }

  /// The largest |G| of a plan at one sample.
  static double gainAt(const Cluster& c, const std::vector<int>& raw, const std::vector<int>& kept,
                       const LoopEquations& e) {
    std::vector<double> dependent, independent;
    for (const int r : kept) {
      const auto entry = [&](int j) { return e.J[at(raw[at(r)] * e.columns + c.dofs[at(j)])]; };
      for (const int j : c.plan.dependent) dependent.push_back(entry(j));
      for (const int j : c.plan.independent) independent.push_back(entry(j));
    }
    return largestSolution(std::move(dependent), std::move(independent),
                           static_cast<int>(kept.size()), c.ny());
  }

  double signOf(const LoopRow& row, int dof) const {
    if (row.closure < 0) {
      double sum = 0;
      for (const Coupling::Term& term : m_.couplings[at(row.coupling)].terms)
        sum += term.u == dof ? term.factor : 0;
      return sum;
    }
    const Closure& c = m_.closures[at(row.closure)];
    const LoopPath path = pathBetween(t_, c.a, c.b);
    const int body = t_.dofBody[at(dof)];
    return std::find(path.second.begin(), path.second.end(), body) != path.second.end() ? 1 : -1;
  }

  int lineOf(const std::vector<LoopRow>& rows) const {
    const LoopRow& first = rows.front();
    return first.closure >= 0 ? spec().loops[at(m_.closures[at(first.closure)].spec)].line
                              : m_.couplings[at(first.coupling)].line;
  }

  bool everDepends(int rawRow, int dof) const {
    for (const LoopEquations& e : samples_)
      if (std::abs(e.J[at(rawRow * e.columns + dof)]) > 1e-13) return true;
    return false;
  }

  std::optional<bool> flagOf(int dof) const {
    const BodyInfo& body = model_.bodies[at(t_.dofBody[at(dof)])];
    if (body.specJoint < 0) return true;  // a floating base
    return spec().joints[at(body.specJoint)].independent;
  }
  /// Large: rather dependent. A user's word weighs most; dofs of ball joints, whose coordinates
  /// are no vector, and joints that mimic make bad independent ones.
  double preferenceOf(int dof) const {
    if (const auto flag = flagOf(dof)) return *flag ? 1e-6 : 1e6;
    const int body = t_.dofBody[at(dof)];
    const JointSpec& joint = spec().joints[at(model_.bodies[at(body)].specJoint)];
    return t_.bodies[at(body)].nv > 1 || joint.mimic ? 1e3 : 1;
  }

  void checkFlags(const Cluster& c, const Pivots& pivots, int line) {
    std::string wrong;
    int flagged = 0;
    for (int j = 0; j < static_cast<int>(c.dofs.size()); ++j) {
      const int d = c.dofs[at(j)];
      const auto flag = flagOf(d);
      const bool isDependent =
          std::find(pivots.columns.begin(), pivots.columns.end(), j) != pivots.columns.end();
      flagged += flag && *flag;
      if (flag && *flag == isDependent && model_.bodies[at(t_.dofBody[at(d)])].specJoint >= 0)
        wrong += (wrong.empty() ? "" : ", ") + inQuotes(model_.bodies[at(t_.dofBody[at(d)])].joint);
    }
    if (wrong.empty()) return;
    const int free = static_cast<int>(c.dofs.size()) - pivots.rank();
    fail(
        line,
        "the flags 'independent' do not determine the motion: the loops leave " +
            std::to_string(free) + " dofs of " + std::to_string(c.dofs.size()) + " (rank " +
            std::to_string(pivots.rank()) + "), " + std::to_string(flagged) +
            " are flagged independent, and those of " + wrong + " cannot be kept",
        "flag as many independent joints as there are dofs, such that the others follow from them");
  }

  // ---- numbers

  void layOut() {
    m_.clusterOf.assign(at(t_.nb), -1);
    for (int c = 0; c < static_cast<int>(m_.clusters.size()); ++c)
      for (const int b : m_.clusters[at(c)].bodies) m_.clusterOf[at(b)] = c;

    std::vector<int> parents, lastY(at(t_.nb), -1);
    std::vector<char> done(m_.clusters.size());
    for (int b = 0; b < t_.nb; ++b) {
      const int parent = t_.bodies[at(b)].parent, k = m_.clusterOf[at(b)];
      int hangsOn = parent < 0 ? -1 : lastY[at(parent)];
      const auto put = [&](int dof) {
        parents.push_back(hangsOn);
        hangsOn = static_cast<int>(parents.size()) - 1;
        m_.spanningDof.push_back(dof);
        m_.isLone.push_back(k < 0);
      };
      if (k < 0) {
        for (int d = 0; d < t_.bodies[at(b)].nv; ++d) put(t_.bodies[at(b)].u + d);
      } else if (!done[at(k)]) {
        Cluster& c = m_.clusters[at(k)];
        done[at(k)] = 1;
        c.y = static_cast<int>(parents.size());
        for (const int j : c.plan.independent) put(c.dofs[at(j)]);
      } else {
        const Cluster& c = m_.clusters[at(k)];
        if (c.ny() > 0)
          hangsOn = c.y + c.ny() - 1;
        else
          hangsOn = c.carrier < 0 ? -1 : lastY[at(c.carrier)];
      }
      lastY[at(b)] = hangsOn;
    }
    m_.reduced = makeDofTree(parents);
    m_.reduced.floating = t_.floating && m_.clusterOf[0] < 0;

    for (Cluster& c : m_.clusters) {
      c.firstK = m_.sizeK;
      c.firstG = m_.sizeG;
      c.firstRow = m_.rows;
      c.firstDof = m_.dofs;
      m_.sizeK += static_cast<int>(c.rows.size() * c.dofs.size());
      m_.sizeG += static_cast<int>(c.dofs.size()) * c.ny();
      m_.rows += static_cast<int>(c.rows.size());
      m_.dofs += static_cast<int>(c.dofs.size());
    }
    int screws = 0;
    for (int b = 0; b < t_.nb; ++b) {
      m_.firstScrew.push_back(screws);
      m_.firstY.push_back(ownY(b).first);
      screws += ownY(b).second;
      m_.firstColumn.push_back(static_cast<int>(m_.columns.size()));
      addColumns(b);
    }
    m_.firstScrew.push_back(screws);
    m_.firstColumn.push_back(static_cast<int>(m_.columns.size()));
  }

  /// First y and number of them in a body's cluster.
  std::pair<int, int> ownY(int body) const {
    if (const int k = m_.clusterOf[at(body)]; k >= 0)
      return {m_.clusters[at(k)].y, m_.clusters[at(k)].ny()};
    const BodyTopology& b = t_.bodies[at(body)];
    const auto found = std::find(m_.spanningDof.begin(), m_.spanningDof.end(), b.u);
    return {b.nv == 0 ? 0 : static_cast<int>(found - m_.spanningDof.begin()), b.nv};
  }

  void addColumns(int body) {
    std::vector<int> carriers;  // one body of each cluster on the way to the root
    for (int b = body; b >= 0;) {
      carriers.push_back(b);
      const int k = m_.clusterOf[at(b)];
      b = k < 0 ? t_.bodies[at(b)].parent : m_.clusters[at(k)].carrier;
    }
    for (std::size_t i = carriers.size(); i-- > 0;) {
      const auto [first, count] = ownY(carriers[i]);
      for (int k = 0; k < count; ++k)
        m_.columns.push_back({first + k, m_.firstScrew[at(carriers[i])] + k});
    }
  }

  const Model& model_;
  const Topology& t_;
  CheckReport report_;
  Mechanism m_;
  std::vector<std::vector<int>> ties_;  // closures, then couplings
  std::vector<LoopEquations> samples_;
  bool failed_ = false;
};

}  // namespace

std::optional<Mechanism> compileMechanism(const SystemSpec& spec, const Model& tree,
                                          Diagnostics& diagnostics) {
  return MechanismCompiler(spec, tree, diagnostics).run();
}

void toEngineAxes(const Model& model, Closure& c) {
  const auto inBody = [&](int body, const Transformd& X) {
    if (body < 0) return X;
    return Transformd{transpose(model.bodies[static_cast<std::size_t>(body)].R_LC), {0, 0, 0}} * X;
  };
  c.X_CA = inBody(c.a, c.X_LA);
  c.X_CB = inBody(c.b, c.X_LB);
}

}  // namespace espalier
