#include "tree_text.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

namespace espalier::python {

namespace {

struct Branch {
  std::string text;
  std::vector<int> children;
};

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

/// "x", "-y", or three numbers.
std::string axisText(const Vec3d& axis) {
  const double length = norm(axis), x[3] = {axis.x, axis.y, axis.z};
  for (int k = 0; k < 3; ++k)
    if (std::abs(x[k]) > (1 - 1e-12) * length && length > 0)
      return std::string(x[k] < 0 ? "-" : "") + "xyz"[k];
  return "(" + number(x[0]) + ", " + number(x[1]) + ", " + number(x[2]) + ")";
}

/// "revolute y", "universal x, y".
std::string jointText(JointKind kind, const std::array<Vec3d, 3>& axes) {
  std::string text = info(kind).name;
  for (int k = 0; k < info(kind).axes; ++k) text += (k > 0 ? ", " : " ") + axisText(axes[k]);
  return text;
}

/// Depth first, from the roots given; with an own stack, since robots nest as deep as they like.
std::string draw(const std::vector<Branch>& branches, const std::vector<int>& roots,
                 const std::string& indent) {
  struct Pending {
    int at;
    std::string before, behind;  // of the line itself, of the lines below it
  };
  std::string text;
  std::vector<Pending> pending;
  std::vector<char> isDrawn(branches.size(), 0);
  for (std::size_t r = roots.size(); r-- > 0;) pending.push_back({roots[r], "", ""});
  while (!pending.empty()) {
    const Pending now = std::move(pending.back());
    pending.pop_back();
    if (std::exchange(isDrawn[now.at], 1) != 0) continue;
    text += "\n" + indent + now.before + branches[now.at].text;
    const std::vector<int>& below = branches[now.at].children;
    for (std::size_t k = below.size(); k-- > 0;) {
      const bool isLast = k + 1 == below.size();
      pending.push_back(
          {below[k], now.behind + (isLast ? "└╴" : "├╴"), now.behind + (isLast ? "  " : "│ ")});
    }
  }
  return text;
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Places of a body's dofs among the public ones.
std::string dofText(const Model& model, const BodyTopology& body) {
  if (body.nv == 0) return "";
  const int first = model.publicDof[body.u], last = model.publicDof[body.u + body.nv - 1];
  if (first < 0 || last < 0) return ", dependent";
  if (body.nv == 1) return ", dof " + std::to_string(first);
  return ", dofs " + std::to_string(first) + " .. " + std::to_string(last);
}

std::string nameOfBody(const Model& model, int body) {
  return body < 0 ? "world" : model.bodies[body].name;
}

}  // namespace

std::string treeText(const Model& model, const std::string& indent) {
  std::vector<Branch> branches;
  for (int b = 0; b < model.nb(); ++b) {
    const BodyTopology& at = model.topology.bodies[b];
    const BodyInfo& body = model.bodies[b];
    std::string how;
    if (b == 0)
      how = model.topology.floating ? ": floating base" : ": fixed base";
    else
      how = ": " + body.joint + ", " + jointText(at.kind, body.axes);
    branches.push_back({body.name + how + dofText(model, at), {}});
    if (at.parent >= 0) branches[at.parent].children.push_back(b);
  }
  std::string text = indent + "Model '" + model.name + "': " + std::to_string(model.nb()) +
                     (model.nb() == 1 ? " body, " : " bodies, ") +
                     counted(static_cast<std::size_t>(model.publicNv), "dof") + ", " +
                     number(model.mass) + " kg";
  text += draw(branches, {0}, indent);
  const auto addLoops = [&](const std::vector<Closure>& closures, const char* how) {
    for (const Closure& loop : closures)
      text += "\n" + indent + "loop: " + nameOf(loop.kind) + how + ", " +
              nameOfBody(model, loop.a) + " - " + nameOfBody(model, loop.b);
  };
  addLoops(model.mechanism.closures, "");
  for (const Coupling& coupling : model.mechanism.couplings)
    text += "\n" + indent + (coupling.phi ? "constraint: " : "coupling: ") + coupling.name;
  addLoops(model.bilateral.closures, ", bilateral");
  for (const RotorInfo& rotor : model.rotors)
    text += "\n" + indent + "rotor: " + rotor.name + " on " + nameOfBody(model, rotor.body);
  for (const TendonInfo& tendon : model.tendons)
    text += "\n" + indent + "tendon: " + tendon.spec.name;
  return text;
}

std::string treeText(const SystemSpec& spec, const std::string& indent) {
  std::vector<Branch> branches;
  std::map<std::string, int> placeOf;
  for (const LinkSpec& link : spec.links) {
    placeOf.emplace(link.name, static_cast<int>(branches.size()));
    const std::string mass = link.inertial ? ", " + number(link.inertial->mass) + " kg" : "";
    branches.push_back({link.name + mass, {}});
  }
  std::vector<char> isChild(branches.size(), 0);
  for (const JointSpec& joint : spec.joints) {
    const auto parent = placeOf.find(joint.parent), child = placeOf.find(joint.child);
    if (parent == placeOf.end() || child == placeOf.end()) continue;
    branches[parent->second].children.push_back(child->second);
    branches[child->second].text += ": " + joint.name + ", " + jointText(joint.kind, joint.axes);
    isChild[child->second] = 1;
  }
  std::vector<int> roots;
  for (std::size_t b = 0; b < branches.size(); ++b)
    if (isChild[b] == 0) roots.push_back(static_cast<int>(b));
  std::string text = indent + "SystemSpec '" + spec.name +
                     "': " + counted(spec.links.size(), "link") + ", " +
                     counted(spec.joints.size(), "joint") + draw(branches, roots, indent);
  const auto tie = [&](const char* what, const std::string& name, const std::string& how) {
    text += "\n" + indent + what + ": " + name + how;
  };
  for (const LoopSpec& loop : spec.loops)
    tie("loop", loop.name,
        std::string(", ") + nameOf(loop.kind) + ", " + loop.predecessor + " - " + loop.successor);
  for (const CouplingSpec& coupling : spec.couplings)
    tie("coupling", coupling.name, ", " + coupling.predecessor + " - " + coupling.successor);
  for (const ConstraintSpec& constraint : spec.constraints)
    tie("constraint", constraint.name, ", " + counted(constraint.phi.outputs.size(), "equation"));
  for (const TendonSpec& tendon : spec.tendons) tie("tendon", tendon.name, "");
  return text;
}

}  // namespace espalier::python
