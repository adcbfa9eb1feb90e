#pragma once

// Contacts of free bodies, four at a time: the sweeps of large islands.
//
//   a side with y == yd = Y':   v = b + sum of Y' a,   a += Y lambda      (contact/side.h)
//
// Contacts that share no mover do not see each other: four solved at once are four solved one after
// the other. A batch holds all that a visit needs, in lanes and in one run of memory. Its lanes
// are four on every machine, so that all sweep in the same order.
//
// Contacts are dealt from the highest to the lowest (Problem::setHeight), each to the first
// unfinished batch that has none of its movers. Those that find no company and groups of other
// kinds are left to the caller.

#include <cstdint>
#include <span>

#include "espalier/contact/problem.h"
#include "espalier/contact/single.h"

namespace espalier::contact {

template <class T>
class WideContacts {
 public:
  using Island = typename Problem<T>::Island;

  /// Sets the capacities, those of the problem; the only call that allocates.
  ///   in  batched  groups that may be in a batch
  void reserve(int groups, int numbers, int batched);
  /// Forgets all assignments.
  void clear() { batches_ = left_ = movers_ = 0; }

  /// An island's contacts, as assigned.
  struct Deal {
    int batch, batches;  ///< the first of its batches, and their number
    int left, lefts;
    int mover, movers;
  };
  /// Deals an island's contacts; all but b and lambda of them is known then, until clear().
  Deal deal(const Problem<T>& problem, Island island);

  /// Its groups that are in no batch, in the same order.
  std::span<const int> left(const Deal& d) const {
    return {rest_.data() + d.left, static_cast<std::size_t>(d.lefts)};
  }

  /// The groups of its k-th batch, [4] in the order of its lanes; -1: none.
  const int* groups(const Deal& d, int k) const { return batch_[d.batch + k].group; }

  /// Takes b and lambda from the problem and the caller, or lambda back to him.
  void load(const Problem<T>& problem, const Deal& d, const Vec3<T>* lambda);
  void store(const Deal& d, Vec3<T>* lambda) const;

  // ---- a: the movers' numbers, and behind them six that stay zero (where a body is held)

  /// Zero where the batches' movers are.
  void zero(const Deal& d, T* a) const;
  /// a += Y lambda
  void push(const Deal& d, T* a) const;
  /// The largest residual, m/s.
  T residual(const Deal& d, const T* a) const;
  /// Visits each once; a follows. The largest square of D times the change of lambda.
  ///   in  isRelaxed  b without its correction
  T sweep(const Deal& d, bool isRelaxed, T* a);

 private:
  using S = value_t<T>;
  using L = Lanes<S, 4>;
  static constexpr int heightBins = 256;
  static constexpr int most_open = 31;                        // batches unfinished at one time
  static constexpr int fewest = 3;                            // contacts worth a batch
  static constexpr std::uint32_t unseen = ~std::uint32_t{0};  // of open_: not listed in mover_ yet

  struct alignas(64) WideContact {
    int group[4];  // -1: none
    int mover[2][4];
    Vec3<L> y[2][6];  // columns of Y'
    Vec3<L> b, lambda;
    L correction, mu, scale, inverseScale;
    Sym3<L> diagonal;
    SingleFactor<L> factor;
  };
  struct Hand {
    int group[4];
    int count;
  };

  void sortByHeight(const Problem<T>& problem, Island island);
  static bool fits(const Problem<T>& problem, int i);
  int freeHand(const Problem<T>& problem, int i);
  void pack(const Problem<T>& problem, const Hand& hand);

  static Vec3<L> velocity(const WideContact& q, const L at[2][6]);
  static void gather(const WideContact& q, const T* a, L at[2][6]);
  static void scatter(const WideContact& q, const L at[2][6], T* a);

  int held_ = 0;  // where the six zeros begin
  int batches_ = 0, left_ = 0, movers_ = 0;
  AlignedArray<WideContact> batch_;
  AlignedArray<int> order_, rest_, mover_;
  AlignedArray<std::uint32_t> open_;  // numbers: the unfinished batches that have a mover, as bits
};

}  // namespace espalier::contact
