// The reader, the schema for editors and the documentation know the same keys.
#include "scene/describe/tables.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

using namespace filum;

namespace {

std::string doc_text(const std::string& name) {
  std::ifstream stream(std::string(FILUM_SOURCE_DIR) + "/docs/" + name);
  REQUIRE(stream.good());
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::set<std::string> supported_keys(const scene::Table& spec) {
  std::set<std::string> keys;
  for (const scene::Field& key : spec.fields)
    if (key.kind != scene::Kind::Planned) keys.emplace(key.key);
  return keys;
}

}  // namespace

TEST_CASE("the schema has exactly the keys that are read") {
  const nlohmann::json schema = nlohmann::json::parse(doc_text("scene.schema.json"));
  std::set<std::string> mappings;
  for (const auto& [id, definition] : schema["$defs"].items())
    if (definition.contains("properties")) mappings.insert(id);
  for (const scene::Table* spec : scene::all_tables()) {
    const std::string id(spec->id);
    CAPTURE(id);
    CHECK(mappings.erase(id) == 1);
    const nlohmann::json& definition = schema["$defs"][id];
    CHECK(definition["additionalProperties"] == false);
    std::set<std::string> keys;
    for (const auto& [key, value] : definition["properties"].items()) keys.insert(key);
    CHECK(keys == supported_keys(*spec));
  }
  // nor does it know a kind of mapping that the reader does not
  CHECK(mappings.empty());
}

TEST_CASE("every key of the reader stands in the documentation") {
  const std::string text = doc_text("scene-format.md");
  for (const scene::Table* spec : scene::all_tables())
    for (const scene::Field& key : spec->fields)
      CHECK_MESSAGE(text.find("`" + std::string(key.key) + "`") != std::string::npos, spec->what << ": " << key.key);
}
