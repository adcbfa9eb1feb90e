#pragma once

// Text in columns.

#include <string>
#include <vector>

#include "apps/cli/terminal.h"

namespace espalier::cli {

enum class Align { Left, Right };

struct Column {
  std::string title;
  Align align = Align::Left;
};

struct Cell {
  Cell(std::string t, Ink i = Ink::Plain) : text(std::move(t)), ink(i) {}
  Cell(const char* t, Ink i = Ink::Plain) : text(t), ink(i) {}
  std::string text;
  Ink ink;
};

class Table {
 public:
  /// Without any title no heading is drawn.
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// At most as many cells as columns; missing ones stay empty.
  void add(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  bool isEmpty() const { return rows_.empty(); }

  /// One line a row, indented; columns two spaces apart; no spaces at line ends.
  std::string draw(const Terminal& terminal, int indent = 2) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace espalier::cli
