// Solver 2: the problem in its own numbers, the course of a solve, and ADMM.

#include "espalier/contact/direct.h"

#include "espalier/contact/direct_newton_impl.h"

namespace espalier::contact {

template <class T>
void Direct<T>::reserve(int maxGroups) {
  ESPALIER_REQUIRE(maxGroups >= 0, "capacities are counts");
  const auto groups = static_cast<std::size_t>(maxGroups), n = 3 * groups;
  maxGroups_ = maxGroups;
  group_ = AlignedArray<Group>(groups);
  g_ = AlignedArray<T>(n * n);
  f_ = AlignedArray<T>(n * n);
  for (auto* v : {&b_, &best_, &x_, &w_, &z_, &u_, &center_, &equation_, &step_, &trial_})
    *v = AlignedArray<T>(n);
  pivot_ = AlignedArray<int>(n);
  place_ = AlignedArray<int>(n);
}

template <class T>
DirectReport<T> Direct<T>::solve(const Problem<T>& problem, typename Problem<T>::Island island,
                                 Vec3<T>* lambda, T tolerance) {
  ESPALIER_ASSERT(island.size() <= maxGroups_);
  tolerance_ = tolerance;
  report_ = {};
  report_.residual = std::numeric_limits<T>::max();
  load(problem, island, lambda);
  std::copy_n(x_.data(), n_, best_.data());
  bool done = judge(x_.data()) || newton(8);
  for (const T rho : {T(0.1), T(1), T(0.01)}) {
    if (done) break;
    done = approach(rho) || chase(z_.data(), T(1)) || chase(best_.data(), T(0.1)) || proximal(600);
  }
  for (int k = 0; k < groups_; ++k)
    lambda[island[k]] = scaled(at(best_.data(), k), group_[k].scale);
  return report_;
}

// ---- the problem in its own numbers

template <class T>
void Direct<T>::load(const Problem<T>& problem, typename Problem<T>::Island island,
                     const Vec3<T>* lambda) {
  groups_ = island.size();
  n_ = 3 * groups_;
  std::fill_n(g_.data(), static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_), T(0));
  for (int k = 0; k < groups_; ++k) {
    const int i = island[k];
    Group& group = group_[k];
    const T d = problem.scale(i), root = T(1) / sqrt(d);
    group = {problem.kind(i), problem.mu(i), sqrt(d), -1, {root, root, root}, {}, {}};
    if (group.kind == Kind::Bounded) {
      const Vec3<T> rows = rowScale(problem.diagonal(i));
      // A row that moves next to nothing beside its neighbours is not blown up.
      const T least = d * std::numeric_limits<T>::epsilon();
      group.scale = {T(1) / sqrt(max(rows.x, least)), T(1) / sqrt(max(rows.y, least)),
                     T(1) / sqrt(max(rows.z, least))};
      group.low = unscaled(problem.lowerBound(i), group.scale);
      group.high = unscaled(problem.upperBound(i), group.scale);
    } else if (group.kind == Kind::Torsion) {
      const int normal = problem.place(problem.normalGroup(i));
      group.scale = problem.axes(i) * root;
      group.low = problem.axes(i);
      group.normal = 3 * normal + 2;
      group.mu = problem.mu(i) * sqrt(d) * group_[normal].scale.z;
    }
    put(b_.data(), k, scaled(problem.freeVelocity(i), group.scale));
    put(x_.data(), k, unscaled(lambda[i], group.scale));
  }
  for (int k = 0; k < groups_; ++k) {
    const int i = island[k];
    const Sym3<T>& g = problem.diagonal(i);
    addBlock(k, k, {{g.xx, g.xy, g.xz}, {g.xy, g.yy, g.yz}, {g.xz, g.yz, g.zz}});
    const auto addBoth = [&](int col, const Mat3<T>& block) {
      addBlock(k, col, block);
      addBlock(col, k, transpose(block));
    };
    for (const Coupling& c : problem.lower(i))
      addBoth(problem.place(c.group), problem.block(c.block));
    if (problem.hasBlocks(island)) continue;
    for (int col = 0; col < k; ++col) {
      Block<T> block;
      bool shared = false;
      for (const Side<T>& a : problem.sides(i))
        for (const Side<T>& b : problem.sides(island[col]))
          if (a.mover == b.mover) {
            couple(a, b, block);
            shared = true;
          }
      if (shared) addBoth(col, block.mat3());
    }
  }
}

template <class T>
void Direct<T>::addBlock(int row, int col, const Mat3<T>& block) {
  const Vec3<T>&p = group_[row].scale, &q = group_[col].scale;
  const auto add = [&](int r, const Vec3<T>& g, T scale) {
    T* to = this->g().row(3 * row + r) + 3 * col;
    to[0] += g.x * q.x * scale;
    to[1] += g.y * q.y * scale;
    to[2] += g.z * q.z * scale;
  };
  add(0, block.r0, p.x);
  add(1, block.r1, p.y);
  add(2, block.r2, p.z);
}

/// w = G x + b
template <class T>
void Direct<T>::multiply(const T* x, T* w) {
  std::copy_n(b_.data(), n_, w);
  addProduct(g(), x, w);
}

template <class T>
T Direct<T>::reach(int k, const T* x) const {
  return group_[k].mu * max(x[group_[k].normal], T(0));
}

/// P_K of group k at a; a Torsion group's ball is the one that x inflates.
template <class T>
Vec3<T> Direct<T>::project(int k, const Vec3<T>& a, const T* x) const {
  const Group& group = group_[k];
  switch (group.kind) {
    case Kind::Bounded: return clamp(a, group.low, group.high);
    case Kind::Torsion: return projectOnBall(a, group.low, reach(k, x));
    case Kind::Coulomb: break;
  }
  return projectOnCone(a, group.mu);
}

/// w of group k with De Saxce's shift.
template <class T>
Vec3<T> Direct<T>::shifted(int k, const T* w) const {
  Vec3<T> wk = at(w, k);
  if (group_[k].kind == Kind::Coulomb) wk.z = fma(group_[k].mu, tangentNorm(wk), wk.z);
  return wk;
}

/// The largest residual of a group, m/s.
template <class T>
T Direct<T>::residual(const T* x, const T* w) const {
  T worst = T(0);
  for (int k = 0; k < groups_; ++k) {
    const Group& group = group_[k];
    const Vec3<T> xk = at(x, k), gap = xk - project(k, xk - shifted(k, w), x);
    const T r =
        group.kind == Kind::Bounded
            ? norm(Vec3<T>{gap.x / group.scale.x, gap.y / group.scale.y, gap.z / group.scale.z})
            : group.toResidual * norm(gap);
    worst = max(worst, r >= T(0) ? r : std::numeric_limits<T>::max());
  }
  return worst;
}

/// Keeps x if it is the best so far; true when it is good enough. Leaves G x + b in w_.
template <class T>
bool Direct<T>::judge(const T* x) {
  multiply(x, w_.data());
  const T r = residual(x, w_.data());
  if (r < report_.residual) {
    report_.residual = r;
    std::copy_n(x, n_, best_.data());
  }
  return report_.residual <= tolerance_;
}

// ---- ADMM

/// Iterations from the best so far, with tries of Newton. Leaves its last iterate in z_.
template <class T>
bool Direct<T>::approach(T rho) {
  std::copy_n(best_.data(), n_, x_.data());
  balance();
  rho *= balance_;
  std::copy_n(best_.data(), n_, z_.data());
  multiply(z_.data(), w_.data());
  for (int k = 0; k < groups_; ++k) put(u_.data(), k, shifted(k, w_.data()) * (T(-1) / rho));
  for (int count = 16; count <= 64; count *= 2) {
    if (!factorShifted(rho)) break;
    for (int k = 0; k < count; ++k) iterate(rho);
    std::copy_n(z_.data(), n_, x_.data());
    if (judge(x_.data()) || newton(8)) return true;
  }
  return false;
}

template <class T>
bool Direct<T>::factorShifted(T rho) {
  std::copy_n(g_.data(), static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_), f_.data());
  for (int r = 0; r < n_; ++r) shiftedG().row(r)[r] += rho;
  return factorSymmetric(shiftedG());
}

template <class T>
void Direct<T>::iterate(T rho) {
  constexpr T relax = T(1.6);
  for (int k = 0; k < groups_; ++k) {
    const Vec3<T> u = at(u_.data(), k);
    Vec3<T> right = (at(z_.data(), k) - u) * rho - at(b_.data(), k);
    if (group_[k].kind == Kind::Coulomb) right.z -= group_[k].mu * rho * tangentNorm(u);
    put(x_.data(), k, right);
  }
  solveSymmetric(shiftedG(), x_.data());
  for (int k = 0; k < groups_; ++k) {
    const Vec3<T> a =
        at(x_.data(), k) * relax + at(z_.data(), k) * (T(1) - relax) + at(u_.data(), k);
    const Vec3<T> z = project(k, a, z_.data());
    put(z_.data(), k, z);
    put(u_.data(), k, a - z);
  }
  ++report_.iterations;
}

template class Direct<double>;
template class Direct<float>;

}  // namespace espalier::contact
