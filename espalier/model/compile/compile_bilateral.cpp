// Loops -> rows: assemble them with the embedded ones, drop rows that say nothing new.

#include "espalier/model/compile/compile_steps.h"

#include <algorithm>
#include <cmath>

#include "espalier/model/loops/assembly.h"
#include "espalier/model/loops/clusters.h"
#include "espalier/model/loops/elimination.h"
#include "espalier/model/loops/first_assembly.h"
#include "espalier/model/loops/loop_ties.h"
#include "espalier/model/loops/rounding.h"
#include "espalier/model/spec/check_report.h"

namespace espalier {
namespace {

class BilateralCompiler {
 public:
  BilateralCompiler(const SystemSpec& spec, const Model& model, Diagnostics& diagnostics)
      : model_(model), t_(model.topology), report_{spec, diagnostics} {}

  BilateralLoops run() {
    LoopTies ties = findBilateralTies(report_.spec, model_, report_.diagnostics);
    if (report_.diagnostics.hasErrors() || ties.closures.empty()) return {};
    loops_.closures = std::move(ties.closures);
    const Mechanism& m = model_.mechanism;
    closures_ = m.closures;
    couplings_ = m.couplings;
    for (const Cluster& c : m.clusters) ties.ofClosures.push_back(c.bodies);
    for (const Closure& c : closures_) embeddedRows_ += rowsOf(c.kind);
    closures_.insert(closures_.end(), loops_.closures.begin(), loops_.closures.end());
    for (const Closure& c : loops_.closures) rows_ += rowsOf(c.kind);
    if (!assembleAll(ties.ofClosures)) return {};
    chooseRows();
    noteIndependents(ties.ofClosures);
    return std::move(loops_);
  }

 private:
  LoopSystem all() const { return {t_, model_.lowered, closures_, couplings_}; }

  bool assembleAll(const std::vector<std::vector<int>>& ties) {
    std::vector<Misfit> misfits;
    if (!model_.mechanism.isTree()) {  // which was closed with them, and told what was left
      loops_.assembled = model_.mechanism.assembled;
      closeFrames(model_, loops_.assembled, closures_, couplings_, misfits);
      takeMoved();
      return true;
    }
    const AssemblyResult result =
        assembleFirst(model_, report_.spec.X_WB, all(), ties, loops_.assembled);
    if (result.isClosed) return true;
    if (!closeFrames(model_, loops_.assembled, closures_, couplings_, misfits)) {
      const Closure& open = closures_[all().ownerOf(result.worst)];
      reportOpen(report_, report_.spec.loops[open.spec], result.residual);
      return false;
    }
    for (const Misfit& misfit : misfits)
      warnOf(report_, report_.spec.loops[closures_[misfit.closure].spec], misfit.gap);
    takeMoved();
    return true;
  }

  void takeMoved() {
    std::copy(closures_.end() - static_cast<std::ptrdiff_t>(loops_.closures.size()),
              closures_.end(), loops_.closures.begin());
  }

  /// Those of the configuration where most count.
  void chooseRows() {
    std::vector<int> kept;
    for (const std::vector<double>& q : closedNearby(all(), loops_.assembled)) {
      std::vector<int> found = rowsThatCount(q);
      if (found.size() > kept.size()) kept = std::move(found);
    }
    std::sort(kept.begin(), kept.end());
    group(kept);
  }

  /// Rows of the bilateral loops that neither embedded ones nor others of theirs imply at q.
  std::vector<int> rowsThatCount(const std::vector<double>& q) const {
    const LoopEquations e = all().equations(q.data());
    const int n = e.columns;
    double largest = 0;
    for (const double x : e.J) largest = std::max(largest, std::abs(x));
    const auto row = [&](int i) { return e.J.begin() + static_cast<std::ptrdiff_t>(i) * n; };
    std::vector<double> embedded(row(0), row(embeddedRows_)),
        own(row(embeddedRows_), row(embeddedRows_ + rows_));
    embedded.insert(embedded.end(), row(embeddedRows_ + rows_), row(e.rows));
    eliminate(embedded, e.rows - rows_, own, n);
    double left = 0;
    for (const double x : own) left = std::max(left, std::abs(x));
    if (!(left > negligible_pivot * largest)) return {};
    return choosePivots(std::move(own), rows_, n, {}, negligible_pivot * largest / left).rows;
  }

  /// Eliminates the embedded rows from the bilateral ones, which then act on the motions left free.
  void eliminate(std::vector<double>& embedded, int count, std::vector<double>& own, int n) const {
    const Pivots pivots = choosePivots(embedded, count, n, {}, negligible_pivot);
    std::vector<char> isDone(count, 0);
    for (int k = 0; k < pivots.rank(); ++k) {
      const int row = pivots.rows[k], column = pivots.columns[k];
      const double* from = &embedded[row * n];
      isDone[row] = 1;
      const auto subtract = [&](double* to) {
        const double factor = to[column] / from[column];
        for (int j = 0; j < n && factor != 0; ++j) to[j] -= factor * from[j];
        to[column] = 0;
      };
      for (int i = 0; i < count; ++i)
        if (!isDone[i]) subtract(&embedded[i * n]);
      for (int i = 0; i < rows_; ++i) subtract(&own[i * n]);
    }
  }

  void group(const std::vector<int>& kept) {
    int first = 0;
    for (int c = 0; c < static_cast<int>(loops_.closures.size()); ++c) {
      const int end = first + rowsOf(loops_.closures[c].kind);
      for (const int r : kept) {
        if (r < first || r >= end) continue;
        std::vector<RowGroup>& groups = loops_.groups;
        if (groups.empty() || groups.back().closure != c || groups.back().count == 3)
          groups.push_back({.closure = c});
        groups.back().rows[groups.back().count++] = r - first;
      }
      first = end;
    }
  }

  void noteIndependents(const std::vector<std::vector<int>>& ties) {
    loops_.independent.assign(t_.nv, 1);
    for (const std::vector<int>& bodies : ties)
      for (const int b : bodies) {
        const int j = model_.bodies[b].specJoint;
        const bool isFlagged = j >= 0 && report_.spec.joints[j].independent.value_or(false);
        for (int k = 0; k < t_.bodies[b].nv && !isFlagged; ++k)
          loops_.independent[t_.bodies[b].u + k] = 0;
      }
  }

  const Model& model_;
  const Topology& t_;
  CheckReport report_;
  BilateralLoops loops_;
  std::vector<Closure> closures_;  // embedded ones, then ours
  std::vector<Coupling> couplings_;
  int embeddedRows_ = 0, rows_ = 0;  // of the closures alone
};

}  // namespace

BilateralLoops compileBilateral(const SystemSpec& spec, const Model& model,
                                Diagnostics& diagnostics) {
  return BilateralCompiler(spec, model, diagnostics).run();
}

bool BilateralLoops::reachesGround() const {
  return std::any_of(closures.begin(), closures.end(),
                     [](const Closure& c) { return c.a < 0 || c.b < 0; });
}

int BilateralLoops::rowsOf(int closure) const {
  int rows = 0;
  for (const RowGroup& g : groups) rows += g.closure == closure ? g.count : 0;
  return rows;
}

}  // namespace espalier
