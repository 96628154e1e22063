// A table of text with aligned columns.
#pragma once

#include <string>
#include <vector>

namespace filum::app {

enum class Align { Left, Right };

class Table {
 public:
  // One entry per column; an empty header line is left out.
  Table(std::vector<std::string> head, std::vector<Align> align);

  void add(std::vector<std::string> cells);

  // Columns two spaces apart, each line after `indent`, no trailing blanks.
  [[nodiscard]] std::string text(const std::string& indent = "") const;

 private:
  std::vector<Align> align_;
  std::vector<std::vector<std::string>> rows_;  // the first is the head
};

}  // namespace filum::app
