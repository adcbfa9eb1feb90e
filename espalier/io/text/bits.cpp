#include "espalier/io/text/bits.h"

#include <tinyxml2.h>

#include <charconv>
#include <optional>

namespace espalier::io {
namespace {

/// A whole number of at most 64 bits, negative ones in two's complement.
std::optional<std::uint64_t> parseBits(std::string_view text) {
  const char* end = text.data() + text.size();
  if (!text.empty() && text[0] == '-') {
    std::int64_t value = 0;
    const auto [stop, problem] = std::from_chars(text.data(), end, value);
    if (stop != end || problem != std::errc()) return std::nullopt;
    return static_cast<std::uint64_t>(value);
  }
  std::uint64_t value = 0;
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (stop != end || problem != std::errc()) return std::nullopt;
  return value;
}

/// collision[1|4|6] or collision[-1].
std::optional<std::uint64_t> parseBitList(std::string_view text) {
  constexpr std::string_view open = "collision[";
  if (text.substr(0, open.size()) != open || text.back() != ']') return std::nullopt;
  text = text.substr(open.size(), text.size() - open.size() - 1);
  std::uint64_t bits = 0;
  while (true) {
    const std::size_t bar = std::min(text.find('|'), text.size());
    const std::optional<std::uint64_t> bit = parseBits(trimmed(text.substr(0, bar)));
    if (!bit || (*bit > 63 && *bit != ~std::uint64_t{0})) return std::nullopt;
    bits |= *bit > 63 ? ~std::uint64_t{0} : std::uint64_t{1} << *bit;
    if (bar == text.size()) return bits;
    text.remove_prefix(bar + 1);
  }
}

}  // namespace

std::uint64_t readBits(XmlReader& xml, const XMLElement& e, const tinyxml2::XMLAttribute& a,
                       std::uint64_t fallback) {
  const std::string_view text = trimmed(a.Value());
  auto bits = parseBits(text);
  if (!bits) bits = parseBitList(text);
  if (!bits) {
    xml.error(a.GetLineNum(),
              std::string("<") + e.Name() + " " + a.Name() + "> is " + shown(text) +
                  ", not a collision group or mask",
              "write a whole number, or collision[0|3] for bits 0 and 3");
    return fallback;
  }
  return *bits;
}

std::uint64_t readBits(XmlReader& xml, const XMLElement& e, const char* attribute,
                       std::uint64_t fallback) {
  const auto* a = e.FindAttribute(attribute);
  return a == nullptr ? fallback : readBits(xml, e, *a, fallback);
}

}  // namespace espalier::io
