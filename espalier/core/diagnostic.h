#pragma once

// Diagnostics of a file or a Spec: every problem is collected as a Diagnostic,
// nothing is printed or thrown on the way.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace espalier {

enum class Severity { Note, Warning, Error };

/// One remark about untrusted input: place, severity, problem and remedy.
struct Diagnostic {
  Severity severity = Severity::Error;
  std::string file;    ///< path, or "<text>" where the input came as text; empty if unknown
  int line = 0;        ///< 1-based; 0 if unknown
  std::string what;    ///< the problem, naming link, joint or attribute
  std::string remedy;  ///< how to correct it
  /// A Warning about something that is left out and acts where the file comes from: the motion is
  /// not the one that the file describes.
  bool isOmission = false;
};

/// "file:line: error: what; remedy".
std::string toString(const Diagnostic& diagnostic);

class Diagnostics {
 public:
  void add(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }
  void append(const Diagnostics& other);
  bool hasErrors() const;
  int count(Severity severity) const;
  /// Those that are omissions.
  Diagnostics omissions() const;
  const std::vector<Diagnostic>& all() const { return all_; }
  /// One line each, in order of appearance.
  std::string toString() const;

 private:
  std::vector<Diagnostic> all_;
};

/// A value, or none, and in both cases the diagnostics collected on the way.
///   pre  value() and * only where hasValue(); a value never comes with an Error
template <class T>
class Expected {
 public:
  Expected(T value, Diagnostics diagnostics = {})
      : value_(std::move(value)), diagnostics_(std::move(diagnostics)) {}
  Expected(Diagnostics diagnostics) : diagnostics_(std::move(diagnostics)) {}

  bool hasValue() const { return value_.has_value(); }
  explicit operator bool() const { return hasValue(); }
  T& value() & { return value_.value(); }
  const T& value() const& { return value_.value(); }
  T&& value() && { return std::move(value_).value(); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  std::optional<T> value_;
  Diagnostics diagnostics_;
};

}  // namespace espalier
