#pragma once

// Numbers and words as files write them: no locale, no silent guesses.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::io {

enum class Infinity { Refused, Allowed };

/// One number without anything around it; none if it is not a number, or NaN, or too large.
/// A leading '+' is fine; a number too small for a double is zero.
std::optional<double> parseNumber(std::string_view text, Infinity infinity = Infinity::Refused);

/// Exactly out.size() numbers between white space; false and out untouched otherwise.
bool parseNumbers(std::string_view text, std::span<double> out,
                  Infinity infinity = Infinity::Refused);

/// All numbers of text, between white space; none where a piece is none.
std::optional<std::vector<double>> parseList(std::string_view text);

/// The next piece of text between white space, taken from its front; empty at the end.
std::string_view nextWord(std::string_view& rest);
/// All of them.
std::vector<std::string_view> wordsOf(std::string_view text);

/// text without white space at both ends.
std::string_view trimmed(std::string_view text);

/// Its letters A to Z as a to z.
std::string lowered(std::string text);

/// Whether a name is in a fixed list.
template <std::size_t N>
bool isOneOf(std::string_view name, const std::string_view (&all)[N]) {
  return std::find(std::begin(all), std::end(all), name) != std::end(all);
}

/// 17 significant digits: reading it back gives the same double.
std::string printNumber(double value);

}  // namespace espalier::io
