#pragma once

// How the checks of a Spec report what they find.

#include <initializer_list>
#include <string>
#include <utility>

#include "espalier/core/diagnostic.h"
#include "espalier/model/spec/spec.h"

namespace espalier {

/// 'name', or '' where there is none; long ones are shortened.
std::string inQuotes(const std::string& name);

/// In three digits.
std::string printed(double x);

/// The file in which the line of a part stands.
template <class Part>
const std::string& fileOf(const SystemSpec& spec, const Part& part) {
  return part.file.empty() ? spec.file : part.file;
}

inline const char* kindOf(const LinkSpec&) { return "link "; }
inline const char* kindOf(const JointSpec&) { return "joint "; }
inline const char* kindOf(const LoopSpec&) { return "loop "; }
inline const char* kindOf(const CouplingSpec&) { return "coupling "; }
inline const char* kindOf(const ConstraintSpec&) { return "constraint "; }
inline const char* kindOf(const TendonSpec&) { return "tendon "; }

/// Where a problem is: a line of the system's file, a line of any file, or a part of the system, with
/// which the message begins.
struct SpecPlace {
  std::string file = {};  ///< empty: the system's
  int line = 0;
  std::string part = {};  ///< "joint 'knee'", or empty

  SpecPlace(int itsLine) : line(itsLine) {}
  SpecPlace(std::string itsFile, int itsLine) : file(std::move(itsFile)), line(itsLine) {}
  template <class Part>
  SpecPlace(const Part& itsPart) requires requires {
    kindOf(itsPart);
  } : file(itsPart.file), line(itsPart.line), part(kindOf(itsPart) + inQuotes(itsPart.name)) {
  }
};

struct CheckReport {
  const SystemSpec& spec;
  Diagnostics& diagnostics;

  void error(const SpecPlace& at, const std::string& what, const std::string& remedy) const {
    add(Severity::Error, at, what, remedy);
  }
  void warn(const SpecPlace& at, const std::string& what, const std::string& remedy) const {
    add(Severity::Warning, at, what, remedy);
  }
  void add(Severity severity, const SpecPlace& at, const std::string& what,
           const std::string& remedy) const;
};

/// An Error "TEXT is negative or not finite" for each such number.
///   in  amounts  a text and a number: "has a damping that", 0.1
void checkAmounts(const CheckReport& report, const SpecPlace& at,
                  std::initializer_list<std::pair<const char*, double>> amounts);

/// To the rounding that figures in files have: |R R' - 1| < 1e-6, and no mirror.
bool isRotation(const Mat3d& R);

/// An Error "POSE is not finite" or "ORIENTATION is not a rotation" where it is so.
void checkPose(const CheckReport& report, const SpecPlace& at, const Transformd& X,
               const std::string& pose, const std::string& orientation);

/// An Error where a part names no link, or one that does not exist, by <tag link="NAME"/>.
///   in       title  of that link in the message: "parent link"
///   returns  isLink
bool checkEnd(const CheckReport& report, const SpecPlace& at, const std::string& tag,
              const std::string& title, const std::string& name, bool isLink);

}  // namespace espalier
