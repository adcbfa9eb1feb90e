#include "bench/kernels/kernels_branches.h"

#include <algorithm>

#include "espalier/dynamics/simd/branches.h"
#include "espalier/dynamics/tree/factor.h"

namespace espalier::bench {
namespace {

class BranchKernels final : public Kernels {
 public:
  explicit BranchKernels(const Robot& robot)
      : Kernels("double", 1),
        robot_(robot),
        t_(robot.topology),
        branches_(robot.topology, robot.inDouble),
        ws_(t_),
        aba_(t_),
        out_(static_cast<std::size_t>(t_.nv)),
        M_(ws_.H.size()) {
    branches_.kinematics(robot.q.data(), robot.u.data(), ws_);
    branches_.massMatrix(ws_);
    std::copy(ws_.H.begin(), ws_.H.end(), M_.begin());
  }

  void run(Metric metric, int calls) override {
    for (int i = 0; i < calls; ++i) {
      const double* q = robot_.q.data() + next_ * t_.nq;
      const double* u = robot_.u.data() + next_ * t_.nv;
      call(metric, q, u, robot_.udot.data() + next_ * t_.nv, robot_.tau.data() + next_ * t_.nv);
      next_ = (next_ + 1) % state_count;
    }
  }

 private:
  void call(Metric metric, const double* q, const double* u, const double* udot,
            const double* tau) {
    const Vec3d g{0, 0, -9.81};
    switch (metric) {
      case Metric::Kinematics: return branches_.kinematics(q, u, ws_);
      case Metric::Rnea: return branches_.rnea(g, q, u, udot, ws_, out_.data());
      case Metric::Crba: branches_.kinematics(q, u, ws_); return branches_.massMatrix(ws_);
      case Metric::Factor: std::copy(M_.begin(), M_.end(), ws_.H.begin()); return factor(t_, ws_);
      case Metric::Dynamics:
        branches_.kinematics(q, u, ws_);
        branches_.bias(g, ws_, out_.data());
        branches_.massMatrix(ws_);
        return factor(t_, ws_);
      case Metric::Aba: return branches_.aba(g, q, u, tau, aba_, out_.data());
    }
  }

  const Robot& robot_;
  const Topology& t_;
  Branches branches_;
  Workspace<double> ws_;
  AbaWorkspace<double> aba_;
  AlignedArray<double> out_, M_;  // M_ of the first states
  int next_ = 0;
};

}  // namespace

std::unique_ptr<Kernels> newBranchKernels(const Robot& robot) {
  if (!planBranches(robot.topology).isProfitable) return nullptr;
  return std::make_unique<BranchKernels>(robot);
}

}  // namespace espalier::bench
