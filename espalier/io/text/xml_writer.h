#pragma once

// XML, written: indented, escaped, and safe from being taken for a template when it is read again.

#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "espalier/spatial/vec3.h"

namespace espalier::io {

class XmlWriter {
 public:
  /// <tag ...; attributes belong to the element opened last, until it has a child.
  XmlWriter& open(const std::string& tag);
  XmlWriter& attribute(const char* name, const std::string& value);
  XmlWriter& attribute(const char* name, double value);
  XmlWriter& attribute(const char* name, std::uint64_t value);
  XmlWriter& attribute(const char* name, const Vec3d& v);
  XmlWriter& attribute(const char* name, std::span<const double> values);
  /// The attribute where it is not the value that readers take in its absence.
  template <class T>
  XmlWriter& optional(const char* name, const T& value, const std::type_identity_t<T>& usual = {}) {
    return isEqual(value, usual) ? *this : attribute(name, value);
  }
  /// The attribute where it is finite.
  XmlWriter& bound(const char* name, double value);
  /// Text in place of children.
  XmlWriter& content(const std::string& text);
  XmlWriter& close();

  /// pre  every element is closed
  const std::string& text() const { return text_; }

 private:
  template <class T>
  static bool isEqual(const T& a, const T& b) {
    return a == b;
  }
  static bool isEqual(const Vec3d& a, const Vec3d& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }

  std::string text_;
  std::vector<std::string> open_;
  bool isTagOpen_ = false;
  bool hasContent_ = false;
};

}  // namespace espalier::io
