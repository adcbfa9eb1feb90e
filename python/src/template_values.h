#pragma once

// Values of @@NAME in a template: texts or numbers, by NAME.

#include <nanobind/stl/string.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/variant.h>

#include <string>
#include <unordered_map>
#include <variant>

#include "espalier/world/world.h"

namespace espalier::python {

using TemplateValues =
    std::unordered_map<std::string, std::variant<std::string, long long, double>>;

inline TemplateParameters textsOf(const TemplateValues& values) {
  TemplateParameters texts;
  for (const auto& [name, value] : values)
    texts[name] = std::visit(
        [](const auto& x) { return nb::cast<std::string>(nb::str(nb::cast(x))); }, value);
  return texts;
}

}  // namespace espalier::python
