#include "apps/cli/rotor_info.h"

#include <fmt/format.h>

#include "apps/cli/remarks.h"
#include "apps/cli/table.h"
#include "espalier/model/compile/gyrostats.h"

namespace espalier::cli {
namespace {

const std::string& jointOf(const Model& model, const RotorInfo::Term& term) {
  return model.bodies[model.topology.dofBody[term.u]].joint;
}

/// 12 knee + 12 ankle
std::string ratiosOf(const Model& model, const RotorInfo& rotor) {
  std::string text;
  for (const RotorInfo::Term& term : rotor.terms) {
    const bool isMinus = term.factor < 0;
    text += text.empty() ? (isMinus ? "-" : "") : (isMinus ? " - " : " + ");
    text += fmt::format("{:.6g} {}", std::abs(term.factor), printable(jointOf(model, term)));
  }
  return text;
}

}  // namespace

Json rotorsJson(const Model& model) {
  Json::array_t list;
  for (const RotorInfo& rotor : model.rotors) {
    Json::array_t ratios;
    for (const RotorInfo::Term& term : rotor.terms)
      ratios.push_back({{"joint", jointOf(model, term)}, {"factor", term.factor}});
    list.push_back({{"joint", rotor.joint},
                    {"link", rotor.name},
                    {"carrier", model.bodies[rotor.body].name},
                    {"inertia", rotor.inertia},
                    {"offset", rotor.offset},
                    {"ratios", ratios}});
  }
  return list;
}

Json rotorBodiesJson(const SystemSpec& spec) {
  Json::array_t list;
  for (const Gyrostats::Kept& kept : findGyrostats(spec).kept)
    list.push_back({{"joint", spec.joints[kept.joint].name}, {"why", kept.why}});
  return list;
}

std::string drawRotorBodies(const Terminal& terminal, const SystemSpec& spec) {
  const Gyrostats found = findGyrostats(spec);
  if (found.kept.empty()) return "";
  Table table({{"rotor"}, {"why"}});
  for (const Gyrostats::Kept& kept : found.kept)
    table.add({printable(spec.joints[kept.joint].name), printable(kept.why)});
  return "\n" + paint(terminal, Ink::Bold, "rotors that are bodies") + ", as exact and slower\n" +
         table.draw(terminal);
}

std::string drawRotors(const Terminal& terminal, const Model& model) {
  if (model.rotors.empty()) return "";
  Table table({{"rotor"}, {"on"}, {"turns by"}, {"kg m^2", Align::Right}});
  for (const RotorInfo& rotor : model.rotors)
    table.add({printable(rotor.joint), printable(model.bodies[rotor.body].name),
               ratiosOf(model, rotor), fmt::format("{:.4g}", rotor.inertia)});
  return "\n" + paint(terminal, Ink::Bold, "geared rotors") +
         ", exact as constants of their joints and carriers: no bodies of their own\n" +
         table.draw(terminal);
}

}  // namespace espalier::cli
