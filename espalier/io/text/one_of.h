#pragma once

// Whether a name is in a fixed list.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace espalier::io {

template <std::size_t N>
bool isOneOf(std::string_view name, const std::string_view (&all)[N]) {
  return std::find(std::begin(all), std::end(all), name) != std::end(all);
}

}  // namespace espalier::io
