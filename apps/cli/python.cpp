#include "apps/cli/python.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "apps/cli/failure.h"

namespace espalier::cli {
namespace {

std::string default_python;

std::string pythonOf(const std::string& wanted) {
  std::error_code code;
  if (!wanted.empty()) return wanted;
  if (!default_python.empty()) return default_python;
  return std::filesystem::exists(ESPALIER_PYTHON, code) ? ESPALIER_PYTHON : "python3";
}

}  // namespace

void setDefaultPython(std::string python) { default_python = std::move(python); }

std::string lastLineOf(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return "it says nothing";
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

io::ChildResult runPython(const std::string& wanted, const PythonScript& script,
                          const std::vector<std::string>& arguments, const std::string& file) {
  const std::string python = pythonOf(wanted);
  std::vector<std::string> command{python, "-c", script.text};
  command.insert(command.end(), arguments.begin(), arguments.end());
  io::ChildLimits limits;
  limits.seconds = script.seconds;
  limits.memory = std::size_t{256} << 30;  // of addresses: threads of its libraries reserve many
  io::ChildResult child = io::runChild(command, limits);
  if (!child.wasStarted)
    throw Failure({Severity::Error, file, 0, "the Python '" + python + "' cannot be started",
                   "name one with --python"});
  if (child.exitCode == exit_missing_package) {
    const std::string package = lastLineOf(child.out);
    throw Failure(
        {Severity::Error, file, 0,
         "the Python '" + python + "' lacks the package " + package + ", which " + script.purpose,
         "run '" + python + " -m pip install " + package + "', or name another one with --python"});
  }
  return child;
}

}  // namespace espalier::cli
