#include "apps/cli/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "apps/cli/terminal.h"

namespace espalier::cli {
namespace {

class Writer {
 public:
  void write(const Json& value, int depth) {
    if (value.is_number_float()) {
      number(value.get<double>());
    } else if (value.is_object() && !value.empty()) {
      object(value, depth);
    } else if (value.is_array() && !value.empty()) {
      array(value, depth);
    } else {
      append(value.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
  }
  std::string text() const { return fmt::to_string(buffer_); }

 private:
  void append(std::string_view s) { buffer_.append(s.data(), s.data() + s.size()); }
  void line(int depth) {
    buffer_.push_back('\n');
    for (int i = 0; i < depth; ++i) buffer_.push_back(' ');
  }

  /// The shortest digits that read back as the same number; a point marks it as a real one.
  void number(double x) {
    if (!std::isfinite(x)) return append("null");
    const std::size_t begin = buffer_.size();
    fmt::format_to(std::back_inserter(buffer_), "{}", x);
    const std::string_view digits(buffer_.data() + begin, buffer_.size() - begin);
    if (digits.find_first_of(".e") == std::string_view::npos) append(".0");
  }

  void object(const Json& value, int depth) {
    char opening = '{';
    for (const auto& [key, item] : value.items()) {
      buffer_.push_back(opening);
      opening = ',';
      line(depth + 1);
      append(Json(key).dump(-1, ' ', false, Json::error_handler_t::replace));
      append(": ");
      write(item, depth + 1);
    }
    line(depth);
    buffer_.push_back('}');
  }

  void array(const Json& value, int depth) {
    const bool flat = std::none_of(value.begin(), value.end(),
                                   [](const Json& item) { return item.is_structured(); });
    char opening = '[';
    for (const Json& item : value) {
      buffer_.push_back(opening);
      if (!flat) line(depth + 1);
      if (flat && opening == ',') buffer_.push_back(' ');
      opening = ',';
      write(item, depth + 1);
    }
    if (!flat) line(depth);
    buffer_.push_back(']');
  }

  fmt::memory_buffer buffer_;
};

const char* severityName(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "";
}

}  // namespace

std::string toText(const Json& value) {
  Writer writer;
  writer.write(value, 0);
  return writer.text() + '\n';
}

Json toJson(const double* numbers, int n) { return Json::array_t(numbers, numbers + n); }

Json toJson(const double* numbers, int rows, int columns) {
  Json::array_t result;
  for (int r = 0; r < rows; ++r) result.push_back(toJson(numbers + r * columns, columns));
  return result;
}

Json toJson(const Vec3d& v) { return Json::array({v.x, v.y, v.z}); }
Json toJson(const Mat3d& m) { return Json::array({toJson(m.r0), toJson(m.r1), toJson(m.r2)}); }

Json toJson(const Diagnostic& diagnostic) {
  Json json{{"severity", severityName(diagnostic.severity)},
            {"file", diagnostic.file},
            {"line", diagnostic.line},
            {"what", diagnostic.what},
            {"remedy", diagnostic.remedy}};
  if (diagnostic.isOmission) json["omission"] = true;
  return json;
}

Json toJson(const Diagnostics& diagnostics) {
  Json::array_t result;
  for (const Diagnostic& d : diagnostics.all()) result.push_back(toJson(d));
  return result;
}

void printJson(const Json& value) { print(out(), toText(value)); }

}  // namespace espalier::cli
