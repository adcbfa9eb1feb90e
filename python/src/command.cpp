// The command `espalier` in this process: python -m espalier.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/cli/command_line.h"
#include "apps/cli/python.h"
#include "bindings.h"
#include "casters.h"

namespace espalier::python {

nb::module_ applicationOf(nb::module_& m) {
  return m.def_submodule("application", "The command and what it serves, for espalier.viewer.");
}

using namespace nb::literals;

void bindCommand(nb::module_& root) {
  nb::module_ m = applicationOf(root);
  m.def(
      "run_command",
      [](std::vector<std::string> arguments, std::string python) {
        arguments.insert(arguments.begin(), "espalier");
        std::vector<char*> argv;
        for (std::string& argument : arguments) argv.push_back(argument.data());
        argv.push_back(nullptr);
        cli::setDefaultPython(std::move(python));
        const nb::gil_scoped_release release;
        return cli::runCommand(static_cast<int>(arguments.size()), argv.data());
      },
      "arguments"_a, "python"_a,
      "int: the exit code. python: interpreter that runs the command's scripts.");
}

}  // namespace espalier::python
