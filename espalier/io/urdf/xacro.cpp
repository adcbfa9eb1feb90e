#include "espalier/io/urdf/xacro.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
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

/// The line with the reason: the first that is marked as one; else, of an exception in Python, the last that says
/// something, and not only where.
std::string reasonIn(const std::string& text) {
  constexpr std::string_view label = "error: ", of_parser = "XML parsing error: ";
  constexpr std::string_view places[] = {"when ", "included from", "instantiated from", "in file"};
  std::string_view rest = text, last;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = trimmed(rest.substr(0, end));
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
    if (line.starts_with(label)) return std::string(line.substr(label.size()));
    if (line.starts_with(of_parser)) return std::string(line);
    const bool isPlace =
        std::any_of(std::begin(places), std::end(places),
                    [&](std::string_view begin) { return line.starts_with(begin); });
    if (!line.empty() && !isPlace) last = line;
  }
  return std::string(last);
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
