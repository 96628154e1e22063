// The scene as the page sees it: every key of every thing by its description, in SI units, and what is worked out
// beside it.
#include "serve/commands/scene_json.hpp"

#include "io/scene/scene_write.hpp"
#include "io/yaml/units.hpp"
#include "scene/describe/tables.hpp"
#include "scene/lookup.hpp"

#include <filum/section.hpp>

#include <algorithm>
#include <string>

namespace filum::serve {
namespace {

using scene::Field;
using scene::Kind;
using scene::Table;

double length_of(const Scene& scene, const std::string& rod) {
  for (const Rod& candidate : scene.rods)
    if (candidate.name == rod) return scene::rod_length(candidate);
  return 0;
}

Json curve_json(const Curve& curve) {
  Json out = {{"kind", word_for(scene::kCurveKinds, curve.kind)}, {"file", curve.file}};
  if (curve.kind == CurveKind::Arc || curve.kind == CurveKind::Helix) {
    out["centre"] = json_of(curve.centre);
    out["axis"] = json_of(curve.axis);
    out["start"] = json_of(curve.start);
    out["angle"] = curve.angle;
    if (curve.kind == CurveKind::Helix) out["pitch"] = curve.pitch;
    return out;
  }
  // a long list of points is for files, not for inspectors
  constexpr std::size_t kMostPoints = 1000;
  out["points"] = Json::array();
  for (std::size_t i = 0; i < std::min(kMostPoints, curve.points.size()); ++i)
    out["points"].push_back(json_of(curve.points[i]));
  out["count"] = curve.points.size();
  if (curve.kind == CurveKind::Control) out["basis"] = word_for(scene::kCurveBases, curve.basis);
  return out;
}

Json rest_json(const RestShape& rest) {
  Json out = {{"kind", word_for(scene::kRestKinds, rest.kind)},
              {"curvature", json_of(rest.curvature)},
              {"twist_rate", rest.twist_rate}};
  if (rest.kind == RestKind::Curve) out["curve"] = curve_json(rest.curve);
  return out;
}

// A plain value.
Json value_json(const Field& field, const void* thing) {
  if (!field.get(thing)) return nullptr;
  switch (field.kind) {
    case Kind::Number:
      return field.value<double>(thing);
    case Kind::Integer:
      return field.value<int>(thing);
    case Kind::Flag:
      return field.value<bool>(thing);
    case Kind::Name:
    case Kind::File:
    case Kind::Line:
    case Kind::Formulation:
      return field.value<std::string>(thing);
    case Kind::Vector2:
      return json_of(field.value<Vec2>(thing));
    case Kind::Vector3:
      return json_of(field.value<Vec3>(thing));
    case Kind::Orientation:
      return json_of(field.value<Quat>(thing));
    case Kind::Word:
      return word_for(field.words, choice_of(field, thing));
    case Kind::Axes:
      return field.value<FixedAxes>(thing);
    case Kind::Radius:
      return io::value_text(field, thing);
    case Kind::Curve:
      return curve_json(field.value<Curve>(thing));
    case Kind::Rest:
      return rest_json(field.value<RestShape>(thing));
    default:
      return nullptr;
  }
}

// Walks the tables down from the scene.
class SceneJson {
 public:
  explicit SceneJson(const Scene& scene) : scene_(scene), names_(scene) {}

  // All keys of a thing. `length` is that of the rod it belongs to, if it does to one.
  [[nodiscard]] Json object(const Table& described, const void* thing, double length) const {
    const Table& table = table_of(described, thing);
    Json out = Json::object();
    if (table.one_of) put_choice(out, table, thing);
    if (const Field* rod = table.find("rod"); rod && !table.has_target())
      length = length_of(scene_, rod->value<std::string>(thing));
    for (const Field& field : table.fields)
      if (field.get && !(table.has_target() && field.facts.when.choose)) put(out, table, field, thing, length);
    if (described.name) out["name"] = described.name->value<std::string>(thing);
    return out;
  }

  // A list of the scene: each thing with the path that commands know it by, and what is worked out of it.
  [[nodiscard]] Json list(const Field& field, const void* owner, const std::string& path) const {
    const void* items = field.get(owner);
    Json out = Json::array();
    for (std::size_t i = 0; i < field.items->size(items); ++i) {
      const void* each = field.items->at(items, i);
      Json item = object(*field.table, each, 0);
      item["path"] = path + "." + (field.table->name ? item["name"].get<std::string>() : std::to_string(i));
      if (field.table == &scene::tables::rod) put_rod(item, *static_cast<const Rod*>(each));
      if (field.table == &scene::tables::body) put_choice(item, *field.table, each);
      if (field.table == &scene::tables::hold) item["driven"] = is_driven(*static_cast<const Hold*>(each));
      out.push_back(std::move(item));
    }
    return out;
  }

 private:
  void put(Json& out, const Table& table, const Field& field, const void* thing, double length) const {
    const std::string_view name = field.facts.page.empty() ? field.key : field.facts.page;
    const std::string key(name);
    if (name == "-") return;
    switch (field.kind) {
      case Kind::Place:
        return put_place(out, table, field, thing, length);
      case Kind::Mapping:
        return put_mapping(out, key, field, thing);
      case Kind::Fix:
        out[key] = field.get(thing) ? object(*field.table, field.get(thing), 0) : Json(nullptr);
        return;
      case Kind::Rayleigh:
        out["mass"] = field.value<Damping>(thing).mass;
        out["stiffness"] = field.value<Damping>(thing).stiffness;
        return;
      case Kind::List: {
        const void* items = field.get(thing);
        if (&table == &scene::tables::rod) length = scene::rod_length(*static_cast<const Rod*>(thing));
        out[key] = Json::array();
        for (std::size_t i = 0; i < field.items->size(items); ++i)
          out[key].push_back(object(*field.table, field.items->at(items, i), length));
        return;
      }
      default:
        out[key] = value_json(field, thing);
    }
  }

  // A place along a rod: as the file has it, and as a number.
  static void put_place(Json& out, const Table& table, const Field& field, const void* thing, double length) {
    const auto& place = field.value<ArcPosition>(thing);
    const Field* rod = table.find("rod");
    const bool nowhere = rod && rod->value<std::string>(thing).empty();
    const bool only_one = field.key == "at" || field.key == "s";
    out[only_one ? "at" : std::string(field.key)] = nowhere ? "" : io::arc_text(place);
    out[only_one ? "s" : std::string(field.key) + "_s"] = place.at(length);
  }

  // Keys that are members of the same struct stand beside it; where a word may stand for all, it has the key.
  void put_mapping(Json& out, const std::string& key, const Field& field, const void* owner) const {
    const void* value = field.get(owner);
    Json inner = value ? object(*field.table, value, 0) : Json(nullptr);
    if (!field.within) {
      out[key] = std::move(inner);
      return;
    }
    if (const Field* word = field.table->word) {
      inner.erase(std::string(word->key));
      inner[key] = value_json(*word, owner);
    }
    out.update(inner);
  }

  // Which of several things it is, or is about.
  static void put_choice(Json& out, const Table& table, const void* thing) {
    for (const Field& field : table.fields) {
      if (!field.facts.when.choose || !field.applies(thing)) continue;
      out["kind"] = field.key;
      if (!table.has_target()) continue;
      out["target"] =
          field.kind == Kind::Integer ? Json(std::to_string(field.value<int>(thing))) : value_json(field, thing);
    }
  }

  // Its length, and its stiffness and weight at the start.
  void put_rod(Json& out, const Rod& rod) const {
    const double length = scene::rod_length(rod);
    out["length"] = length;
    out["length_given"] = rod.length.has_value();
    const Section* section = names_.section(rod.section);
    const Material* material = names_.material(rod.material);
    if (section == nullptr || (material == nullptr && needs_material(section->shape))) return;
    const Stiffness stiff = stiffness(*section, material != nullptr ? *material : Material{});
    out["stiffness"] = {{"EA", stiff.EA}, {"EI", json_of(stiff.EI)}, {"GJ", stiff.GJ}};
    out["mass_per_length"] = stiff.mass_per_length;
    out["mass"] = stiff.mass_per_length * length;
    out["outline"] = json_of(stiff.outline);
    // of the centre line at rest
    const std::optional<BendLimit>& limit = rod.limits.min_bend_radius;
    out["bend_radius_limit"] = limit ? Json(limit->centre_radius(stiff.outline.maxCoeff(), false)) : Json(nullptr);
  }

  [[nodiscard]] bool is_driven(const Hold& hold) const {
    return std::any_of(scene_.drivers.begin(), scene_.drivers.end(), [&](const Driver& driver) {
      return driver.kind == DriverKind::Hold && driver.target == hold.name;
    });
  }

  const Scene& scene_;
  scene::Names names_;
};

}  // namespace

Json scene_json(const Scene& scene) {
  const SceneJson walker(scene);
  Json out = {{"empty", scene.rods.empty() && scene.ropes.empty()}};
  for (const Field& field : scene::tables::scene.fields) {
    if (!field.get) continue;
    const std::string key(field.facts.page.empty() ? field.key : field.facts.page);
    if (field.items)
      out[key] = walker.list(field, &scene, std::string(field.key));
    else if (field.kind == Kind::Mapping)
      out[key] = walker.object(*field.table, field.get(&scene), 0);
    else
      out[key] = value_json(field, &scene);
  }
  // a start that is no word is the folder it begins from
  if (scene.simulation.start == StartKind::Result) out["simulation"]["start"] = scene.simulation.start_result;
  // once more, with paths
  out["probes"] = walker.list(*scene::tables::record.find("probes"), &scene.record, "record.probes");
  out["warnings"] = warnings(scene);
  return out;
}

}  // namespace filum::serve
