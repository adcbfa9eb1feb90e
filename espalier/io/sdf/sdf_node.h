#pragma once

// An element of an SDF file as its reader sees it: values stand between tags, not in attributes.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/io/text/xml_reader.h"
#include "espalier/spatial/motion.h"

namespace espalier::io {

class SdfNode {
 public:
  SdfNode(XmlReader& xml, const XMLElement& e) : xml_(&xml), e_(&e) {}

  const XMLElement& element() const { return *e_; }
  XmlReader& xml() const { return *xml_; }
  int line() const { return xml_->lineOf(*e_); }
  std::string attribute(const char* name) const { return xml_->text(*e_, name); }

  /// The first of that name; a Warning if there are more.
  std::optional<SdfNode> child(const char* name) const;
  std::vector<SdfNode> children(const char* name) const;

  /// Its text, without white space at its ends.
  std::string text() const;
  std::string text(const char* childName) const;
  /// True if the child is there and good; an Error and false if it is there and bad.
  bool numbers(const char* childName, std::span<double> out) const;
  double number(const char* childName, double fallback) const;
  /// true, false, 1 or 0.
  bool flag(const char* childName, bool fallback) const;
  /// Its text as that many numbers.
  bool content(std::span<double> out) const;
  /// <pose>x y z roll pitch yaw</pose>, also in degrees, or with a quaternion x y z w; the
  /// identity where there is none.
  Transformd pose() const;

  void expect(Names children, Names foreign = {}) const {
    xml_->expectChildren(*e_, children, foreign);
  }
  void error(const std::string& what, std::string remedy) const;
  void warn(const std::string& what, std::string remedy) const;
  void once(Severity severity, const std::string& key, const std::string& what,
            std::string remedy) const;

 private:
  XmlReader* xml_;
  const XMLElement* e_;
};

}  // namespace espalier::io
