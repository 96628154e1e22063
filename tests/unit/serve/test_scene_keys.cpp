// No key of the scene can be missed: every member of every struct is described, and for every described value a scene
// in which it alone differs is told apart, written, read back, compared and shown to the page.
#include "io/scene/scene_read.hpp"
#include "io/scene/scene_schema.hpp"
#include "scene/describe/tables.hpp"
#include "serve/commands/scene_json.hpp"
#include "serve/commands/scene_types.hpp"

#include <filum/scene_file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace filum::test_scene_keys {

using scene::Field;
using scene::Kind;
using scene::Table;
namespace tables = scene::tables;

namespace {

std::string file_text(const std::string& path) {
  std::ifstream stream(std::string(FILUM_SOURCE_DIR) + "/" + path);
  REQUIRE(stream.good());
  return {std::istreambuf_iterator<char>(stream), {}};
}

// One level on the way to a value: the field, and which table holds the next one.
struct Step {
  const Field* field;
  const Table* table;
  int variant = 0;
};

// Gives a value another one. False: it has parts, which are looked at by themselves, or none.
bool change(const Field& field, void* thing) {
  switch (field.kind) {
    case Kind::Number:
      field.value<double>(thing) += 0.25;
      return true;
    case Kind::Integer:
      field.value<int>(thing) += 3;
      return true;
    case Kind::Flag:
      field.value<bool>(thing) = !field.value<bool>(thing);
      return true;
    case Kind::Name:
    case Kind::File:
    case Kind::Line:
      field.value<std::string>(thing) = "another";
      return true;
    case Kind::Formulation:
      field.value<std::string>(thing) = "chain";
      return true;
    case Kind::Vector2:
      field.value<Vec2>(thing) += Vec2(0.5, 0.25);
      return true;
    case Kind::Vector3:
      field.value<Vec3>(thing) += Vec3(0.5, 0.25, 0.125);
      return true;
    case Kind::Orientation:
      field.value<Quat>(thing) = Quat(0, 1, 0, 0);
      return true;
    case Kind::Place:
      field.value<ArcPosition>(thing) =
          field.value<ArcPosition>(thing).fraction == 0 ? ArcPosition{1, 0} : ArcPosition{0.25, 0};
      return true;
    case Kind::Axes:
      field.value<FixedAxes>(thing) = {true, false, true};
      return true;
    case Kind::Word:
      for (const scene::Word& word : field.words)
        if (word.value != choice_of(field, thing)) return set_choice(field, thing, word.value), true;
      return false;
    case Kind::Curve:
      field.value<Curve>(thing).points.emplace_back(0, 1, 0);
      field.value<Curve>(thing).kind = CurveKind::Spline;
      return true;
    case Kind::Rest:
      field.value<RestShape>(thing).kind = RestKind::AsShaped;
      return true;
    case Kind::Radius:
      field.value<RadiusLimit>(thing).value += 0.5;
      return true;
    case Kind::Rayleigh:
      field.value<Damping>(thing).stiffness += 0.5;
      return true;
    default:
      return false;
  }
}

// A curve that can be read, wherever one is needed.
void prepare(const Table& table, void* thing) {
  for (const Field& field : table.fields)
    if (field.kind == Kind::Curve) field.value<Curve>(thing).points = {Vec3::Zero(), Vec3::UnitX()};
}

// Makes a conditional key count: by itself, or by another value of a key beside it.
void let_it_count(const Table& table, const Field& field, void* thing) {
  if (field.facts.when.choose) field.facts.when.choose(thing);
  // a place is on a rod
  const Field* rod = table.find("rod");
  if (field.kind == Kind::Place && rod) rod->value<std::string>(thing) = "cable";
  for (const Field& other : table.fields) {
    if (field.applies(thing)) return;
    if (other.facts.when.choose) other.facts.when.choose(thing);
  }
  for (const Field& other : table.fields) {
    if (field.applies(thing)) return;
    if (other.kind == Kind::Number) change(other, thing);
    for (const scene::Word& word : other.words) {
      if (!field.applies(thing)) set_choice(other, thing, word.value);
    }
  }
  CHECK_MESSAGE(field.applies(thing), table.id << ": " << field.key);
}

// The thing at the end of the way, which is made as it is gone.
void* reach(Scene& scene, const std::vector<Step>& way) {
  void* thing = &scene;
  for (const Step& step : way) {
    if (step.field->facts.when.choose) step.field->facts.when.choose(thing);
    void* value = step.field->make(thing);
    thing = step.field->items ? step.field->items->add(value) : value;
    if (!step.field->table->variants.empty()) set_choice(step.field->table->fields[0], thing, step.variant);
    prepare(*step.table, thing);
  }
  return thing;
}

// What must notice that a value differs.
class Notice {
 public:
  Notice() : schema_(nlohmann::json::parse(io::scene_schema())), types_(serve::scene_types()) {
    docs_ = file_text("docs/scene-format.md");
  }

  void look(const std::vector<Step>& way, const Table& table, const Field& field) {
    Scene before;
    Scene now;
    let_it_count(table, field, reach(before, way));
    void* thing = reach(now, way);
    let_it_count(table, field, thing);
    if (!change(field, thing)) return;
    ++values_;
    std::string path;
    bool free = field.facts.free;
    for (const Step& step : way) {
      path += std::string(step.field->key) + ".";
      free = free || step.field->facts.free;
    }
    path += field.key;
    CAPTURE(path);
    // equality, writer, reader
    CHECK_FALSE(before == now);
    const std::string text = write_scene(now);
    CHECK(write_scene(before) != text);
    CHECK_MESSAGE(read(text) == now, text);
    // change check
    CHECK(changed_since(before, now).has_value() == !free);
    // the page
    const bool shown = serve::scene_json(before) != serve::scene_json(now);
    CHECK(shown);
    CHECK(types_.find("\n  " + page_key(way, field) + ": ") != std::string::npos);
    // what people and editors are told
    const bool in_schema = schema_["$defs"][std::string(table.id)]["properties"].contains(std::string(field.key));
    CHECK(in_schema);
    CHECK(docs_.find("| `" + std::string(field.key) + "` |") != std::string::npos);
  }

  [[nodiscard]] int values() const { return values_; }

 private:
  static Scene read(const std::string& text) {
    const Result<io::Node> root = io::parse_yaml(text);
    REQUIRE_MESSAGE(root.ok(), text);
    try {
      return io::build_scene(*root, "");
    } catch (const io::Refused& refused) {
      FAIL_CHECK(refused.error.text() << "\n" << text);
      return {};
    }
  }

  static std::string page_key(const std::vector<Step>& way, const Field& field) {
    if (field.facts.when.choose && way.back().table->has_target()) return "target";
    if (field.kind == Kind::Place) return field.key == "s" ? "at" : std::string(field.key);
    if (field.kind == Kind::Rayleigh) return "stiffness";
    if (field.facts.page == "-") return "body";
    // a word that stands for its mapping has its key
    if (!way.empty() && way.back().table->word == &field) return std::string(way.back().field->key);
    return std::string(field.facts.page.empty() ? field.key : field.facts.page);
  }

  nlohmann::json schema_;
  std::string types_;
  std::string docs_;
  int values_ = 0;
};

void walk(Notice& notice, const std::vector<Step>& way, const Table& table) {
  for (const Field& field : table.fields) {
    if (!field.get) continue;
    notice.look(way, table, field);
    if (!field.table) continue;
    const std::size_t variants = std::max<std::size_t>(1, field.table->variants.size());
    for (std::size_t i = 0; i < variants; ++i) {
      const Table& inner = field.table->variants.empty() ? *field.table : *field.table->variants[i];
      std::vector<Step> further = way;
      further.push_back({&field, &inner, static_cast<int>(i)});
      walk(notice, further, inner);
    }
  }
}

using Bytes = std::span<const std::byte>;

template <class T, class Value>
Bytes member(const void* thing, Value T::*which) {
  return std::as_bytes(std::span(&(static_cast<const T*>(thing)->*which), 1));
}

// Members that forms read and write by hand, or that no file has.
std::vector<Bytes> by_hand(const Table& table, const void* thing) {
  if (&table == &tables::damping) return {member(thing, &Damping::mass), member(thing, &Damping::stiffness)};
  if (&table == &tables::driver) return {member(thing, &Driver::kind)};
  if (&table == &tables::rod) return {member(thing, &Rod::piece)};
  if (&table == &tables::body) return {member(thing, &Body::shape), member(thing, &Body::surface)};
  if (&table == &tables::obstacle) return {member(thing, &Obstacle::shape), member(thing, &Obstacle::surface)};
  if (&table == &tables::scenery) return {member(thing, &Scenery::surface)};
  if (&table == &tables::curve)
    return {member(thing, &Curve::kind),  member(thing, &Curve::points),  member(thing, &Curve::file),
            member(thing, &Curve::basis), member(thing, &Curve::rolls),   member(thing, &Curve::weights),
            member(thing, &Curve::knots)};
  if (&table == &tables::rest) return {member(thing, &RestShape::kind), member(thing, &RestShape::curve)};
  return {};
}

// Every table, those that share a struct included.
std::vector<const Table*> with_shared() {
  std::vector<const Table*> all(scene::all_tables().begin(), scene::all_tables().end());
  all.insert(all.end(), {&tables::section});
  return all;
}

}  // namespace

TEST_CASE("a key cannot be missed by reader, writer, change check, page, schema, types or documentation") {
  Notice notice;
  walk(notice, {}, tables::scene);
  CHECK(notice.values() > 140);
}

TEST_CASE("every member of every struct of the scene is described") {
  std::map<const scene::Type*, std::vector<Bytes>> members;
  for (const Table* table : with_shared()) {
    if (!table->type) continue;
    const void* thing = table->type->fresh();
    std::vector<Bytes>& of_type = members[table->type];
    for (const Bytes& bytes : by_hand(*table, thing)) of_type.push_back(bytes);
    for (const Field& field : table->fields)
      if (field.bytes) of_type.push_back(field.bytes(thing));
    for (const Field* field : {table->name, table->word})
      if (field) of_type.push_back(field->bytes(thing));
  }
  for (auto& [type, of_type] : members) {
    std::sort(of_type.begin(), of_type.end(), [](const Bytes& a, const Bytes& b) { return a.data() < b.data(); });
    // what lies between two members, or behind the last, is padding: less than the alignment of a double (so a flag
    // that fits into it goes unseen)
    const auto* at = static_cast<const std::byte*>(type->fresh());
    const std::byte* end = at + type->size;
    for (const Bytes& bytes : of_type) {
      CHECK_MESSAGE(bytes.data() - at < std::ptrdiff_t{alignof(double)}, "a member is not described");
      at = std::max(at, bytes.data() + bytes.size());
    }
    CHECK_MESSAGE(end - at < std::ptrdiff_t{alignof(double)}, "a member is not described");
  }
}

TEST_CASE("the page's types are written anew when a description changes") {
  const bool same = file_text("web/src/protocol/scene_keys.generated.ts") == serve::scene_types();
  CHECK_MESSAGE(same, "build and run describe_scene");
}

}  // namespace filum::test_scene_keys
