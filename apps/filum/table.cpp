#include "table.hpp"

#include "terminal.hpp"

#include <algorithm>

namespace filum::app {
namespace {

// Columns on the screen: characters, not bytes, and without colour marks (ESC [ … m).
std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    // bytes 10xxxxxx continue a UTF-8 character
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) ++width;
  }
  return width;
}

}  // namespace

Table::Table(std::vector<std::string> head, std::vector<Align> align) : align_(std::move(align)) {
  rows_.push_back(std::move(head));
}

void Table::add(std::vector<std::string> cells) {
  cells.resize(align_.size());
  for (std::string& cell : cells) cell = shown(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::text(const std::string& indent) const {
  // the widest cell sets the column
  std::vector<std::size_t> widths(align_.size(), 0);
  for (const auto& row : rows_)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], width_of(row[column]));

  std::string out;
  for (const auto& row : rows_) {
    std::string line = indent;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string gap(widths[column] - width_of(row[column]), ' ');
      line += align_[column] == Align::Left ? row[column] + gap : gap + row[column];
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) out += line + "\n";
  }
  return out;
}

}  // namespace filum::app
