// Sparse LU against Eigen's dense one, on sums of blocks like those of robots in contact.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <set>

#include "espalier/contact/sparse_lu_impl.h"
#include "tests/unit/contact/random_problem.h"

namespace espalier::contact {
namespace {

using test::Rng;
using test::uniform;

/// The path from a node to its root in a random forest, parents first.
std::vector<int> path(const std::vector<int>& parent, int node) {
  std::vector<int> indices;
  for (int i = node; i >= 0; i = parent[i]) indices.insert(indices.begin(), i);
  return indices;
}

std::vector<int> merged(const std::vector<int>& a, const std::vector<int>& b) {
  std::set<int> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  return {all.begin(), all.end()};
}

struct Filled {
  Eigen::MatrixXd dense;
  std::vector<std::vector<int>> blocks;
};

/// The identity and unsymmetric blocks of a positive definite symmetric part.
Filled randomBlocks(Rng& rng, int n, int paths, int joined) {
  std::vector<int> parent(n, -1);
  for (int i = 1; i < n; ++i) parent[i] = static_cast<int>(uniform(rng, -1, i));
  const auto node = [&] { return static_cast<int>(uniform(rng, 0, n)); };
  Filled f{Eigen::MatrixXd::Identity(n, n), {}};
  for (int k = 0; k < paths; ++k) f.blocks.push_back(path(parent, node()));
  for (int k = 0; k < joined; ++k)
    f.blocks.push_back(merged(path(parent, node()), path(parent, node())));
  for (const auto& block : f.blocks) {
    const auto m = static_cast<Eigen::Index>(block.size());
    const Eigen::MatrixXd y =
        Eigen::MatrixXd::NullaryExpr(m, 3, [&] { return uniform(rng, -1, 1); });
    Eigen::Matrix3d k = Eigen::Matrix3d::Identity() * uniform(rng, 1, 100);
    k(2, 0) = uniform(rng, -0.5, 0.5) * k(0, 0);
    const Eigen::MatrixXd square = y * k * y.transpose();
    for (int r = 0; r < m; ++r)
      for (int c = 0; c < m; ++c) f.dense(block[r], block[c]) += square(r, c);
  }
  return f;
}

void addBlock(SparseLu<double>& lu, const std::vector<int>& indices) {
  lu.beginBlock();
  for (const int i : indices) lu.addToBlock(i, i + 1);
}

void load(const Filled& f, SparseLu<double>& lu) {
  const int n = static_cast<int>(f.dense.rows());
  lu.clear(n);
  for (const auto& block : f.blocks) addBlock(lu, block);
  lu.finishPattern();
  const std::vector<double> none(lu.entries());
  lu.setTo(none.data(), 1);
  for (const auto& block : f.blocks)
    for (const int r : block)
      for (const int c : block) lu.row(r)[c] = f.dense(r, c);
}

TEST(SparseLu, AgreesWithDenseLu) {
  Rng rng(1);
  SparseLu<double> lu;
  lu.reserve(150);
  for (const int n : {1, 2, 7, 30, 64, 65, 130, 150})
    for (int trial = 0; trial < 20; ++trial) {
      const Filled f = randomBlocks(rng, n, 1 + trial, trial / 2);
      load(f, lu);
      const Eigen::VectorXd right =
          Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(rng, -1, 1); });
      const Eigen::VectorXd expected = f.dense.partialPivLu().solve(right);
      Eigen::VectorXd x = right;
      lu.solve(x.data());
      ASSERT_LE((x - expected).norm(), 1e-9 * (1 + expected.norm())) << n << ", trial " << trial;
    }
}

TEST(SparseLu, PathsToTheRootFillNothing) {
  // Two limbs of five on a trunk of six: each limb's elimination costs the pattern of its own path.
  SparseLu<double> lu;
  lu.reserve(16);
  const auto operations = [&](const std::vector<std::vector<int>>& blocks) {
    lu.clear(16);
    for (const auto& block : blocks) addBlock(lu, block);
    lu.finishPattern();
    return lu.operations();
  };
  std::vector<int> left, right, both;
  for (int i = 0; i < 16; ++i) {
    if (i < 11) left.push_back(i);
    if (i < 6 || i > 10) right.push_back(i);
    both.push_back(i);
  }
  const auto ofPath = [](int from, int to) {
    long sum = 0;
    for (long count = from; count < to; ++count) sum += count * (count + 2);
    return sum;
  };
  EXPECT_EQ(operations({left}), ofPath(0, 11));
  EXPECT_EQ(operations({left, right}), ofPath(0, 11) + ofPath(6, 11));
  EXPECT_EQ(operations({left, right, both}), ofPath(0, 16));
}

TEST(SparseLu, UnknownsThatNothingJoinsAreTheRightHandSide) {
  SparseLu<double> lu;
  lu.reserve(3);
  lu.clear(3);
  lu.finishPattern();
  const std::vector<double> none(lu.entries());
  lu.setTo(none.data(), 1);
  double x[3] = {1, -2, 3};
  lu.solve(x);
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(x[1], -2);
  EXPECT_EQ(x[2], 3);
}

}  // namespace
}  // namespace espalier::contact
