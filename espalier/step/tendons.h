#pragma once

// Tendons of a system (TendonSpec): lengths, rates and tensions in a step. A spring, a
// damper or an actuator of a tendon is implicit, as those of joints are, but its weight does not lie
// on the diagonal of M: it is a soft row of the contact problem (joint_rows.cpp) instead. Schemes
// without implicit weights take the tension as a force.

#include "espalier/step/system.h"

namespace espalier {

struct StepData;

/// Length, rate and segments of a tendon.
///   in   q, u  of all joints
///   pre  ws has the poses and twists there of the bodies that it runs along
void measureTendon(const TendonInfo& info, const Workspace<double>& ws, const double* q,
                   const double* u, TendonState& state);

/// Length, rate and segments of every tendon at sys.qm.
///   in   u  rates of all joints
///   pre  sys.ws has the poses and twists there of the bodies in System::geomBodies
///   out  sys.tendons
void measureTendons(System& sys, const double* u);

/// Where a tendon of this tension pulls at bodies: pull(body, point from the system's origin, force).
///   pre  measureTendon()
template <class Pull>
void forEachPull(const TendonInfo& info, const TendonState& state, double tension,
                 const Pull& pull) {
  for (std::size_t i = 0; i < state.segments.size(); ++i) {
    const TendonState::Segment& s = state.segments[i];
    const TendonInfo::End &to = info.segments[i].to, &from = info.segments[i].from;
    if (to.body >= 0) pull(to.body, s.to, s.pull * tension);
    if (from.body >= 0) pull(from.body, s.from, s.pull * -tension);
  }
}

/// The rate of a tendon at other rates of the joints, where it was measured.
///   in   u  of dof d at d * stride
///   pre  measureTendons(), and the columns of sys.ws
double tendonRate(const System& sys, int tendon, const double* u, int stride = 1);

/// How fast the rate of a tendon changes while the rates of all joints stay.
///   pre  measureTendons()
double tendonAcceleration(const StepData& world, const System& sys, int tendon);

/// Tensions of every tendon, where they are measured anew. What has no implicit weight is added to
/// sys.force.
///   pre  as of measureTendons(), and the columns of sys.ws
///   out  sys.tendons
void pullTendons(System& sys, const double* u, Scheme scheme, double dt);

}  // namespace espalier
