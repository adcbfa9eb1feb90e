#pragma once

// Forward dynamics of one robot, as one would call it in a loop of one's own: nothing is allocated.
// Trees by the articulated-body algorithm, mechanisms with closed loops by projection. T is double
// or lanes of it: as many worlds at once.

#include "espalier/dynamics/branches.h"
#include "espalier/dynamics/reduction.h"
#include "espalier/model/model.h"
#include "espalier/scalar/instantiate.h"

namespace bench {

template <class T>
class ForwardDynamics {
 public:
  /// pre  the model outlives this object
  explicit ForwardDynamics(const espalier::Model& model);

  /// in   q [nq], u [nv], tau [nv]  of all joints, internal order; closed and consistent
  /// out  the independent accelerations, [nv] in a tree
  const T* operator()(const espalier::Vec3<T>& gravity, const T* q, const T* u, const T* tau);

 private:
  /// What only a mechanism needs.
  struct Loops {
    Loops(const espalier::Topology& t, const espalier::Mechanism& m)
        : at(t, m), solver(m.reduced), h(static_cast<std::size_t>(t.nv)) {}
    espalier::LoopWorkspace<T> at;
    espalier::Workspace<T> solver;
    espalier::AlignedArray<T> h;
  };
  void project(const espalier::Vec3<T>& gravity, const T* q, const T* u, const T* tau);

  const espalier::Model& model_;
  espalier::Branches branches_;
  espalier::AbaWorkspace<T> aba_;
  espalier::Workspace<T> ws_;
  std::optional<Loops> loops_;
  espalier::AlignedArray<T> out_;
};

extern template class ForwardDynamics<double>;
extern template class ForwardDynamics<espalier::DoubleLanes>;

}  // namespace bench
