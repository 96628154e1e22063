// The schema for editors and the documentation are what the descriptions of the scene make of them.
#include "io/scene/scene_schema.hpp"
#include "scene/describe/tables.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace filum::test_scene_schema {

namespace {

std::string doc_text(const std::string& name) {
  std::ifstream stream(std::string(FILUM_SOURCE_DIR) + "/docs/" + name);
  REQUIRE(stream.good());
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::set<std::string> supported_keys(const scene::Table& table) {
  std::set<std::string> keys;
  for (const scene::Field& field : table.fields)
    if (field.kind != scene::Kind::Planned) keys.emplace(field.key);
  return keys;
}

}  // namespace

TEST_CASE("the schema is written anew when a description changes") {
  const bool same = doc_text("scene.schema.json") == io::scene_schema();
  CHECK_MESSAGE(same, "build and run describe_scene");
}

TEST_CASE("the schema has exactly the keys that are read") {
  const nlohmann::json schema = nlohmann::json::parse(io::scene_schema());
  std::set<std::string> mappings;
  for (const auto& [id, definition] : schema["$defs"].items())
    if (definition.contains("properties")) mappings.insert(id);
  for (const scene::Table* table : scene::all_tables()) {
    const std::string id(table->id);
    CAPTURE(id);
    CHECK(mappings.erase(id) == 1);
    const nlohmann::json& definition = schema["$defs"][id];
    CHECK(definition["additionalProperties"] == false);
    std::set<std::string> keys;
    for (const auto& [key, value] : definition["properties"].items()) keys.insert(key);
    CHECK(keys == supported_keys(*table));
  }
  // nor does it know a kind of mapping that the reader does not
  CHECK(mappings.empty());
}

TEST_CASE("every reference within the schema leads somewhere") {
  const nlohmann::json schema = nlohmann::json::parse(io::scene_schema());
  const auto look = [&](const auto& self, const nlohmann::json& json) -> void {
    if (json.is_object() && json.contains("$ref") && json["$ref"].is_string()) {
      const std::string target = json["$ref"];
      CHECK_MESSAGE(schema.contains(nlohmann::json::json_pointer(target.substr(1))), target);
    }
    if (json.is_structured())
      for (const auto& part : json) self(self, part);
  };
  look(look, schema);
}

TEST_CASE("the tables of the documentation are written anew when a description changes") {
  const std::string text = doc_text("scene-format.md");
  CHECK_MESSAGE(text == io::with_key_tables(text), "build and run describe_scene");
  // every mapping has one
  for (const scene::Table* table : scene::all_tables()) {
    bool marked = false;
    for (std::size_t at = text.find("<!-- keys: "); at != std::string::npos; at = text.find("<!-- keys: ", at + 1)) {
      const std::string ids = text.substr(at, text.find(" -->", at) - at) + " ";
      marked = marked || ids.find(" " + std::string(table->id) + " ") != std::string::npos;
    }
    CHECK_MESSAGE(marked, table->id);
  }
}

}  // namespace filum::test_scene_schema
