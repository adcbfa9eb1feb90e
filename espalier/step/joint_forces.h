#pragma once

// Data of a step for queries of the forces in one system's joints. Enabled by
// ArticulatedSystem::setComputeInverseDynamics(); the step does not read them.
//
// At the scheme's evaluation point, with udot = G (u_y+ - u_y) / dt + g and every wrench that acted from
// outside of the tree (contacts, welds, external forces, loops, tendons through points):
//
//   wrench of joint i = sum over the bodies it carries of (I A + V x* I V - gravity - outside)

#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/tree/accelerations.h"
#include "espalier/step/loop_forces.h"

namespace espalier {

struct StepData;
struct System;

struct JointForces {
  JointForces(const Topology& t, const Mechanism& m)
      : ws(t),
        loopWs(t, m),
        loops(m),
        A(t.nb),
        outside(t.nb),
        wrench(t.nb),
        rates(t.nv),
        udot(t.nv),
        left(t.nv) {}

  Workspace<double> ws;          ///< poses and twists
  LoopWorkspace<double> loopWs;  ///< of embedded loops
  LoopForces loops;
  AlignedArray<Motion<double>> A;       ///< [nb] about O
  AlignedArray<Force<double>> outside;  ///< [nb] about the body's origin, world axes
  AlignedArray<Force<double>> wrench;   ///< [nb] likewise, of the joint on its body
  AlignedArray<double> rates, udot;     ///< [nv] at the evaluation point
  AlignedArray<double> left;            ///< [nv] generalized forces that embedded loops give
  bool isKnown = false;                 ///< a step was taken
};

/// Fills system.jointForces; called when the step's impulses and u+ are known and its state is not
/// yet changed. No allocation.
void recordJointForces(StepData& world, System& system);

}  // namespace espalier
