// Scenes as fresh YAML text.
//
// The order and layout are fixed, defaults are left out, numbers are the shortest that read back to the same bits, and
// what has a choice of forms (angles, orientations) is written in the one that is kept.
#include "io/scene/scene_write.hpp"

#include "io/yaml/units.hpp"
#include "io/yaml/yaml_scalar.hpp"
#include "scene/describe/tables.hpp"

#include <filum/scene_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace filum {
namespace io {
namespace {

using scene::Field;
using scene::Kind;
using scene::Need;
using scene::Table;

using Texts = std::vector<std::string>;

std::string list_text(const Texts& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}
std::string flow_text(const Texts& pairs) {
  return fmt::format("{{{}}}", fmt::join(pairs, ", "));
}
std::string pair_text(std::string_view key, std::string_view value) {
  return fmt::format("{}: {}", key, value);
}

std::string vec_text(const Vec2& v) {
  return fmt::format("[{}, {}]", v.x(), v.y());
}
std::string vec_text(const Vec3& v) {
  return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
}

std::string axes_text(const FixedAxes& axes) {
  if (fixes_all(axes)) return "true";
  Texts names;
  for (std::size_t i = 0; i < 3; ++i)
    if (axes[i]) names.emplace_back(1, "xyz"[i]);
  return list_text(names);
}

// Is a value the one that a fresh thing has? Minus zero is zero.
bool same_value(const Field& field, const void* a, const void* b) {
  if (!field.get(a) || !field.get(b)) return field.get(a) == field.get(b);
  switch (field.kind) {
    case Kind::Number:
      return field.value<double>(a) == field.value<double>(b);
    case Kind::Vector3:
      return field.value<Vec3>(a) == field.value<Vec3>(b);
    case Kind::Orientation:
      return field.value<Quat>(a).coeffs() == field.value<Quat>(b).coeffs();
    case Kind::Rayleigh:
      return field.value<Damping>(a).mass == field.value<Damping>(b).mass &&
             field.value<Damping>(a).stiffness == field.value<Damping>(b).stiffness;
    case Kind::List:
    case Kind::Named:
      return field.items->size(field.get(a)) == field.items->size(field.get(b));
    default:
      return value_text(field, a) == value_text(field, b);
  }
}

class Writer {
 public:
  explicit Writer(Extent extent) : extent_(extent) {}

  // «key: value» of every key that says something.
  [[nodiscard]] Texts pairs(const Table& described, const void* thing) const {
    const Table& table = table_of(described, thing);
    Texts texts;
    for (const Field& field : table.fields)
      if (says(table, field, thing)) texts.push_back(pair_text(field.key, text(field, thing)));
    return texts;
  }

  [[nodiscard]] bool says(const Table& table, const Field& field, const void* thing) const {
    if (!field.get || !field.get(thing) || !field.applies(thing)) return false;
    if (extent_ == Extent::Binding && field.facts.free) return false;
    return field.facts.need != Need::Optional || !same_value(field, thing, table.type->fresh());
  }

  [[nodiscard]] std::string text(const Field& field, const void* thing) const {
    const void* value = field.get(thing);
    switch (field.kind) {
      case Kind::Number:
        return number_text(field.value<double>(thing));
      case Kind::Integer:
        return fmt::format("{}", field.value<int>(thing));
      case Kind::Flag:
        return field.value<bool>(thing) ? "true" : "false";
      case Kind::Name:
      case Kind::File:
      case Kind::Line:
      case Kind::Formulation:
        return yaml_scalar(field.value<std::string>(thing));
      case Kind::Vector2:
        return vec_text(field.value<Vec2>(thing));
      case Kind::Vector3:
        return vec_text(field.value<Vec3>(thing));
      case Kind::Orientation: {
        const Quat& q = field.value<Quat>(thing);
        return fmt::format("[{}, {}, {}, {}]", q.w(), q.x(), q.y(), q.z());
      }
      case Kind::Place:
        return arc_text(field.value<ArcPosition>(thing));
      case Kind::Word:
        return std::string(word_for(field.words, choice_of(field, thing)));
      case Kind::Radius: {
        const auto& radius = field.value<RadiusLimit>(thing);
        return number_text(radius.value) + (radius.diameters ? " d" : "");
      }
      case Kind::Axes:
        return axes_text(field.value<FixedAxes>(thing));
      case Kind::Mapping:
        return mapping_text(*field.table, value);
      case Kind::List:
        return list_text(item_texts(field, value));
      case Kind::Curve:
        return curve_text(field.value<Curve>(thing));
      case Kind::Rest:
        return rest_text(field.value<RestShape>(thing));
      case Kind::Fix:
        return fix_text(*field.table, value);
      case Kind::Rayleigh:
        return vec_text(Vec2(field.value<Damping>(thing).mass, field.value<Damping>(thing).stiffness));
      case Kind::Points:
      case Kind::Numbers:
      case Kind::Control:
      case Kind::Named:
      case Kind::Version:
      case Kind::Arc:
      case Kind::Planned:
      case Kind::ByHand:
        break;  // said by others
    }
    return {};
  }

  // The things of a list, one text each.
  [[nodiscard]] Texts item_texts(const Field& field, const void* list) const {
    Texts texts;
    for (std::size_t i = 0; i < field.items->size(list); ++i)
      texts.push_back(mapping_text(*field.table, field.items->at(list, i)));
    return texts;
  }

 private:
  [[nodiscard]] std::string mapping_text(const Table& table, const void* thing) const {
    // the value that stands for the whole, if nothing else is to be said
    const Field* short_form = table.word;
    if (short_form && short_form->kind != Kind::Word) {
      if (pairs(table, thing).size() == 1) return text(*short_form, thing);
    } else if (short_form) {
      const std::string_view word = word_for(short_form->words, choice_of(*short_form, thing));
      const bool more = std::any_of(table.fields.begin(), table.fields.end(), [&](const Field& field) {
        return field.get && &field != short_form && field.applies(thing);
      });
      if (!word.empty() && !more) return std::string(word);
    }
    return flow_text(pairs(table, thing));
  }

  // The short form where it says all, the mapping otherwise.
  [[nodiscard]] std::string fix_text(const Table& table, const void* fix) const {
    Texts wholly;
    bool partly = false;
    for (const Field& field : table.fields) {
      const auto& axes = field.value<FixedAxes>(fix);
      if (fixes_all(axes)) wholly.emplace_back(field.key);
      partly = partly || fixes_some(axes);
    }
    if (!partly) return list_text(wholly);
    Texts parts;
    for (const Field& field : table.fields) parts.push_back(pair_text(field.key, text(field, fix)));
    return flow_text(parts);
  }

  [[nodiscard]] std::string curve_text(const Curve& curve) const {
    if (!curve.file.empty()) return flow_text({pair_text("file", yaml_scalar(curve.file))});
    const std::string_view key = word_for(scene::kCurveKinds, curve.kind);
    if (curve.kind == CurveKind::Arc) return flow_text({pair_text(key, flow_text(pairs(scene::tables::arc, &curve)))});
    if (curve.kind == CurveKind::Helix)
      return flow_text({pair_text(key, flow_text(pairs(scene::tables::helix, &curve)))});
    if (curve.kind == CurveKind::Control) return flow_text({pair_text(key, control_text(curve))});
    Texts points;
    for (const Vec3& point : curve.points) points.push_back(vec_text(point));
    return flow_text({pair_text(key, list_text(points))});
  }

  [[nodiscard]] std::string control_text(const Curve& curve) const {
    Texts points;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      const Vec3& p = curve.points[i];
      points.push_back(curve.rolls.empty() ? vec_text(p)
                                           : fmt::format("[{}, {}, {}, {}]", p.x(), p.y(), p.z(), curve.rolls[i]));
    }
    Texts texts{pair_text("points", list_text(points))};
    for (const std::string& pair : pairs(scene::tables::control, &curve)) texts.push_back(pair);
    if (!curve.weights.empty()) texts.push_back(fmt::format("weights: [{}]", fmt::join(curve.weights, ", ")));
    if (!curve.knots.empty()) texts.push_back(fmt::format("knots: [{}]", fmt::join(curve.knots, ", ")));
    return flow_text(texts);
  }

  [[nodiscard]] std::string rest_text(const RestShape& rest) const {
    if (rest.kind == RestKind::Curve) return curve_text(rest.curve);
    if (rest.kind != RestKind::Uniform) return std::string(word_for(scene::kRestKinds, rest.kind));
    return flow_text(
        {pair_text("curvature", vec_text(rest.curvature)), pair_text("twist_rate", number_text(rest.twist_rate))});
  }

  Extent extent_;
};

// A top-level mapping by name: one thing a line, or one of its keys.
std::string named_lines(const Writer& writer, const Field& field, const void* list) {
  const Table& table = *field.table;
  std::string lines;
  for (std::size_t i = 0; i < field.items->size(list); ++i) {
    const void* thing = field.items->at(list, i);
    const std::string name = yaml_scalar(table.name->value<std::string>(thing));
    const Texts pairs = writer.pairs(table, thing);
    lines += table.lines ? fmt::format("  {}:\n", name) : fmt::format("  {}: {}\n", name, flow_text(pairs));
    for (std::size_t k = 0; table.lines && k < pairs.size(); ++k) lines += fmt::format("    {}\n", pairs[k]);
  }
  return lines;
}

}  // namespace

std::string value_text(const Field& field, const void* thing) {
  return Writer(Extent::All).text(field, thing);
}

std::string scene_text(const Scene& scene, Extent extent) {
  const Writer writer(extent);
  const Table& table = scene::tables::scene;
  std::string out = "filum: 1\n";
  std::string_view open;  // the list that lines were added to last
  for (const Field& field : table.fields) {
    if (!writer.says(table, field, &scene)) continue;
    const void* value = field.get(&scene);
    std::string lines;
    if (field.kind == Kind::Named) lines = named_lines(writer, field, value);
    if (field.kind == Kind::List)
      for (const std::string& item : writer.item_texts(field, value)) lines += fmt::format("  - {}\n", item);
    if (lines.empty()) {
      out += fmt::format("{}: {}\n", field.key, writer.text(field, &scene));
      continue;
    }
    if (open != field.key) out += fmt::format("{}:\n", field.key);
    open = field.key;
    out += lines;
  }
  return out;
}

}  // namespace io

std::string write_scene(const Scene& scene) {
  return io::scene_text(scene, io::Extent::All);
}

}  // namespace filum
