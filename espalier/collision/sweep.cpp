#include "espalier/collision/sweep.h"

#include <algorithm>
#include <limits>

namespace espalier::collision {
namespace {

/// Room for candidates: a box packed among equals touches 26, half of them later ones.
constexpr std::size_t kCandidatesPerGeom = 32;

constexpr double kNowhere = std::numeric_limits<double>::infinity();

double along(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

}  // namespace

void Sweep::setMembers(const std::vector<int>& geoms, int geomCount) {
  std::vector<char> isNew(static_cast<std::size_t>(geomCount), 0);
  for (const int g : geoms) isNew[g] = 1;
  std::erase_if(order_, [&](const Entry& e) {
    if (e.geom >= geomCount || !isNew[e.geom]) return true;
    isNew[e.geom] = 0;
    return false;
  });
  for (const int g : geoms)
    if (isNew[g]) order_.push_back({0, g});
  for (auto* ends : {&lo0_, &hi0_, &lo1_, &hi1_, &lo2_, &hi2_}) ends->resize(geoms.size());
  marks_.resize(geoms.size());
  room_ = kCandidatesPerGeom * geoms.size();
  found_.clear();
  if (found_.capacity() < room_) found_.reserve(room_ + room_ / 2);
  sorted_.reserve(found_.capacity());
  begin_.resize(static_cast<std::size_t>(geomCount) + 1);
}

/// The axis along which the boxes' middles scatter most; x among equals.
int Sweep::widestAxis(const std::vector<Aabb>& boxes) const {
  Vec3d sum = zero3<double>(), square = sum;
  const Vec3d origin = boxes[order_[0].geom].lo;
  for (const Entry& e : order_) {
    const Aabb& b = boxes[e.geom];
    const Vec3d m = b.lo + b.hi - origin - origin;
    sum += m;
    square += Vec3d{m.x * m.x, m.y * m.y, m.z * m.z};
  }
  const double k = 1.0 / static_cast<double>(order_.size());
  const Vec3d v{fnma(sum.x * k, sum.x, square.x), fnma(sum.y * k, sum.y, square.y),
                fnma(sum.z * k, sum.z, square.z)};
  return v.x >= v.y && v.x >= v.z ? 0 : v.y >= v.z ? 1 : 2;
}

void Sweep::sortAlongAxis(const std::vector<Aabb>& boxes) {
  if (order_.empty()) return;
  const int axis = widestAxis(boxes);
  for (Entry& e : order_) {
    const double lo = along(boxes[e.geom].lo, axis);
    e.lo = lo == lo ? lo : kNowhere;  // a pose that is not a number has no place in an order
  }
  const auto before = [](const Entry& x, const Entry& y) {
    return x.lo < y.lo || (x.lo == y.lo && x.geom < y.geom);
  };
  // Insertion while the old order is nearly right, a full sort otherwise.
  bool nearly = axis == axis_;
  std::size_t moves = 0;
  for (std::size_t i = 1; nearly && i < order_.size(); ++i) {
    const Entry e = order_[i];
    std::size_t j = i;
    for (; j > 0 && before(e, order_[j - 1]); --j) order_[j] = order_[j - 1];
    order_[j] = e;
    moves += i - j;
    nearly = moves < 8 * order_.size();
  }
  if (!nearly) std::sort(order_.begin(), order_.end(), before);
  axis_ = axis;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Aabb& b = boxes[order_[i].geom];
    lo0_[i] = order_[i].lo;
    hi0_[i] = along(b.hi, axis);
    lo1_[i] = along(b.lo, u);
    hi1_[i] = along(b.hi, u);
    lo2_[i] = along(b.lo, v);
    hi2_[i] = along(b.hi, v);
  }
}

int Sweep::markOverlaps(int i) {
  const double lo1 = lo1_[i], hi1 = hi1_[i], lo2 = lo2_[i], hi2 = hi2_[i];
  const auto end = std::upper_bound(lo0_.begin() + i + 1, lo0_.end(), hi0_[i]) - lo0_.begin();
  const double *l1 = lo1_.data(), *h1 = hi1_.data(), *l2 = lo2_.data(), *h2 = hi2_.data();
  unsigned char* marks = marks_.data();
  for (std::ptrdiff_t j = i + 1; j < end; ++j)
    marks[j] = (l1[j] <= hi1) & (lo1 <= h1[j]) & (l2[j] <= hi2) & (lo2 <= h2[j]);
  return static_cast<int>(end);
}

/// Counting sort by a, then each a's few by b.
const std::vector<Sweep::Candidate>& Sweep::sorted() {
  std::fill(begin_.begin(), begin_.end(), 0);
  for (const Candidate& c : found_) ++begin_[static_cast<std::size_t>(c.a) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  sorted_.resize(found_.size());  // shrinks or grows within what reset() reserved
  for (const Candidate& c : found_) sorted_[begin_[c.a]++] = c;
  for (std::size_t i = 1; i < sorted_.size(); ++i) {
    const Candidate c = sorted_[i];
    std::size_t j = i;
    for (; j > 0 && sorted_[j - 1].a == c.a && sorted_[j - 1].b > c.b; --j)
      sorted_[j] = sorted_[j - 1];
    sorted_[j] = c;
  }
  return sorted_;
}

}  // namespace espalier::collision
