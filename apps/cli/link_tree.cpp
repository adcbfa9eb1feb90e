#include "apps/cli/link_tree.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>

#include "apps/cli/table.h"
#include "espalier/model/spec/spherical_limits.h"

namespace espalier::cli {
namespace {

/// Indentation beyond this many levels says nothing to the eye and fills the screen.
constexpr int deepest_drawn = 24;

struct Branches {
  const char *middle, *last, *through, *cut;
};
constexpr Branches unicode_branches{"├╴", "└╴", "│ ", "… "};
constexpr Branches ascii_branches{"|-", "`-", "| ", ".."};

/// "x", "-y", or the three numbers.
std::string axisText(const Vec3d& axis) {
  const double length = norm(axis);
  if (!(length > 0)) return "";
  const double x[3] = {axis.x / length, axis.y / length, axis.z / length};
  for (int k = 0; k < 3; ++k)
    if (std::abs(x[k]) > 1 - 1e-12) return std::string(x[k] < 0 ? "-" : "") + "xyz"[k];
  return fmt::format("{:.3g} {:.3g} {:.3g}", x[0], x[1], x[2]);
}

std::string axesText(const JointSpec& joint) {
  std::string text;
  for (int k = 0; k < info(joint.kind).axes; ++k)
    text += (k > 0 ? ", " : "") + axisText(joint.axes[k]);
  if (joint.kind == JointKind::Spherical && sphericalLimits(joint.limits).useAxis())
    text = axisText(joint.axes[0]);
  return text;
}

/// "angle 0.5, swing 0.3, twist -1 .. 1", those that exist.
std::string rotationLimitText(const SphericalLimits& limits) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (std::isfinite(limits.angle)) add(fmt::format("angle {:.3g}", limits.angle));
  if (std::isfinite(limits.swing)) add(fmt::format("swing {:.3g}", limits.swing));
  if (std::isfinite(limits.twistLower) || std::isfinite(limits.twistUpper))
    add(fmt::format("twist {:.3g} .. {:.3g}", limits.twistLower, limits.twistUpper));
  return text;
}

std::string limitText(const JointSpec& joint) {
  if (joint.kind == JointKind::Spherical) return rotationLimitText(sphericalLimits(joint.limits));
  if (joint.kind == JointKind::Fixed || joint.kind == JointKind::Floating) return "";
  const auto [lower, upper] = std::pair{joint.limits.lower, joint.limits.upper};
  if (!std::isfinite(lower) && !std::isfinite(upper)) return "";
  return fmt::format("{:.3g} .. {:.3g}", lower, upper);
}

class Drawing {
 public:
  Drawing(const Terminal& terminal, const SystemSpec& spec, bool floats)
      : terminal_(terminal),
        spec_(spec),
        floats_(floats),
        branches_(terminal.unicode ? unicode_branches : ascii_branches),
        table_({{"link"}, {"joint"}, {"kind"}, {"axis"}, {"limits"}, {"mass, kg", Align::Right}}) {
    for (std::size_t l = 0; l < spec.links.size(); ++l) linkOf_[spec.links[l].name] = l;
    children_.resize(spec.links.size());
    std::vector<char> isChild(spec.links.size(), 0);
    for (const JointSpec& joint : spec.joints) {
      children_[linkOf_.at(joint.parent)].push_back(&joint);
      isChild[linkOf_.at(joint.child)] = 1;
    }
    for (std::size_t l = 0; l < spec.links.size(); ++l)
      if (!isChild[l]) root_ = l;
  }

  /// Depth first with an own stack: files may nest as deep as they like.
  std::string draw() {
    struct Pending {
      std::size_t link;
      const JointSpec* joint;
      std::string prefix;  ///< of the link's children
      std::string branch;  ///< of the link itself
      int depth;
    };
    std::vector<Pending> pending{{root_, nullptr, "", "", 0}};
    while (!pending.empty()) {
      const Pending at = std::move(pending.back());
      pending.pop_back();
      addRow(spec_.links[at.link], at.joint, at.branch);
      const auto& joints = children_[at.link];
      for (std::size_t k = joints.size(); k-- > 0;) {
        const bool isLast = k + 1 == joints.size();
        const bool isDrawn = at.depth < deepest_drawn;
        const std::string prefix = isDrawn ? at.prefix : branches_.cut;
        pending.push_back({linkOf_.at(joints[k]->child), joints[k],
                           isDrawn ? prefix + (isLast ? "  " : branches_.through) : prefix,
                           prefix + (isLast ? branches_.last : branches_.middle), at.depth + 1});
      }
    }
    return table_.draw(terminal_, 0);
  }

 private:
  void addRow(const LinkSpec& link, const JointSpec* joint, const std::string& branch) {
    const bool isWeld = joint != nullptr && joint->kind == JointKind::Fixed;
    const Ink ink = isWeld ? Ink::Faint : Ink::Plain;
    const double mass = link.inertial ? link.inertial->mass : 0;
    const std::string massText = mass > 0 ? fmt::format("{:.4g}", mass) : "";
    const std::string name = branch + printable(link.name);
    if (joint == nullptr) {
      table_.add(
          {{name, Ink::Bold}, "", floats_ ? "floating base" : "fixed base", "", "", massText});
    } else {
      table_.add({{name, ink},
                  {printable(joint->name), ink},
                  {info(joint->kind).name, isWeld ? Ink::Faint : Ink::Cyan},
                  axesText(*joint),
                  limitText(*joint),
                  {massText, ink}});
    }
  }

  const Terminal& terminal_;
  const SystemSpec& spec_;
  bool floats_;
  const Branches& branches_;
  Table table_;
  std::map<std::string, std::size_t> linkOf_;
  std::vector<std::vector<const JointSpec*>> children_;
  std::size_t root_ = 0;
};

}  // namespace

std::string drawLinks(const Terminal& terminal, const SystemSpec& spec, bool floats) {
  return Drawing(terminal, spec, floats).draw();
}

}  // namespace espalier::cli
