#include <algorithm>

#include "espalier/dynamics/simd/chain_lanes.h"
#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/step/evaluate.h"
#include "espalier/step/evaluation.h"
#include "espalier/step/stages.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

class TreeEvaluation : public Evaluation {
 public:
  void load(System&) override {}
  void leaveStart(StepData&, System&) override {}
  void evaluate(StepData& world, System& sys, const double* u) override {
    evaluateTree(sys, sys.parameters, world.gravity, sys.qm.data(), u);
  }
  void evaluateBias(StepData& world, System& sys) override {
    espalier::evaluateBias(sys, sys.parameters, world.gravity, sys.mean.data());
  }
  WholeMotion wholeMotion(System& sys, const double* q, const double* u) override {
    return wholeMotionOf(sys, q, u);
  }
  void arrive(StepData& world, System& sys) override { takeNextVelocity(world, sys); }
};

class ChainEvaluation final : public TreeEvaluation {
 public:
  explicit ChainEvaluation(ChainLanes chains) : chains_(std::move(chains)) {}

  void load(System& sys) override { chains_.load(sys.parameters); }
  void evaluate(StepData& world, System& sys, const double* u) override {
    chains_.kinematics(sys.qm.data(), u, sys.ws);
    chains_.bias(world.gravity, sys.ws, sys.h.data());
    chains_.massMatrix(sys.ws);
    for (const int b : sys.geomBodies) chains_.exportBody(b, sys.ws);
    std::copy_n(u, sys.topology().nv, sys.rates.data());
  }
  void exportForForces(const StepData& world, System& sys) override {
    if (sys.hasWrenches())
      chains_.exportAll(sys.ws);
    else if (world.contactCount > 0 || hasRowsOnBodies(world, sys))
      chains_.exportColumns(sys.ws);
  }
  void exportAll(System& sys) override { chains_.exportAll(sys.ws); }
  void evaluateBias(StepData& world, System& sys) override {
    chains_.velocities(sys.mean.data(), sys.ws);
    chains_.bias(world.gravity, sys.ws, sys.h.data());
  }
  WholeMotion wholeMotion(System& sys, const double* q, const double* u) override {
    chains_.kinematics(q, u, sys.ws);
    return {chains_.momentum(u, sys.ws), chains_.totalInertia(sys.ws)};
  }

 private:
  ChainLanes chains_;
};

}  // namespace

WholeMotion wholeMotionOf(System& sys, const double* q, const double* u) {
  kinematics(sys.topology(), sys.parameters, q, u, sys.ws);
  return {momentum(sys.topology(), sys.parameters, u, sys.ws),
          totalInertia(sys.topology(), sys.ws)};
}

std::unique_ptr<Evaluation> newTreeEvaluation(const System& sys) {
  ChainLanes chains(sys.topology(), sys.parameters);
  if (!chains.isProfitable()) return std::make_unique<TreeEvaluation>();
  return std::make_unique<ChainEvaluation>(std::move(chains));
}

}  // namespace espalier
