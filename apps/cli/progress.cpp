#include "apps/cli/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/terminal.h"

namespace espalier::cli {
namespace {

constexpr std::chrono::milliseconds period{100};
constexpr int bar_width = 30;

/// Full blocks and the eighths of the last one, or hashes.
std::string bar(double share) {
  const int eighths = static_cast<int>(std::lround(share * bar_width * 8));
  std::string text;
  int columns = eighths / 8;
  for (int i = 0; i < columns; ++i) text += err().unicode ? "█" : "#";
  if (err().unicode && eighths % 8 > 0) {
    static constexpr const char* parts[] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    text += parts[eighths % 8 - 1];
    ++columns;
  }
  for (; columns < bar_width; ++columns) text += err().unicode ? "·" : ".";
  return text;
}

}  // namespace

Progress::Progress() : isOn_(err().isTerminal), last_(Clock::now() - period) {}

Progress::~Progress() {
  if (isDrawn_) print(err(), "\r\033[K");
}

bool Progress::isDue() const { return isOn_ && Clock::now() - last_ >= period; }

void Progress::show(double share, const std::string& note) {
  if (!isDue()) return;
  last_ = Clock::now();
  isDrawn_ = true;
  const double done = std::clamp(share, 0.0, 1.0);
  std::string line = fmt::format("{} {:3.0f} %", paint(err(), Ink::Cyan, bar(done)), 100 * done);
  if (displayWidth(note) + bar_width + 10 < err().width) line += "  " + note;
  print(err(), "\r" + line + "\033[K");
  std::fflush(err().stream);
}

}  // namespace espalier::cli
