#pragma once

// The numbers of one robot in a step, as arrays of T: double in a System, lanes in a LaneRobot, whose lanes are
// worlds. What acts, what earlier steps tell, what is computed on the way and what comes out are structs of their
// own; system_step.h has the formulas between them. [nv], of all joints, in internal order, unless said.

#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/model.h"

namespace espalier {

/// What acts on the joints.
template <class T>
struct StepInput {
  explicit StepInput(const Topology& t) : force(t.nv), w(t.nv) {}

  AlignedArray<T>
      force;          ///< N m or N at the evaluation point, without contacts and the implicit part
  AlignedArray<T> w;  ///< implicit weights on the diagonal of M
  const T* impedance = nullptr;  ///< as Actuation::controlImpedance, of a tree; null: none
};

/// What earlier steps tell of the accelerations of a mechanism with closed loops (loops.h).
template <class T>
struct StepHistory {
  explicit StepHistory(const Topology& t) : predictedAcceleration(t.nv), lastG(t.nv) {}

  AlignedArray<T> predictedAcceleration;  ///< a, rad/s^2 or m/s^2, or zero
  T isPredicted{};                        ///< 1 where a is not zero
  AlignedArray<T> lastG;                  ///< g of the last step, for the way to q_m

  /// What is ahead of a dependent joint has g in it, twice what its way to q_m has.
  T shareOfG() const { return select(isPredicted > bc<T>(0.0), bc<T>(-0.5), bc<T>(0.5)); }
};

/// What is computed on the way from one state to the next.
template <class T>
struct StepScratch {
  StepScratch(const Topology& t, const Mechanism& m)
      : ws(t),
        reducedWs(m.reduced),
        loopWs(t, m),
        qm(t.nq),
        rates(t.nv),
        h(t.nv),
        z(t.nv),
        mean(t.nv),
        free(t.nv),
        stage(7 * t.nv),
        reducedY(m.reduced.nv),
        spanning(t.nv) {}

  Workspace<T> ws;          ///< kinematics at the evaluation point; of a tree H and Dinv of M~
  Workspace<T> reducedWs;   ///< H and Dinv of M~_y; not of a tree
  LoopWorkspace<T> loopWs;  ///< G and g at the evaluation point
  AlignedArray<T> qm;       ///< [nq] the evaluation point
  AlignedArray<T> rates;    ///< u_m: at the evaluation point, consistent with the loops
  AlignedArray<T> h;
  AlignedArray<T> z;         ///< L'^-1 dt (force - h), then + Y' lambda; of what is solved for
  AlignedArray<T> mean;      ///< a mean velocity, or the step from q to q+
  AlignedArray<T> free;      ///< RUNGE_KUTTA_4: u+ without contacts
  AlignedArray<T> stage;     ///< [7 nv] RUNGE_KUTTA_4; last the rates that contact impulses left
  AlignedArray<T> reducedY;  ///< [reduced.nv] y+; not of a tree
  AlignedArray<T> spanning;  ///< not of a tree
};

template <class T>
struct StepOutput {
  explicit StepOutput(const Topology& t) : uNext(t.nv) {}

  AlignedArray<T> uNext;  ///< u+
};

/// All of them. What is solved for are the independent rates y of a mechanism, u = G y; a tree has no others, so
/// that its y, impulse and factor lie where u+, z and the workspace of all joints are.
template <class T>
struct StepNumbers : StepInput<T>, StepHistory<T>, StepScratch<T>, StepOutput<T> {
  ///   in  model  outlives this object
  explicit StepNumbers(const Model& model)
      : StepInput<T>(model.topology),
        StepHistory<T>(model.topology),
        StepScratch<T>(model.topology, model.mechanism),
        StepOutput<T>(model.topology) {
    refer(model);
  }
  StepNumbers(const StepNumbers&) = delete;
  StepNumbers& operator=(const StepNumbers&) = delete;

  /// All joints.
  const Topology& topology() const { return *topology_; }
  const Mechanism& mechanism() const { return *mechanism_; }
  bool hasLoops() const { return hasLoops_; }
  /// The dofs that are solved for, and H and Dinv of M~ by them.
  const Topology& solved() const { return *solved_; }
  Workspace<T>& solver() { return *solver_; }
  const Workspace<T>& solver() const { return *solver_; }
  T* y() { return y_; }              ///< [solved().nv] y+
  const T* y() const { return y_; }  ///< [solved().nv] y+
  T* impulse() { return impulse_; }  ///< scratch; of a tree z
  /// By Mechanism::columnReduced, about ws.origin, world axes.
  Motion<T>* solvedColumns() { return columns_; }
  const Motion<T>* solvedColumns() const { return columns_; }
  /// The dof of all joints that one of those solved for is.
  int dofOf(int i) const { return this->loopWs.dofOfY[i]; }
  bool isAnyPredicted() const { return any(this->isPredicted > bc<T>(0.0)); }

  /// To another model of the same sizes: nothing is known of its loops.
  void renew(const Model& model) {
    this->loopWs = LoopWorkspace<T>(model.topology, model.mechanism);
    this->isPredicted = bc<T>(0.0);
    for (auto* list : {&this->predictedAcceleration, &this->lastG})
      std::fill(list->begin(), list->end(), bc<T>(0.0));
    refer(model);
  }

 private:
  void refer(const Model& model) {
    topology_ = &model.topology;
    mechanism_ = &model.mechanism;
    hasLoops_ = !model.mechanism.isTree();
    solved_ = hasLoops_ ? &model.mechanism.reduced : &model.topology;
    solver_ = hasLoops_ ? &this->reducedWs : &this->ws;
    y_ = hasLoops_ ? this->reducedY.data() : this->uNext.data();
    impulse_ = hasLoops_ ? this->spanning.data() : this->z.data();
    columns_ = hasLoops_ ? this->loopWs.reducedColumn.data() : this->ws.S.data();
  }

  const Topology *topology_, *solved_;
  const Mechanism* mechanism_;
  Workspace<T>* solver_;
  T *y_, *impulse_;
  Motion<T>* columns_;
  bool hasLoops_;
};

}  // namespace espalier
