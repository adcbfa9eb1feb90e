#pragma once

// How the checks of a Spec speak.

#include <cstdio>
#include <string>
#include <utility>

#include "espalier/core/diagnostic.h"
#include "espalier/model/spec.h"

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

struct CheckReport {
  const SystemSpec& spec;
  Diagnostics& diagnostics;

  void error(int line, std::string what, std::string remedy) const {
    diagnostics.add({Severity::Error, spec.file, line, std::move(what), std::move(remedy)});
  }
  void warn(int line, std::string what, std::string remedy) const {
    diagnostics.add({Severity::Warning, spec.file, line, std::move(what), std::move(remedy)});
  }
  void error(const LinkSpec& link, const std::string& what, std::string remedy) const {
    error(link.line, "link " + inQuotes(link.name) + " " + what, std::move(remedy));
  }
  void warn(const LinkSpec& link, const std::string& what, std::string remedy) const {
    warn(link.line, "link " + inQuotes(link.name) + " " + what, std::move(remedy));
  }
  void error(const JointSpec& joint, const std::string& what, std::string remedy) const {
    error(joint.line, "joint " + inQuotes(joint.name) + " " + what, std::move(remedy));
  }
  void warn(const JointSpec& joint, const std::string& what, std::string remedy) const {
    warn(joint.line, "joint " + inQuotes(joint.name) + " " + what, std::move(remedy));
  }
  void error(const LoopSpec& loop, const std::string& what, std::string remedy) const {
    error(loop.line, "loop " + inQuotes(loop.name) + " " + what, std::move(remedy));
  }
  void error(const CouplingSpec& coupling, const std::string& what, std::string remedy) const {
    error(coupling.line, "coupling " + inQuotes(coupling.name) + " " + what, std::move(remedy));
  }
  void error(const ConstraintSpec& constraint, const std::string& what, std::string remedy) const {
    error(constraint.line, "constraint " + inQuotes(constraint.name) + " " + what,
          std::move(remedy));
  }
  void warn(const CouplingSpec& coupling, const std::string& what, std::string remedy) const {
    warn(coupling.line, "coupling " + inQuotes(coupling.name) + " " + what, std::move(remedy));
  }
};

}  // namespace espalier
