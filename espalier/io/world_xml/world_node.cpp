#include "espalier/io/world_xml/world_node.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/text/bits.h"
#include "espalier/io/text/rotation_text.h"

namespace espalier::io {
namespace {

constexpr std::string_view this_dir = "[THIS_DIR]";

/// Spaces or commas between the numbers.
std::string withoutCommas(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), ',', ' ');
  return result;
}

struct NamedColour {
  const char* name;
  std::array<double, 4> rgba;
};

constexpr NamedColour colours[] = {
    {"red", {0.85, 0.15, 0.15, 1}},   {"green", {0.15, 0.65, 0.25, 1}},
    {"blue", {0.15, 0.35, 0.85, 1}},  {"white", {1, 1, 1, 1}},
    {"black", {0.05, 0.05, 0.05, 1}}, {"grey", {0.5, 0.5, 0.5, 1}},
    {"gray", {0.5, 0.5, 0.5, 1}},     {"yellow", {0.9, 0.8, 0.2, 1}},
    {"orange", {0.9, 0.5, 0.1, 1}},   {"purple", {0.5, 0.25, 0.7, 1}},
    {"cyan", {0.2, 0.75, 0.8, 1}},    {"magenta", {0.8, 0.2, 0.7, 1}},
    {"brown", {0.45, 0.3, 0.2, 1}},   {"hidden", {0, 0, 0, 0}},
    {"transparent", {0, 0, 0, 0}},
};

}  // namespace

std::string snakeCase(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool isUpper = name[i] >= 'A' && name[i] <= 'Z';
    if (isUpper && i > 0 && name[i - 1] != '_') result += '_';
    result += isUpper ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
  }
  return result;
}

std::optional<std::vector<double>> splitNumbers(std::string_view text) {
  return parseList(withoutCommas(text));
}

std::optional<std::array<double, 4>> parseAppearance(const std::string& text) {
  for (const NamedColour& colour : colours)
    if (text == colour.name) return colour.rgba;
  const auto numbers = splitNumbers(text);
  if (!numbers || numbers->size() < 3 || numbers->size() > 4) return std::nullopt;
  std::array<double, 4> rgba{0, 0, 0, 1};
  for (std::size_t i = 0; i < numbers->size(); ++i) rgba[i] = (*numbers)[i];
  return rgba;
}

const char* Node::spelled() const { return element().Name(); }
std::string Node::tag() const { return snakeCase(spelled()); }

const tinyxml2::XMLAttribute* Node::find(const char* attribute) const {
  for (const XMLElement* e : {&element(), kind_}) {
    if (e == nullptr) continue;
    for (const auto* a = e->FirstAttribute(); a != nullptr; a = a->Next())
      if (snakeCase(a->Name()) == attribute) return a;
  }
  return nullptr;
}

void Node::bad(const tinyxml2::XMLAttribute& a, const std::string& wanted,
               std::string remedy) const {
  xml().error(a.GetLineNum(),
              std::string("<") + spelled() + " " + a.Name() + "> is " + shown(a.Value()) +
                  ", not " + wanted,
              std::move(remedy));
}

std::string Node::text(const char* attribute) const {
  const auto* a = find(attribute);
  if (a == nullptr) return {};
  std::string value;
  std::string_view rest = trimmed(a->Value());
  for (std::size_t at = 0; (at = rest.find(this_dir)) != rest.npos;) {
    value += rest.substr(0, at);
    value += file_->folder;
    rest.remove_prefix(at + this_dir.size());
  }
  return value += rest;
}

bool Node::numbers(const char* attribute, std::span<double> out) const {
  const auto* a = find(attribute);
  if (a == nullptr) return false;
  if (parseNumbers(withoutCommas(a->Value()), out)) return true;
  const bool isOne = out.size() == 1;
  const std::string wanted =
      isOne ? "a finite number" : std::to_string(out.size()) + " finite numbers";
  bad(*a, wanted,
      "write " + wanted +
          (isOne ? ", such as 0.5" : ", such as 0 0.5 1, separated by spaces or commas"));
  return false;
}

double Node::required(const char* attribute, double fallback) const {
  if (has(attribute)) return number(attribute, fallback);
  error(std::string("<") + spelled() + "> lacks the attribute '" + attribute + "'",
        std::string("add ") + attribute + "=\"...\"");
  return fallback;
}

void Node::rotation(const char* attribute, Mat3d& R) const {
  double q[4];
  if (!numbers(attribute, q) || rotationFromQuat(q, R)) return;
  error(std::string("<") + spelled() + " " + attribute + "> is no rotation",
        "give a unit quaternion, w x y z");
}

std::optional<std::vector<double>> Node::list(const char* attribute) const {
  const auto* a = find(attribute);
  if (a == nullptr) return std::nullopt;
  auto values = splitNumbers(a->Value());
  if (!values) bad(*a, "a list of finite numbers", "separate them by spaces or commas");
  return values;
}

int Node::integer(const char* attribute, int fallback, int least, int most) const {
  double value = fallback;
  if (!numbers(attribute, {&value, 1})) return fallback;
  if (std::floor(value) == value && value >= least && value <= most) return static_cast<int>(value);
  bad(*find(attribute),
      "a whole number from " + std::to_string(least) + " to " + std::to_string(most),
      "write such a number");
  return fallback;
}

bool Node::flag(const char* attribute, bool fallback) const {
  const auto* a = find(attribute);
  if (a == nullptr) return fallback;
  const std::string value = lowered(text(attribute));
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  bad(*a, "true or false", "write true or false");
  return fallback;
}

std::uint64_t Node::bits(const char* attribute, std::uint64_t fallback) const {
  const auto* a = find(attribute);
  return a == nullptr ? fallback : readBits(xml(), element(), *a, fallback);
}

std::optional<Node> Node::child(const char* name) const {
  for (const XMLElement* e : {&element(), kind_}) {
    if (e == nullptr) continue;
    for (const XMLElement* c : childrenOf(*e))
      if (snakeCase(c->Name()) == name) return Node(*file_, *c);
  }
  return std::nullopt;
}

std::vector<Node> Node::children() const {
  std::vector<Node> all;
  for (const XMLElement* c : childrenOf(element())) all.emplace_back(*file_, *c);
  return all;
}

void Node::expect(Names attributes, Names children, Names foreign) const {
  const auto contains = [](Names names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const auto* a = element().FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string name = snakeCase(a->Name());
    if (contains(attributes, name)) continue;
    xml().unknown(element(), "attribute " + shown(a->Name()), a->GetLineNum(),
                  contains(foreign, name));
  }
  for (const XMLElement* c : childrenOf(element())) {
    const std::string name = snakeCase(c->Name());
    if (contains(children, name)) continue;
    const std::string quoted = shown(c->Name());
    xml().unknown(element(), "<" + quoted.substr(1, quoted.size() - 2) + ">", c->GetLineNum(),
                  contains(foreign, name));
  }
}

void Node::once(Severity severity, const std::string& what, std::string remedy) const {
  XmlNode::once(severity, what, what, std::move(remedy) + "; said once for all of its kind");
}
void Node::omit(const std::string& what, std::string remedy) const {
  xml().omit(what, element().GetLineNum(), what,
             std::move(remedy) + "; said once for all of its kind");
}

}  // namespace espalier::io
