#include "espalier/io/sdf/sdf_node.h"

#include <tinyxml2.h>

#include <numbers>

#include "espalier/io/text/rotation_text.h"

namespace espalier::io {

std::optional<SdfNode> SdfNode::child(const char* name) const {
  const XMLElement* e = xml().single(element(), name);
  if (e == nullptr) return std::nullopt;
  return SdfNode(xml(), *e);
}

std::vector<SdfNode> SdfNode::children(const char* name) const {
  std::vector<SdfNode> all;
  for (const XMLElement* e : childrenOf(element(), name)) all.emplace_back(xml(), *e);
  return all;
}

std::string SdfNode::text(const char* childName) const {
  const auto node = child(childName);
  return node ? node->text() : std::string();
}

bool SdfNode::content(std::span<double> out) const {
  const std::string value = text();
  if (parseNumbers(value, out, Infinity::Allowed)) return true;
  const std::string wanted = out.size() == 1 ? "a number" : std::to_string(out.size()) + " numbers";
  error(std::string("<") + element().Name() + "> holds " + shown(value) + ", not " + wanted,
        "write " + wanted + (out.size() == 1 ? ", such as 0.5" : ", separated by spaces"));
  return false;
}

bool SdfNode::numbers(const char* childName, std::span<double> out) const {
  const auto node = child(childName);
  return node && node->content(out);
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
  xml().expectAttributes(node->element(), {"relative_to", "rotation_format", "degrees", "frame"});
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

}  // namespace espalier::io
