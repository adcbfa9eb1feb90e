#pragma once

// How errors leave the command: Diagnostics as text on standard error or, with --json, as one JSON
// object on standard output; and exceptions as Diagnostics.

#include <exception>
#include <stdexcept>
#include <string>

#include "espalier/core/diagnostic.h"

namespace espalier::cli {

/// An error that ends a command, with its remedy. main() reports it.
class Failure : public std::runtime_error {
 public:
  explicit Failure(Diagnostic d) : std::runtime_error(d.what), diagnostic(std::move(d)) {}
  Diagnostic diagnostic;
};

/// An exception as an Error about `file`: what a Failure holds; the message of a failed
/// ESPALIER_REQUIRE, its remedy behind "; "; or that memory did not suffice.
Diagnostic toDiagnostic(const std::exception& exception, const std::string& file);

/// Calls `f` and appends its exception to `diagnostics`, as an Error about `file`.
template <class F>
void collectErrors(const std::string& file, Diagnostics& diagnostics, F&& f) {
  try {
    f();
  } catch (const std::exception& exception) {
    diagnostics.add(toDiagnostic(exception, file));
  }
}

/// Reports why a command ended without a result.
///   in  asJson  prints {"ok": false, "file": ..., "diagnostics": [{severity, file, line, what,
///               remedy}]} on standard output, warnings included; else the errors alone, as text on
///               standard error, with a count of what is not shown
///   in  file    the only file that the command was given; empty: none, or several
void reportErrors(const Diagnostics& diagnostics, bool asJson, const std::string& file = "");

}  // namespace espalier::cli
