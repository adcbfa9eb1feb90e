#include "apps/cli/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "apps/cli/json.h"
#include "apps/cli/remarks.h"
#include "apps/cli/terminal.h"

namespace espalier::cli {

Diagnostic toDiagnostic(const std::exception& exception, const std::string& file) {
  if (const auto* failure = dynamic_cast<const Failure*>(&exception)) return failure->diagnostic;
  // A length_error is a size beyond a container's limit, so no memory would suffice either.
  if (dynamic_cast<const std::bad_alloc*>(&exception) ||
      dynamic_cast<const std::length_error*>(&exception))
    return {Severity::Error, file, 0, "it needs more memory than there is",
            "make it smaller, or run it on a machine with more memory"};
  std::string what = exception.what();
  if (!dynamic_cast<const std::invalid_argument*>(&exception))
    return {Severity::Error, file, 0, what, ""};
  // "what; remedy (required: condition)", as ESPALIER_REQUIRE writes it.
  what = what.substr(0, what.rfind(" (required: "));
  const std::size_t end = what.find("; ");
  if (end == std::string::npos) return {Severity::Error, file, 0, what, "correct it in the file"};
  return {Severity::Error, file, 0, what.substr(0, end), what.substr(end + 2)};
}

void reportErrors(const Diagnostics& diagnostics, bool asJson, const std::string& file) {
  if (asJson) {
    Json report{{"ok", false}};
    if (!file.empty()) report["file"] = file;
    report["diagnostics"] = toJson(diagnostics);
    printJson(report);
    return;
  }
  Diagnostics errors;
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity == Severity::Error) errors.add(d);
  constexpr int most_shown = 20;
  print(err(), draw(err(), errors, most_shown));
  const std::size_t shown = std::min<std::size_t>(errors.all().size(), most_shown);
  if (!file.empty() && diagnostics.all().size() > shown)
    print(err(), fmt::format("{}: {}\n", printable(file), countOf(diagnostics)));
}

}  // namespace espalier::cli
