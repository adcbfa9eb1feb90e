// The attributes of MuJoCo's elements that can have defaults, by the schema of MuJoCo 4.0.

#include <tinyxml2.h>

#include <algorithm>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

struct Known {
  std::string_view kind;       ///< kindOfDefault(), or an actuator's tag
  std::string_view read;       ///< between spaces
  std::string_view foreign{};  ///< of MuJoCo's numerics, or of drawing
};

constexpr Known elements[] = {
    {"joint",
     " name class type pos axis ref springref range limited actuatorfrcrange actuatorfrclimited "
     "damping stiffness frictionloss armature springdamper springyield actuatorgravcomp align ",
     " group user margin solreflimit solimplimit solreffriction solimpfriction "},
    {"geom",
     " name class type size fromto pos quat axisangle xyaxes zaxis euler mass density shellinertia "
     "mesh contype conaffinity condim priority friction group rgba material fitscale hfield "
     "adhesion surfacevel fluidshape ",
     " solref solimp solmix margin gap user fluidcoef castshadow "},
    {"site",
     " name class type size fromto pos quat axisangle xyaxes zaxis euler mesh group rgba material "
     "user "},
    {"mesh", " name class file scale vertex face refpos refquat inertia maxhullvert ",
     " normal texcoord smoothnormal content_type material octree_maxdepth "},
    {"pair", " name class geom1 geom2 condim friction adhesion ",
     " solref solimp solreffriction margin gap "},
    {"equality", " active solref solimp "},
    {"tendon",
     " name class limited range stiffness springlength damping frictionloss armature springyield "
     "actuatorfrcrange actuatorfrclimited ",
     " group user margin solreflimit solimplimit solreffriction solimpfriction material rgba "
     "width "},
};

constexpr std::string_view of_all_actuators =
    " name class group user joint jointinparent tendon site refsite slidersite cranksite "
    "cranklength body gear lengthrange ctrlrange ctrllimited forcerange forcelimited armature "
    "damping delay nsample interp ";
constexpr Known actuators_own[] = {
    {"general",
     " dyntype gaintype biastype dynprm gainprm biasprm actdim actearly actlimited actrange "
     "inheritrange input ffrange velrange "},
    {"motor", " "},
    {"position", " kp kv dampratio inheritrange timeconst "},
    {"velocity", " kv "},
    {"intvelocity", " kp kv dampratio inheritrange actlimited actrange "},
    {"orientation", " kp kv dampratio input "},
    {"pid", " kp ki kv dampratio inheritrange input imax slewmax ffrange posrange velrange "},
    {"damper", " kv "},
    {"cylinder", " area bias diameter timeconst "},
    {"muscle", " force fpmax fvmax lmax lmin range scale tausmooth timeconst vmax "},
    {"adhesion", " gain "},
    {"dcmotor",
     " cogging controller inductance input lugre motorconst nominal resistance saturation "
     "thermal "},
};

bool holds(std::string_view names, std::string_view name) {
  return names.find(" " + std::string(name) + " ") != names.npos;
}

template <std::size_t n>
const Known* knownOf(const Known (&all)[n], std::string_view kind) {
  const Known* found =
      std::find_if(all, all + n, [&](const Known& known) { return known.kind == kind; });
  return found == all + n ? nullptr : found;
}

}  // namespace

void expectMjcfAttributes(const MjcfNode& node, bool isDefault) {
  const std::string kind = kindOfDefault(node.tag());
  const bool isActuator = kind == "actuator";
  const Known* known = isActuator ? knownOf(actuators_own, node.tag()) : knownOf(elements, kind);
  if (known == nullptr) return;  // only drawn, or a plugin's
  for (const auto* a = node.element().FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string_view name = a->Name();
    if (holds(known->read, name) || (isActuator && holds(of_all_actuators, name))) continue;
    const bool isForeign = holds(known->foreign, name);
    if (isForeign && isDefault) continue;
    node.xml().unknown(node.element(), "attribute " + shown(name), a->GetLineNum(), isForeign);
  }
}

}  // namespace espalier::io
