#include <fmt/format.h>

#include "apps/cli/answer.h"
#include "apps/cli/robot.h"
#include "apps/cli/table.h"

namespace espalier::cli {
namespace {

/// A mass matrix wider than this is for programs to read.
constexpr int widest_matrix = 20;

std::string number(double x) { return fmt::format("{:.5g}", x == 0 ? 0 : x); }
std::string vector(const Vec3d& v) {
  return fmt::format("{:.4g} {:.4g} {:.4g}", v.x + 0, v.y + 0, v.z + 0);
}

std::string heading(const Terminal& terminal, const char* text) {
  return "\n" + paint(terminal, Ink::Bold, text) + "\n";
}

std::string drawCoordinates(const Terminal& terminal, const Model& model, const Answer& a) {
  Table table({{"coordinate"}, {"q", Align::Right}});
  const std::vector<std::string> names = coordinateNames(model);
  for (std::size_t i = 0; i < names.size(); ++i) table.add({printable(names[i]), number(a.q[i])});
  return table.draw(terminal);
}

std::string drawDofs(const Terminal& terminal, const Model& model, const Answer& a) {
  Table table({{"dof"},
               {"u", Align::Right},
               {"tau", Align::Right},
               {"h", Align::Right},
               {"udot", Align::Right},
               {a.tauInverse.empty() ? "" : "tau_inverse", Align::Right}});
  const std::vector<std::string> names = dofNames(model);
  for (std::size_t i = 0; i < names.size(); ++i)
    table.add({printable(names[i]), number(a.u[i]), number(a.tau[i]), number(a.h[i]),
               number(a.udot[i]), a.tauInverse.empty() ? "" : number(a.tauInverse[i])});
  return table.draw(terminal);
}

std::string drawAllJoints(const Terminal& terminal, const Model& model, const LoopAnswer& a) {
  Table table({{"coordinate"}, {"q", Align::Right}});
  const std::vector<std::string> names = coordinateNames(model, Joints::All);
  for (std::size_t i = 0; i < names.size(); ++i) table.add({printable(names[i]), number(a.q[i])});
  return table.draw(terminal);
}

std::string drawMassMatrix(const Terminal& terminal, const Model& model, const Answer& a) {
  const int nv = model.publicNv;
  if (nv > widest_matrix) return fmt::format("  {} x {}: see --json\n", nv, nv);
  Table table(std::vector<Column>(static_cast<std::size_t>(nv), Column{"", Align::Right}));
  for (int i = 0; i < nv; ++i) {
    std::vector<Cell> row;
    for (int j = 0; j < nv; ++j) row.emplace_back(fmt::format("{:.4g}", a.M[i * nv + j] + 0));
    table.add(std::move(row));
  }
  return table.draw(terminal);
}

std::string drawFrames(const Terminal& terminal, const Model& model, const Answer& a) {
  Table table(
      {{"frame"}, {"body"}, {"position, m"}, {"velocity, m/s"}, {"angular velocity, rad/s"}});
  for (std::size_t i = 0; i < a.frames.size(); ++i)
    table.add({printable(model.frames[i].name), printable(model.bodies[model.frames[i].body].name),
               vector(a.frames[i].X_WF.p), vector(a.frames[i].velocity),
               vector(a.frames[i].angularVelocity)});
  return table.draw(terminal);
}

std::string drawTendons(const Terminal& terminal, const Model& model, const Answer& a) {
  Table table({{"tendon"}, {"length", Align::Right}, {"velocity", Align::Right}});
  for (std::size_t i = 0; i < a.tendons.size(); ++i)
    table.add({printable(model.tendons[i].spec.name), number(a.tendons[i].length),
               number(a.tendons[i].velocity)});
  return table.draw(terminal);
}

}  // namespace

std::string draw(const Terminal& terminal, const Model& model, const Answer& a) {
  std::string text = paint(terminal, Ink::Bold, printable(model.name)) +
                     fmt::format("  nq {}, nv {}\n", model.publicNq, model.publicNv);
  text += "\n" + drawCoordinates(terminal, model, a) + "\n" + drawDofs(terminal, model, a);
  if (a.loops) {
    text += heading(terminal, "all joints") + drawAllJoints(terminal, model, *a.loops);
    text += fmt::format("  the loops are closed to {:.1e}\n", a.loops->residual);
  }
  text += heading(terminal, "mass matrix") + drawMassMatrix(terminal, model, a);
  text += heading(terminal, "energy");
  Table energy({{""}, {"", Align::Right}, {""}});
  energy.add({"kinetic", number(a.kineticEnergy), "J"});
  energy.add({"potential", number(a.potentialEnergy), "J"});
  text += energy.draw(terminal);
  text += heading(terminal, "centre of mass") + "  " + vector(a.com) + " m\n";
  text += heading(terminal, "frames") + drawFrames(terminal, model, a);
  if (!a.tendons.empty()) text += heading(terminal, "tendons") + drawTendons(terminal, model, a);
  text += paint(terminal, Ink::Faint, "\nRotations, accelerations and Jacobians: --json\n");
  return text;
}

}  // namespace espalier::cli
