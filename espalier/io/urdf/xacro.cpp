#include "espalier/io/urdf/xacro.h"

#include <cstdlib>
#include <vector>

#include "espalier/io/text/child_process.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {
namespace {

constexpr double patience = 60;  // s
/// Runs xacro, which asks ROS for the folders of packages. What ROS does not know, or where there is no ROS,
/// is looked for in the folders of the first argument, a line each.
constexpr const char* run_xacro = R"(
import os, sys, types
folders = sys.argv.pop(1).splitlines()
try:
    from ament_index_python.packages import get_package_share_directory as ask_ros
except ImportError:
    def ask_ros(name):
        raise KeyError(name)
def find(name):
    try:
        return ask_ros(name)
    except KeyError:
        pass
    for folder in folders:
        for path in (os.path.join(folder, name), folder):
            if os.path.basename(path) == name and os.path.isdir(path):
                return path
    raise LookupError("package '" + name + "' is in none of " + ", ".join(folders))
ament, packages = (types.ModuleType("ament_index_python" + part) for part in ("", ".packages"))
packages.get_package_share_directory = find
sys.modules.setdefault(ament.__name__, ament)
sys.modules[packages.__name__] = packages
import xacro
xacro.main()
)";

/// The command's own Python is not known, so it asks ROS alone.
std::vector<std::vector<std::string>> candidates(const std::string& folders) {
  std::vector<std::vector<std::string>> all;
  const char* python = std::getenv("ESPALIER_PYTHON");
  if (python != nullptr && *python != '\0') all.push_back({python, "-c", run_xacro, folders});
  all.push_back({"python3", "-c", run_xacro, folders});
  all.push_back({"xacro"});
  return all;
}

bool isAbsent(const ChildResult& run) {
  return !run.wasStarted || run.exitCode == 127 ||
         run.err.find("No module named xacro") != run.err.npos ||
         run.err.find("No module named 'xacro'") != run.err.npos;
}

/// The last line that says something, and not only in which file.
std::string reasonIn(const std::string& text) {
  std::string_view rest = trimmed(text), line;
  do {
    const std::size_t end = rest.rfind('\n');
    line = trimmed(rest.substr(end + 1));
    rest = end == rest.npos ? std::string_view() : rest.substr(0, end);
  } while (!rest.empty() && (line.empty() || line.starts_with("when processing file") ||
                             line.starts_with("included from")));
  constexpr std::string_view label = "error: ";
  return std::string(line.starts_with(label) ? line.substr(label.size()) : line);
}

}  // namespace

Expected<std::string> expandXacro(const std::string& path,
                                  const std::map<std::string, std::string>& arguments,
                                  const ResourcePaths& packages, ReadingBudget& budget) {
  const Expected<std::string> source = readTextFile(path, budget);
  if (!source) return source.diagnostics();
  for (std::vector<std::string> command : candidates(packages.toString("\n"))) {
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
    if (const auto excess = budget.takeText(run.out.size() + run.err.size()))
      return problem(path, "expanded by xacro, " + excess->what, excess->remedy);
    if (run.exitCode != 0) {
      const bool lacksPackage = run.err.find("is in none of") != run.err.npos;
      return problem(path, "xacro cannot expand it: " + reasonIn(run.err),
                     lacksPackage
                         ? "name the folder that holds it with --search, or in the search paths"
                         : "run `xacro " + path + "` to see all it says");
    }
    return std::move(run.out);
  }
  return problem(path, "this is a xacro file, and xacro is not installed",
                 "pip install xacro, and name that Python in ESPALIER_PYTHON if it is not the "
                 "one on PATH; or expand the file elsewhere");
}

}  // namespace espalier::io
