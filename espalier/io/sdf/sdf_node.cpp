#include "espalier/io/sdf/sdf_node.h"

#include <tinyxml2.h>

#include <numbers>

#include "espalier/io/text/rotation_text.h"

namespace espalier::io {

std::optional<SdfNode> SdfNode::child(const char* name) const {
  const XMLElement* e = xml_->single(*e_, name);
  if (e == nullptr) return std::nullopt;
  return SdfNode(*xml_, *e);
}

std::vector<SdfNode> SdfNode::children(const char* name) const {
  std::vector<SdfNode> all;
  for (const XMLElement* e = e_->FirstChildElement(name); e != nullptr;
       e = e->NextSiblingElement(name))
    all.emplace_back(*xml_, *e);
  return all;
}

std::string SdfNode::text() const {
  const char* text = e_->GetText();
  return text == nullptr ? std::string() : std::string(trimmed(text));
}

std::string SdfNode::text(const char* childName) const {
  const auto node = child(childName);
  return node ? node->text() : std::string();
}

bool SdfNode::content(std::span<double> out) const {
  const std::string value = text();
  if (parseNumbers(value, out, Infinity::Allowed)) return true;
  const std::string wanted = out.size() == 1 ? "a number" : std::to_string(out.size()) + " numbers";
  error(std::string("<") + e_->Name() + "> holds " + shown(value) + ", not " + wanted,
        "write " + wanted + (out.size() == 1 ? ", such as 0.5" : ", separated by spaces"));
  return false;
}

bool SdfNode::numbers(const char* childName, std::span<double> out) const {
  const auto node = child(childName);
  return node && node->content(out);
}

double SdfNode::number(const char* childName, double fallback) const {
  numbers(childName, {&fallback, 1});
  return fallback;
}

bool SdfNode::flag(const char* childName, bool fallback) const {
  const auto node = child(childName);
  if (!node) return fallback;
  const std::string value = node->text();
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  node->error(std::string("<") + childName + "> holds " + shown(value), "write true or false");
  return fallback;
}

Transformd SdfNode::pose() const {
  Transformd X = identityTransform<double>();
  const auto node = child("pose");
  if (!node || node->text().empty()) return X;
  xml_->expectAttributes(node->element(), {"relative_to", "rotation_format", "degrees", "frame"});
  const std::string unit = node->attribute("degrees");
  const double angle = unit == "true" || unit == "1" ? std::numbers::pi / 180 : 1;
  double p[7];
  if (node->attribute("rotation_format") == "quat_xyzw") {
    if (!node->content({p, 7})) return X;
    const double wxyz[4] = {p[6], p[3], p[4], p[5]};
    if (!rotationFromQuat(wxyz, X.R))
      node->error("<pose> has no rotation", "give a unit quaternion, x y z w");
  } else {
    if (!node->content({p, 6})) return X;
    X.R = rotationFromRpy({p[3] * angle, p[4] * angle, p[5] * angle});
  }
  X.p = {p[0], p[1], p[2]};
  return X;
}

void SdfNode::error(const std::string& what, std::string remedy) const {
  xml_->error(e_->GetLineNum(), what, std::move(remedy));
}
void SdfNode::warn(const std::string& what, std::string remedy) const {
  xml_->warn(e_->GetLineNum(), what, std::move(remedy));
}
void SdfNode::once(Severity severity, const std::string& key, const std::string& what,
                   std::string remedy) const {
  xml_->once(severity, key, e_->GetLineNum(), what, std::move(remedy));
}

}  // namespace espalier::io
