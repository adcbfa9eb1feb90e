#pragma once

// An element of an SDF file as its reader sees it: values stand between tags, not in attributes.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/io/text/xml_reader.h"
#include "espalier/spatial/motion.h"

namespace espalier::io {

class SdfNode final : public XmlNode {
 public:
  using XmlNode::XmlNode;

  std::string attribute(const char* name) const { return xml().text(element(), name); }

  /// The first of that name; a Warning if there are more.
  std::optional<SdfNode> child(const char* name) const;
  std::vector<SdfNode> children(const char* name) const;

  /// Its text, without white space at its ends.
  std::string text() const { return textOf(&element()); }
  std::string text(const char* childName) const;
  /// True if the child is there and good; an Error and false if it is there and bad.
  bool numbers(const char* childName, std::span<double> out) const override;
  /// true, false, 1 or 0.
  bool flag(const char* childName, bool fallback) const;
  /// Its text as that many numbers.
  bool content(std::span<double> out) const;
  /// <pose>x y z roll pitch yaw</pose>, also in degrees, or with a quaternion x y z w; the
  /// identity where there is none.
  Transformd pose() const;

  void expect(Names children, Names foreign = {}) const {
    xml().expectChildren(element(), children, foreign);
  }
};

}  // namespace espalier::io
