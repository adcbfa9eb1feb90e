#include "espalier/io/urdf/xacro.h"

#include <cstdlib>
#include <vector>

#include "espalier/io/text/child_process.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/problem.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {
namespace {

constexpr double patience = 60;  // s
// The package has no __main__, so python -m does not run it.
constexpr const char* run_xacro = "import xacro; xacro.main()";

std::vector<std::vector<std::string>> candidates() {
  std::vector<std::vector<std::string>> all;
  const char* python = std::getenv("ESPALIER_PYTHON");
  if (python != nullptr && *python != '\0') all.push_back({python, "-c", run_xacro});
  all.push_back({"xacro"});
  all.push_back({"python3", "-c", run_xacro});
  return all;
}

bool isAbsent(const ChildResult& run) {
  return !run.wasStarted || run.exitCode == 127 ||
         run.err.find("No module named xacro") != run.err.npos ||
         run.err.find("No module named 'xacro'") != run.err.npos;
}

/// The last line that says something.
std::string lastLine(const std::string& text) {
  const std::string_view all = trimmed(text);
  return std::string(all.substr(all.rfind('\n') + 1));
}

}  // namespace

Expected<std::string> expandXacro(const std::string& path,
                                  const std::map<std::string, std::string>& arguments,
                                  ReadingBudget& budget) {
  const Expected<std::string> source = readTextFile(path, budget);
  if (!source) return source.diagnostics();
  for (std::vector<std::string> command : candidates()) {
    // A path that begins with a dash is no option.
    command.push_back(path.front() == '-' ? "./" + path : path);
    for (const auto& [name, value] : arguments) command.push_back(name + ":=" + value);
    ChildLimits limits;
    limits.seconds = patience;
    limits.output = budget.textLeft();
    ChildResult run = runChild(command, limits);
    if (isAbsent(run)) continue;
    if (run.hasTimedOut) {
      return problem(path, "xacro did not come to an end",
                     "look for a macro or an include that calls itself");
    }
    if (const auto excess = budget.takeText(run.out.size() + run.err.size())) {
      return problem(path, "expanded by xacro, " + excess->what, excess->remedy);
    }
    if (run.exitCode != 0) {
      return problem(path, "xacro cannot expand it: " + lastLine(run.err),
                     "run `xacro " + path + "` to see all it says");
    }
    return std::move(run.out);
  }
  return problem(path, "this is a xacro file, and xacro is not installed",
                 "pip install xacro, and name that Python in ESPALIER_PYTHON if it is not the "
                 "one on PATH; or expand the file elsewhere");
}

}  // namespace espalier::io
