#include "espalier/dynamics/loops/loop_plans.h"

namespace espalier {

LoopPlans::LoopPlans(const Mechanism& m) : dofOfY(m.dofOfY) {
  for (const Cluster& c : m.clusters) {
    plans.push_back(c.plan);
    plans.back().outside.reserve(c.columns.size());  // all that another plan may have
  }
}

LoopPlans::LoopPlans(const LoopPlans& other) = default;
LoopPlans& LoopPlans::operator=(const LoopPlans& other) = default;
LoopPlans::~LoopPlans() = default;

void LoopPlans::takePublicPlan(const Mechanism& m, const Cluster& c) {
  plans[&c - m.clusters.data()] = c.plan;  // same sizes: in place
}

}  // namespace espalier
