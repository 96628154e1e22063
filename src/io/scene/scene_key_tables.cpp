// The tables of keys in docs/scene-format.md.
#include "io/scene/scene_schema.hpp"
#include "io/scene/scene_write.hpp"
#include "io/yaml/units.hpp"
#include "scene/describe/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace filum::io {
namespace {

using scene::Field;
using scene::Kind;
using scene::Need;
using scene::Table;

constexpr std::string_view kBegin = "<!-- keys: ";
constexpr std::string_view kEnd = "<!-- end -->";

std::string unit_of(const Field& field) {
  if (field.kind == Kind::Rayleigh) return "`[1/s, s]`";
  if (field.kind == Kind::Radius) return "m or d";
  const bool bare = field.facts.dimension == Dimension::Number;
  return bare && field.kind != Kind::Number ? "" : si_unit(field.facts.dimension);
}

std::string meaning(const Field& field) {
  if (field.facts.doc.empty() && field.words.size() == 1) return fmt::format("`{}`", field.words[0].text);
  return std::string(field.facts.doc);
}

using Row = std::vector<std::string>;

std::string row_text(const Row& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += cell.empty() ? " |" : fmt::format(" {} |", cell);
  return text + "\n";
}

// The keys of these mappings; of several, a first column tells which.
std::string key_table(const std::vector<const Table*>& described) {
  std::vector<Row> rows{{"of", "key", "unit", "default", "meaning"}};
  for (const Table* table : described)
    for (std::size_t i = 0; i < table->fields.size(); ++i) {
      const Field& field = table->fields[i];
      if (i > 0 && field.key == table->fields[i - 1].key) continue;
      std::string id(i == 0 ? table->id : "");
      std::replace(id.begin(), id.end(), '_', ' ');
      rows.push_back({id, fmt::format("`{}`", field.key), unit_of(field), default_text(*table, field), meaning(field)});
    }
  // columns that say nothing are left out
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Row cells;
    for (std::size_t c = 0; c < rows[0].size(); ++c) {
      const bool says =
          c == 0 ? described.size() > 1
                 : std::any_of(rows.begin() + 1, rows.end(), [&](const Row& row) { return !row[c].empty(); });
      if (says) cells.push_back(rows[r][c]);
    }
    text += row_text(cells);
    if (r == 0) text += fmt::format("|{}\n", fmt::join(std::vector<std::string>(cells.size(), "---|"), ""));
  }
  return text;
}

}  // namespace

std::string default_text(const Table& table, const Field& field) {
  if (!field.facts.fallback.empty()) return std::string(field.facts.fallback);
  if (field.facts.need == Need::Required) return "required";
  if (!field.get) return "";
  if (field.items || !field.get(table.type->fresh())) return "none";
  const std::string value = value_text(field, table.type->fresh());
  return field.kind == Kind::Number || field.kind == Kind::Integer ? value : fmt::format("`{}`", value);
}

std::string with_key_tables(std::string_view markdown) {
  std::string out;
  while (true) {
    const std::size_t begin = markdown.find(kBegin);
    if (begin == std::string_view::npos) return out.append(markdown);
    const std::size_t line = markdown.find('\n', begin);
    const std::size_t end = markdown.find(kEnd, begin);
    if (line == std::string_view::npos || end == std::string_view::npos) return out.append(markdown);
    // the mappings that the mark names
    std::vector<const Table*> wanted;
    std::istringstream ids(std::string(markdown.substr(begin + kBegin.size(), line - begin - kBegin.size())));
    for (std::string id; ids >> id;)
      for (const Table* table : scene::all_tables())
        if (table->id == id) wanted.push_back(table);
    out.append(markdown.substr(0, line + 1)).append("\n").append(key_table(wanted)).append("\n").append(kEnd);
    markdown.remove_prefix(end + kEnd.size());
  }
}

}  // namespace filum::io
