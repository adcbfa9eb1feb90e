#pragma once

// World: what a simulation is made of, and its clock. It owns the systems, the static shapes and
// the materials, keeps one q and one u for all of them, and steps them together.
//
//   World world;
//   world.addGround();
//   ArticulatedSystem* robot = world.addArticulatedSystem("robot.urdf");
//   robot->setGeneralizedCoordinate(q);
//   for (...) world.integrate();

#include <memory>
#include <span>
#include <string>

#include "espalier/io/urdf.h"
#include "espalier/model/spec.h"
#include "espalier/model/state.h"
#include "espalier/world/articulated_system.h"
#include "espalier/world/contact.h"
#include "espalier/world/materials.h"
#include "espalier/world/scheme.h"
#include "espalier/world/step_report.h"

namespace espalier {

struct WorldData;

class World {
 public:
  World();
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // ---- building; between steps only

  /// A robot from a URDF file or text. The pointer stays valid as long as the world.
  ///   errors  throws std::invalid_argument with every diagnostic when the input is wrong;
  ///           to see them one by one use io::loadRobot() and compile() yourself
  ArticulatedSystem* addArticulatedSystem(const std::string& fileOrText,
                                          const io::UrdfOptions& options = {});
  ArticulatedSystem* addArticulatedSystem(const SystemSpec& spec);
  ArticulatedSystem* addArticulatedSystem(std::shared_ptr<const Model> model);
  /// The half space below z = height.
  GeomId addGround(double height = 0, const std::string& material = "default");
  /// Any shape that never moves.
  GeomId addStatic(const StaticSpec& spec);

  /// What of the world cannot be simulated as asked: pairs of shapes for which there is no contact
  /// function. Empty where all is well.
  Diagnostics diagnostics();

  // ---- settings

  void setTimeStep(double dt);  ///< s, > 0
  double getTimeStep() const;
  void setGravity(const Vec3d& gravity);  ///< m/s^2
  Vec3d getGravity() const;
  void setIntegrationScheme(Scheme scheme);
  Scheme getIntegrationScheme() const;
  /// Share of a penetration removed in one step, and the penetration left alone (m).
  void setERP(double erp, double slop = 0);
  /// Residual at which the contact solver stops (m/s), and its sweeps at most.
  void setContactSolverParam(double tolerance, int maxSweeps);
  void setContactMargin(double margin);  ///< m
  void setMaxContacts(int count);
  void setDefaultMaterial(double friction, double restitution, double restitutionThreshold);
  void setMaterialPairProp(const std::string& first, const std::string& second, double friction,
                           double restitution, double restitutionThreshold);
  /// Evaluates energy and its balance in every step; costs one more pass of kinematics.
  void setEnergyMonitoring(bool on);

  // ---- stepping

  /// One step: integrate1() then integrate2().
  const StepReport& integrate();
  /// Kinematics, M, h and collisions at the scheme's evaluation point; getters then speak of it.
  void integrate1();
  /// Forces, contacts, the new state. Gains, targets, forces and the time step may change between.
  const StepReport& integrate2();

  const StepReport& report() const;
  std::span<const Contact> contacts() const;  ///< of the last step
  double getWorldTime() const;                ///< s

  int systemCount() const;
  ArticulatedSystem* system(int index);
  /// All that moves, as a value. Setting it forgets the contact solver's warm start.
  const State& getState() const;
  void setState(const State& state);
  /// FNV-1a over the bytes of q and u: equal states, equal hashes.
  std::uint64_t stateHash() const;

 private:
  std::unique_ptr<WorldData> data_;
};

}  // namespace espalier
