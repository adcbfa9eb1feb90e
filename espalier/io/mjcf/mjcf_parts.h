#pragma once

// The parts a MuJoCo file is read in: first into the model as it stands there (MjcfModel), then
// into Specs.

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "espalier/io/mesh/mesh_library.h"
#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/mjcf/mjcf_actuation.h"
#include "espalier/io/mjcf/mjcf_node.h"
#include "espalier/io/mjcf/mjcf_solid.h"
#include "espalier/spatial/inertia.h"

namespace espalier::io {

/// <compiler>
struct MjcfCompiler {
  double angle = 0.017453292519943295;  ///< rad for one unit of an angle
  std::string eulerSequence = "xyz";
  bool autoLimits = true;
  std::optional<bool> inertiaFromGeoms;  ///< none: where there is no <inertial>
  std::array<double, 2> inertiaGroups{0, 5};
  double leastMass = 0, leastInertia = 0;
  bool balanceInertia = false;
  double totalMass = -1;  ///< <= 0: as it is
  std::string meshFolder;
  bool stripPath = false;
  bool exactMeshInertia = false;  ///< the rule of meshes that name none
  bool fitsBounds = false;        ///< primitives are fitted to the bounds of meshes
};

/// How a geom rubs.
struct MjcfSurface {
  std::array<double, 3> friction{1, 0.005, 0.0001};  ///< sliding; spinning and rolling, m
  int condim = 3, priority = 0;
  int pairClass = 0;  ///< geoms of one class meet the same others by <pair>; 0: none
  auto operator<=>(const MjcfSurface&) const = default;
};

struct MjcfGeom {
  std::string name;
  std::optional<Shape> shape;  ///< none: there is no such shape here; it has its mass
  Vec3d meshScale{1, 1, 1};
  Transformd X_BG = identityTransform<double>();
  RigidInertia<double> inertia{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};  ///< in the body's frame
  InertialSpec ownInertia;  ///< the same about its centre, in the geom's axes; X_LC in the body
  int contype = 1, conaffinity = 1, group = 0;
  MjcfSurface surface;
  std::array<double, 4> rgba{0.5, 0.5, 0.5, 1};
  std::string material;
  std::string file;
  int line = 0;
  bool collides() const {
    return shape && (contype != 0 || conaffinity != 0 || surface.pairClass != 0);
  }
};

struct MjcfJoint {
  JointSpec spec;  ///< name, kind, axes[0], limits, dynamics, mimic, line
  Vec3d pos{0, 0, 0};
  double ref = 0;   ///< q where the body is as drawn
  double rest = 0;  ///< springref
  /// Time constant, s, and damping ratio of springdamper; zero where it is not given.
  std::array<double, 2> springDamper{};
  std::array<double, 2> effort{-unlimited, unlimited};  ///< N m or N, of all its actuators together
  std::vector<double> q, u;  ///< of the keyframe, as in qpos and qvel; empty: as drawn, at rest
};

struct MjcfBody {
  std::string name;
  int parent = -1;
  Vec3d pos{0, 0, 0};  ///< as it stands in the file
  Transformd X_PB = identityTransform<double>(), X_WB = identityTransform<double>();
  std::vector<MjcfJoint> joints;
  std::vector<MjcfGeom> geoms;
  std::vector<int> children;
  std::optional<InertialSpec> inertial;
  double gravityCompensation = 0;
  bool isMocap = false;
  std::optional<Transformd> X_WK;  ///< of a mocap body: where the keyframe has it
  std::string file;
  int line = 0;
};

/// A frame on a body: a site, or an equality's end.
struct MjcfFrame {
  int body = 0;
  Transformd X_BF = identityTransform<double>();
};

struct MjcfLoop {
  LoopKind kind = LoopKind::POINT;
  std::string name;
  MjcfFrame first, second;
  const XMLElement* element = nullptr;
};

/// A geom by its body and its place in it.
using MjcfGeomId = std::pair<int, int>;

/// Two geoms that collide whatever their contype and conaffinity.
struct MjcfPair {
  MjcfGeomId first, second;
  std::array<double, 3> friction{1, 0.005, 0.0001};  ///< sliding; spinning and rolling, m
  int condim = 3;
  const XMLElement* element = nullptr;
};

/// Data that decide which geoms collide.
struct MjcfFilter {
  int contype = 1, conaffinity = 1;
  int pairClass = 0;
  int excludeClass = 0;  ///< of its body; 0: excluded from none, or by its link
  auto operator<=>(const MjcfFilter&) const = default;
};

/// Two bodies that never collide.
struct MjcfExclusion {
  int first = 0, second = 0;
  const XMLElement* element = nullptr;
  bool isOfGeoms = false;  ///< their links have geoms that may meet all the same
};

struct MjcfModel {
  std::string name;
  std::vector<MjcfBody> bodies;  ///< the world first, then depth first
  std::map<std::string, MjcfFrame> sites;
  std::map<std::string, MjcfTerm> joints;  ///< times 1
  std::map<std::string, int> bodyOf;
  std::vector<MjcfLoop> loops;
  std::map<std::string, MjcfGeomId> geoms;
  std::vector<MjcfExclusion> excluded;
  std::vector<MjcfPair> pairs;
  std::vector<std::pair<int, TransmissionSpec>> motors;  ///< with the body whose joint they drive
  std::vector<std::pair<int, int>> coupled;              ///< bodies whose joints follow each other
  std::vector<MjcfTendon> tendons;
  std::map<std::string, int> tendonOf;
  std::vector<std::pair<int, ConstraintSpec>> constraints;  ///< with a body whose joints they tie
  std::vector<MjcfActuator> actuators;                      ///< all that the file has, in its order
  std::map<std::string, int> actuatorOf;                    ///< their places in it
  std::vector<MjcfKey> keys;
  std::set<MjcfSurface> surfaces;                         ///< of colliding geoms
  std::set<MjcfFilter> filters;                           ///< of colliding geoms
  std::map<std::pair<int, int>, MjcfPair> pairOfClasses;  ///< by pairClass, the smaller first
  std::vector<int> excludeClass;                          ///< by body
  std::set<std::pair<int, int>> excludedClasses;          ///< the smaller first
  Vec3d gravity{0, 0, -9.81};
  MediumSpec medium;
  double timeStep = 0.002;
  std::set<std::string> disabled;   ///< by <flag>
  std::set<double> disabledGroups;  ///< of actuators, by <option actuatorgroupdisable>
  const MjcfJoint& joint(const MjcfTerm& term) const {
    return bodies[term.body].joints[term.joint];
  }
  MjcfJoint& joint(const MjcfTerm& term) { return bodies[term.body].joints[term.joint]; }
  const MjcfGeom& geom(const MjcfGeomId& id) const { return bodies[id.first].geoms[id.second]; }
  bool isOff(const std::string& flag) const {
    return disabled.count(flag) != 0 || disabled.count("constraint") != 0;
  }
};

/// The part that an attribute names; null, and an Error, where there is none.
///   in   kind   of such parts: "joint"
template <class Part>
const Part* lookUp(const std::map<std::string, Part>& parts, const MjcfNode& node,
                   const char* attribute, const std::string& kind, std::string remedy) {
  const std::string name = node.text(attribute);
  const auto place = parts.find(name);
  if (place != parts.end()) return &place->second;
  node.error("there is no " + kind + " " + shown(name), std::move(remedy));
  return nullptr;
}

/// Keeps a part under its name; false, and an Error, where another one of the `kind`, which are `kinds`,
/// has it.
template <class Parts, class Part>
bool addNamed(Parts& parts, const std::string& name, Part&& part, const MjcfNode& node,
              const std::string& kind, const std::string& kinds) {
  if (parts.emplace(name, std::forward<Part>(part)).second) return true;
  node.error("there are two " + kinds + " " + shown(name),
             "give each " + kind + " a name of its own");
  return false;
}

/// Settings of a file for its own elements only: of the main file, or of one that is attached.
struct MjcfScope {
  MjcfCompiler compiler;
  std::map<std::string, MjcfClass> classes;
  std::map<std::string, const XMLElement*> meshAssets;
  std::map<std::string, std::array<double, 4>> colours;
  /// By name; null: it has errors.
  std::map<std::string, std::shared_ptr<const HeightfieldData>> heightfields;
  /// <model>, by name; null: its file cannot be read.
  std::map<std::string, std::shared_ptr<MjcfScope>> models;
  std::deque<MjcfReplicate> replicates;
  const XMLElement* root = nullptr;
  std::string folder;  ///< of the file; empty: the main file's
  int depth = 0;       ///< of models that name models
};

/// A model that is attached to the main one, and how its names begin and end there.
struct MjcfAttached {
  std::shared_ptr<MjcfScope> scope;
  MjcfNaming naming;
};

/// State shared by the parts while one model is read.
struct MjcfReading : MjcfScope {
  MjcfReading(MjcfFiles f, ResourcePaths p, bool loadMeshes,
              const std::shared_ptr<ReadingBudget>& budget)
      : files(std::move(f)),
        paths(std::move(p)),
        meshes(paths, loadMeshes, budget),
        massMeshes(paths, true, budget) {}

  MjcfFiles files;
  ResourcePaths paths;
  MeshLibrary meshes;      ///< for shapes
  MeshLibrary massMeshes;  ///< for masses where shapes have no triangles
  std::vector<MjcfAttached> attached;
  MjcfModel model;

  /// The class that an attribute names, or `outer` where it is absent or, with an Error, there is none.
  const MjcfClass* classOf(const MjcfNode& node, const char* attribute,
                           const MjcfClass* outer) const;
  /// The node of e with the defaults of the class it names, or else of `childClass`.
  MjcfNode node(const XMLElement& e, const MjcfClass* childClass);
  const MjcfClass* mainClass() { return &classes["main"]; }
};

/// While it lives, an attached model's own file is the one that is read.
class MjcfEntered {
 public:
  MjcfEntered(MjcfReading& reading, const MjcfAttached& attached);
  ~MjcfEntered();
  MjcfEntered(const MjcfEntered&) = delete;
  MjcfEntered& operator=(const MjcfEntered&) = delete;

 private:
  MjcfReading& reading_;
  MjcfScope& scope_;
  MjcfNaming naming_;
};

// mjcf_attach.cpp
/// <model>: keeps the compiler settings, defaults and assets of the file that it names.
void readMjcfModelAsset(MjcfReading& reading, const MjcfNode& asset);
/// The model that <attach> names, with its prefix; none, and an Error, where there is none.
std::optional<MjcfAttached> readMjcfAttach(MjcfReading& reading, const MjcfNode& attach);
/// The sections of that name in one file.
std::vector<const XMLElement*> mjcfSections(MjcfFiles& files, const XMLElement& root,
                                            std::string_view tag);
/// Reads the sections of that name of all models: those that are attached first, without what
/// names parts that were not attached, as MuJoCo does.
void forEachMjcfSection(MjcfReading& reading, std::string_view tag,
                        const std::function<void(const MjcfNode&)>& read);

// mjcf_replicate.cpp
/// readAll() of the sections of that name in the present file: once of what names no part of a <replicate>, then
/// once of what does for each of its copies, which is MuJoCo's order.
void forEachMjcfCopy(MjcfReading& reading, std::string_view tag,
                     const std::function<void()>& readAll);

// mjcf_known.cpp
/// Remarks on attributes that MuJoCo does not know in such an element, or that mean nothing here; those of
/// <default> without the latter.
void expectMjcfAttributes(const MjcfNode& node, bool isDefault = false);

// mjcf_settings.cpp
void readMjcfCompiler(MjcfReading& reading, const MjcfNode& compiler);
void readMjcfOption(MjcfReading& reading, const MjcfNode& option);
void readMjcfDefault(MjcfReading& reading, const MjcfNode& node, MjcfClass* outer);
/// The numbers of `range`, if they are in force: by `limited`, or by <compiler autolimits> where the
/// first is below the second.
std::optional<std::array<double, 2>> readMjcfRange(const MjcfReading& reading, const MjcfNode& node,
                                                   const char* range, const char* limited);
/// The first of up to three numbers: those behind it are the terms of higher order.
///   in   owner  "joint", "tendon" or "actuator", for the omission
double readMjcfLinear(const MjcfNode& node, const std::string& attribute, const std::string& owner);

// mjcf_flags.cpp
/// <flag>: features that the model disables.
void readMjcfFlags(MjcfReading& reading, const MjcfNode& flags);
/// Removes disabled features from bodies and joints.
void applyMjcfFlags(MjcfReading& reading);
/// The same of a tendon, which is read later.
void applyMjcfFlags(const MjcfModel& model, TendonSpec& tendon);

// mjcf_pose.cpp
/// pos and quat, axisangle, xyaxes, zaxis or euler.
Transformd readMjcfPose(const MjcfReading& reading, const MjcfNode& node);
/// The frame in the middle of fromto, with z from its second point to its first, and the length between
/// them; none where it is absent or, with an Error, without length.
std::optional<double> readMjcfFromTo(const MjcfNode& node, Transformd& X);
/// By Euler angles in the compiler's unit and sequence.
Mat3d mjcfRotation(const MjcfCompiler& compiler, const std::array<double, 3>& euler);
/// The rotation in the plane of e_z and v that maps e_z to v.
Mat3d shortestRotationToZ(const Vec3d& v);

// mjcf_asset.cpp
void readMjcfAsset(MjcfReading& reading, const MjcfNode& asset);
/// Of a mesh or a height field, relative to the main file's folder; whole, where it is not there but, without
/// the compiler's folder of meshes, beside the file that names it.
std::string mjcfAssetPath(const MjcfReading& reading, const MjcfNode& asset);
/// <deformable>: remarks on elements that do not act.
void readMjcfDeformables(MjcfReading& reading, const MjcfNode& deformable);

// mjcf_hfield.cpp
void readMjcfHfieldAsset(MjcfReading& reading, const MjcfNode& asset);
/// The height field that a geom names; none, and an Error, where there is none.
std::optional<Shape> useMjcfHfield(const MjcfReading& reading, const MjcfNode& geom);

// mjcf_mesh.cpp
/// A mesh asset as a geom uses it.
struct MjcfMeshUse {
  MeshShape shape;
  Vec3d scale{1, 1, 1};
  Transformd X_GM = identityTransform<double>();  ///< the shape's frame in the geom's
  /// The solid over which its mass is spread, in the geom's frame; none if not needed or missing.
  std::optional<MjcfSolid> solid;
};
/// None, and a remark, where there is no such mesh.
std::optional<MjcfMeshUse> useMjcfMesh(MjcfReading& reading, const MjcfNode& geom, bool collides,
                                       bool hasMass);

// mjcf_geom.cpp
MjcfGeom readMjcfGeom(MjcfReading& reading, const MjcfNode& geom, bool hasMass);

// mjcf_joint.cpp
/// <joint> or <freejoint>.
MjcfJoint readMjcfJoint(MjcfReading& reading, const MjcfNode& joint);
/// springdamper: the spring and damper of a joint, as MuJoCo's compiler finds them, with time constant T,
/// damping ratio z and the inertia m that the joint sees: k = m / (T z)^2, d = 2 m / T.
void resolveMjcfSpringDampers(MjcfModel& model);

// mjcf_body.cpp
/// <worldbody>: bodies, their joints, geoms and inertias, in the order of the file.
void readMjcfBodies(MjcfReading& reading, const MjcfNode& worldBody);

// mjcf_inertia.cpp
InertialSpec readMjcfInertial(const MjcfReading& reading, const MjcfNode& inertial);
/// The compiler's treatment of a body's masses: sums of geoms, lower bounds, balance.
std::optional<InertialSpec> compileMjcfInertia(const MjcfReading& reading,
                                               const std::optional<InertialSpec>& authored,
                                               const MjcfBody& body);
/// settotalmass
void scaleMjcfMasses(MjcfReading& reading);

// mjcf_equality.cpp
void readMjcfEqualities(MjcfReading& reading, const MjcfNode& equality);

// mjcf_tendon.cpp
void readMjcfTendons(MjcfReading& reading, const MjcfNode& tendon);
/// The length of a tendon where all is as drawn.
double drawnMjcfLength(const MjcfModel& model, const MjcfTendon& tendon);

// mjcf_actuator.cpp
void readMjcfActuators(MjcfReading& reading, const MjcfNode& actuator);

// mjcf_drive.cpp
/// From actuators and their controls to JointSpec::actuator.
void driveMjcfJoints(MjcfReading& reading);

// mjcf_key.cpp
void readMjcfKeys(MjcfReading& reading, const MjcfNode& keyframe);
/// Start of joints and mocap bodies, and inputs of actuators: as the keyframe of that name or
/// number has it, the first one where `wanted` is empty, none where it is "none".
void startAtMjcfKey(MjcfReading& reading, const std::string& wanted, XmlReader& xml);

// mjcf_contact.cpp
void readMjcfContact(MjcfReading& reading, const MjcfNode& contact);
/// 1, 3, 4 or 6, of a geom or a pair; an Error where it is none.
int readMjcfCondim(const MjcfNode& node, int fallback);

// mjcf_material.cpp
inline constexpr std::size_t most_mjcf_surfaces = 64;
/// Name of the material of geoms that rub so.
std::string mjcfMaterial(const MjcfSurface& surface);
std::vector<MaterialPairSpec> mjcfMaterialPairs(const MjcfModel& model);
MaterialPairSpec mjcfDefaultMaterial();
// mjcf_groups.cpp
/// Which bodies move as one: -1 for those that cannot move.
struct MjcfGroups {
  std::vector<int> of;                ///< by body
  std::vector<std::vector<int>> all;  ///< the children of the world in each
};
/// A group for each set of the world's children that equalities tie together.
MjcfGroups groupMjcfBodies(const MjcfModel& model);

// mjcf_filter.cpp
/// Sorts geoms into classes by <pair> and by what excludes bodies of different groups, and collects
/// the surfaces and filters of all that collide; remarks on more of them than there is room for.
void classifyMjcfGeoms(MjcfReading& reading, const MjcfGroups& groups);
/// Group and mask by which the same geoms of different mechanisms collide as in MuJoCo.
std::pair<std::uint64_t, std::uint64_t> mjcfGroupAndMask(const MjcfModel& model, int body,
                                                         const MjcfGeom& geom);

// mjcf_build.cpp
/// One group of bodies as a system. Not checked.
SystemSpec buildMjcfSystem(const MjcfReading& reading, const MjcfGroups& groups, int group);
/// Coordinates and velocities of all joints, in spanning order, at the keyframe or as drawn; empty
/// where all joints are neutral and at rest.
struct MjcfStart {
  std::vector<double> q, u;
};
MjcfStart mjcfStart(const MjcfModel& model, const SystemSpec& spec);
/// Pose in the world and velocity of the body of a plain free joint at the keyframe, in world axes;
/// none without a keyframe.
struct MjcfFreeStart {
  Transformd X_WB;
  Vec3d velocity, angularVelocity;
};
std::optional<MjcfFreeStart> mjcfFreeStart(const MjcfBody& body);
/// A child of the world with all that is welded to it, fixed in its place.
SystemSpec buildMjcfStatic(const MjcfReading& reading, int body);
/// The world's own shapes.
LinkSpec buildMjcfWorldLink(const MjcfReading& reading);

}  // namespace espalier::io
