#pragma once

// Finds the parts of a Spec or Model by their names.

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

/// Index of the first of a list whose `field` is a name; -1 where there is none.
template <class Part>
int indexOf(const std::vector<Part>& list, std::string_view name,
            std::string Part::*field = &Part::name) {
  for (int i = 0; i < static_cast<int>(list.size()); ++i)
    if (list[i].*field == name) return i;
  return -1;
}

/// The first of a list that has a name; null where none has it.
template <class Part>
const Part* named(const std::vector<Part>& list, std::string_view name) {
  const int i = indexOf(list, name);
  return i < 0 ? nullptr : &list[i];
}

}  // namespace espalier
