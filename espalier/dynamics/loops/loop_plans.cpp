#include "espalier/dynamics/loops/loop_plans.h"

namespace espalier {

LoopPlans::LoopPlans(const Mechanism& m) : dofOfY(m.dofOfY) {
  for (const Cluster& c : m.clusters) {
    LoopPlan& plan = plans.emplace_back(c.plan);
    const std::size_t rows = c.rows.size();  // room for all that another plan may have
    plan.outside.reserve(c.columns.size());
    for (std::vector<int>* pattern : {&plan.lower, &plan.upper})
      pattern->reserve(rows * (rows - 1) / 2);
  }
}

LoopPlans::LoopPlans(const LoopPlans& other) = default;
LoopPlans::LoopPlans(LoopPlans&& other) noexcept = default;
LoopPlans& LoopPlans::operator=(const LoopPlans& other) = default;
LoopPlans& LoopPlans::operator=(LoopPlans&& other) noexcept = default;
LoopPlans::~LoopPlans() = default;

void LoopPlans::takePublicPlan(const Mechanism& m, const Cluster& c) {
  plans[&c - m.clusters.data()] = c.plan;  // same sizes: in place
}

}  // namespace espalier
