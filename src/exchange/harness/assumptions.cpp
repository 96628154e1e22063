#include "exchange/harness/assumptions.hpp"

#include <filum/scene_file.hpp>

#include <sstream>

namespace filum::exchange {

void Assumptions::add(std::string_view list, std::size_t index, const std::string& what) {
  std::string& mark = marks_[{std::string(list), index}];
  mark += (mark.empty() ? "" : "; ") + what;
}

std::string Assumptions::text(const Scene& scene, const std::string& head) const {
  std::istringstream lines(write_scene(scene));
  std::string out = head;
  std::string list;
  std::size_t index = 0;
  for (std::string line; std::getline(lines, line);) {
    // a list begins at the margin, its things two blanks from it, their keys further in
    const bool thing = line.size() > 2 && line.starts_with("  ") && line[2] != ' ';
    if (!line.empty() && line[0] != ' ') {
      list = line.substr(0, line.find(':'));
      index = 0;
    }
    out += line;
    if (thing) {
      const auto mark = marks_.find({list, index++});
      if (mark != marks_.end()) out += "  # assumed: " + mark->second;
    }
    out += '\n';
  }
  return out;
}

}  // namespace filum::exchange
