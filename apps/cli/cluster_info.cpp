#include "apps/cli/cluster_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "apps/cli/remarks.h"
#include "apps/cli/robot.h"
#include "apps/cli/table.h"
#include "espalier/model/loops/clusters.h"

namespace espalier::cli {
namespace {

/// More names than this in a row are for programs to read.
constexpr std::size_t names_drawn = 6;

struct Tie {
  std::string name, kind;
  int equations = 0, kept = 0;
};

struct Description {
  std::string became, why, carrier;
  std::vector<std::string> bodies, independent, dependent;
  std::vector<int> publicDofs, blocks;
  int dofs = 0, equations = 0, dropped = 0;
  std::vector<Tie> ties;
};

std::vector<Tie> tiesOf(const Model& model, const SystemSpec& spec, int index) {
  const Mechanism& m = model.mechanism;
  const std::vector<LoopRow>& rows = m.clusters[index].rows;
  std::vector<Tie> ties;
  for (std::size_t i = 0; i < m.closures.size(); ++i) {
    const Closure& closure = m.closures[i];
    const LoopPath path = pathBetween(model.topology, closure.a, closure.b);
    const int body = path.first.empty() ? path.second.front() : path.first.front();
    if (m.clusterOf[body] != index) continue;
    const auto kept = std::ranges::count(rows, static_cast<int>(i), &LoopRow::closure);
    ties.push_back({spec.loops[closure.spec].name, nameOf(closure.kind), rowsOf(closure.kind),
                    static_cast<int>(kept)});
  }
  std::size_t own = 0;  // rows of constraints
  for (const ConstraintSpec& constraint : spec.constraints) own += constraint.phi.outputs.size();
  for (std::size_t i = 0; i < m.couplings.size(); ++i) {
    const Coupling& coupling = m.couplings[i];
    if (m.clusterOf[model.topology.dofBody[coupling.terms.front().u]] != index) continue;
    const auto kept = std::ranges::count(rows, static_cast<int>(i), &LoopRow::coupling);
    // Mimics come after the couplings of the file, the rows of constraints after them.
    const char* kind = i + own >= m.couplings.size() ? "constraint"
                       : i < spec.couplings.size()   ? "coupling"
                                                     : "mimic";
    ties.push_back({coupling.name, kind, 1, static_cast<int>(kept)});
  }
  return ties;
}

std::string whyOf(const Description& d) {
  std::string why = fmt::format("{} in {} leave {} to choose", plural(d.equations, "equation"),
                                plural(d.dofs, "dof"), d.independent.size());
  if (d.dropped > 0)
    why += fmt::format("; {} more {} nothing new", d.dropped, d.dropped == 1 ? "says" : "say");
  return why;
}

/// "linear": the dependent rates are constant multiples of the independent ones. "implicit": they
/// follow from the equations at every configuration, block after block.
Description describe(const Model& model, const SystemSpec& spec, int index) {
  const Cluster& c = model.mechanism.clusters[index];
  const std::vector<std::string> names = dofNames(model, Joints::All);
  const auto nameAt = [&](int j) { return names[model.spanningDof[c.dofs[j]]]; };
  Description d;
  d.carrier = c.carrier < 0 ? "world" : model.bodies[c.carrier].name;
  for (const int b : c.bodies) d.bodies.push_back(model.bodies[b].name);
  for (const int j : c.plan.independent) {
    d.independent.push_back(nameAt(j));
    d.publicDofs.push_back(model.publicDof[c.dofs[j]]);
  }
  for (const int j : c.plan.dependent) d.dependent.push_back(nameAt(j));
  for (const LoopBlock& block : c.plan.blocks) d.blocks.push_back(block.size);
  d.dofs = static_cast<int>(c.dofs.size());
  d.equations = static_cast<int>(c.rows.size());
  d.dropped = c.dropped;
  d.ties = tiesOf(model, spec, index);
  d.became = c.gain == 0 ? "linear" : "implicit";
  d.why = whyOf(d);
  return d;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), names_drawn); ++i)
    text += (i > 0 ? ", " : "") + printable(names[i]);
  if (names.size() > names_drawn) text += fmt::format(" and {} more", names.size() - names_drawn);
  return text;
}

/// "revolute pin", or "36 revolute, 2 coupling".
std::string drawTies(const std::vector<Tie>& ties) {
  if (ties.size() == 1) return ties[0].kind + " " + printable(ties[0].name);
  std::map<std::string, int> counts;
  for (const Tie& tie : ties) ++counts[tie.kind];
  std::string text;
  for (const auto& [kind, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text;
}

/// "2 blocks of 1, 3 of 2".
std::string drawBlocks(const std::vector<int>& blocks) {
  std::map<int, int> counts;
  for (const int size : blocks) ++counts[size];
  std::string text;
  for (const auto& [size, count] : counts)
    text += text.empty() ? fmt::format("{} of {}", plural(count, "block"), size)
                         : fmt::format(", {} of {}", count, size);
  return text;
}

/// Loops by rows, one a line.
std::string drawBilateral(const Terminal& terminal, const Model& model, const SystemSpec& spec) {
  const std::vector<Closure>& loops = model.bilateral.closures;
  if (loops.empty()) return "";
  const auto count = static_cast<int>(loops.size());
  std::string text = "\n" + paint(terminal, Ink::Bold, plural(count, "bilateral loop")) +
                     ", kept by rows of the contact problem\n";
  Table table({{""}, {""}});
  for (int i = 0; i < std::min(count, static_cast<int>(names_drawn)); ++i) {
    const LoopSpec& loop = spec.loops[loops[i].spec];
    table.add(
        {printable(loop.name), fmt::format("{} between {} and {}, {} of {} rows", nameOf(loop.kind),
                                           printable(loop.predecessor), printable(loop.successor),
                                           model.bilateral.rowsOf(i), rowsOf(loop.kind))});
  }
  text += table.draw(terminal);
  if (count > static_cast<int>(names_drawn))
    text += fmt::format("and {} more\n", count - static_cast<int>(names_drawn));
  return text;
}

std::string formText(const Description& d) {
  if (d.became == "linear") return "by constant ratios (linear)";
  return "by Newton's method (implicit), " + drawBlocks(d.blocks);
}

}  // namespace

int loneJoints(const Model& model) {
  int count = 0;
  for (int b = 1; b < model.nb(); ++b) count += model.mechanism.clusterOf[b] < 0;
  return count;
}

Json clustersJson(const Model& model, const SystemSpec& spec) {
  Json::array_t list;
  for (int i = 0; i < static_cast<int>(model.mechanism.clusters.size()); ++i) {
    const Description d = describe(model, spec, i);
    Json::array_t ties;
    for (const Tie& tie : d.ties)
      ties.push_back({{"name", tie.name},
                      {"kind", tie.kind},
                      {"equations", tie.equations},
                      {"kept", tie.kept}});
    list.push_back({{"became", d.became},
                    {"why", d.why},
                    {"carrier", d.carrier},
                    {"bodies", d.bodies},
                    {"independent", d.independent},
                    {"dependent", d.dependent},
                    {"public_dofs", d.publicDofs},
                    {"dofs", d.dofs},
                    {"equations", d.equations},
                    {"dropped", d.dropped},
                    {"blocks", d.blocks},
                    {"ties", ties}});
  }
  return list;
}

Json bilateralJson(const Model& model, const SystemSpec& spec) {
  Json::array_t list;
  for (int i = 0; i < static_cast<int>(model.bilateral.closures.size()); ++i) {
    const Closure& closure = model.bilateral.closures[i];
    const LoopSpec& loop = spec.loops[closure.spec];
    list.push_back({{"name", loop.name},
                    {"kind", nameOf(loop.kind)},
                    {"predecessor", loop.predecessor},
                    {"successor", loop.successor},
                    {"equations", rowsOf(loop.kind)},
                    {"kept", model.bilateral.rowsOf(i)}});
  }
  return list;
}

std::string drawClusters(const Terminal& terminal, const Model& model, const SystemSpec& spec) {
  std::string text = drawBilateral(terminal, model, spec);
  if (model.mechanism.isTree()) return text;
  for (int i = 0; i < static_cast<int>(model.mechanism.clusters.size()); ++i) {
    const Description d = describe(model, spec, i);
    text += "\n" + paint(terminal, Ink::Bold, fmt::format("cluster {}", i + 1)) + " on " +
            printable(d.carrier) + "\n";
    Table table({{""}, {""}});
    table.add({fmt::format("{} bodies", d.bodies.size()), listed(d.bodies)});
    table.add({"tied by", drawTies(d.ties)});
    table.add({"why", d.why});
    table.add({"independent",
               fmt::format("{}, dof {}", listed(d.independent), fmt::join(d.publicDofs, ", "))});
    table.add({"dependent", listed(d.dependent)});
    table.add({"found", formText(d)});
    text += table.draw(terminal);
  }
  return text + fmt::format("\n{} in no cluster\n", plural(loneJoints(model), "joint"));
}

}  // namespace espalier::cli
