#include "espalier/core/diagnostic.h"

#include <algorithm>
#include <iterator>

namespace espalier {
namespace {

const char* name(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "error";
}

}  // namespace

std::string toString(const Diagnostic& d) {
  std::string text;
  if (!d.file.empty()) {
    text += d.file;
    if (d.line > 0) text += ":" + std::to_string(d.line);
    text += ": ";
  }
  text += std::string(name(d.severity)) + ": " + d.what;
  if (!d.remedy.empty()) text += "; " + d.remedy;
  return text;
}

void Diagnostics::append(const Diagnostics& other) {
  const std::vector<Diagnostic> more = other.all_;  // other may be *this
  all_.insert(all_.end(), more.begin(), more.end());
}

int Diagnostics::count(Severity severity) const {
  return static_cast<int>(std::count_if(all_.begin(), all_.end(), [severity](const Diagnostic& d) {
    return d.severity == severity;
  }));
}

Diagnostics Diagnostics::omissions() const {
  Diagnostics some;
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(some.all_),
               [](const Diagnostic& d) { return d.isOmission; });
  return some;
}

bool Diagnostics::hasErrors() const { return count(Severity::Error) > 0; }

std::string Diagnostics::toString() const {
  std::string text;
  for (const Diagnostic& d : all_) text += espalier::toString(d) + "\n";
  return text;
}

}  // namespace espalier
