#pragma once

// The parts a MuJoCo file is read in: first into the model as it stands there (MjcfModel), then
// into Specs.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "espalier/io/mesh_library.h"
#include "espalier/io/mjcf.h"
#include "espalier/io/mjcf_node.h"
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
};

/// How a geom rubs.
struct MjcfSurface {
  std::array<double, 3> friction{1, 0.005, 0.0001};  ///< sliding; spinning and rolling, m
  int condim = 3, priority = 0;
  auto operator<=>(const MjcfSurface&) const = default;
};

struct MjcfGeom {
  std::string name;
  std::optional<Shape> shape;  ///< none: there is no such shape here; it has its mass
  Vec3d meshScale{1, 1, 1};
  Transformd X_BG = identityTransform<double>();
  RigidInertia<double> inertia{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};  ///< in the body's frame
  int contype = 1, conaffinity = 1, group = 0;
  MjcfSurface surface;
  std::array<double, 4> rgba{0.5, 0.5, 0.5, 1};
  std::string material;
  int line = 0;
  bool collides() const { return shape && (contype != 0 || conaffinity != 0); }
};

struct MjcfJoint {
  JointSpec spec;  ///< name, kind, axes[0], limits, dynamics, mimic, line
  Vec3d pos{0, 0, 0};
  double ref = 0;    ///< q where the body is as drawn
  double drive = 0;  ///< N m or N, the sum of its actuators; infinite where one has no limit
  bool isDriven = false;
};

struct MjcfBody {
  std::string name;
  int parent = -1;
  Transformd X_PB = identityTransform<double>(), X_WB = identityTransform<double>();
  std::vector<MjcfJoint> joints;
  std::vector<MjcfGeom> geoms;
  std::vector<int> children;
  std::optional<InertialSpec> inertial;
  bool isMocap = false;
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
  int line = 0;
};

/// Two bodies that never collide.
struct MjcfExclusion {
  int first = 0, second = 0;
  int line = 0;
};

struct MjcfModel {
  std::string name;
  std::vector<MjcfBody> bodies;  ///< the world first, then depth first
  std::map<std::string, MjcfFrame> sites;
  std::map<std::string, std::pair<int, int>> joints;  ///< body, place in it
  std::map<std::string, int> bodyOf;
  std::vector<MjcfLoop> loops;
  std::vector<MjcfExclusion> excluded;
  std::vector<std::pair<int, TransmissionSpec>> motors;  ///< with the body whose joint they drive
  std::vector<std::pair<int, int>> coupled;              ///< bodies whose joints follow each other
  std::set<MjcfSurface> surfaces;
  std::set<std::pair<int, int>> filters;  ///< contype and conaffinity of what collides
  Vec3d gravity{0, 0, -9.81};
  double timeStep = 0.002;
};

struct MjcfMesh {
  const XMLElement* element = nullptr;
  const MjcfClass* kind = nullptr;
};

/// What the parts share while one model is read.
struct MjcfReading {
  MjcfFiles files;
  MeshLibrary meshes;      ///< for shapes
  MeshLibrary massMeshes;  ///< for masses where shapes have no triangles
  MjcfCompiler compiler;
  std::map<std::string, MjcfClass> classes;
  std::map<std::string, MjcfMesh> meshAssets;
  std::map<std::string, std::array<double, 4>> colours;
  std::set<std::string> geomNames;
  MjcfModel model;

  /// The node of e with the defaults of the class it names, or else of `childClass`.
  MjcfNode node(const XMLElement& e, const MjcfClass* childClass);
  const MjcfClass* mainClass() { return &classes["main"]; }
};

// mjcf_settings.cpp
void readMjcfCompiler(MjcfReading& reading, const MjcfNode& compiler);
void readMjcfOption(MjcfReading& reading, const MjcfNode& option);
void readMjcfDefault(MjcfReading& reading, const MjcfNode& node, MjcfClass* outer);

// mjcf_pose.cpp
/// pos and quat, axisangle, xyaxes, zaxis or euler.
Transformd readMjcfPose(const MjcfReading& reading, const MjcfNode& node);
/// The rotation in the plane of e_z and v that maps e_z to v.
Mat3d shortestRotationToZ(const Vec3d& v);

// mjcf_asset.cpp
void readMjcfAsset(MjcfReading& reading, const MjcfNode& asset);

/// A mesh asset as a geom uses it.
struct MjcfMeshUse {
  MeshShape shape;
  Vec3d scale{1, 1, 1};
  Transformd X_GM = identityTransform<double>();  ///< the mesh's own frame in the geom's
  MeshShape
      solid;  ///< what its mass is spread over; without data where it is not asked for or missing
};
/// None, and a remark, where there is no such mesh.
std::optional<MjcfMeshUse> useMjcfMesh(MjcfReading& reading, const MjcfNode& geom, bool collides,
                                       bool hasMass);

// mjcf_geom.cpp
MjcfGeom readMjcfGeom(MjcfReading& reading, const MjcfNode& geom, bool hasMass);

// mjcf_joint.cpp
/// <joint> or <freejoint>.
MjcfJoint readMjcfJoint(MjcfReading& reading, const MjcfNode& joint);

// mjcf_body.cpp
/// <worldbody>: bodies, their joints, geoms and inertias, in the order of the file.
void readMjcfBodies(MjcfReading& reading, const MjcfNode& worldBody);

// mjcf_inertia.cpp
InertialSpec readMjcfInertial(const MjcfReading& reading, const MjcfNode& inertial);
/// What the compiler makes of a body's masses: sums of geoms, lower bounds, balance.
std::optional<InertialSpec> compileMjcfInertia(const MjcfReading& reading,
                                               const std::optional<InertialSpec>& authored,
                                               const std::vector<MjcfGeom>& geoms);
/// settotalmass
void scaleMjcfMasses(MjcfReading& reading);

// mjcf_equality.cpp
void readMjcfEqualities(MjcfReading& reading, const MjcfNode& equality);

// mjcf_actuator.cpp
void readMjcfActuators(MjcfReading& reading, const MjcfNode& actuator);

// mjcf_contact.cpp
void readMjcfContact(MjcfReading& reading, const MjcfNode& contact);
/// Name of the material of geoms that rub so.
std::string mjcfMaterial(const MjcfSurface& surface);
std::vector<MaterialPairSpec> mjcfMaterialPairs(const MjcfModel& model);
MaterialPairSpec mjcfDefaultMaterial();
/// Group and mask by which the same geoms collide as by contype and conaffinity.
std::pair<std::uint64_t, std::uint64_t> mjcfGroupAndMask(const MjcfModel& model,
                                                         const MjcfGeom& geom);

/// Remarks on more kinds of materials and filters than there is room for.
void remarkOnContacts(const MjcfModel& model, XmlReader& xml);

// mjcf_build.cpp
/// Which bodies move as one: -1 for those that cannot move.
struct MjcfGroups {
  std::vector<int> of;                ///< by body
  std::vector<std::vector<int>> all;  ///< the children of the world in each
};
/// A group for each set of the world's children that equalities tie together.
MjcfGroups groupMjcfBodies(const MjcfModel& model);
/// One group of bodies as a system. Not checked.
SystemSpec buildMjcfSystem(const MjcfReading& reading, const MjcfGroups& groups, int group);
/// The coordinates of the independent joints, in public order, at which all is as drawn; empty where
/// all joints are neutral there.
std::vector<double> mjcfStart(const MjcfModel& model, const SystemSpec& spec);
/// A child of the world with all that is welded to it, fixed in its place.
SystemSpec buildMjcfStatic(const MjcfReading& reading, int body);
/// The world's own shapes.
LinkSpec buildMjcfWorldLink(const MjcfReading& reading);

}  // namespace espalier::io
