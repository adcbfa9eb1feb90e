#pragma once

// The parts a URDF is read in; each turns one element into its plain struct.

#include <array>
#include <map>
#include <optional>
#include <string>

#include "espalier/io/mesh/mesh_library.h"
#include "espalier/io/text/xml_reader.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

using Colours = std::map<std::string, std::array<double, 4>>;

/// State shared by the parts while one file is read.
struct UrdfReading {
  XmlReader xml;
  MeshLibrary meshes;
  Colours colours;  ///< of all named materials, wherever they are defined
};

// urdf.cpp
/// parseUrdf for a text that has a folder of its own, where its meshes are looked for first;
/// empty: it has none.
Expected<SystemSpec> parseUrdfText(std::string_view text, const std::string& name,
                                   const std::string& folder, const UrdfOptions& options);
/// A whole <robot>, checked; with Errors among the remarks it is of no use.
SystemSpec readRobot(UrdfReading& reading, const XMLElement& robot, const UrdfOptions& options);

// urdf_geometry.cpp
/// <origin xyz rpy> of e, or URDF 1.2's quat_xyzw in place of rpy; the identity where it has none.
Transformd readOrigin(XmlReader& xml, const XMLElement& e);
/// The shape in e's <geometry>; none where it is missing, unknown or has no extent.
///   in   isCollision   a bad mesh is then an Error, for a visual a Warning
///   out  scale         that of a mesh
std::optional<Shape> readGeometry(UrdfReading& reading, const XMLElement& e, bool isCollision,
                                  Vec3d& scale);

// urdf_material.cpp
/// Every <material name><color/></material> of the robot and its visuals.
Colours readColours(XmlReader& xml, const XMLElement& robot);
/// Name and colour of a visual's <material>.
void readMaterial(UrdfReading& reading, const XMLElement& visual, VisualSpec& out);
/// Name of the contact material of a collision; "default" where none is named.
std::string readContactMaterial(XmlReader& xml, const XMLElement& collision);

// urdf_link.cpp
LinkSpec readLink(UrdfReading& reading, const XMLElement& link);

// urdf_joint.cpp
JointSpec readJoint(XmlReader& xml, const XMLElement& joint);

// urdf_joint_tags.cpp: tags whose reading depends on the joint's kind
/// pitch of a joint or loop, or of its <axis>, m/rad; 0, and an Error, where neither has one.
///   in   kind  "helical joint", for the Error
double readPitch(XmlReader& xml, const XMLElement& e, const std::string& kind);
void readAxes(XmlReader& xml, const XMLElement& joint, JointSpec& out);
void readLimits(XmlReader& xml, const XMLElement& joint, const std::string& type, JointSpec& out);
void readDynamics(XmlReader& xml, const XMLElement& joint, JointSpec& out);
// urdf_tendon.cpp
/// The <actuator> of a joint or tendon; none where it has none.
std::optional<ActuatorSpec> readActuator(XmlReader& xml, const XMLElement& owner);
TendonSpec readTendon(XmlReader& xml, const XMLElement& e);
void readMimic(XmlReader& xml, const XMLElement& joint, JointSpec& out);

// urdf_loop.cpp
LoopSpec readLoop(XmlReader& xml, const XMLElement& loop);
CouplingSpec readCoupling(XmlReader& xml, const XMLElement& coupling);

// urdf_constraint.cpp
/// None where its formulas cannot be read: an Error says why.
std::optional<ConstraintSpec> readConstraint(XmlReader& xml, const XMLElement& constraint);

// urdf_pin.cpp
/// Appends the pins of a <constraints> to the loops.
///   pre  links, joints and their order are read
void readConstraints(XmlReader& xml, const XMLElement& constraints, SystemSpec& spec);

// urdf_gazebo.cpp
/// Appends the SDF joints in <gazebo> elements that close loops; a Warning for each that does not.
///   pre  links, joints and loops are read
void readGazeboJoints(XmlReader& xml, const XMLElement& robot, SystemSpec& spec);

// urdf_transmission.cpp
void readTransmission(XmlReader& xml, const XMLElement& e, std::vector<TransmissionSpec>& out);

}  // namespace espalier::io
