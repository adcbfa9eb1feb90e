#include "espalier/io/mjcf/mjcf_node.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/text/numbers.h"

namespace espalier::io {
namespace {

constexpr std::string_view actuators[] = {
    "general", "motor",    "position", "velocity", "intvelocity", "damper",     "cylinder",
    "muscle",  "adhesion", "plugin",   "dcmotor",  "pid",         "orientation"};
constexpr std::string_view assets[] = {"mesh", "material", "texture", "hfield", "model", "skin"};
constexpr std::string_view references[] = {
    "joint",  "joint1",  "joint2",  "jointinparent", "body",    "body1",   "body2",
    "geom",   "geom1",   "geom2",   "site",          "site1",   "site2",   "slidersite",
    "tendon", "tendon1", "tendon2", "cranksite",     "refsite", "sidesite"};
constexpr std::string_view equalities[] = {"connect", "weld", "joint", "tendon", "flex"};

/// Whether an attribute names a part of the model, or its own element.
bool isName(std::string_view tag, std::string_view attribute) {
  return attribute == "name" ? !isOneOf(tag, assets) : isOneOf(attribute, references);
}

}  // namespace

std::string kindOfDefault(std::string_view tag) {
  if (isOneOf(tag, actuators)) return "actuator";
  if (tag == "fixed" || tag == "spatial") return "tendon";
  return std::string(tag);
}

std::string kindOfReference(std::string_view attribute) {
  if (!isOneOf(attribute, references)) return {};
  for (const std::string_view kind : {"joint", "body", "geom", "tendon"})
    if (attribute.starts_with(kind)) return std::string(kind);
  return "site";
}

std::string MjcfNode::tag() const { return element().Name(); }

MjcfNode::Place MjcfNode::find(const char* attribute) const {
  const XMLElement* e = &element();
  if (const auto* own = e->FindAttribute(attribute)) return {e, own};
  if (kind_ == nullptr) return {e, nullptr};
  const XMLElement* parent = e->Parent() == nullptr ? nullptr : e->Parent()->ToElement();
  const bool isEquality = parent != nullptr && std::string_view(parent->Name()) == "equality" &&
                          isOneOf(e->Name(), equalities);
  const std::string kind = isEquality ? "equality" : kindOfDefault(tag());
  for (const MjcfClass* c = kind_; c != nullptr; c = c->parent) {
    // The last word counts.
    for (auto s = c->settings.rbegin(); s != c->settings.rend(); ++s) {
      if (s->first != kind) continue;
      if (const auto* a = s->second->FindAttribute(attribute)) return {s->second, a};
    }
  }
  return {e, nullptr};
}

std::vector<std::vector<const XMLElement*>> MjcfNode::layers() const {
  std::vector<std::vector<const XMLElement*>> all{{&element()}};
  for (const MjcfClass* c = kind_; c != nullptr; c = c->parent) {
    std::vector<const XMLElement*>& layer = all.emplace_back();
    for (const auto& [kind, e] : c->settings)
      if (kind == kindOfDefault(tag())) layer.push_back(e);
  }
  std::reverse(all.begin(), all.end());
  return all;
}

MjcfNode MjcfNode::nearest(std::span<const char* const> attributes) const {
  const std::vector<std::vector<const XMLElement*>> all = layers();
  for (auto layer = all.rbegin(); layer != all.rend(); ++layer) {
    for (auto e = layer->rbegin(); e != layer->rend(); ++e) {
      const auto isThere = [&](const char* a) { return (*e)->FindAttribute(a) != nullptr; };
      if (std::any_of(attributes.begin(), attributes.end(), isThere)) return {*files_, **e};
    }
  }
  return {*files_, element()};
}

void MjcfNode::bad(const Place& place, const std::string& wanted, std::string remedy) const {
  files_->reader(*place.first)
      .error(place.second->GetLineNum(),
             std::string("<") + place.first->Name() + " " + place.second->Name() + "> is " +
                 shown(place.second->Value()) + ", not " + wanted,
             std::move(remedy));
}

std::string MjcfNode::text(const char* attribute) const {
  const Place place = find(attribute);
  if (place.second == nullptr) return {};
  std::string value(trimmed(place.second->Value()));
  if (value.empty() || value == "world" || !isName(element().Name(), attribute)) return value;
  const MjcfNaming& naming = files_->naming;
  const std::string kind = kindOfReference(attribute);
  const std::string name = naming.prefix + value;
  const bool isOutside =
      naming.copied != nullptr && !kind.empty() && naming.copied->names.count({kind, name}) == 0;
  return isOutside ? name : name + naming.suffix;
}

bool MjcfNode::colour(const char* attribute, std::span<double> out) const {
  if (!has(attribute) || !text(attribute).empty()) return numbers(attribute, out);
  once(Severity::Warning, "empty colour", "<" + tag() + " " + attribute + "> is empty and left out",
       "give red, green, blue and opacity; said once for all of them");
  return false;
}

bool MjcfNode::numbers(const char* attribute, std::span<double> out) const {
  const Place place = find(attribute);
  return place.second != nullptr &&
         files_->reader(*place.first).numbers(*place.first, attribute, out);
}

std::vector<double> MjcfNode::list(const char* attribute) const {
  const Place place = find(attribute);
  if (place.second == nullptr) return {};
  if (auto all = parseList(place.second->Value())) return *std::move(all);
  bad(place, "finite numbers", "write them separated by spaces, such as 0 0.5 1");
  return {};
}

int MjcfNode::upTo(const char* attribute, std::span<double> out) const {
  const std::vector<double> all = list(attribute);
  if (all.size() > out.size()) {
    bad(find(attribute), "at most " + std::to_string(out.size()) + " numbers",
        "leave out those at its end");
    return 0;
  }
  std::copy(all.begin(), all.end(), out.begin());
  return static_cast<int>(all.size());
}

int MjcfNode::integer(const char* attribute, int fallback) const {
  double value = fallback;
  if (!numbers(attribute, {&value, 1})) return fallback;
  if (value == std::floor(value) && std::abs(value) <= 2147483647.0) return static_cast<int>(value);
  bad(find(attribute), "a whole number", "write a whole number, such as 1");
  return fallback;
}

std::optional<bool> MjcfNode::choice(const char* attribute) const {
  const Place place = find(attribute);
  if (place.second == nullptr) return std::nullopt;
  const std::string_view value = trimmed(place.second->Value());
  if (value == "true") return true;
  if (value == "false") return false;
  if (value != "auto") bad(place, "true or false", "write true or false");
  return std::nullopt;
}

bool MjcfNode::flag(const char* attribute, bool fallback) const {
  return choice(attribute).value_or(fallback);
}

void MjcfNode::expect(Names known, Names foreign) const {
  xml().expectAttributes(element(), known, foreign);
}

void MjcfNode::omit(const std::string& key, const std::string& what, std::string remedy) const {
  xml().omit(key, element().GetLineNum(), what, std::move(remedy));
}
void MjcfNode::omitAttributes(Names acting) const {
  for (const std::string_view attribute : acting) {
    const Place place = find(std::string(attribute).c_str());
    if (place.second == nullptr || parseNumber(trimmed(place.second->Value())) == 0) continue;
    const std::string what = "<" + tag() + " " + std::string(attribute) + ">";
    omit(what, what + " is not read and does not act",
         "expect other motion than with it; said once for all of its kind");
  }
}

}  // namespace espalier::io
