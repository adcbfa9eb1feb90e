#pragma once

// World: the objects of a simulation, and its clock. It owns the objects and the materials, keeps
// one q and one u for all moving objects, and steps them together.
//
//   World world;
//   world.addGround();
//   ArticulatedSystem* robot = world.addArticulatedSystem("robot.urdf");
//   SingleBodyObject* ball = world.addSphere(0.1, 1.0);
//   ball->setPosition(0, 0, 2);
//   for (...) world.integrate();
//
// Objects may be added and removed between steps; the others keep their state.

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "espalier/collision/contact_point.h"
#include "espalier/geometry/terrain.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/model/spec/spec.h"
#include "espalier/model/state.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/body_kinds.h"
#include "espalier/robot/child.h"
#include "espalier/robot/raisim_names.h"
#include "espalier/step/contact.h"
#include "espalier/step/materials.h"
#include "espalier/step/scheme.h"
#include "espalier/step/step_notes.h"
#include "espalier/step/step_report.h"
#include "espalier/world/material_manager.h"
#include "espalier/world/ray_hits.h"

namespace espalier {

struct WorldData;

/// Values of @@NAME in a template, by NAME or by @@NAME.
using TemplateParameters = std::unordered_map<std::string, std::string>;

class World {
 public:
  World();
  /// A world as a file or a program describes it.
  ///   errors  throws std::invalid_argument with every diagnostic
  explicit World(const WorldSpec& spec);
  /// A world configuration file, or its text (docs/world_files.md).
  explicit World(const std::string& fileOrText);
  /// The same, a template filled in.
  World(const std::string& fileOrText, const TemplateParameters& parameters);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Do nothing, since no key is needed; for code that comes from RaiSim.
  static void setActivationKey(const std::string&) {}
  static void setLicenseFile(const std::string&) {}

  // ---- objects; between steps only. Handles stay valid until removeObject().

  /// A robot from a URDF file or text. Parameters of a template are in the options. Its links that overlap at the
  /// neutral pose are let through each other (overlaps.h); io::loadRobot() gives a SystemSpec with all contacts.
  ///   errors  throws std::invalid_argument with every diagnostic when the input is wrong;
  ///           to see them one by one use io::loadRobot() and compile() yourself
  ArticulatedSystem* addArticulatedSystem(const std::string& fileOrText,
                                          const io::UrdfOptions& options = {});
  /// RaiSim's forms: a file or text, and a template with its parameters.
  ///   in   resDir      folder where meshes are looked for first; empty: none
  ///   in   jointOrder  empty: order of appearance
  ///   in   group, mask  of all its collision bodies; not given: the file's own
  ArticulatedSystem* addArticulatedSystem(const std::string& fileOrText, const std::string& resDir,
                                          const std::vector<std::string>& jointOrder = {},
                                          std::optional<CollisionGroup> group = {},
                                          std::optional<CollisionGroup> mask = {},
                                          const ArticulatedSystemOption& options = {});
  ArticulatedSystem* addArticulatedSystem(const std::string& fileOrText,
                                          const TemplateParameters& parameters,
                                          const std::string& resDir = "",
                                          const std::vector<std::string>& jointOrder = {},
                                          std::optional<CollisionGroup> group = {},
                                          std::optional<CollisionGroup> mask = {},
                                          const ArticulatedSystemOption& options = {});
  /// Built in code (child.h). Meshes without triangles are read from their files.
  ArticulatedSystem* addArticulatedSystem(const Child& root, const std::string& resDir = "",
                                          std::optional<CollisionGroup> group = {},
                                          std::optional<CollisionGroup> mask = {},
                                          const ArticulatedSystemOption& options = {});
  /// As data.
  ArticulatedSystem* addArticulatedSystem(const SystemSpec& spec);
  ArticulatedSystem* addArticulatedSystem(std::shared_ptr<const Model> model);

  /// Homogeneous solids, at the origin, not turned.
  ///   in  lengths in m, mass in kg; a capsule's height is the distance of its sphere centres
  Sphere* addSphere(double radius, double mass, const std::string& material = "default",
                    CollisionGroup group = 1, CollisionGroup mask = ~CollisionGroup{0});
  Box* addBox(double x, double y, double z, double mass, const std::string& material = "default",
              CollisionGroup group = 1, CollisionGroup mask = ~CollisionGroup{0});
  Cylinder* addCylinder(double radius, double height, double mass,
                        const std::string& material = "default", CollisionGroup group = 1,
                        CollisionGroup mask = ~CollisionGroup{0});
  Capsule* addCapsule(double radius, double height, double mass,
                      const std::string& material = "default", CollisionGroup group = 1,
                      CollisionGroup mask = ~CollisionGroup{0});
  /// A mesh; it collides by its convex hull while it can move.
  ///   in  inertia  kg m^2 about com, body axes;  com  m, in the mesh's frame
  Mesh* addMesh(const std::string& file, double mass, const Eigen::Matrix3d& inertia,
                const Eigen::Vector3d& com, double scale = 1,
                const std::string& material = "default", CollisionGroup group = 1,
                CollisionGroup mask = ~CollisionGroup{0});
  /// The same with the inertia of its bounding box, about the box's middle.
  Mesh* addMesh(const std::string& file, double mass, double scale = 1,
                const std::string& material = "default", CollisionGroup group = 1,
                CollisionGroup mask = ~CollisionGroup{0});
  /// Another body with the same triangles, mass and inertia.
  Mesh* addMesh(const Mesh* original, const std::string& material = "default",
                CollisionGroup group = 1, CollisionGroup mask = ~CollisionGroup{0});
  /// Several shapes as one body.
  ///   in  children  poses (X_LG) in the body's frame;  com, inertia  as for meshes
  ///   returns  a Compound; of a single child an object of its kind
  SingleBodyObject* addCompound(const std::vector<CollisionSpec>& children, double mass,
                                const Eigen::Vector3d& com, const Eigen::Matrix3d& inertia);
  /// The same from RaiSim's parts; group and mask of all of them.
  SingleBodyObject* addCompound(const std::vector<Compound::CompoundObjectChild>& children,
                                double mass, const Eigen::Vector3d& com,
                                const Eigen::Matrix3d& inertia, CollisionGroup group = 1,
                                CollisionGroup mask = ~CollisionGroup{0});
  /// The half space below z = height.
  Ground* addGround(double height = 0, const std::string& material = "default",
                    CollisionGroup mask = ~CollisionGroup{0});
  /// Heights on a grid, x fastest; centred on (centreX, centreY).
  HeightMap* addHeightMap(int xSamples, int ySamples, double xSize, double ySize, double centreX,
                          double centreY, const std::vector<double>& heights,
                          const std::string& material = "default", CollisionGroup group = 1,
                          CollisionGroup mask = ~CollisionGroup{0});
  HeightMap* addHeightMap(HeightfieldData data, double centreX, double centreY,
                          const std::string& material = "default", CollisionGroup group = 1,
                          CollisionGroup mask = ~CollisionGroup{0});
  /// Made of noise (geometry/terrain.h), as the ground there is.
  HeightMap* addHeightMap(double centreX, double centreY, const TerrainProperties& terrain,
                          const std::string& material = "default", CollisionGroup group = 1,
                          CollisionGroup mask = ~CollisionGroup{0});
  /// From RaiSim's text form, or from a PNG (io/mesh/heightmap_file.h).
  ///   in  heightScale   m for each grey level;  heightOffset  m, height of black
  ///   errors  throw std::invalid_argument where the file cannot be read
  HeightMap* addHeightMap(const std::string& textFile, double centreX, double centreY,
                          const std::string& material = "default", CollisionGroup group = 1,
                          CollisionGroup mask = ~CollisionGroup{0});
  HeightMap* addHeightMap(const std::string& pngFile, double centreX, double centreY, double xSize,
                          double ySize, double heightScale, double heightOffset,
                          const std::string& material = "default", CollisionGroup group = 1,
                          CollisionGroup mask = ~CollisionGroup{0});
  /// Another one with the same heights, at the same place.
  HeightMap* addHeightMap(const HeightMap* original, CollisionGroup group = 1,
                          CollisionGroup mask = ~CollisionGroup{0});
  /// Anything of the above.
  SingleBodyObject* addBody(const BodySpec& spec);

  /// Takes an object out of the world; its handle and welds are void.
  void removeObject(Object* object);
  int objectCount() const;
  Object* getObject(int index) const;
  /// The first of this name; null where there is none.
  Object* getObject(const std::string& name) const;
  /// All of them, in order; the list is made anew at every call.
  const std::vector<Object*>& getObjList() const;
  /// The robots alone, in order.
  int systemCount() const;
  ArticulatedSystem* system(int index) const;

  /// Welds two bodies as they stand (a body of null: the world); an id for detach().
  ///   in  bodyA, bodyB  of articulated systems; 0 for single bodies
  int attach(Object* a, Object* b, int bodyA = 0, int bodyB = 0);
  void detach(int weld);

  /// Parts of the world that cannot be simulated as specified: pairs of shapes for which there is
  /// no contact function; and a warning where contacts are left more than a millimetre deep
  /// (setERP). Empty where all is well.
  Diagnostics diagnostics();
  /// The world as data, in its present state; io::exportWorldXml() writes it.
  WorldSpec spec() const;
  /// Writes the world, in its present state, as a world file; robots without a file of their own, or
  /// edited, stand in it whole.
  void exportToXml(const std::string& file) const;
  void exportToXml(const std::string& folder, const std::string& file) const;

  // ---- settings

  void setTimeStep(double dt);  ///< s, > 0
  double getTimeStep() const;
  void setGravity(const Vec<3>& gravity);  ///< m/s^2
  Vec<3> getGravity() const;
  void setIntegrationScheme(Scheme scheme);
  Scheme getIntegrationScheme() const;
  /// Share of a penetration removed in one step, and the penetration left alone (m). Of a slop above
  /// a millimetre diagnostics() warns: RaiSim's second number, erp2, is another thing.
  void setERP(double erp, double slop = 0);
  /// Speed at which a penetration is removed, at most: m/s, > 0, may be infinite; 3 by default. Of a
  /// joint beyond its limit the same number in rad/s or m/s. A body deep inside another one would
  /// otherwise leave it at erp depth / dt.
  void setMaxDepenetrationVelocity(double speed);
  double getMaxDepenetrationVelocity() const;
  /// Residual at which the contact solver stops (m/s), and its sweeps at most.
  void setContactSolverParam(double tolerance, int maxSweeps);
  /// RaiSim's form. Relaxation (alpha) does not exist here: those three must be finite and have no
  /// effect, as in RaiSim itself since 1.1. The threshold is the tolerance above, in m/s.
  void setContactSolverParam(double alphaInit, double alphaMin, double alphaDecay, int maxSweeps,
                             double threshold);
  void setContactMargin(double margin);  ///< m
  /// The most contacts of a step, with room for all at once. Default: 128 and 12 for each shape.
  void setMaxContacts(int count);
  void setDefaultMaterial(double friction, double restitution, double restitutionThreshold);
  /// Everything that two materials can have; names as in MaterialPairSpec.
  void setDefaultMaterial(const MaterialPairSpec& pair);
  void setMaterialPairProp(const std::string& first, const std::string& second, double friction,
                           double restitution, double restitutionThreshold);
  void setMaterialPairProp(const std::string& first, const std::string& second, double friction,
                           double restitution, double restitutionThreshold, double staticFriction,
                           double staticVelocity);
  void setMaterialPairProp(const MaterialPairSpec& pair);
  /// Forgets all pairs and takes these, and their default.
  void updateMaterialProp(const MaterialManager& materials);
  /// Called for every contact of a step before it is solved: false leaves the contact out; the
  /// material may be changed for this contact and step. It may ask, and is answered as between
  /// integrate1 and integrate2; what adds, removes, steps, sets a state, takes or restores a
  /// checkpoint, casts rays or sets what holds for the whole world between steps throws
  /// std::invalid_argument. What the callback throws, and a material that cannot be (NaN, negative
  /// friction), comes out of integrate() or integrate1(): the step is given up, its contact list is
  /// empty, state and time are those before, forces stay set, and the solver's warm start is
  /// forgotten, as with a State without history.
  using ContactCallback = std::function<bool(const Contact&, MaterialPair&)>;
  void setContactCallback(ContactCallback callback);
  /// Single bodies that are slow for so many steps, with all they touch, rest until something
  /// faster touches them, a force acts on them, or the world is changed. Off by default.
  ///   in  linearSpeed  m/s of the centre of mass;  angularSpeed  rad/s
  void setSleeping(bool on, double linearSpeed = 0.002, double angularSpeed = 0.01,
                   int quietSteps = 20);
  /// Evaluates energy and its balance in every step; costs one more pass of kinematics.
  void setEnergyMonitoring(bool on);
  bool getEnergyMonitoring() const;

  // ---- stepping

  /// One step: integrate1() then integrate2().
  const StepReport& integrate();
  /// Kinematics, M, h and collisions at the scheme's evaluation point; getters then speak of it.
  void integrate1();
  /// Forces, contacts, the new state. Gains, targets, forces and the time step may change between.
  const StepReport& integrate2();

  const StepReport& report() const;
  std::span<const Contact> contacts() const;  ///< of the last step, until the next one
  /// The same under RaiSim's name.
  std::span<const Contact> getContactProblem() const { return contacts(); }
  double getWorldTime() const;  ///< s
  void setWorldTime(double time);

  // ---- state

  /// All that moves, as a value, and what decides the next step besides: a world built the same way
  /// and given it goes on bit for bit. Users' settings (gains, targets, materials) are not in it.
  /// Between integrate1() and integrate2(), and in a contact callback, it is q, u and time alone.
  State getState() const;
  /// Where q or u were written since getState(), and where a weld was made or cut, its history is
  /// none of this state: the solver then starts cold and all bodies are awake. Empties the contact
  /// list, as restoreCheckpoint() and reset() do.
  ///   errors  throws std::invalid_argument, and changes nothing, where the sizes are another
  ///           world's, a number is not finite or a closed loop gapes by more than a step may leave
  void setState(const State& state);
  /// q and u of the state, where they stand: views that last until an object is added or removed.
  std::span<const double> coordinates() const;
  std::span<const double> velocities() const;
  /// FNV-1a over the bytes of q and u: equal states, equal hashes.
  std::uint64_t stateHash() const;
  /// getState() as bytes.
  std::vector<std::byte> saveCheckpoint() const;
  ///   errors  throws std::invalid_argument, and changes nothing, where the bytes are damaged or
  ///           another world's, or a number is not finite
  void restoreCheckpoint(std::span<const std::byte> bytes);
  /// Remembers the present state under a name; reset(name) goes back to it.
  void saveKeyframe(const std::string& name);
  std::vector<std::string> getKeyframeNames() const;  ///< in alphabetical order
  void reset(const std::string& keyframe);
  /// Every object where it was when it was added, at rest or as its spec says, at time 0.
  void reset();

  // ---- queries

  /// The surfaces that a ray meets, nearest first, at the objects' present poses; one of each shape.
  ///   in   direction    of any length > 0;  length  m, of the ray
  ///   in   closestOnly  true: the nearest alone, without looking for the others
  ///   in   mask         groups that it meets;  skipped  an object that it goes through
  ///   returns  a list that the next call overwrites
  template <std::same_as<bool> Flag = bool>
  const RayHits& rayTest(const Vec<3>& start, const Vec<3>& direction, double length,
                         Flag closestOnly = false, CollisionGroup mask = ~CollisionGroup{0},
                         const Object* skipped = nullptr) {
    return castRay(start, direction, length, closestOnly, mask, skipped);
  }
  /// The nearest alone.
  template <std::integral Groups>
  requires(!std::same_as<Groups, bool>) const RayHits& rayTest(const Vec<3>& start,
                                                               const Vec<3>& direction,
                                                               double length, Groups mask,
                                                               const Object* skipped = nullptr) {
    return castRay(start, direction, length, true, static_cast<CollisionGroup>(mask), skipped);
  }
  /// Rays cast between the last step and the one before, for those who draw them: the first
  /// most_noted_rays of them.
  std::span<const CastRay> raysOfLastStep() const;

 private:
  const RayHits& castRay(const Vec<3>& start, const Vec<3>& direction, double length,
                         bool closestOnly, CollisionGroup mask, const Object* skipped);
  SingleBodyObject* addShape(const Shape& shape, double mass, const std::string& material,
                             CollisionGroup group, CollisionGroup mask);
  std::unique_ptr<WorldData> data_;
  friend WorldData& dataOf(World& world);
};

}  // namespace espalier
