#pragma once

// Where linkages of one dof go next. Their joints are functions of the leader's coordinate y alone,
// however fast it moves, and every closing leaves a point of them with its slopes G. Through the
// last four goes Hermite's polynomial of degree seven:
//
//   q_j(y) = q_j(y_0) + sum_k v_k (q_j(y_k) - q_j(y_0)) + w_k G_j(y_k)
//   l_k(y) = prod_{i != k} (y - y_i) / (y_k - y_i),   l_k'(y_k) = sum_{i != k} 1 / (y_k - y_i)
//   v_k = (1 - 2 l_k'(y_k) (y - y_k)) l_k^2,   w_k = (y - y_k) l_k^2
//
// wrong by about the step to the eighth: most often there is nothing left to close. Rounding of the
// points comes out some 14 times as large where they lie two strides apart, y being one stride
// further on, and 160 times where they lie one apart.

#include "espalier/dynamics/closure.h"

namespace espalier {

class Foresight {
 public:
  /// in  topology, mechanism   outlive this object
  Foresight(const Topology& topology, const Mechanism& mechanism);

  /// Sets the dependent joints to where those of q that lead them say, for linkages of which
  /// enough is known.
  ///   io  q  [nq], its numbers so far apart
  void predict(double* q, int apart = 1);

  /// A point where the loops are closed.
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
