// Where a crank-rocker goes, foreseen from where it was closed before, against closing it there.

#include "espalier/dynamics/loops/dependent_predictor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/model.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

using PredictorNumbers = std::vector<double>;

struct Bar {
  Bar()
      : model(compile(fourBar({})).value()),
        ws(model.topology),
        loops(model.topology, m()),
        predictor(model.topology, m()) {}
  const Mechanism& m() const { return model.mechanism; }

  /// Closed from near by, with G.
  PredictorNumbers closedAt(double crank, PredictorNumbers near) {
    while (std::abs(crank - near[0]) > 0.11)
      near = closedAt(near[0] + std::copysign(0.1, crank - near[0]), near);
    near[0] = crank;
    const PredictorNumbers none(3, 0.0);
    kinematics(model.topology, model.lowered, near.data(), none.data(), ws);
    EXPECT_LT(closeLoops(model.topology, model.lowered, m(), near.data(), 1e-15, 20, ws, loops),
              1e-14);
    solveRates(m(), loops);
    return near;
  }
  PredictorNumbers foreseen(double crank, PredictorNumbers from) {
    from[0] = crank;
    predictor.predict(from.data());
    return from;
  }
  /// The last of `count` points that it has been at.
  PredictorNumbers walk(double from, double stride, int count) {
    PredictorNumbers q = closedAt(from, m().assembled);
    for (int i = 1; i <= count; ++i) {
      predictor.remember(q.data(), loops.G.data());
      if (i < count) q = closedAt(from + i * stride, q);
    }
    return q;
  }

  Model model;
  Workspace<double> ws;
  LoopWorkspace<double> loops;
  DependentPredictor predictor;
};

double apart(const PredictorNumbers& a, const PredictorNumbers& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(DependentPredictor, IsOfEighthOrderAtLeast) {
  double missed[2];
  for (int i = 0; i < 2; ++i) {
    Bar bar;
    const double stride = 0.1 / (1 << i);
    const PredictorNumbers q = bar.walk(2 - 4 * stride, stride, 4);
    const PredictorNumbers next = bar.foreseen(2, q);
    missed[i] = apart(next, bar.closedAt(2, q));
  }
  EXPECT_LT(missed[0], 1e-8);
  EXPECT_GT(std::log2(missed[0] / missed[1]), 7.5);
}

TEST(DependentPredictor, LeavesNoResidual) {
  Bar bar;
  PredictorNumbers q = bar.walk(0.2, 0.005, 4);
  for (int i = 4; i < 1300; ++i) {
    // Now faster, now slower, as motion is.
    const double crank = q[0] + 0.005 * (1 + 0.2 * std::sin(0.05 * i));
    const PredictorNumbers next = bar.foreseen(crank, q);
    q = bar.closedAt(crank, q);
    ASSERT_LT(apart(next, q), 1e-12) << i;
    bar.predictor.remember(q.data(), bar.loops.G.data());
  }
}

TEST(DependentPredictor, PredictsOnlyFromAFullHistory) {
  Bar bar;
  PredictorNumbers q = bar.walk(0.2, 0.01, 3);
  EXPECT_EQ(bar.foreseen(q[0] + 0.01, q)[1], q[1]) << "three points are too few";
  q = bar.closedAt(q[0] + 0.01, q);
  bar.predictor.remember(q.data(), bar.loops.G.data());
  EXPECT_EQ(bar.foreseen(q[0] + 0.1, q)[1], q[1]) << "too far";
  EXPECT_NE(bar.foreseen(q[0] + 0.01, q)[1], q[1]);
  bar.predictor.forget();
  EXPECT_EQ(bar.foreseen(q[0] + 0.01, q)[1], q[1]);

  Bar creeping;
  q = creeping.walk(0.2, 1e-9, 8);
  EXPECT_EQ(creeping.foreseen(q[0] + 1e-9, q)[1], q[1]) << "one point, eight times";
}

}  // namespace
}  // namespace espalier::testing
