#include "apps/cli/table.h"

#include <algorithm>

namespace espalier::cli {

std::string Table::draw(const Terminal& terminal, int indent) const {
  std::vector<int> widths;
  bool hasTitles = false;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    int width = displayWidth(columns_[c].title);
    hasTitles = hasTitles || width > 0;
    for (const auto& row : rows_)
      if (c < row.size()) width = std::max(width, displayWidth(row[c].text));
    widths.push_back(width);
  }

  std::string text;
  const auto line = [&](const std::vector<Cell>& cells) {
    std::string painted(static_cast<std::size_t>(indent), ' ');
    std::string gap;  // spaces that are only written if something follows
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const int room = widths[c] - displayWidth(cells[c].text);
      const std::string pad(static_cast<std::size_t>(std::max(room, 0)), ' ');
      const bool right = columns_[c].align == Align::Right;
      if (right) gap += pad;
      if (!cells[c].text.empty()) {
        painted += gap + paint(terminal, cells[c].ink, cells[c].text);
        gap.clear();
      }
      gap += (right ? "" : pad) + std::string(2, ' ');
    }
    text += painted + '\n';
  };

  if (hasTitles) {
    std::vector<Cell> titles;
    for (const Column& column : columns_) titles.emplace_back(column.title, Ink::Faint);
    line(titles);
  }
  for (const auto& row : rows_) line(row);
  return text;
}

}  // namespace espalier::cli
