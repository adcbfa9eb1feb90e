// LTL with four limbs side by side (factor.h). A limb's rows meet only its own and the base's:
//   limbs, from the tips   a = L_k D_k^-1,  row_i -= a_i row_k           in lanes
//   base                   H_ij -= a_i row_kj for every dof k, last first   a column at a time
//   base alone             as plain
// Every number sees the plain algorithm's operations in the plain order.

#include "espalier/dynamics/simd/branch_factor.h"
#include "espalier/dynamics/simd/branch_lanes.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/subtract.h"

namespace espalier {

using namespace branches_detail;

namespace {

using Four = Lanes<double, 4>;

ESPALIER_INLINE Four fourAt(const double* from) {
  Four x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}
/// Two numbers and two zeros.
ESPALIER_INLINE Four twoAt(const double* from) {
#if defined(__AVX__)
  return Four(Four::Vector(_mm256_zextpd128_pd256(_mm_loadu_pd(from))));
#else
  return Four(Four::Vector{from[0], from[1], 0, 0});
#endif
}

/// Where each lane's numbers of a node lie in a plain array; idle lanes in their own.
ESPALIER_INLINE void rowsOf(const Topology& t, const BranchNode& node, double* H, double* idle,
                            double* (&rows)[W]) {
  for (int l = 0; l < W; ++l) rows[l] = node.body[l] >= 0 ? H + t.row[node.u[l]] : idle;
}

std::size_t longestRow(const Topology& t, const BranchPlan& plan) {
  int longest = 0;
  for (const BranchNode& node : plan.nodes) longest = std::max(longest, t.dofDepth[node.u[0]] + 1);
  return static_cast<std::size_t>(longest);
}

}  // namespace

BranchFactor::BranchFactor(const Topology& topology, const BranchPlan& plan) : t_(topology) {
  if (!plan.isStraight) return;
  nodes_ = plan.nodes;
  int numbers = 0;
  inBase_.assign(static_cast<std::size_t>(t_.nv), 0);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const BranchNode& node = nodes_[n];
    row_.push_back(numbers);
    const int count = t_.dofDepth[node.u[0]] + 1;
    firstInChain_.push_back(static_cast<int>(chain_.size()));
    for (int up = node.parentNode; up >= 0; up = nodes_[up].parentNode)
      chain_.insert(chain_.begin() + firstInChain_.back(), up);
    numbers += count;
    for (int l = 0; l < W; ++l)
      if (node.body[l] >= 0)
        inBase_[static_cast<std::size_t>(node.u[l])] = n * 6 * W + static_cast<std::size_t>(l);
  }
  L_ = AlignedArray<T>(static_cast<std::size_t>(numbers));
  base_ = AlignedArray<T>(6 * nodes_.size());
  Dinv_ = AlignedArray<T>(nodes_.size());
  x_ = AlignedArray<T>(nodes_.size());
  idleRow_ = AlignedArray<double>(longestRow(t_, plan));
}

/// A floating base's six rows less a a' D of every limb dof, then their own LTL.
void BranchFactor::factorBase(double* H, double* Dinv) const {
  // Column j has rows 0 to 3 in low[j] and 4, 5 in high[j]; what lies above row j is not used.
  Four low[4], high[6];
  const auto at = [H](int i, int j) { return i < j ? 0 : H[i * (i + 1) / 2 + j]; };
  for (int j = 0; j < 6; ++j) {
    if (j < 4) low[j] = Four(Four::Vector{at(0, j), at(1, j), at(2, j), at(3, j)});
    high[j] = Four(Four::Vector{at(4, j), at(5, j), 0, 0});
  }
  const double* base = reinterpret_cast<const double*>(base_.data());
  for (int k = t_.nv - 1; k >= 6; --k) {
    const double *a = H + t_.row[k], *row = base + inBase_[static_cast<std::size_t>(k)];
    const Four aLow = fourAt(a), aHigh = twoAt(a + 4);
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const Four x(row[j * W]);
      if (j < 4) low[j] = fnma(aLow, x, low[j]);
      high[j] = fnma(aHigh, x, high[j]);
    }
  }
  double h[6][6];
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i)
#pragma GCC unroll 6
    for (int j = 0; j <= i; ++j)
      h[i][j] = i < 4 ? lane(low[j < 4 ? j : 0], i) : lane(high[j], i - 4);
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
    const double inverse = 1 / h[k][k];
    Dinv[k] = inverse;
#pragma GCC unroll 6
    for (int i = k - 1; i >= 0; --i) {
      const double a = h[k][i] * inverse;
#pragma GCC unroll 6
      for (int j = 0; j <= i; ++j) h[i][j] = fnma(a, h[k][j], h[i][j]);
      h[k][i] = a;
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i)
#pragma GCC unroll 6
    for (int j = 0; j <= i; ++j) H[i * (i + 1) / 2 + j] = h[i][j];
}

void BranchFactor::factor(Workspace<double>& ws) {
  if (nodes_.empty()) return espalier::factor(t_, ws);
  const int first = t_.floating ? 6 : 0, nodes = static_cast<int>(nodes_.size());
  for (int n = 0; n < nodes; ++n) {
    const BranchNode& node = nodes_[n];
    const double* rows[W];
    for (int l = 0; l < W; ++l) rows[l] = &ws.H[t_.row[node.u[l]]];
    fromRows(rows, t_.dofDepth[node.u[0]] + 1, &L_[row_[n]]);
  }
  for (int n = nodes - 1; n >= 0; --n) {
    const BranchNode& node = nodes_[n];
    T* row = &L_[row_[n]];
    const int depth = t_.dofDepth[node.u[0]];
    const T inverse = T(1.0) / row[depth];
    Dinv_[n] = inverse;
    int above = node.parentNode;
    for (int d = depth - 1; d >= first; --d, above = nodes_[above].parentNode) {
      const T a = row[d] * inverse;
      subtract(&L_[row_[above]], row, a, d + 1);
      row[d] = a;
    }
    for (int d = 0; d < first; ++d) {
      base_[6 * n + d] = row[d];
      row[d] = row[d] * inverse;
    }
    double* rows[W];
    rowsOf(t_, node, ws.H.data(), idleRow_.data(), rows);
    toRows(row, depth + 1, rows);
    scatter(node, inverse, ws.Dinv.data());
  }
  if (t_.floating) factorBase(ws.H.data(), ws.Dinv.data());
}

void BranchFactor::solveTransposed(const Workspace<double>& ws, double* x) {
  if (nodes_.empty()) return espalier::solveTransposed(t_, ws, x);
  const int first = t_.floating ? 6 : 0, nodes = static_cast<int>(nodes_.size());
  for (int n = 0; n < nodes; ++n) x_[n] = gather(x, nodes_[n].u);
  for (int n = nodes - 1; n >= 0; --n) {
    const BranchNode& node = nodes_[n];
    const T xn = x_[n], *row = &L_[row_[n]];
    int above = node.parentNode;
    for (int d = t_.dofDepth[node.u[0]] - 1; d >= first; --d) {
      x_[above] = fnma(xn, row[d], x_[above]);
      above = nodes_[above].parentNode;
    }
    scatter(node, xn, x);
  }
  if (!t_.floating) return;
  Four low = fourAt(x), high = twoAt(x + 4);
  for (int k = t_.nv - 1; k >= 6; --k) {
    const double* row = &ws.H[t_.row[k]];
    const Four xk(x[k]);
    low = fnma(xk, fourAt(row), low);
    high = fnma(xk, twoAt(row + 4), high);
  }
  double b[6];
  for (int i = 0; i < 6; ++i) b[i] = i < 4 ? lane(low, i) : lane(high, i - 4);
#pragma GCC unroll 6
  for (int i = 5; i > 0; --i)
    for (int j = 0; j < i; ++j) b[j] = fnma(b[i], ws.H[t_.row[i] + j], b[j]);
  put(x, b[0], b[1], b[2], b[3], b[4], b[5]);
}

void BranchFactor::solveForward(const Workspace<double>& ws, double* x) {
  if (nodes_.empty()) return espalier::solveForward(t_, ws, x);
  const int first = t_.floating ? 6 : 0;
  double b[6];
  for (int i = 0; i < first; ++i) {
    b[i] = x[i] * ws.Dinv[i];
    for (int j = 0; j < i; ++j) b[i] = fnma(ws.H[t_.row[i] + j], b[j], b[i]);
    x[i] = b[i];
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const BranchNode& node = nodes_[n];
    const T* row = &L_[row_[n]];
    T xn = gather(x, node.u) * Dinv_[n];
    for (int d = 0; d < first; ++d) xn = fnma(row[d], T(b[d]), xn);
    // The limb from its root on: its nodes are the ancestors', first to last.
    for (int d = first; d < t_.dofDepth[node.u[0]]; ++d)
      xn = fnma(row[d], x_[chain_[firstInChain_[n] + d - first]], xn);
    x_[n] = xn;
    scatter(node, xn, x);
  }
}

}  // namespace espalier
