#include "espalier/batch/batch_data.h"

#include <algorithm>

namespace espalier {

template <class S>
struct BatchData<S>::Name {
  std::string_view name;
  Rows<S> BatchData::*rows;
};

template <class S>
std::span<const typename BatchData<S>::Name> BatchData<S>::table() {
  static constexpr Name all[] = {{"q", &BatchData::q},
                                 {"u", &BatchData::u},
                                 {"time", &BatchData::time},
                                 {"target_q", &BatchData::targetQ},
                                 {"target_u", &BatchData::targetU},
                                 {"feedforward", &BatchData::feedforward},
                                 {"tendon_target", &BatchData::tendonTarget},
                                 {"tendon_force", &BatchData::tendonForce},
                                 {"kp", &BatchData::kp},
                                 {"kd", &BatchData::kd},
                                 {"torque_lower", &BatchData::torqueLower},
                                 {"torque_upper", &BatchData::torqueUpper},
                                 {"wrench", &BatchData::wrench},
                                 {"mass", &BatchData::mass},
                                 {"armature", &BatchData::armature},
                                 {"friction", &BatchData::friction},
                                 {"gravity", &BatchData::gravity},
                                 {"contact_force", &BatchData::contactForce},
                                 {"delay", &BatchData::delay},
                                 {"terrain", &BatchData::terrain}};
  return all;
}

namespace {

constexpr int widest_register = 64;  // bytes; a cache line, too

/// Whole registers, and an odd number of cache lines, because rows that are apart by a power of two
/// would meet in the same lines of the cache.
template <class S>
std::ptrdiff_t strideOf(int worlds) {
  constexpr std::ptrdiff_t line = widest_register / sizeof(S);
  return ((worlds + line - 1) / line | 1) * line;
}

}  // namespace

template <class S>
BatchData<S>::BatchData(int worlds, const BatchSizes& sizes)
    : report(static_cast<std::size_t>(worlds)),
      history(static_cast<std::size_t>(worlds)),
      size_(worlds),
      stride_(strideOf<S>(worlds)) {
  const int nq = sizes.nq, nu = sizes.nu, nb = sizes.bodies, nt = sizes.tendons;
  const int counts[] = {nq, nu, 1,      nq, nu, nu, nt, nt,     nu, nu,
                        nu, nu, 6 * nb, nb, nu, 1,  3,  3 * nb, 1,  3};
  std::ptrdiff_t total = 0;
  for (const int count : counts) total += count;
  total += nq + 2 * nu + 2 * nt;  // of commands in force
  store_ = AlignedArray<S>(static_cast<std::size_t>(total * stride_));
  const int* count = counts;
  for (const Name& name : table()) this->*name.rows = next(*count++);
  for (const Rows<S>& rows : {mass, armature, friction})
    std::fill_n(rows.data, rows.count * rows.stride, S(1));
}

template <class S>
Rows<S> BatchData<S>::next(int count) {
  const Rows<S> rows{store_.data() + used_, count, stride_};
  used_ += count * stride_;
  return rows;
}

template <class S>
void BatchData<S>::forget(int world) {
  history[world].clear();
  if (hasDelay()) pastCommands(0, world) = S(0);
  if (warm.count == 0) return;
  warm(0, world) += S(1);
  for (int i = warm.count - lasting_; i < warm.count; ++i) warm(i, world) = S(0);
}

template <class S>
void BatchData<S>::giveWarm(int count, int lasting) {
  lasting_ = lasting;
  warmStore_ = AlignedArray<S>(static_cast<std::size_t>(count * stride_));
  warm = {warmStore_.data(), count, stride_};
}

template <class S>
Rows<S> BatchData<S>::find(std::string_view name) const {
  for (const Name& known : table())
    if (known.name == name) return this->*known.rows;
  return name == "past_commands" ? pastCommands : Rows<S>{};
}

template <class S>
std::vector<std::string_view> BatchData<S>::names() {
  std::vector<std::string_view> all;
  for (const Name& known : table()) all.push_back(known.name);
  return all;
}

template class BatchData<double>;
template class BatchData<float>;

}  // namespace espalier
