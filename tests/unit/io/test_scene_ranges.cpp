// Every number of a scene is checked: one that is none is refused at its key, whatever thing it belongs to.
#include "test_scene_samples.hpp"

#include "io/scene/scene_read.hpp"
#include "scene/describe/tables.hpp"
#include "scene/validate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <set>
#include <string>

namespace filum::test_scene_ranges {

using scene::Field;
using scene::Kind;
using scene::Table;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

Scene parsed(const std::string& text) {
  Result<io::ReadScene> read = io::read_valid_scene(text, "s.yaml");
  REQUIRE_MESSAGE(read.ok(), (read.ok() ? "" : read.error().text()));
  return std::move(read->scene);
}

std::string file_text(const std::string& path) {
  std::ifstream stream(std::string(FILUM_SOURCE_DIR) + "/" + path);
  REQUIRE(stream.good());
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Calls `look` with every number of a thing and of what it holds.
using Look = std::function<void(const Table&, const Field&, double&)>;
void each_number(const Table& described, void* thing, const Look& look) {
  const Table& table = table_of(described, thing);
  for (const Field& field : table.fields) {
    if (!field.get || !field.get(thing) || !field.applies(thing)) continue;
    if (field.kind == Kind::Number) look(table, field, field.value<double>(thing));
    if (field.kind == Kind::Vector2) look(table, field, field.value<Vec2>(thing)[1]);
    if (field.kind == Kind::Vector3) look(table, field, field.value<Vec3>(thing)[2]);
    if (field.kind == Kind::Orientation) look(table, field, field.value<Quat>(thing).x());
    if (field.kind == Kind::Rayleigh) look(table, field, field.value<Damping>(thing).stiffness);
    if (field.kind == Kind::Radius) look(table, field, field.value<RadiusLimit>(thing).value);
    if (field.kind == Kind::Mapping) each_number(*field.table, field.make(thing), look);
    for (std::size_t i = 0; field.items && i < field.items->size(field.get(thing)); ++i)
      each_number(*field.table, const_cast<void*>(field.items->at(field.get(thing), i)), look);
  }
}

}  // namespace

TEST_CASE("a number that is none is refused at its key") {
  std::set<std::pair<std::string, std::string>> seen;
  for (const std::string& text :
       {test::kFullScene, file_text("scenes/boom-crane.yaml"), file_text("scenes/counterweight.yaml"),
        test::kSmallScene + "simulation: {integrator: {name: generalised-alpha}}\nscenery: {frame: {mesh: a.obj}}\n"}) {
    Scene scene = parsed(text);
    each_number(scene::tables::scene, &scene, [&](const Table& table, const Field& field, double& number) {
      const std::string key(field.key);
      seen.emplace(table.id, key);
      const double kept = number;
      number = kNone;
      const auto problem = scene::validate(scene);
      number = kept;
      REQUIRE_MESSAGE(problem, table.id << ": " << key);
      const bool there = std::find(problem->path.begin(), problem->path.end(), key) != problem->path.end();
      CHECK_MESSAGE(there, table.id << ": " << key << ": " << problem->message);
    });
    CHECK_FALSE(scene::validate(scene));
  }
  CHECK(seen.size() > 60);
}

}  // namespace filum::test_scene_ranges
