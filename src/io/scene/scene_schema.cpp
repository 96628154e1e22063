// The JSON schema of scene files, for editors.
#include "io/scene/scene_schema.hpp"

#include "io/json_text.hpp"
#include "io/yaml/units.hpp"
#include "scene/describe/tables.hpp"
#include "sim/formulations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace filum::io {
namespace {

using Json = nlohmann::ordered_json;
using scene::Field;
using scene::Kind;
using scene::Need;
using scene::Table;
namespace tables = scene::tables;

Json ref(std::string_view id) {
  return {{"$ref", fmt::format("#/$defs/{}", id)}};
}

Json any_of(Json first, Json second) {
  return {{"anyOf", {std::move(first), std::move(second)}}};
}

Json array_of(Json items, int count) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", count}, {"maxItems", count}};
}

Json words_json(std::span<const scene::Word> words) {
  Json list = Json::array();
  for (const scene::Word& word : words) list.push_back(word.text);
  return list.size() == 1 ? Json{{"const", list[0]}} : Json{{"enum", list}};
}

// Without the marks of Markdown: of a link `[words](address)` the words.
std::string plain(std::string text) {
  std::erase(text, '`');
  for (std::size_t open = text.find('['); open != std::string::npos; open = text.find('[', open + 1)) {
    const std::size_t end = text.find(']', open);
    const std::size_t close = text.find(')', end);
    if (close == std::string::npos) break;
    if (text[end + 1] == '(') text.erase(end, close + 1 - end).erase(open, 1);
  }
  return text;
}

std::string description(const Table& table, const Field& field) {
  std::string text = plain(std::string(field.facts.doc));
  const bool has_unit = field.facts.dimension != Dimension::Number;
  const std::string unit = has_unit ? si_unit(field.facts.dimension) : "";
  if (has_unit) text += text.empty() ? unit : fmt::format(" ({})", unit);
  const std::string fallback = plain(default_text(table, field));
  if (!fallback.empty() && fallback != "required") text += (text.empty() ? "default " : "; default ") + fallback;
  return text;
}

// The items of all fields that share a key.
Json items_json(const Table& table, const Field& field) {
  std::vector<Json> kinds;
  for (const Field& other : table.fields)
    if (other.key == field.key) kinds.push_back(ref(other.table->id));
  return kinds.size() == 1 ? kinds[0] : Json{{"anyOf", kinds}};
}

Json integer_json(const scene::Range& range) {
  Json json = {{"type", "integer"}};
  if (range.min > scene::kAny.min) json["minimum"] = static_cast<long>(range.min);
  if (range.max < scene::kAny.max) json["maximum"] = static_cast<long>(range.max);
  return json;
}

Json value_schema(const Table& table, const Field& field) {
  switch (field.kind) {
    case Kind::Number:
    case Kind::Radius:
      return ref("number");
    case Kind::Integer:
      return integer_json(*field.facts.range);
    case Kind::Flag:
      return {{"type", "boolean"}};
    case Kind::Name:
      return ref("name");
    case Kind::File:
      return {{"type", "string"}};
    case Kind::Line:
      return {{"type", {"string", "number", "null"}}};
    case Kind::Formulation:
      return {{"enum", sim::formulation_names()}};
    case Kind::Vector2:
    case Kind::Rayleigh:
      return ref("vec2");
    case Kind::Vector3:
      return field.facts.even ? any_of(ref("number"), ref("vec3")) : ref("vec3");
    case Kind::Orientation:
      return ref("pose");
    case Kind::Place:
      return field.words.empty() ? ref("place") : words_json(field.words);
    case Kind::Word:
      return words_json(field.words);
    case Kind::Axes:
      return ref("axes");
    case Kind::Points:
      return ref("point_list");
    case Kind::Numbers:
      return {{"type", "array"}, {"items", ref("number")}};
    case Kind::Control:
      return {{"type", "array"},
              {"items", {{"type", "array"}, {"items", ref("number")}, {"minItems", 3}, {"maxItems", 4}}},
              {"minItems", 4}};
    case Kind::Mapping:
      if (field.table->word) return any_of(value_schema(*field.table, *field.table->word), ref(field.table->id));
      return ref(field.table->id);
    case Kind::List:
      if (field.facts.least > 0)
        return {{"type", "array"}, {"items", items_json(table, field)}, {"minItems", field.facts.least}};
      return {{"type", {"array", "null"}}, {"items", items_json(table, field)}};
    case Kind::Named:
      return {{"type", {"object", "null"}}, {"additionalProperties", ref(field.table->id)}};
    case Kind::Version:
      return {{"const", 1}};
    case Kind::Curve:
      return ref("curve");
    case Kind::Arc:
      return any_of(ref("point_list"), ref("arc"));
    case Kind::Rest:
      return any_of(words_json(scene::kRestKinds.first(2)), ref("rest"));
    case Kind::Fix:
      return ref("grip");
    case Kind::Planned:
    case Kind::ByHand:
      break;
  }
  return Json::object();
}

// What of a mapping excludes each other.
Json exclusions(const Table& table, const Json& required) {
  Json json = Json::object();
  const auto needs = [](const Json& keys) { return Json{{"required", keys}}; };
  if (&table == &tables::helix) json["oneOf"] = {needs({"turns"}), needs({"angle"})};
  if (&table == &tables::force || &table == &tables::torque) json["oneOf"] = {needs({"rod", "at"}), needs({"body"})};
  if (&table == &tables::rest) json["minProperties"] = 1;
  if (table.one_of && !table.has_target())
    for (const Field& field : table.fields)
      if (field.facts.when.choose) json["oneOf"].push_back(needs({field.key}));
  if (table.has_target() || &table == &tables::curve)
    json["minProperties"] = json["maxProperties"] = required.size() + 1;
  return json;
}

Json table_schema(const Table& table) {
  Json required = Json::array();
  Json properties = Json::object();
  for (const Field& field : table.fields) {
    const scene::When& when = field.facts.when;
    if (field.facts.need == Need::Required && (!when.applies || when.choose)) required.push_back(field.key);
    const std::string key(field.key);
    if (field.kind == Kind::Planned || properties.contains(key)) continue;
    if (const std::string text = description(table, field); !text.empty()) properties[key]["description"] = text;
    properties[key].update(value_schema(table, field));
  }
  Json json = Json::object();
  if (!table.doc.empty()) json["description"] = table.doc;
  json["type"] = "object";
  if (!required.empty()) json["required"] = required;
  json.update(exclusions(table, required));
  json["additionalProperties"] = false;
  json["properties"] = properties;
  return json;
}

// The forms that several keys share.
Json shared_forms() {
  Json forms;
  forms["number"] = any_of({{"type", "number"}}, {{"type", "string"}, {"pattern", R"(^\s*[-+]?(\d|\.\d))"}});
  forms["number"]["description"] = "A number in SI, a fraction such as 1/60, or a number with a unit such as 5.2 mm";
  forms["vec2"] = array_of(ref("number"), 2);
  forms["vec3"] = array_of(ref("number"), 3);
  forms["point_list"] = {{"type", "array"}, {"items", ref("vec3")}, {"minItems", 2}};
  forms["place"] = {
      {"description", "start, end, middle, an arc length, a percentage, or one of these plus or minus a length"},
      {"type", {"number", "string"}}};
  forms["name"] = {{"description", "The name of a thing"}, {"type", {"string", "number", "boolean"}}};
  forms["pose"] = any_of(array_of(ref("number"), 4), ref("orientation"));
  forms["pose"]["description"] = "A quaternion [w, x, y, z], or tangent and normal";
  forms["axes"] =
      any_of({{"type", "boolean"}},
             {{"type", "array"}, {"items", {{"enum", {"x", "y", "z"}}}}, {"uniqueItems", true}, {"maxItems", 3}});
  forms["axes"]["description"] = "true, false, or world axes";
  forms["grip"] = any_of({{"type", "array"}, {"items", {{"enum", {"position", "orientation"}}}}, {"uniqueItems", true}},
                         ref("fix"));
  forms["grip"]["description"] = "A list of position and orientation, or a mapping of them to world axes";
  forms["section"] = {{"type", "object"}, {"required", {"shape"}}, {"oneOf", Json::array()}};
  for (const Table* variant : tables::section.variants) forms["section"]["oneOf"].push_back(ref(variant->id));
  return forms;
}

// What fits stands on one line, all else on lines of its own.
std::string json_text(const Json& json, std::size_t indent) {
  constexpr std::size_t kWidest = 120;
  if (!json.is_structured()) return ordered_json_text(json);
  std::vector<std::string> parts;
  for (const auto& [key, value] : json.items())
    parts.push_back((json.is_object() ? ordered_json_text(key) + ": " : "") + json_text(value, indent + 2));
  const std::string_view ends = json.is_object() ? "{}" : "[]";
  const std::string line = fmt::format("{}{}{}", ends[0], fmt::join(parts, ", "), ends[1]);
  if (indent + line.size() <= kWidest && line.find('\n') == std::string::npos) return line;
  const std::string margin = "\n" + std::string(indent, ' ');
  return fmt::format("{}{}  {}{}{}", ends[0], margin, fmt::join(parts, "," + margin + "  "), margin, ends[1]);
}

}  // namespace

std::string scene_schema() {
  Json schema = {
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "Filum scene, version 1"},
      {"description", "What a scene file may hold. Numbers are SI or carry a unit; see docs/scene-format.md."},
      {"$ref", "#/$defs/scene"},
      {"$defs", shared_forms()}};
  for (const Table* table : scene::all_tables()) schema["$defs"][std::string(table->id)] = table_schema(*table);
  return json_text(schema, 0) + "\n";
}

}  // namespace filum::io
