#include "apps/cli/remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace espalier::cli {

namespace {

/// Messages quote files, which may hold anything at any length.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 500;
  return text.size() <= most ? text : text.substr(0, most) + " ...";
}

}  // namespace

std::string draw(const Terminal& terminal, const Diagnostic& d) {
  std::string place = printable(d.file);
  if (d.line > 0) place += fmt::format(":{}", d.line);
  std::string text = place.empty() ? "" : paint(terminal, Ink::Bold, place + ":") + " ";
  switch (d.severity) {
    case Severity::Error: text += paint(terminal, Ink::Red, "error:"); break;
    case Severity::Warning:
      text += paint(terminal, Ink::Yellow, d.isOmission ? "omission:" : "warning:");
      break;
    case Severity::Note: text += paint(terminal, Ink::Cyan, "note:"); break;
  }
  text += " " + printable(shortened(d.what)) + "\n";
  if (!d.remedy.empty()) text += paint(terminal, Ink::Faint, "    " + printable(d.remedy)) + "\n";
  return text;
}

std::string draw(const Terminal& terminal, const Diagnostics& diagnostics, int most) {
  std::vector<Diagnostic> list = diagnostics.all();
  std::stable_sort(list.begin(), list.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair{a.severity, a.isOmission} > std::pair{b.severity, b.isOmission};
  });
  const std::size_t shown = std::min(list.size(), static_cast<std::size_t>(most));
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += draw(terminal, list[i]);
  if (shown < list.size())
    text += paint(terminal, Ink::Faint,
                  fmt::format("... and {} more; --json has them all", list.size() - shown)) +
            "\n";
  return text;
}

Diagnostics merged(const Diagnostics& first, const Diagnostics& second) {
  Diagnostics result;
  std::set<std::tuple<Severity, std::string, int, std::string>> said;
  for (const Diagnostics* list : {&first, &second})
    for (const Diagnostic& d : list->all())
      if (said.emplace(d.severity, d.file, d.line, d.what).second) result.add(d);
  return result;
}

std::string plural(int count, const std::string& noun) {
  const bool isBody = noun.size() > 1 && noun.back() == 'y';
  if (count == 1) return "1 " + noun;
  return fmt::format("{} {}", count, isBody ? noun.substr(0, noun.size() - 1) + "ies" : noun + "s");
}

std::string countOf(const Diagnostics& diagnostics) {
  std::string text;
  const auto add = [&](int count, const char* noun) {
    if (count > 0) text += (text.empty() ? "" : ", ") + plural(count, noun);
  };
  const int omissions = static_cast<int>(diagnostics.omissions().all().size());
  add(diagnostics.count(Severity::Error), "error");
  add(omissions, "omission");
  add(diagnostics.count(Severity::Warning) - omissions, "warning");
  add(diagnostics.count(Severity::Note), "note");
  return text.empty() ? "no remarks" : text;
}

}  // namespace espalier::cli
