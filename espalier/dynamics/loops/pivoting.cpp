#include "espalier/dynamics/loops/pivoting.h"

#include <algorithm>
#include <cmath>

namespace espalier {

int pivotCluster(const Cluster& c, LoopWorkspace<double>& loops, double least, double* isFree,
                 std::vector<int>& rows, std::vector<int>& columns) {
  const int count = static_cast<int>(c.rows.size()), n = static_cast<int>(c.dofs.size());
  double* a = &loops.lu[c.firstK];
  std::copy_n(&loops.K[c.firstK], count * n, a);
  for (int r = 0; r < count; ++r) rows[r] = r;
  for (int k = 0; k < count; ++k) {
    int row = k, column = -1;
    double best = least;
    for (int r = k; r < count; ++r)
      for (int j = 0; j < n; ++j) {
        const double x = std::abs(a[rows[r] * n + j]);
        if (isFree[j] == 0 || !(x > best)) continue;
        best = x;
        row = r;
        column = j;
      }
    if (column < 0) return k;
    std::swap(rows[k], rows[row]);
    columns[k] = column;
    isFree[column] = 0;
    const double* pivotRow = a + rows[k] * n;
    for (int r = k + 1; r < count; ++r) {
      double* other = a + rows[r] * n;
      const double factor = other[column] / pivotRow[column];
      for (int j = 0; j < n; ++j) other[j] = fnma(factor, pivotRow[j], other[j]);
    }
  }
  return count;
}

}  // namespace espalier
