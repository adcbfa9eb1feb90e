#pragma once

// XML, written: indented, escaped, and safe from being taken for a template when it is read again.

#include <span>
#include <string>
#include <vector>

namespace espalier::io {

class XmlWriter {
 public:
  /// <tag ...; attributes belong to the element opened last, until it has a child.
  XmlWriter& open(const std::string& tag);
  XmlWriter& attribute(const char* name, const std::string& value);
  XmlWriter& attribute(const char* name, double value);
  XmlWriter& attribute(const char* name, std::span<const double> values);
  /// Text in place of children.
  XmlWriter& content(const std::string& text);
  XmlWriter& close();

  /// pre  every element is closed
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::string> open_;
  bool isTagOpen_ = false;
  bool hasContent_ = false;
};

}  // namespace espalier::io
