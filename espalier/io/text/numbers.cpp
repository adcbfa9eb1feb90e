#include "espalier/io/text/numbers.h"

#include <charconv>
#include <cmath>

namespace espalier::io {
namespace {

constexpr std::string_view white_space = " \t\r\n\f\v";

/// Of white_space; faster than a search, which counts in meshes written as text.
constexpr bool isWhite(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(white_space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

std::string_view nextWord(std::string_view& rest) {
  std::size_t begin = 0;
  while (begin < rest.size() && isWhite(rest[begin])) ++begin;
  std::size_t end = begin;
  while (end < rest.size() && !isWhite(rest[end])) ++end;
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto word = nextWord(text); !word.empty(); word = nextWord(text)) words.push_back(word);
  return words;
}

std::string lowered(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::optional<double> parseNumber(std::string_view text, Infinity infinity) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (stop != end || problem == std::errc::invalid_argument) return std::nullopt;
  if (problem == std::errc::result_out_of_range) {
    // from_chars says the same of 1e999 and 1e-999; only the latter has a meaning.
    if (text.find("e-") == text.npos && text.find("E-") == text.npos) return std::nullopt;
    return 0.0;
  }
  if (std::isnan(value)) return std::nullopt;
  if (std::isinf(value) && infinity == Infinity::Refused) return std::nullopt;
  return value;
}

bool parseNumbers(std::string_view text, std::span<double> out, Infinity infinity) {
  std::vector<double> values;
  for (std::string_view word = nextWord(text); !word.empty(); word = nextWord(text)) {
    const std::optional<double> value = parseNumber(word, infinity);
    if (!value || values.size() == out.size()) return false;
    values.push_back(*value);
  }
  if (values.size() != out.size()) return false;
  std::copy(values.begin(), values.end(), out.begin());
  return true;
}

std::optional<std::vector<double>> parseList(std::string_view text) {
  std::vector<double> values;
  for (auto word = nextWord(text); !word.empty(); word = nextWord(text)) {
    const std::optional<double> value = parseNumber(word);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::string printNumber(double value) {
  char buffer[64];
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 17);
  return {buffer, result.ptr};
}

}  // namespace espalier::io
