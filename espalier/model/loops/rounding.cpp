#include "espalier/model/loops/rounding.h"

#include <algorithm>
#include <cmath>

#include "espalier/model/loops/assembly.h"
#include "espalier/model/loops/elimination.h"
#include "espalier/model/loops/first_assembly.h"
#include "espalier/model/loops/loop_rows.h"

namespace espalier {
namespace {

constexpr double closed = 1e-11;   // assemble()'s tolerance
constexpr double doubtful = 1e-2;  // the same in scaled rows: looked at more closely
constexpr double spread = 0.05;  // rad, of the configurations that are looked at: up to nine times
constexpr double by_rounding_in_motion = 1e-3;  // m for each metre, over that motion
constexpr std::size_t fewest = 4;               // of them have to close

class Loosening {
 public:
  Loosening(const Model& model, const ClusterRows& rows, std::vector<Closure>& closures,
            std::vector<Coupling>& couplings)
      : model_(model),
        dofs_(rows.dofs),
        rows_(rows.places),
        raw_(rows.raw),
        flagged_(rows.flagged),
        isMoved_(rows.isMoved),
        closures_(closures),
        couplings_(couplings) {}

  std::optional<LoopGap> run(const std::vector<std::vector<double>>& near) {
    const std::vector<double>& assembled = near.front();
    for (const RowPlace& row : rows_)
      if (row.closure >= 0)
        size_ = std::max(size_, sizeOf(model_.topology, model_.lowered, closures_[row.closure],
                                       assembled.data()));
    if (!(size_ > 0)) return {};  // couplings alone are exact
    int strict = 0;
    Pivots kept;
    for (const std::vector<double>& q : near) {
      const std::vector<double> K = jacobian(q);
      strict = std::max(strict, pivotsOf(K, negligible_pivot).rank());
      Pivots p = pivotsOf(K, doubtful);
      if (p.rank() > kept.rank()) kept = std::move(p);
    }
    const int n = static_cast<int>(dofs_.size());
    const bool isEnough = n - strict >= std::max(1, flagged_);
    if ((isEnough && !isMoved_) || kept.rank() == n) return {};
    if (askewAxis(model_, dofs_, assembled).angle > by_rounding) return {};
    std::vector<Closure> exact = closures_;
    std::vector<Coupling> exactCouplings = couplings_;
    mark(kept.rows);
    const std::optional<LoopGap> gap =
        largestGap(assembled, {model_.topology, model_.lowered, exact, exactCouplings});
    if (gap) return gap;
    closures_ = std::move(exact);
    couplings_ = std::move(exactCouplings);
    return {};
  }

 private:
  LoopSystem loops() const { return {model_.topology, model_.lowered, closures_, couplings_}; }

  Pivots pivotsOf(const std::vector<double>& K, double tolerance) const {
    return choosePivots(K, static_cast<int>(rows_.size()), static_cast<int>(dofs_.size()), {},
                        tolerance);
  }

  bool isLength(const RowPlace& row) const {
    if (row.closure < 0) return false;
    return rowTable(closures_[row.closure].kind)[row.index].form != RowKind::Form::TURN;
  }

  /// K of the cluster with lengths in units of its size.
  std::vector<double> jacobian(const std::vector<double>& q) const {
    const LoopEquations e = loops().equations(q.data());
    const std::vector<Motion<double>> S = jointMotions(model_.topology, model_.lowered, q.data());
    std::vector<double> K;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (const int d : dofs_) {
        const bool slides = dot(S[d].w, S[d].w) == 0;
        const double scale = (isLength(rows_[r]) ? 1 / size_ : 1) * (slides ? size_ : 1);
        K.push_back(e.J[raw_[r] * e.columns + d] * scale);
      }
    return K;
  }

  void mark(const std::vector<int>& kept) {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (std::find(kept.begin(), kept.end(), static_cast<int>(r)) != kept.end()) continue;
      if (rows_[r].closure >= 0)
        closures_[rows_[r].closure].loose |= 1u << rows_[r].index;
      else
        couplings_[rows_[r].coupling].isLoose = true;
    }
  }

  /// Of all rows where those that are kept are closed; nothing where it is more than rounding, or
  /// the cluster does not move.
  std::optional<LoopGap> largestGap(const std::vector<double>& q, const LoopSystem& exact) const {
    LoopGap most;
    const auto found = closedNearby(loops(), q, spread);
    if (found.size() < fewest) return {};
    for (const std::vector<double>& at : found) {
      const LoopEquations e = exact.equations(at.data());
      if (e.hasFlipped) return {};
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        double& part = isLength(rows_[r]) ? most.distance : most.angle;
        part = std::max(part, std::abs(e.phi[raw_[r]]));
      }
    }
    if (most.distance <= by_rounding_in_motion * size_ && most.angle <= by_rounding) return most;
    return {};
  }

  const Model& model_;
  const std::vector<int>& dofs_;
  const std::vector<RowPlace>& rows_;
  const std::vector<int>& raw_;
  int flagged_;
  bool isMoved_;
  std::vector<Closure>& closures_;
  std::vector<Coupling>& couplings_;
  double size_ = 0;  // m, of the cluster's loops
};

}  // namespace

bool closeFrames(const Model& model, const std::vector<double>& q, std::vector<Closure>& closures,
                 std::vector<Coupling>& couplings, std::vector<Misfit>& misfits) {
  const Topology& t = model.topology;
  std::vector<Closure> moved = closures;
  std::vector<Coupling> shifted = couplings;
  std::vector<Misfit> found;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    Closure& c = moved[i];
    const LoopEnds ends = endsOf(t, model.lowered, c, q.data());
    const LoopGap gap = gapOf(c, ends);
    if (gap.distance < closed && gap.angle < closed) continue;
    if (!isRounding(gap, sizeOf(t, model.lowered, c, q.data()))) return false;
    const Transformd B = closedEnd(c, ends);
    c.X_CB = c.X_CB * (inverse(ends.B) * B);
    c.X_LB = c.X_LB * (inverse(ends.B) * B);
    found.push_back({static_cast<int>(i), -1, gap});
  }
  const LoopEquations e = LoopSystem{t, model.lowered, {}, couplings}.equations(q.data());
  for (std::size_t i = 0; i < shifted.size(); ++i) {
    const double off = e.phi[i];
    if (std::abs(off) < closed) continue;
    if (shifted[i].phi || !(std::abs(off) <= by_rounding)) return false;
    shifted[i].offset += off;
    found.push_back({-1, static_cast<int>(i), {0, std::abs(off)}});
  }
  closures = std::move(moved);
  couplings = std::move(shifted);
  misfits = std::move(found);
  return true;
}

void reportOpen(const CheckReport& report, const SpecPlace& loop, double residual) {
  report.error(loop, "cannot be closed: " + printed(residual) + " is left of it",
               "correct the lengths, the frames of its ends, or the axes of its joints");
}

void warnOf(const CheckReport& report, const SpecPlace& loop, const LoopGap& gap) {
  report.warn(loop,
              "closes only but for rounding: " + printed(gap) +
                  " is left of it, and its ends are taken where they come nearest",
              "write lengths and axes with more digits, or correct them");
}

std::optional<LoopGap> loosen(const Model& model, const ClusterRows& rows,
                              const std::vector<std::vector<double>>& near,
                              std::vector<Closure>& closures, std::vector<Coupling>& couplings) {
  return Loosening(model, rows, closures, couplings).run(near);
}

}  // namespace espalier
