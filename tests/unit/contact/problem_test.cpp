#include "espalier/contact/problem.h"

#include <gtest/gtest.h>

#include <vector>

namespace espalier::contact {
namespace {

const Sym3<double> kDiagonal = {1, 0, 0, 1, 0, 1};
Mat3d constant(double x) {
  return {{x, x + 1, x + 2}, {x + 3, x + 4, x + 5}, {x + 6, x + 7, x + 8}};
}

void expectSame(const Mat3d& a, const Mat3d& b) {
  const double* x = &a.r0.x;
  const double* y = &b.r0.x;
  for (int k = 0; k < 9; ++k) EXPECT_EQ(x[k], y[k]);
}

TEST(Problem, RowsComeOutSortedWhateverTheOrderOfEntry) {
  Problem<double> problem(4, 6);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(problem.addGroup(kDiagonal, zero3<double>(), 0.5), i);
  EXPECT_TRUE(problem.addCoupling(3, 2, constant(32)));
  EXPECT_TRUE(problem.addCoupling(1, 0, constant(10)));
  EXPECT_TRUE(problem.addCoupling(0, 3, constant(3)));  // the transpose of row 3, column 0
  EXPECT_TRUE(problem.addCoupling(2, 1, constant(21)));
  EXPECT_TRUE(problem.addCoupling(3, 1, constant(31)));
  problem.finish();

  std::vector<int> lower3, upper0;
  for (const Coupling& c : problem.lower(3)) lower3.push_back(c.group);
  for (const Coupling& c : problem.upper(0)) upper0.push_back(c.group);
  EXPECT_EQ(lower3, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(upper0, (std::vector<int>{1, 3}));
  expectSame(problem.block(problem.lower(3).begin()->block), transpose(constant(3)));
  EXPECT_EQ(problem.lower(0).begin(), problem.lower(0).end());
}

TEST(Problem, CouplingsOfOnePairAddUp) {
  Problem<double> problem(2, 1);
  problem.addGroup(kDiagonal, zero3<double>(), 0.5);
  problem.addGroup(kDiagonal, zero3<double>(), 0.5);
  EXPECT_TRUE(problem.addCoupling(1, 0, constant(1)));
  EXPECT_TRUE(problem.addCoupling(0, 1, constant(5)));
  problem.finish();
  Mat3d sum = constant(1);
  sum += transpose(constant(5));
  EXPECT_EQ(problem.couplings(), 1);
  expectSame(problem.block(0), sum);
}

TEST(Problem, VelocityIsTheSymmetricProduct) {
  Problem<double> problem(2, 1);
  problem.addGroup({1, 2, 3, 4, 5, 6}, {0.1, 0.2, 0.3}, 0.5);
  problem.addGroup(kDiagonal, {0, 0, -1}, 0.5);
  problem.addCoupling(1, 0, constant(1));
  problem.finish();
  const Vec3d lambda[2] = {{1, 0, 0}, {0, 1, 0}};
  const Vec3d v0 = problem.velocity(0, lambda), v1 = problem.velocity(1, lambda);
  // first column of G_00, second row of G_10; first column of G_10, second column of G_11
  EXPECT_DOUBLE_EQ(v0.x, 0.1 + 1 + 4);
  EXPECT_DOUBLE_EQ(v0.y, 0.2 + 2 + 5);
  EXPECT_DOUBLE_EQ(v0.z, 0.3 + 3 + 6);
  EXPECT_DOUBLE_EQ(v1.x, 1);
  EXPECT_DOUBLE_EQ(v1.y, 4 + 1);
  EXPECT_DOUBLE_EQ(v1.z, -1 + 7);
}

TEST(Problem, IslandsAreTheConnectedGroups) {
  Problem<double> problem(7, 4);
  for (int i = 0; i < 7; ++i) problem.addGroup(kDiagonal, zero3<double>(), 0.5);
  problem.addCoupling(6, 4, constant(0));
  problem.addCoupling(5, 1, constant(0));
  problem.addCoupling(4, 2, constant(0));
  problem.addCoupling(5, 3, constant(0));
  problem.finish();
  std::vector<std::vector<int>> islands;
  for (int k = 0; k < problem.islands(); ++k) {
    const auto island = problem.island(k);
    islands.emplace_back(island.begin(), island.end());
    for (int place = 0; place < island.size(); ++place) {
      EXPECT_EQ(problem.place(island[place]), place);
    }
  }
  EXPECT_EQ(islands, (std::vector<std::vector<int>>{{0}, {1, 3, 5}, {2, 4, 6}}));
}

TEST(Problem, SaysWhenItIsFull) {
  Problem<double> problem(2, 0);
  EXPECT_EQ(problem.addGroup(kDiagonal, zero3<double>(), 0.5), 0);
  EXPECT_EQ(problem.addGroup(kDiagonal, zero3<double>(), 0.5), 1);
  EXPECT_TRUE(problem.complete());
  EXPECT_EQ(problem.addGroup(kDiagonal, zero3<double>(), 0.5), -1);
  EXPECT_FALSE(problem.complete());
  problem.clear();
  EXPECT_TRUE(problem.complete());
  EXPECT_EQ(problem.size(), 0);
  problem.addGroup(kDiagonal, zero3<double>(), 0.5);
  problem.addGroup(kDiagonal, zero3<double>(), 0.5);
  EXPECT_FALSE(problem.addCoupling(1, 0, constant(1)));
  EXPECT_FALSE(problem.complete());
  EXPECT_THROW(problem.reserve(-1, 0), std::invalid_argument);
}

TEST(Problem, MayBeEmpty) {
  Problem<double> problem;
  problem.clear();
  problem.finish();
  EXPECT_EQ(problem.size(), 0);
  EXPECT_EQ(problem.islands(), 0);
}

}  // namespace
}  // namespace espalier::contact
