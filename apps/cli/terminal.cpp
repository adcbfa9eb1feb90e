#include "apps/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace espalier::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The first of the locale's variables that is set decides, as everywhere else.
bool isUtf8Locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = environment(name);
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

Terminal look(std::FILE* stream) {
  Terminal t;
  t.stream = stream;
  t.isTerminal = isatty(fileno(stream)) != 0;
  t.colour = t.isTerminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
  t.unicode = isUtf8Locale();
  winsize size{};
  if (t.isTerminal && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    t.width = size.ws_col;
  return t;
}

const char* code(Ink ink) {
  switch (ink) {
    case Ink::Plain: return "";
    case Ink::Bold: return "\033[1m";
    case Ink::Faint: return "\033[2m";
    case Ink::Red: return "\033[1;31m";
    case Ink::Yellow: return "\033[33m";
    case Ink::Green: return "\033[32m";
    case Ink::Cyan: return "\033[36m";
  }
  return "";
}

}  // namespace

const Terminal& out() {
  static const Terminal terminal = look(stdout);
  return terminal;
}

const Terminal& err() {
  static const Terminal terminal = look(stderr);
  return terminal;
}

std::string paint(const Terminal& terminal, Ink ink, std::string_view text) {
  if (!terminal.colour || ink == Ink::Plain) return std::string(text);
  return code(ink) + std::string(text) + "\033[0m";
}

namespace {

/// Bytes of the character at the start of text; 0 where it is not a printable one of UTF-8.
std::size_t printableLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool isControl = first == 0xc2 && byte(1) < 0xa0;
  return isControl ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = printableLength(text);
    result += length > 0 ? text.substr(0, length) : std::string_view("?");
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

int displayWidth(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

namespace {
int output_error = 0;  // errno of the first write to standard output that failed
}

void print(const Terminal& terminal, std::string_view text) {
  const std::size_t written = std::fwrite(text.data(), 1, text.size(), terminal.stream);
  if (written < text.size() && terminal.stream == stdout && output_error == 0) output_error = errno;
}

int flushOutput() {
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
  return std::exchange(output_error, 0);
}

}  // namespace espalier::cli
