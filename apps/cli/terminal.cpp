#include "apps/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

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

std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return result;
}

int displayWidth(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void print(const Terminal& terminal, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), terminal.stream);
}

}  // namespace espalier::cli
