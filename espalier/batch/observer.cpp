#include "espalier/batch/observer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/batch/counter_noise.h"
#include "espalier/batch/thread_pool.h"
#include "espalier/core/check.h"

namespace espalier {

template <class S>
Observer<S>::Observer(Batch<S>& batch, std::span<const Quantity> list,
                      const ObserverOptions& options)
    : batch_(batch),
      plan_(dataOf(batch.prototype()), batch.data(), list),
      history_(options.history),
      seed_(options.seed),
      firstWorld_(options.firstWorld) {
  const auto n = static_cast<std::size_t>(batch.size());
  const auto columns = static_cast<std::size_t>(plan_.columns());
  ESPALIER_REQUIRE(history_ >= 1, "history is at least 1, not " + std::to_string(history_));
  const std::size_t delays = options.delay.size();
  ESPALIER_REQUIRE(delays == 1 || delays == n, "delay has " + std::to_string(delays) +
                                                   " numbers, and there are " + std::to_string(n) +
                                                   " worlds");
  const auto [least, most] = std::minmax_element(options.delay.begin(), options.delay.end());
  ESPALIER_REQUIRE(*least >= 0, "delay is not negative, but " + std::to_string(*least) + " is");
  delay_ = delays == n ? options.delay : std::vector<int>(n, options.delay[0]);
  kept_ = history_ + *most;
  const std::size_t noises = options.noise.size();
  ESPALIER_REQUIRE(noises == 1 || noises == columns, "noise has " + std::to_string(noises) +
                                                         " numbers, and there are " +
                                                         std::to_string(columns) + " columns");
  for (const double noise : options.noise)
    ESPALIER_REQUIRE(noise >= 0 && std::isfinite(noise), "noise is finite and not negative");
  if (std::any_of(options.noise.begin(), options.noise.end(), [](double x) { return x > 0; }))
    for (std::size_t c = 0; c < columns; ++c)
      noise_.push_back(static_cast<S>(options.noise[noises == 1 ? 0 : c]));
  for (std::size_t c = 0; c < columns; ++c)
    if (std::isfinite(plan_.low[c]) || std::isfinite(plan_.high[c]))
      clipped_.push_back(static_cast<int>(c));
  for (int k = 0; k < history_; ++k)
    for (const std::string& name : plan_.names)
      names_.push_back(k == 0 ? name : name + "@-" + std::to_string(k));
  count_.resize(n);
  newest_.assign(n, -1);
  if (remembers()) memory_.resize(n * static_cast<std::size_t>(kept_) * columns);
  everyWorld_.resize(n);
  std::iota(everyWorld_.begin(), everyWorld_.end(), 0);
  for (int t = 0; t < batch.threads(); ++t) {
    blocks_.push_back(makeObservationBlock(plan_));
    values_.emplace_back(columns * static_cast<std::size_t>(blocks_[0]->width()));
  }
}

template <class S>
template <class Out>
void Observer<S>::observe(const Observed<Out>& out) {
  observe(everyWorld_, out);
}

template <class S>
template <class Out>
void Observer<S>::observe(std::span<const int> worlds, const Observed<Out>& out) {
  if (worlds.data() != everyWorld_.data()) batch_.requireWorlds(worlds);
  if (worlds.empty()) return;
  const auto width = static_cast<std::size_t>(blocks_[0]->width());
  const std::size_t blocks = (worlds.size() + width - 1) / width;
  const std::size_t threads = std::min(blocks_.size(), blocks);
  runInThreads(static_cast<int>(threads), [&](int t) {
    const std::size_t first = blocks * t / threads, last = blocks * (t + 1) / threads;
    for (std::size_t b = first; b < last; ++b) {
      const std::size_t begin = b * width;
      const auto row = static_cast<std::ptrdiff_t>(begin) * out.worldStride;
      observeSome(*blocks_[t], worlds.subspan(begin, std::min(width, worlds.size() - begin)),
                  values_[t].data(),
                  Observed<Out>{out.data + row, out.worldStride, out.columnStride});
    }
  });
}

template <class S>
template <class Out>
void Observer<S>::observeSome(ObservationBlock<S>& block, std::span<const int> worlds, S* values,
                              const Observed<Out>& out) {
  const int width = block.width(), columns = plan_.columns();
  block.evaluate(worlds, values);
  if (!noise_.empty()) addNoise(worlds, width, values);
  clip(width, values);
  const bool areColumns = !remembers() && out.worldStride == 1;
  if (areColumns)
    for (int c = 0; c < columns; ++c)
      std::copy_n(values + c * width, worlds.size(), out.data + c * out.columnStride);
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    Out* row = out.data + static_cast<std::ptrdiff_t>(i) * out.worldStride;
    ++count_[worlds[i]];
    if (areColumns) continue;
    if (!remembers()) {
      for (int c = 0; c < columns; ++c)
        row[c * out.columnStride] = static_cast<Out>(values[c * width + static_cast<int>(i)]);
      continue;
    }
    const int world = worlds[i];
    remember(world, values + i, width);
    int slot = newest_[world] - delay_[world];
    for (int k = 0; k < history_; ++k, --slot) {
      const S* of = remembered(world, (slot + 2 * kept_) % kept_);
      for (int c = 0; c < columns; ++c, row += out.columnStride) *row = static_cast<Out>(of[c]);
    }
  }
}

template <class S>
void Observer<S>::addNoise(std::span<const int> worlds, int width, S* values) {
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const auto world = static_cast<std::size_t>(worlds[i]);
    const CounterNoise random(seed_, firstWorld_ + world);
    for (std::size_t c = 0; c < noise_.size(); ++c)
      if (noise_[c] > 0)
        values[c * static_cast<std::size_t>(width) + i] +=
            noise_[c] * static_cast<S>(random.uniform(count_[world], c));
  }
}

template <class S>
void Observer<S>::clip(int width, S* values) const {
  for (const int column : clipped_) {
    const S low = plan_.low[column];
    const S high = plan_.high[column];
    S* x = values + column * width;
    for (int l = 0; l < width; ++l) x[l] = x[l] < low ? low : x[l] > high ? high : x[l];
  }
}

/// Into the next slot; into all of a world that was reset.
///   in  values  of this world, `width` apart
template <class S>
void Observer<S>::remember(int world, const S* values, int width) {
  int& newest = newest_[world];
  const bool isFirst = newest < 0;
  newest = isFirst ? 0 : (newest + 1) % kept_;
  for (int slot = 0; slot < kept_; ++slot) {
    if (!isFirst && slot != newest) continue;
    S* to = remembered(world, slot);
    for (int c = 0; c < plan_.columns(); ++c) to[c] = values[c * width];
  }
}

template <class S>
void Observer<S>::reset() {
  std::fill(newest_.begin(), newest_.end(), -1);
}

template <class S>
void Observer<S>::reset(std::span<const int> worlds) {
  batch_.requireWorlds(worlds);
  for (const int w : worlds) newest_[w] = -1;
}

template <class S>
void Observer<S>::restart(std::span<const int> worlds) {
  reset(worlds);
  for (const int w : worlds) count_[w] = 0;
}

template <class S>
void Observer<S>::getMemory(int world, std::span<double> memory) const {
  batch_.requireWorlds({&world, 1});
  ESPALIER_REQUIRE(std::ssize(memory) == memorySize(), "room for memorySize() numbers");
  if (memory.empty()) return;
  memory[0] = static_cast<double>(count_[world]);
  memory[1] = newest_[world];
  memory[2] = delay_[world];
  std::copy_n(memory_.data() + memoryOf(world), memoryOf(1), &memory[3]);
}

template <class S>
void Observer<S>::setMemory(int world, std::span<const double> memory) {
  batch_.requireWorlds({&world, 1});
  ESPALIER_REQUIRE(std::ssize(memory) == memorySize(),
                   "this is the memory of an observer with other columns or another history");
  if (memory.empty()) return;
  ESPALIER_REQUIRE(memory[0] >= 0 && memory[1] >= -1 && memory[1] < kept_ && memory[2] >= 0 &&
                       memory[2] <= kept_ - history_,
                   "this is no memory of an observer");
  count_[world] = static_cast<std::uint64_t>(memory[0]);
  newest_[world] = static_cast<int>(memory[1]);
  delay_[world] = static_cast<int>(memory[2]);
  for (int i = 0; i < memoryOf(1); ++i)
    memory_[static_cast<std::size_t>(memoryOf(world) + i)] =
        static_cast<S>(memory[static_cast<std::size_t>(3 + i)]);
}

template <class S>
void Observer<S>::setDelay(std::span<const int> worlds, std::span<const int> delay) {
  batch_.requireWorlds(worlds);
  ESPALIER_REQUIRE(worlds.size() == delay.size(), "there is one delay for each of these worlds");
  for (const int d : delay)
    ESPALIER_REQUIRE(d >= 0 && d <= kept_ - history_,
                     "a delay is between 0 and " + std::to_string(kept_ - history_) +
                         ", the largest that the observer was made with, and not " +
                         std::to_string(d));
  for (std::size_t i = 0; i < worlds.size(); ++i) delay_[worlds[i]] = delay[i];
}

#define ESPALIER_INSTANTIATE_OBSERVER(S)                                            \
  template class Observer<S>;                                                       \
  template void Observer<S>::observe(const Observed<float>&);                       \
  template void Observer<S>::observe(const Observed<double>&);                      \
  template void Observer<S>::observe(std::span<const int>, const Observed<float>&); \
  template void Observer<S>::observe(std::span<const int>, const Observed<double>&);

ESPALIER_INSTANTIATE_OBSERVER(double)
ESPALIER_INSTANTIATE_OBSERVER(float)

}  // namespace espalier
