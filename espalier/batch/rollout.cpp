#include "espalier/batch/rollout.h"

#include "espalier/core/check.h"

namespace espalier {

template <class S>
Rollout<S> rollout(Batch<S>& batch, std::string_view input, std::span<const S> controls, int steps,
                   std::span<const std::string> record) {
  const Rows<S> target = batch.bind(input);
  std::vector<Rows<S>> taken;
  for (const std::string& name : record) taken.push_back(batch.bind(name));
  const auto n = static_cast<std::size_t>(batch.size());
  const std::size_t size = static_cast<std::size_t>(target.count) * n;
  ESPALIER_REQUIRE(input != "contact_force",
                   "contact_force is read only, and so cannot be an input");
  ESPALIER_REQUIRE(steps >= 1, "a control holds for at least one step");
  ESPALIER_REQUIRE(size > 0 && controls.size() % size == 0,
                   "controls of " + std::string(input) + " are a multiple of " +
                       std::to_string(size) + " numbers, not " + std::to_string(controls.size()));
  Rollout<S> out;
  for (const Rows<S>& rows : taken) out.records.push_back({rows.count, batch.size(), {}});
  for (std::size_t first = 0; first < controls.size(); first += size) {
    for (std::size_t i = 0; i < size; ++i)
      target(static_cast<int>(i / n), static_cast<int>(i % n)) = controls[first + i];
    batch.step(steps);
    for (std::size_t k = 0; k < taken.size(); ++k)
      for (int row = 0; row < taken[k].count; ++row)
        for (int w = 0; w < batch.size(); ++w) out.records[k].values.push_back(taken[k](row, w));
    const BatchReport<S>& report = batch.report();
    out.flags.insert(out.flags.end(), report.flags.begin(), report.flags.end());
    out.residual.insert(out.residual.end(), report.residual.begin(), report.residual.end());
  }
  return out;
}

template Rollout<double> rollout(Batch<double>&, std::string_view, std::span<const double>, int,
                                 std::span<const std::string>);
template Rollout<float> rollout(Batch<float>&, std::string_view, std::span<const float>, int,
                                std::span<const std::string>);

}  // namespace espalier
