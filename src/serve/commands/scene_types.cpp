#include "serve/commands/scene_types.hpp"

#include "scene/describe/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <vector>

namespace filum::serve {
namespace {

using scene::Field;
using scene::Kind;
using scene::Table;
namespace tables = scene::tables;

constexpr std::string_view kHead =
    R"(// Written by the program describe_scene from src/scene/describe, not to be edited: what the message «scene» says
// of each thing, by its keys in the scene file.
import { flag, list, nullable, number, object, oneOf, text } from './guard';
import { axes, curve, rest } from './scene_forms';
import { pair, quat, vec3 } from './vectors';
)";

// rod_point → rodPoint
std::string camel(std::string_view id) {
  std::string name;
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (id[i] == '_') continue;
    name += i > 0 && id[i - 1] == '_' ? static_cast<char>(id[i] - 'a' + 'A') : id[i];
  }
  return name;
}

std::string keys_name(const Table& table) {
  return camel(table.id) + "Keys";
}

std::string one_of(std::span<const scene::Word> words) {
  std::vector<std::string> texts;
  for (const scene::Word& word : words) texts.push_back(fmt::format("'{}'", word.text));
  return fmt::format("oneOf({})", fmt::join(texts, ", "));
}

// A thing of the scene's own lists: with its path; of several kinds, all keys that one of them has may be there.
std::string item_guard(const Table& table) {
  const std::string extra = table.variants.empty() ? "" : fmt::format(", {}Numbers", camel(table.id));
  return fmt::format("object({{ ...{}, path: text }}{})", keys_name(table), extra);
}

std::string plain_guard(const Field& field) {
  switch (field.kind) {
    case Kind::Number:
    case Kind::Integer:
      return "number";
    case Kind::Flag:
      return "flag";
    case Kind::Vector2:
      return "pair";
    case Kind::Vector3:
      return "vec3";
    case Kind::Orientation:
      return "quat";
    case Kind::Word:
      return one_of(field.words);
    case Kind::Axes:
      return "axes";
    case Kind::Curve:
      return "curve";
    case Kind::Rest:
      return "rest";
    case Kind::Mapping:
    case Kind::Fix:
      return fmt::format("object({})", keys_name(*field.table));
    case Kind::List:
      return fmt::format("list(object({}))", keys_name(*field.table));
    default:
      return "text";
  }
}

// The lines of one table, each once.
class Lines {
 public:
  void add(std::string_view key, std::string_view guard) {
    if (seen_.insert(std::string(key)).second) text_ += fmt::format("  {}: {},\n", key, guard);
  }
  void spread(const Table& table) { text_ += fmt::format("  ...{},\n", keys_name(table)); }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::set<std::string> seen_;
  std::string text_;
};

// As scene_json puts it.
void add_field(Lines& lines, const Table& table, const Field& field) {
  const std::string key(field.facts.page.empty() ? field.key : field.facts.page);
  if (!field.get || key == "-") return;
  if (field.kind == Kind::Place) {
    const bool only_one = key == "at" || key == "s";
    lines.add(only_one ? "at" : key, "text");
    return lines.add(only_one ? "s" : key + "_s", "number");
  }
  if (field.kind == Kind::Rayleigh) {
    lines.add("mass", "number");
    return lines.add("stiffness", "number");
  }
  if (field.kind == Kind::Mapping && field.within) {
    const Field* word = field.table->word;
    if (!word) return lines.spread(*field.table);
    // a word, or what is chosen instead of one
    bool chosen = false;
    for (const Field& inner : field.table->fields) {
      chosen = chosen || inner.facts.when.choose;
      if (&inner != word) add_field(lines, *field.table, inner);
    }
    return lines.add(key, chosen ? "text" : one_of(word->words));
  }
  const bool absent = field.get(table.type->fresh()) == nullptr;
  lines.add(key, absent ? fmt::format("nullable({})", plain_guard(field)) : plain_guard(field));
}

std::string keys_text(const Table& table) {
  Lines lines;
  if (table.name) lines.add("name", "text");
  if (table.one_of) {
    std::vector<std::string> kinds;
    for (const Field& field : table.fields)
      if (field.facts.when.choose) kinds.push_back(fmt::format("'{}'", field.key));
    lines.add("kind", fmt::format("oneOf({})", fmt::join(kinds, ", ")));
    if (table.has_target()) lines.add("target", "text");
  }
  for (const Field& field : table.fields)
    if (!(table.has_target() && field.facts.when.choose)) add_field(lines, table, field);
  return fmt::format("\nexport const {} = {{\n{}}};\n", keys_name(table), lines.text());
}

// Of a thing that comes in several kinds: the word that tells which, and the keys of all of them.
std::string variants_text(const Table& table) {
  Lines lines;
  for (const Table* variant : table.variants)
    for (const Field& field : variant->fields.subspan(1)) add_field(lines, *variant, field);
  return keys_text(table) + fmt::format("\nexport const {}Numbers = {{\n{}}};\n", camel(table.id), lines.text());
}

// The top level: lists of things with their paths.
std::string scene_keys_text() {
  Lines lines;
  for (const Field& field : tables::scene.fields) {
    const std::string_view key = field.facts.page.empty() ? field.key : field.facts.page;
    if (field.items)
      lines.add(key, fmt::format("list({})", item_guard(*field.table)));
    else
      add_field(lines, tables::scene, field);
  }
  return fmt::format("\nexport const sceneKeys = {{\n{}}};\n", lines.text());
}

}  // namespace

std::string scene_types() {
  std::string out(kHead);
  // curves and orientations have forms of their own on the page, sections are told apart by their shape
  std::set<const Table*> left_out{&tables::arc,        &tables::helix, &tables::control,
                                  &tables::curve,      &tables::rest,  &tables::orientation,
                                  &tables::integrator, &tables::start, &tables::scene};
  for (const Table* variant : tables::section.variants) left_out.insert(variant);
  for (const Table* table : scene::all_tables())
    if (!left_out.contains(table)) out += keys_text(*table);
  return out + variants_text(tables::section) + scene_keys_text();
}

}  // namespace filum::serve
