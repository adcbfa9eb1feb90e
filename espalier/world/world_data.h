#pragma once

// Everything a World owns, as the stages of the step see it. Internal: users hold a World.

#include <memory>
#include <vector>

#include "espalier/collision/scene.h"
#include "espalier/contact/gauss_seidel.h"
#include "espalier/model/state.h"
#include "espalier/world/articulated_system.h"
#include "espalier/world/contact.h"
#include "espalier/world/contact_rows.h"
#include "espalier/world/materials.h"
#include "espalier/world/step_report.h"
#include "espalier/world/system.h"

namespace espalier {

/// A geom that the step moves, and what the contact law must know of it.
struct PlacedGeom {
  GeomId id;
  int system = -1, body = -1;  ///< -1: static
  Transformd X_CG = identityTransform<double>();
  MaterialId material;
  double rounding = 0;  ///< m, radius of spheres and capsules: their contact point
                        ///< rolls over the surface
  double reach = 0;     ///< m, farthest surface point from the geom's origin
};

/// An impulse remembered from the last step.
struct WarmImpulse {
  GeomId a, b;
  int feature = 0;
  Vec3d impulse{};  ///< N s, world axes
};

struct WorldData {
  // Authored
  std::vector<std::unique_ptr<System>> owned;
  std::vector<std::unique_ptr<ArticulatedSystem>> handles;
  Materials materials;
  Vec3d gravity{0, 0, -9.81};
  double dt = 0.001;
  Scheme scheme = Scheme::MIDPOINT;
  ContactSettings settings;
  bool monitorsEnergy = false;

  // State
  State state;

  // Compiled when the world changed
  bool isPrepared = false;
  std::vector<System*> systems;
  std::vector<PlacedGeom> geoms;  ///< by GeomId
  Scene scene;
  ContactRows rows;
  contact::Problem<double> problem;
  contact::GaussSeidel<double> solver;

  // Of the step in progress
  bool isBetween = false;  ///< integrate1 done, integrate2 not yet
  StepReport report;
  std::vector<ContactPoint> points;  ///< capacity fixed
  std::vector<Contact> contacts;
  int contactCount = 0;
  struct LimitRow {
    int system, dof, slot;  ///< slot: its place in warmLimits
    double sign, gap;
  };
  std::vector<LimitRow> limits;
  int limitCount = 0;
  std::vector<Vec3d> lambda, rate, bias;  ///< by group: impulse, J u, bias of the law
  std::vector<Vec3d> drift;               ///< by contact: dJ/dt u
  std::vector<WarmImpulse> warm;
  int warmCount = 0;
  std::vector<double> warmLimits;  ///< N s or N m s, two for each limited dof
  double energyBefore = 0;
  bool knowsEnergy = false;
  State saved;  ///< before the step, should it have to be given up

  System& system(int i) { return *systems[static_cast<std::size_t>(i)]; }
  double* qOf(const System& s) { return state.q.data() + s.q0; }
  double* uOf(const System& s) { return state.u.data() + s.u0; }
};

/// Sizes everything the step needs; the only place that allocates.
void prepare(WorldData& world);
void addGeoms(WorldData& world, int system);

// The stages, in order (step.cpp holds the pipeline).
void evaluate(WorldData& world);      ///< q_m, kinematics, h, M at the evaluation point
void exportBodies(WorldData& world);  ///< every body's numbers into the workspaces
void findContacts(WorldData& world);  ///< collision, at the evaluation point
void solveStep(WorldData& world);     ///< forces, factor, rows, contact impulses
void finishStep(WorldData& world);    ///< the new state, or the old one and a flag

// Contacts
void assembleContacts(WorldData& world);  ///< rows, Delassus blocks, the contact law
void solveContacts(WorldData& world, bool again);
void rememberImpulses(WorldData& world);

// Energy (only when monitored); workOfStep before finishStep, mechanicalEnergy after
double mechanicalEnergy(WorldData& world);
double workOfStep(WorldData& world);

}  // namespace espalier
