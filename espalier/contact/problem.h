#pragma once

// The contact problem of one instant: assembled once, then const. It knows nothing of robots.
//
//   v = G lambda + b,   groups of three rows (t1, t2, n)
//
// G is the Delassus matrix, symmetric and block-sparse: two groups are coupled when they share a
// mover. b is the velocity without impulses plus the bias of the contact law. Kinds of groups:
//   Coulomb  a contact: v_N >= 0, friction against v_T; mu = 0 and tangential rows of zero: a limit
//   Bounded  each row on its own between two bounds                          (contact/bounds.h)
//   Torsion  rolling and spinning friction of another group                  (contact/ellipsoid.h)
//
// G comes in one of two ways, and both may stand in one problem: as blocks (addGroup with G_ii,
// addCoupling), or as an operator: with its Jacobian blocks, the sides (contact/side.h),
// and G_ij = sum of Y_i' D Y_j over shared movers. Of islands up to `small_island` groups finish()
// writes the blocks, of those on one mover mostly up to `few_groups`; larger ones stay an operator.
//
// Lanes: a group is a slot that all lanes share. A lane without this contact gives it
// `inactive()` as b and no coupling; it then stays open.

#include <limits>
#include <span>

#include "espalier/contact/bounds.h"
#include "espalier/contact/cone.h"
#include "espalier/contact/ellipsoid.h"
#include "espalier/contact/side.h"
#include "espalier/core/aligned.h"
#include "espalier/core/check.h"
#include "espalier/scalar/instantiate.h"

namespace espalier::contact {

enum class Kind : unsigned char { Coulomb, Bounded, Torsion };

/// One off-diagonal block seen from a row: the other group, and where the block is stored.
struct Coupling {
  int group, block;
};

/// Islands of so many groups get blocks, and Newton's method on the impulses.
inline constexpr int small_island = 16;
/// On one mover those of so many groups, or of two for every five dofs that they act on: beyond, Newton's
/// method on the velocities is faster, whose unknowns are the mover's dofs and not three a group.
inline constexpr int few_groups = 8;

/// How much a problem holds.
struct Capacity {
  int groups = 0;
  int couplings = 0;  ///< off-diagonal blocks; 8 a group are enough for those finish() writes
  int sides = 0;
  int numbers = 0;  ///< length of a: all movers' numbers
  /// Of the solver: filledColumns() of the sides of all groups (contact/island_rows.h), 0: 24 a group.
  int columns = 0;
  /// Of the solver: contacts of free bodies, which sweeps may take four at a time; -1: all groups.
  int batched = -1;
};

template <class T>
class Problem {
 public:
  Problem() = default;
  Problem(int maxGroups, int maxCouplings) { reserve({maxGroups, maxCouplings, 0, 0}); }
  explicit Problem(const Capacity& capacity) { reserve(capacity); }

  /// Sets the capacities; the only call that allocates. Forgets what was assembled.
  void reserve(const Capacity& capacity);
  void reserve(int maxGroups, int maxCouplings) { reserve({maxGroups, maxCouplings, 0, 0}); }
  void clear() {
    groups_ = couplings_ = sides_ = islands_ = 0;
    sharedMover_ = -1;
    missed_ = bc<T>(0.0);
    complete_ = hasOnlySides_ = isBySides_ = true;
    hasAllNumbers_ = false;
  }

  // ---- groups by their blocks; each returns its index, or -1 (and `complete()` false) for no room

  /// A contact.
  ///   in  diagonal  G_ii, 1/kg
  ///   in  b         free velocity and bias, m/s
  int addGroup(const Sym3<T>& diagonal, const Vec3<T>& b, const T& mu) {
    const int i = openByBlock(diagonal, b, Kind::Coulomb);
    if (i >= 0) closeCoulomb(i, mu);
    return i;
  }
  /// Rows on their own; a row that is not there has bounds of zero.
  int addBounded(const Sym3<T>& diagonal, const Vec3<T>& b, const Vec3<T>& lower,
                 const Vec3<T>& upper) {
    const int i = openByBlock(diagonal, b, Kind::Bounded);
    if (i >= 0) closeBounded(i, lower, upper);
    return i;
  }
  /// Rolling and spinning friction of the Coulomb group `normalGroup`.
  ///   in  b                  rad/s, about (t1, t2, n)
  ///   in  rolling, spinning  m, semi-axes of the ellipsoid at a normal impulse of one
  ///   in  length             m, turns angular residuals into m/s: the contact's radius
  int addTorsion(const Sym3<T>& diagonal, const Vec3<T>& b, int normalGroup, const T& rolling,
                 const T& spinning, const T& length) {
    const int i = openByBlock(diagonal, b, Kind::Torsion);
    if (i >= 0) closeTorsion(i, normalGroup, rolling, spinning, length);
    return i;
  }
  /// G_ij += block for i != j, and with it G_ji += block'. False when there is no room.
  bool addCoupling(int i, int j, const Mat3<T>& block);

  // ---- groups by their sides, which are copied; the numbers they point at must stay

  /// in  softness  added to G_ii's diagonal: v_i += softness lambda_i
  int addGroup(std::span<const Side<T>> sides, const Vec3<T>& b, const T& mu,
               const Vec3<T>& softness = zero3<T>()) {
    const int i = open(sides, softness, b, Kind::Coulomb);
    if (i >= 0) closeCoulomb(i, mu);
    return i;
  }
  int addBounded(std::span<const Side<T>> sides, const Vec3<T>& b, const Vec3<T>& lower,
                 const Vec3<T>& upper, const Vec3<T>& softness = zero3<T>()) {
    const int i = open(sides, softness, b, Kind::Bounded);
    if (i >= 0) closeBounded(i, lower, upper);
    return i;
  }
  int addTorsion(std::span<const Side<T>> sides, const Vec3<T>& b, int normalGroup,
                 const T& rolling, const T& spinning, const T& length) {
    const int i = open(sides, zero3<T>(), b, Kind::Torsion);
    if (i >= 0) closeTorsion(i, normalGroup, rolling, spinning, length);
    return i;
  }

  /// Finds the islands, writes the blocks of small ones, orders them. After it only b may change.
  ///   in  few  groups of an island on one mover that gets blocks however few its dofs are
  void finish(int few = few_groups);
  /// The same without blocks, for Newton's method on the velocities alone, in all numbers of the
  /// movers, so that sums have the same order whichever groups there are.
  ///   pre  isBySides()
  void finishBySides();
  bool hasAllNumbers() const { return hasAllNumbers_; }

  /// Another b with the same G: a second solve of the same instant.
  void setFreeVelocity(int i, const Vec3<T>& b) {
    b_[i] = byNumbers(b);
    leaveOpen(i);
  }

  /// Where a group stands among those of its island, 0 unless set: sweeps of large islands go from
  /// the highest to the lowest, so that one sweep carries a load down to its support.
  void setHeight(int i, value_t<T> height) { height_[i] = height; }
  value_t<T> height(int i) const { return height_[i]; }

  /// The part of a contact's b_N, m/s, that brings it to its place; 0 unless set. The law is that of
  /// the whole b; see GaussSeidel::relaxed().
  void setCorrection(int i, const T& correction) { correction_[i] = correction; }

  /// The part of b that is no velocity of the movers: the law's bias and the motion of kinematic
  /// bodies; 0 unless set. The impulses applied after a failed solve depend on it (passive.h).
  void setGiven(int i, const Vec3<T>& given) {
    given_[i] = pick<T>(isImmovable(i), zero3<T>(), byNumbers(given));
  }
  const Vec3<T>& given(int i) const { return given_[i]; }
  /// kg, mass of a mover; 0 unless set. For the same purpose.
  void setMass(int mover, value_t<T> mass) { massOf_[mover] = mass; }
  value_t<T> mass(int mover) const { return massOf_[mover]; }

  /// Whether nothing can follow the normal of a Coulomb group: its lever is less than a ten-thousandth of
  /// those of the group's other rows, because files give right angles with as few digits (1.5708). Such a
  /// group stays open: the impulses that it would ask for have no bound.
  mask_t<T> isImmovable(int i) const {
    const Sym3<T>& g = diagonal_[i];
    if (kind_[i] != Kind::Coulomb) return g.zz < g.zz;
    return g.zz <= bc<T>(value_t<T>(1e-8)) * (g.xx + g.yy + g.zz);
  }
  /// m/s, the largest v_N that such groups are short of, of all b that were set; 0: none is.
  const T& missed() const { return missed_; }

  int size() const { return groups_; }
  int maxGroups() const { return static_cast<int>(b_.size()); }
  int maxCouplings() const { return static_cast<int>(rows_.size()); }
  int numbers() const { return static_cast<int>(newestOf_.size()); }
  /// False when a group or a coupling had to be left out.
  bool complete() const { return complete_; }

  Kind kind(int i) const { return kind_[i]; }
  const Sym3<T>& diagonal(int i) const { return diagonal_[i]; }
  const Vec3<T>& freeVelocity(int i) const { return b_[i]; }
  const T& correction(int i) const { return correction_[i]; }
  /// Of Coulomb groups; kappa of Torsion groups.
  const T& mu(int i) const { return mu_[i]; }
  /// D_i = tr(G_ii) / 3, 1/kg, and its inverse; of Torsion groups tr(S G_ii S) / 3.
  const T& scale(int i) const { return scale_[i]; }
  const T& inverseScale(int i) const { return inverseScale_[i]; }
  /// Of Bounded groups.
  const Vec3<T>& lowerBound(int i) const { return low_[i]; }
  const Vec3<T>& upperBound(int i) const { return high_[i]; }
  /// s of Torsion groups, and the contact whose normal impulse bounds them.
  const Vec3<T>& axes(int i) const { return low_[i]; }
  int normalGroup(int i) const { return normalOf_[i]; }

  int couplings() const { return couplings_; }
  /// The rows of the later group; in registers: G_ii, and these rows and their columns.
  Mat3<T> block(int k) const { return rows_[k].mat3(); }
  const Block<T>& self(int i) const { return self_[i]; }
  const Block<T>& rows(int k) const { return rows_[k]; }
  const Block<T>& columns(int k) const { return columns_[k]; }

  struct Row {
    const Coupling *first, *last;
    const Coupling* begin() const { return first; }
    const Coupling* end() const { return last; }
  };
  /// Groups j < i coupled to i by a block, ascending; v_i += block lambda_j.
  Row lower(int i) const {
    return {lower_.data() + lowerBegin_[i], lower_.data() + lowerBegin_[i + 1]};
  }
  /// Groups j > i coupled to i by a block, ascending; v_i += block' lambda_j.
  Row upper(int i) const {
    return {upper_.data() + upperBegin_[i], upper_.data() + upperBegin_[i + 1]};
  }
  std::span<const Side<T>> sides(int i) const {
    return {side_.data() + sideBegin_[i], side_.data() + sideBegin_[i + 1]};
  }
  /// Whether all groups were given by their sides, at most with a softness.
  bool isBySides() const { return isBySides_; }
  /// The part of G_ii that is not in the sides.
  const Sym3<T>& own(int i) const { return own_[i]; }
  /// Whether its sides are not all that it hangs on.
  bool hasOwn(int i) const {
    const Sym3<T>& g = own_[i];
    return any(g.xx + g.yy + g.zz > bc<T>(0.0)) || lower(i).first != lower(i).last ||
           upper(i).first != upper(i).last;
  }

  /// Groups that blocks and movers join, directly or not: each island is a problem of its own.
  int islands() const { return islands_; }
  struct Island {
    const int *first, *last;
    int index;
    const int* begin() const { return first; }
    const int* end() const { return last; }
    int size() const { return static_cast<int>(last - first); }
    int operator[](int k) const { return first[k]; }
  };
  /// Its groups, ascending.
  Island island(int k) const {
    return {member_.data() + islandBegin_[k], member_.data() + islandBegin_[k + 1], k};
  }
  /// The place of group i in its island.
  int place(int i) const { return place_[i]; }
  /// Whether an island's blocks are all of its G. Else it is an operator: blocks and sides.
  bool hasBlocks(Island island) const { return hasBlocks_[island.index]; }
  bool hasBlocks(int i) const { return hasBlocks_[islandOf_[i]]; }
  /// Whether all sides of an island are of one mover: of one robot on the ground.
  bool actsOnOneMover(Island island) const;
  /// Whether some side of it is of an articulated system, or all are of one mover.
  bool hangsOnARobot(Island island) const;

  /// v_i = b_i + sum of G_ij lambda_j.
  ///   pre  hasBlocks(its island)
  ESPALIER_INLINE Vec3<T> velocity(int i, const Vec3<T>* lambda) const {
    return addCoupled(i, lambda, Column3<T>(b_[i]) + tmul(self_[i], lambda[i])).vec3();
  }
  /// The same by sides: v_i from a = sum of (Y' D)' lambda.
  ESPALIER_INLINE Vec3<T> velocity(int i, const Vec3<T>* lambda, const T* a) const {
    Column3<T> v = b_[i];
    for (const Side<T>& s : sides(i)) v = addVelocity(s, a, v);
    if (!hasOnlySides_) v = addCoupled(i, lambda, v + Column3<T>(mul(own_[i], lambda[i])));
    return v.vec3();
  }
  /// v plus the terms of the impulses of coupled groups.
  ESPALIER_INLINE Column3<T> addCoupled(int i, const Vec3<T>* lambda, Column3<T> v) const {
    for (const Coupling& c : lower(i)) v = v + tmul(columns_[c.block], lambda[c.group]);
    for (const Coupling& c : upper(i)) v = v + tmul(rows_[c.block], lambda[c.group]);
    return v;
  }

  /// Distance of one group from its law, m/s.
  ESPALIER_INLINE T residualOf(int i, const Vec3<T>* lambda, const Vec3<T>& v) const {
    switch (kind_[i]) {
      case Kind::Bounded: return residualBounded(lambda[i], v, diagonal_[i], low_[i], high_[i]);
      case Kind::Torsion:
        return residualTorsion(lambda[i], v, low_[i], frictionRadius(i, lambda), scale_[i],
                               inverseScale_[i]);
      case Kind::Coulomb: break;
    }
    return residual(lambda[i], v, mu_[i], scale_[i], inverseScale_[i]);
  }
  /// The nearest impulse that the law allows, whatever the velocity.
  ESPALIER_INLINE Vec3<T> admissible(int i, const Vec3<T>* lambda) const {
    switch (kind_[i]) {
      case Kind::Bounded: return clamp(lambda[i], low_[i], high_[i]);
      case Kind::Torsion:
        return scaled(
            projectOnBall(unscaled(lambda[i], low_[i]), low_[i], frictionRadius(i, lambda)),
            low_[i]);
      case Kind::Coulomb: break;
    }
    return projectOnCone(lambda[i], mu_[i]);
  }
  /// r of a Torsion group: kappa lambda_N.
  ESPALIER_INLINE T frictionRadius(int i, const Vec3<T>* lambda) const {
    return mu_[i] * max(lambda[normalOf_[i]].z, bc<T>(0.0));
  }

  /// The b of a slot that is not in contact, in the lane that has none.
  static constexpr value_t<T> inactive() { return value_t<T>(1e15); }

 private:
  int noRoom() {
    complete_ = false;
    return -1;
  }
  int openByBlock(const Sym3<T>& diagonal, const Vec3<T>& b, Kind kind) {
    isBySides_ = false;
    return open(diagonal, b, kind);
  }
  int open(const Sym3<T>& diagonal, const Vec3<T>& b, Kind kind) {
    if (groups_ == maxGroups()) return noRoom();
    sideBegin_[groups_ + 1] = sideBegin_[groups_];
    own_[groups_] = diagonal;
    setDiagonal(groups_, {{diagonal.xx, diagonal.xy, diagonal.xz},
                          {diagonal.xy, diagonal.yy, diagonal.yz},
                          {diagonal.xz, diagonal.yz, diagonal.zz}});
    hasOnlySides_ &= !any(diagonal.xx + diagonal.yy + diagonal.zz > bc<T>(0.0));
    b_[groups_] = byNumbers(b);
    correction_[groups_] = bc<T>(0.0);
    given_[groups_] = zero3<T>();
    height_[groups_] = 0;
    kind_[groups_] = kind;
    newest_[groups_] = -1;
    sharedMover_ = -1;
    return groups_++;
  }
  int open(std::span<const Side<T>> sides, const Vec3<T>& softness, const Vec3<T>& b, Kind kind);
  void setDiagonal(int i, const Mat3<T>& g) {
    diagonal_[i] = {g.r0.x, g.r0.y, g.r0.z, g.r1.y, g.r1.z, g.r2.z};
    self_[i] = g;
  }
  void setScale(int i, const Sym3<T>& g) {
    const T third = (g.xx + g.yy + g.zz) * bc<T>(1.0 / 3.0);
    scale_[i] = max(third, bc<T>(std::numeric_limits<value_t<T>>::min()));
    inverseScale_[i] = bc<T>(1.0) / scale_[i];
  }
  void closeCoulomb(int i, const T& mu) {
    mu_[i] = mu;
    setScale(i, diagonal_[i]);
    leaveOpen(i);
  }
  void leaveOpen(int i) {
    const mask_t<T> isHeld = isImmovable(i);
    if (!any(isHeld)) return;
    missed_ = max(missed_, select(isHeld, -b_[i].z, bc<T>(0.0)));
    b_[i].z = select(isHeld, bc<T>(inactive()), b_[i].z);
  }
  void closeBounded(int i, const Vec3<T>& lower, const Vec3<T>& upper) {
    low_[i] = lower;
    high_[i] = upper;
    mu_[i] = bc<T>(0.0);
    setScale(i, diagonal_[i]);
  }
  void closeTorsion(int i, int normalGroup, const T& rolling, const T& spinning, const T& length);
  bool put(int row, int col, const Mat3<T>& block);
  int append(int row, int col);
  void setBlock(int k, const Block<T>& rows) {
    rows_[k] = rows;
    columns_[k] = transpose(rows);
  }

  void sortRows();
  void putOneIsland();
  void joinCoupled();
  void findIslands();
  void writeBlocks(int few);
  int mostWithBlocks(Island island, int few);
  int rootOf(int i) {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }
  void join(int i, int j) {
    const int a = rootOf(i), b = rootOf(j);
    root_[std::max(a, b)] = std::min(a, b);
  }

  T missed_{};
  int groups_ = 0, couplings_ = 0, sides_ = 0;
  int sharedMover_ = -1;  // of all groups, and they hang on nothing else; -1: there is none
  bool complete_ = true, hasOnlySides_ = true, isBySides_ = true, hasAllNumbers_ = false;
  AlignedArray<Sym3<T>> diagonal_, own_;                    // groups
  AlignedArray<Vec3<T>> b_, given_;                         // groups
  AlignedArray<T> mu_, scale_, inverseScale_, correction_;  // groups
  AlignedArray<value_t<T>> height_;                         // groups
  AlignedArray<Kind> kind_;                                 // groups
  AlignedArray<Vec3<T>> low_, high_;           // groups: bounds, or the axes of a Torsion group
  AlignedArray<int> normalOf_;                 // groups
  AlignedArray<Block<T>> self_;                // groups: G_ii
  AlignedArray<Block<T>> rows_, columns_;      // couplings
  AlignedArray<int> row_, col_;                // couplings, row_ > col_
  AlignedArray<int> newest_, older_;           // groups, couplings: the couplings of a row, linked
  AlignedArray<int> lowerBegin_, upperBegin_;  // groups + 1
  AlignedArray<Coupling> lower_, upper_;       // couplings
  AlignedArray<Side<T>> side_;                 // sides, those of a group together
  AlignedArray<int> sideBegin_;                // groups + 1
  AlignedArray<int> newestOf_;                 // numbers: the newest group of a mover
  AlignedArray<value_t<T>> massOf_;            // numbers
  int islands_ = 0;
  AlignedArray<int> root_, islandOf_, place_, member_;  // groups; root_: a forest of groups
  AlignedArray<int> islandBegin_;                       // groups + 1
  AlignedArray<bool> hasBlocks_;                        // islands
};

#define ESPALIER_DECLARE(T) extern template class Problem<T>;
ESPALIER_DECLARE(double)
ESPALIER_DECLARE(float)
ESPALIER_DECLARE(DoubleLanes)
ESPALIER_DECLARE(FloatLanes)
#undef ESPALIER_DECLARE

}  // namespace espalier::contact
