// Motor delay: a ring of past commands for each world, in rows like all else.

#include <algorithm>
#include <cmath>

#include "espalier/batch/batch_data.h"

namespace espalier {

template <class S>
Rows<S> BatchData<S>::commands() const {
  return {
      targetQ.data,
      targetQ.count + targetU.count + feedforward.count + tendonTarget.count + tendonForce.count,
      stride_};
}

template <class S>
void BatchData<S>::giveDelay() {
  if (hasDelay()) return;
  const Rows<S> given = commands();
  const int count = 1 + (most_delay + 1) * given.count;
  pastStore_ = AlignedArray<S>(static_cast<std::size_t>(count * stride_));
  pastCommands = {pastStore_.data(), count, stride_};
  inForce_ = next(given.count).data - given.data;
}

template <class S>
void BatchData<S>::passCommands(std::span<const int> worlds, double dt) {
  constexpr int slots = most_delay + 1;
  const Rows<S> given = commands(), followed = inForce(given);
  for (const int w : worlds) {
    const int passed = static_cast<int>(pastCommands(0, w));
    const double wanted = std::clamp(std::round(delay(0, w) / dt), 0.0, double(most_delay));
    // Right after reset() there is nothing older than the first commands.
    const int steps = std::min(static_cast<int>(wanted), passed);
    const int now = passed % slots, then = (passed - steps) % slots;
    for (int i = 0; i < given.count; ++i) {
      pastCommands(1 + now * given.count + i, w) = given(i, w);
      followed(i, w) = pastCommands(1 + then * given.count + i, w);
    }
    pastCommands(0, w) = S(passed + 1 < 2 * slots ? passed + 1 : slots);
  }
}

template void BatchData<double>::giveDelay();
template void BatchData<float>::giveDelay();
template void BatchData<double>::passCommands(std::span<const int>, double);
template void BatchData<float>::passCommands(std::span<const int>, double);

}  // namespace espalier
