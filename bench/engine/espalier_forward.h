#pragma once

// Forward dynamics of one robot, as one would call it in a loop of one's own: nothing is allocated.
// Trees by the articulated-body algorithm, mechanisms with closed loops by projection.

#include "espalier/dynamics/branches.h"
#include "espalier/dynamics/reduction.h"
#include "espalier/model/model.h"

namespace bench {

class ForwardDynamics {
 public:
  /// pre  the model outlives this object
  explicit ForwardDynamics(const espalier::Model& model);

  /// in   q [nq], u [nv], tau [nv]  of all joints, internal order; closed and consistent
  /// out  the independent accelerations, [nv] in a tree
  const double* operator()(const espalier::Vec3d& gravity, const double* q, const double* u,
                           const double* tau);

 private:
  /// What only a mechanism needs.
  struct Loops {
    Loops(const espalier::Topology& t, const espalier::Mechanism& m)
        : at(t, m), solver(m.reduced), h(static_cast<std::size_t>(t.nv)) {}
    espalier::LoopWorkspace<double> at;
    espalier::Workspace<double> solver;
    espalier::AlignedArray<double> h;
  };
  void project(const espalier::Vec3d& gravity, const double* q, const double* u, const double* tau);

  const espalier::Model& model_;
  espalier::Branches branches_;
  espalier::AbaWorkspace<double> aba_;
  espalier::Workspace<double> ws_;
  std::optional<Loops> loops_;
  espalier::AlignedArray<double> out_;
};

}  // namespace bench
