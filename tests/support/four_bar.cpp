#include "tests/support/four_bar.h"

namespace espalier::testing {

SystemSpec fourBar(const FourBarOptions& options) {
  const auto link = [](const std::string& name, double mass, double length) {
    LinkSpec l;
    l.name = name;
    InertialSpec in;
    in.mass = mass;
    in.X_LC.p = {length / 2, 0.01, 0.02};
    in.I = {0.02 * mass, 0, 0, 0.03 * mass, 0, 0.04 * mass};
    l.inertial = in;
    return l;
  };
  const auto hinge = [](const std::string& name, const std::string& parent,
                        const std::string& child, double x) {
    JointSpec j;
    j.name = name;
    j.kind = JointKind::Revolute;
    j.parent = parent;
    j.child = child;
    j.X_PJ.p = {x, 0, 0};
    j.axes[0] = {0, 0, 1};
    return j;
  };
  SystemSpec s;
  s.name = "four_bar";
  s.fixedBase = !options.floats;
  s.links = {link("base", 3, 0.2), link("crank", 1, options.crank),
             link("coupler", 1.5, options.coupler), link("rocker", 1.2, options.rocker)};
  s.joints = {hinge("a", "base", "crank", 0), hinge("b", "crank", "coupler", options.crank),
              hinge("c", "base", "rocker", options.ground)};
  s.joints[options.publicRocker ? 2 : 0].independent = true;
  LoopSpec loop;
  loop.name = "pin";
  loop.kind = options.kind;
  loop.isBilateral = options.isBilateral;
  loop.predecessor = "coupler";
  loop.successor = "rocker";
  loop.X_PA.p = {options.coupler, 0, 0};
  loop.X_SB.p = {options.rocker, 0, 0};
  loop.axis = {0, 0, 1};
  s.loops = {loop};
  return s;
}

}  // namespace espalier::testing
