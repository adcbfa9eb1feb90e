#include "espalier/io/text/xml_reader.h"

#include <tinyxml2.h>

#include <algorithm>

namespace espalier::io {
namespace {

// Enough remarks to find the error; garbage must not fill the memory with them.
constexpr std::size_t most_remarks = 1000;

bool contains(Names names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "0.1, 0, -0.7": all but the last followed by a comma. An infinity is none where it is not allowed.
bool parseWithCommas(std::string_view text, std::span<double> out, Infinity infinity) {
  const auto commas = static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
  if (out.size() < 2 || commas != out.size() - 1) return false;
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  return parseNumbers(spaced, out, infinity);
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "'";
  for (const char c : text.substr(0, longest))
    result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return result + (text.size() > longest ? "...'" : "'");
}

std::vector<const XMLElement*> childrenOf(const XMLElement& e, const char* name) {
  std::vector<const XMLElement*> all;
  for (auto* c = e.FirstChildElement(name); c != nullptr; c = c->NextSiblingElement(name))
    all.push_back(c);
  return all;
}

std::string textOf(const XMLElement* e) {
  const char* text = e == nullptr ? nullptr : e->GetText();
  return text == nullptr ? std::string() : std::string(trimmed(text));
}

int XmlNode::lineOfText() const { return e_->GetLineNum(); }

int XmlReader::inFile(int line) const {
  return line > 0 && line <= static_cast<int>(lines_.size()) ? lines_[line - 1] : line;
}

int XmlReader::lineOf(const XMLElement& e) const { return inFile(e.GetLineNum()); }

void XmlReader::add(Severity severity, int line, const std::string& what, std::string remedy,
                    bool isOmission) {
  // Beyond the most there is one more at least, if none so far was an Error: no Error is lost.
  const bool isFirstError = severity == Severity::Error && !hasError_;
  hasError_ = hasError_ || isFirstError;
  if (diagnostics_.all().size() >= most_remarks && !isFirstError) {
    if (!isFull_) {
      diagnostics_.add({Severity::Note, file_, inFile(line), "there is more to say than fits here",
                        "see to these remarks first, then read the file again"});
    }
    isFull_ = true;
    return;
  }
  diagnostics_.add({severity, file_, inFile(line), subject_.empty() ? what : subject_ + ": " + what,
                    std::move(remedy), isOmission});
}

void XmlReader::error(int line, const std::string& what, std::string remedy) {
  add(Severity::Error, line, what, std::move(remedy));
}

void XmlReader::warn(int line, const std::string& what, std::string remedy) {
  add(Severity::Warning, line, what, std::move(remedy));
}

void XmlReader::once(Severity severity, const std::string& key, int line, const std::string& what,
                     std::string remedy) {
  if (!isFull_ && said_.insert(key).second) add(severity, line, what, std::move(remedy));
}

void XmlReader::omit(const std::string& key, int line, const std::string& what,
                     std::string remedy) {
  if (!isFull_ && said_.insert(key).second)
    add(Severity::Warning, line, what, std::move(remedy), true);
}

std::string XmlReader::text(const XMLElement& e, const char* attribute) const {
  const char* value = e.Attribute(attribute);
  return value == nullptr ? std::string() : std::string(trimmed(value));
}

bool XmlReader::has(const XMLElement& e, const char* attribute) const {
  return e.Attribute(attribute) != nullptr;
}

bool XmlReader::numbers(const XMLElement& e, const char* attribute, std::span<double> out,
                        Infinity infinity) {
  const char* value = e.Attribute(attribute);
  if (value == nullptr) return false;
  if (parseNumbers(value, out, infinity)) return true;
  if (parseWithCommas(value, out, infinity)) {
    once(Severity::Warning, std::string("commas ") + e.Name() + attribute,
         e.FindAttribute(attribute)->GetLineNum(),
         std::string("<") + e.Name() + " " + attribute + "> is " + shown(value) +
             ": its commas are read as spaces",
         "separate numbers by spaces, as other programs want them; said once for all of its kind");
    return true;
  }
  const std::string wanted =
      out.size() == 1 ? "a finite number" : std::to_string(out.size()) + " finite numbers";
  error(e.FindAttribute(attribute)->GetLineNum(),
        std::string("<") + e.Name() + " " + attribute + "> is " + shown(value) + ", not " + wanted,
        "write " + wanted + ", such as " + (out.size() == 1 ? "0.5" : "0 0.5 1") +
            (out.size() == 1 ? "" : ", separated by spaces"));
  return false;
}

double XmlReader::number(const XMLElement& e, const char* attribute, double fallback,
                         Infinity infinity) {
  numbers(e, attribute, {&fallback, 1}, infinity);
  return fallback;
}

Vec3d XmlReader::vector(const XMLElement& e, const char* attribute, const Vec3d& fallback) {
  double x[3];
  return numbers(e, attribute, x) ? Vec3d{x[0], x[1], x[2]} : fallback;
}

std::optional<bool> XmlReader::flag(const XMLElement& e, const char* attribute) {
  if (!has(e, attribute)) return std::nullopt;
  const std::string value = text(e, attribute);
  if (value == "true" || value == "True" || value == "1") return true;
  if (value == "false" || value == "False" || value == "0") return false;
  error(e.FindAttribute(attribute)->GetLineNum(),
        std::string("<") + e.Name() + " " + attribute + "> is " + shown(value) +
            ", neither true nor false",
        "write true or false");
  return std::nullopt;
}

double XmlReader::requiredNumber(const XMLElement& e, const char* attribute, double fallback) {
  if (has(e, attribute)) return number(e, attribute, fallback);
  error(e.GetLineNum(), std::string("<") + e.Name() + "> lacks the attribute '" + attribute + "'",
        std::string("add ") + attribute + "=\"...\"");
  return fallback;
}

const XMLElement* XmlReader::single(const XMLElement& e, const char* child) {
  const XMLElement* first = e.FirstChildElement(child);
  if (first == nullptr) return nullptr;
  if (const XMLElement* second = first->NextSiblingElement(child)) {
    warn(second->GetLineNum(), std::string("a second <") + child + "> is left out",
         std::string("keep one <") + child + "> in each <" + e.Name() + ">");
  }
  return first;
}

void XmlReader::unknown(const XMLElement& e, const std::string& name, int line, bool isForeign,
                        bool isOmission) {
  if (isForeign) {
    once(Severity::Note, "foreign " + std::string(e.Name()) + " " + name, line,
         name + " belongs to another program and has no meaning here",
         "nothing to do; said once for all of its kind");
  } else if (said_.insert("unknown " + std::string(e.Name()) + " " + name).second && !isFull_) {
    add(Severity::Warning, line, name + " is not known in <" + e.Name() + "> and is left out",
        "check its spelling and place; said once for all of its kind", isOmission);
  }
}

void XmlReader::expectChildren(const XMLElement& e, Names known, Names foreign, bool areOmissions) {
  for (const XMLElement* c : childrenOf(e)) {
    if (contains(known, c->Name())) continue;
    const std::string name = shown(c->Name());
    unknown(e, "<" + name.substr(1, name.size() - 2) + ">", c->GetLineNum(),
            contains(foreign, c->Name()), areOmissions);
  }
}

void XmlReader::expectAttributes(const XMLElement& e, Names known, Names foreign) {
  for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
    if (contains(known, a->Name())) continue;
    unknown(e, "attribute " + shown(a->Name()), a->GetLineNum(), contains(foreign, a->Name()));
  }
}

}  // namespace espalier::io
