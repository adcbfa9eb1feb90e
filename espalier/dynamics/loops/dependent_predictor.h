#pragma once

// Hermite predictor of the dependent coordinates of clusters with one independent dof. They are
// functions of its coordinate y alone, and every closing gives a point of them with its slopes G.
// The predictor is the Hermite polynomial of degree seven through the last four points:
//
//   q_j(y) = q_j(y_0) + sum_k v_k (q_j(y_k) - q_j(y_0)) + w_k G_j(y_k)
//   l_k(y) = prod_{i != k} (y - y_i) / (y_k - y_i),   l_k'(y_k) = sum_{i != k} 1 / (y_k - y_i)
//   v_k = (1 - 2 l_k'(y_k) (y - y_k)) l_k^2,   w_k = (y - y_k) l_k^2
//
// Its error is of eighth order in the step, so that most often no Newton step is needed. It
// amplifies the rounding of the points by about 14 where they lie two steps apart and y one step
// further on, and by 160 where they lie one step apart.

#include "espalier/dynamics/loops/closure.h"

namespace espalier {

class DependentPredictor {
 public:
  /// in  topology, mechanism   outlive this object
  DependentPredictor(const Topology& topology, const Mechanism& mechanism);

  /// Sets the dependent coordinates from the independent ones, for clusters with four points.
  ///   io  q  [nq], its numbers so far apart
  void predict(double* q, int apart = 1);

  /// Adds a point with closed loops to the history.
  ///   pre  every cluster's plan is the public one
  ///   in   G  LoopWorkspace::G at q, its numbers so far apart
  void remember(const double* q, const double* G, int apart = 1);

  void forget();

  /// The lists that make it go on after a checkpoint.
  ///   in  list(numbers), and list(numbers, most) for whole numbers from 0 to `most`
  template <class Visit>
  void visit(Visit&& list) {
    list(known_, points);
    list(y_);
    list(q_);
    list(G_);
  }

 private:
  static constexpr int points = 4;
  struct Linkage {
    int leader;        ///< its q
    int first, count;  ///< of joints_
  };
  struct Joint {
    int q, G;  ///< places in q and in LoopWorkspace::G
  };
  /// v_k and w_k; false where the points do not lie well for y.
  static bool weigh(const double* at, double y, double* v, double* w);

  std::vector<Linkage> linkages_;
  std::vector<Joint> joints_;
  AlignedArray<double> known_;  // [linkages] points so far
  AlignedArray<double> y_;      // [linkages][points] the last first
  AlignedArray<double> q_, G_;  // [points][joints]
  AlignedArray<double> ahead_;  // [joints] scratch
};

}  // namespace espalier
