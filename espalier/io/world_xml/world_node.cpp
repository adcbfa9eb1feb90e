#include "espalier/io/world_xml/world_node.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/text/bits.h"

namespace espalier::io {
namespace {

constexpr std::string_view this_dir = "[THIS_DIR]";

std::string lowered(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// Spaces or commas between the numbers.
std::string withoutCommas(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), ',', ' ');
  return result;
}

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
  std::vector<double> values;
  const std::string spaced = withoutCommas(text);
  std::string_view rest = spaced;
  for (std::string_view word = nextWord(rest); !word.empty(); word = nextWord(rest)) {
    const std::optional<double> value = parseNumber(word);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

const char* Node::spelled() const { return e_->Name(); }
std::string Node::tag() const { return snakeCase(e_->Name()); }
int Node::line() const { return xml().lineOf(*e_); }

const tinyxml2::XMLAttribute* Node::find(const char* attribute) const {
  for (const XMLElement* e : {e_, kind_}) {
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

double Node::number(const char* attribute, double fallback) const {
  numbers(attribute, {&fallback, 1});
  return fallback;
}

double Node::required(const char* attribute, double fallback) const {
  if (has(attribute)) return number(attribute, fallback);
  error(std::string("<") + spelled() + "> lacks the attribute '" + attribute + "'",
        std::string("add ") + attribute + "=\"...\"");
  return fallback;
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
  return a == nullptr ? fallback : readBits(xml(), *e_, *a, fallback);
}

std::optional<Node> Node::child(const char* name) const {
  for (const XMLElement* e : {e_, kind_}) {
    if (e == nullptr) continue;
    for (const auto* c = e->FirstChildElement(); c != nullptr; c = c->NextSiblingElement())
      if (snakeCase(c->Name()) == name) return Node(*file_, *c);
  }
  return std::nullopt;
}

std::vector<Node> Node::children() const {
  std::vector<Node> all;
  for (const auto* c = e_->FirstChildElement(); c != nullptr; c = c->NextSiblingElement())
    all.emplace_back(*file_, *c);
  return all;
}

void Node::expect(Names attributes, Names children, Names foreign) const {
  const auto contains = [](Names names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const auto* a = e_->FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string name = snakeCase(a->Name());
    if (contains(attributes, name)) continue;
    xml().unknown(*e_, "attribute " + shown(a->Name()), a->GetLineNum(), contains(foreign, name));
  }
  for (const auto* c = e_->FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
    const std::string name = snakeCase(c->Name());
    if (contains(children, name)) continue;
    const std::string quoted = shown(c->Name());
    xml().unknown(*e_, "<" + quoted.substr(1, quoted.size() - 2) + ">", c->GetLineNum(),
                  contains(foreign, name));
  }
}

void Node::error(const std::string& what, std::string remedy) const {
  xml().error(e_->GetLineNum(), what, std::move(remedy));
}
void Node::warn(const std::string& what, std::string remedy) const {
  xml().warn(e_->GetLineNum(), what, std::move(remedy));
}
void Node::once(Severity severity, const std::string& what, std::string remedy) const {
  xml().once(severity, what, e_->GetLineNum(), what,
             std::move(remedy) + "; said once for all of its kind");
}
void Node::omit(const std::string& what, std::string remedy) const {
  xml().omit(what, e_->GetLineNum(), what, std::move(remedy) + "; said once for all of its kind");
}

}  // namespace espalier::io
