#pragma once

// How the checks of a Spec speak.

#include <cstdio>
#include <string>
#include <utility>

#include "espalier/core/diagnostic.h"
#include "espalier/model/spec/spec.h"

namespace espalier {

/// 'name', or '' where there is none; long ones are shortened.
inline std::string inQuotes(const std::string& name) {
  constexpr std::size_t longest = 80;
  return "'" + (name.size() > longest ? name.substr(0, longest) + "..." : name) + "'";
}

/// In three digits.
inline std::string printed(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

/// The file in which the line of a part stands.
template <class Part>
const std::string& fileOf(const SystemSpec& spec, const Part& part) {
  return part.file.empty() ? spec.file : part.file;
}

struct SpecLine {
  std::string file;
  int line = 0;
};
template <class Part>
SpecLine lineOf(const SystemSpec& spec, const Part& part) {
  return {fileOf(spec, part), part.line};
}

inline const char* kindOf(const LinkSpec&) { return "link "; }
inline const char* kindOf(const JointSpec&) { return "joint "; }
inline const char* kindOf(const LoopSpec&) { return "loop "; }
inline const char* kindOf(const CouplingSpec&) { return "coupling "; }
inline const char* kindOf(const ConstraintSpec&) { return "constraint "; }
inline const char* kindOf(const TendonSpec&) { return "tendon "; }

struct CheckReport {
  const SystemSpec& spec;
  Diagnostics& diagnostics;

  void error(int line, std::string what, std::string remedy) const {
    add(Severity::Error, spec.file, line, std::move(what), std::move(remedy));
  }
  void warn(int line, std::string what, std::string remedy) const {
    add(Severity::Warning, spec.file, line, std::move(what), std::move(remedy));
  }
  template <class Part>
  void error(const Part& part, const std::string& what, std::string remedy) const {
    add(Severity::Error, fileOf(spec, part), part.line,
        kindOf(part) + inQuotes(part.name) + " " + what, std::move(remedy));
  }
  template <class Part>
  void warn(const Part& part, const std::string& what, std::string remedy) const {
    add(Severity::Warning, fileOf(spec, part), part.line,
        kindOf(part) + inQuotes(part.name) + " " + what, std::move(remedy));
  }
  /// Of a line in the part's file.
  template <class Part>
  void errorIn(const Part& part, int line, std::string what, std::string remedy) const {
    add(Severity::Error, fileOf(spec, part), line, std::move(what), std::move(remedy));
  }
  void error(const SpecLine& at, std::string what, std::string remedy) const {
    add(Severity::Error, at.file, at.line, std::move(what), std::move(remedy));
  }
  void warn(const SpecLine& at, std::string what, std::string remedy) const {
    add(Severity::Warning, at.file, at.line, std::move(what), std::move(remedy));
  }

 private:
  void add(Severity severity, const std::string& file, int line, std::string what,
           std::string remedy) const {
    diagnostics.add({severity, file, line, std::move(what), std::move(remedy)});
  }
};

}  // namespace espalier
