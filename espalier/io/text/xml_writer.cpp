#include "espalier/io/text/xml_writer.h"

#include <cmath>

#include "espalier/core/check.h"
#include "espalier/io/text/rotation_text.h"

namespace espalier::io {
namespace {

/// Escapes as XML entities the characters that would end the value or that a template would fill
/// in.
std::string escaped(const std::string& value) {
  std::string result;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    const bool isAt = c == '@' && i + 1 < value.size() && value[i + 1] == '@';
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '{': result += "&#123;"; break;
      case '\n': result += "&#10;"; break;
      case '\r': result += "&#13;"; break;
      default: result += isAt ? std::string("&#64;") : std::string(1, c);
    }
  }
  return result;
}

}  // namespace

XmlWriter& XmlWriter::open(const std::string& tag) {
  if (isTagOpen_) text_ += ">\n";
  text_ += std::string(2 * open_.size(), ' ') + "<" + tag;
  open_.push_back(tag);
  isTagOpen_ = true;
  return *this;
}

XmlWriter& XmlWriter::attribute(const char* name, const std::string& value) {
  ESPALIER_ASSERT(isTagOpen_);
  text_ += std::string(" ") + name + "=\"" + escaped(value) + "\"";
  return *this;
}

XmlWriter& XmlWriter::attribute(const char* name, double value) {
  return attribute(name, shortest(value));
}

XmlWriter& XmlWriter::attribute(const char* name, std::uint64_t value) {
  return attribute(name, std::to_string(value));
}

XmlWriter& XmlWriter::attribute(const char* name, const Vec3d& v) {
  return attribute(name, shortest(v));
}

XmlWriter& XmlWriter::bound(const char* name, double value) {
  return std::isfinite(value) ? attribute(name, value) : *this;
}

XmlWriter& XmlWriter::attribute(const char* name, std::span<const double> values) {
  return attribute(name, shortest(values));
}

XmlWriter& XmlWriter::content(const std::string& text) {
  text_ += ">" + escaped(text);
  isTagOpen_ = false;
  hasContent_ = true;
  return *this;
}

XmlWriter& XmlWriter::close() {
  const std::string tag = open_.back();
  open_.pop_back();
  if (isTagOpen_)
    text_ += "/>\n";
  else
    text_ += (hasContent_ ? "" : std::string(2 * open_.size(), ' ')) + "</" + tag + ">\n";
  isTagOpen_ = hasContent_ = false;
  return *this;
}

}  // namespace espalier::io
