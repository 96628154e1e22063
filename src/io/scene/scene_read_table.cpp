// Mappings of a scene file, key by key as their tables describe them.
#include "io/scene/scene_read.hpp"
#include "io/yaml/yaml_scalar.hpp"
#include "scene/describe/tables.hpp"
#include "sim/formulations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace filum::io {
namespace {

using scene::Field;
using scene::Kind;
using scene::Need;
using scene::Table;
namespace tables = scene::tables;

// true, false or a list of world axes.
FixedAxes read_axes(const Node& node) {
  if (node.is_scalar()) return read_flag(node) ? kAllAxes : FixedAxes{};
  if (!node.is_sequence())
    refuse(node, fmt::format("expected true, false or axes [x, y, z], found {}", node.describe()));
  FixedAxes axes{};
  for (const Node& item : node.children) {
    const bool known = item.is_scalar() && item.text.size() == 1 && item.text[0] >= 'x' && item.text[0] <= 'z';
    if (!known) refuse(item, fmt::format("expected an axis x, y or z, found {}", item.describe()));
    bool& axis = axes[static_cast<std::size_t>(item.text[0] - 'x')];
    if (axis) refuse(item, fmt::format("axis {} twice", item.text));
    axis = true;
  }
  return axes;
}

// [position, orientation], of which either may be left out: each fixed wholly.
void read_fix_list(const Node& node, const Table& table, void* fix) {
  if (!node.is_sequence())
    refuse(node, fmt::format("expected [position], [orientation], [position, orientation] or {{position: [y, z], "
                             "orientation: true}}, found {}",
                             node.describe()));
  for (const Node& item : node.children) {
    const Field* part = item.is_scalar() ? table.find(item.text) : nullptr;
    if (!part) refuse(item, fmt::format("expected position or orientation, found {}", item.describe()));
    auto& fixed = part->value<FixedAxes>(fix);
    if (fixed == kAllAxes) refuse(item, fmt::format("{} twice", item.text));
    fixed = kAllAxes;
  }
}

std::string read_formulation(const Node& node) {
  const std::string text = read_text(node);
  const std::vector<std::string_view> names = sim::formulation_names();
  if (std::find(names.begin(), names.end(), text) != names.end()) return text;
  if (text == "spline") refuse_not_yet(node, "formulation " + text, "simulation");
  refuse(node, fmt::format("expected a formulation ({}), found {}", fmt::join(names, ", "), node.describe()));
}

// Rayleigh's two factors have two dimensions.
void read_rayleigh(const Node& node, Damping& damping) {
  if (!node.is_sequence() || node.size() != 2)
    refuse(node, fmt::format("expected two numbers [alpha, beta], found {}", node.describe()));
  damping.mass = read_number(node.children[0], Dimension::Rate);
  damping.stiffness = read_number(node.children[1], Dimension::Time);
}

// One mapping while it is read.
class TableReader {
 public:
  TableReader(const Node& node, const Table& table, void* thing, const std::string& label, const std::string& folder)
      : fields_(node, table, label), thing_(thing), folder_(folder) {}

  void read() {
    check_alternatives();
    const auto fields = fields_.table().fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      // a list of several kinds has a field for each
      std::size_t count = 1;
      while (i + count < fields.size() && fields[i + count].key == fields[i].key) ++count;
      read_key(fields.subspan(i, count));
      i += count - 1;
    }
    for (const Field& field : fields) check_condition(field);
  }

 private:
  // What of a mapping excludes each other.
  void check_alternatives() const {
    const Table& table = fields_.table();
    const Node& node = fields_.node();
    if (table.one_of) {
      std::vector<std::string_view> choices;
      int given = 0;
      for (const Field& field : table.fields) {
        if (!field.facts.when.choose) continue;
        choices.push_back(field.key);
        if (fields_.find(field.key)) ++given;
      }
      if (given != 1)
        refuse(node, fmt::format("{}: expected one of {}; found {} of them", fields_.label(), fmt::join(choices, ", "),
                                 given));
    }
    if (&table == &tables::helix && (fields_.find("turns") == nullptr) == (fields_.find("angle") == nullptr))
      refuse(node, fmt::format("{}: expected either turns or angle", fields_.label()));
    if (&table != &tables::rope_point) return;
    const Node* wheel = fields_.find("sheave");
    if (wheel && fields_.find("body"))
      refuse(*wheel, fmt::format("{} is on one body: 'body' or 'sheave', not both", fields_.label()));
    if (wheel && !fields_.find("radius")) refuse_missing(*table.find("radius"));
  }

  // A key that counts under a condition, which all keys together tell.
  void check_condition(const Field& field) const {
    const scene::When& when = field.facts.when;
    if (!when.applies || when.choose) return;
    const Node* given = fields_.find(field.key);
    if (given && !when.applies(thing_) && !when.otherwise.empty())
      refuse(*given, fmt::format(fmt::runtime(when.otherwise), fields_.label()));
    if (!given && when.applies(thing_) && field.facts.need == Need::Required) refuse_missing(field);
  }

  [[noreturn]] void refuse_missing(const Field& field) const {
    const std::string_view asked = field.facts.missing;
    refuse(fields_.node(), asked.empty() ? fmt::format("missing key '{}' in {}", field.key, fields_.label())
                                         : fmt::format("missing key {} in {}", asked, fields_.label()));
  }

  void read_key(std::span<const Field> kinds) {
    const Field& field = kinds.front();
    const Node* node = fields_.find(field.key);
    const scene::When& when = field.facts.when;
    if (!node) {
      if (field.make && field.facts.need == Need::Required && (!when.applies || when.choose)) refuse_missing(field);
      return;
    }
    if (!field.make) return;
    if (when.choose) when.choose(thing_);
    if (field.kind == Kind::List) return read_list(*node, kinds);
    if (field.kind == Kind::Named) return read_named(*node, field);
    read_value(*node, field);
  }

  void read_value(const Node& node, const Field& field) {
    const Dimension dimension = field.facts.dimension;
    switch (field.kind) {
      case Kind::Number:
        field.value<double>(thing_) = read_number(node, dimension);
        break;
      case Kind::Integer:
        field.value<int>(thing_) = read_integer(node);
        break;
      case Kind::Flag:
        field.value<bool>(thing_) = read_flag(node);
        break;
      case Kind::Name:
      case Kind::File:
        field.value<std::string>(thing_) = read_text(node);
        break;
      case Kind::Line:
        field.value<std::string>(thing_) = node.is_null() ? std::string() : read_text(node);
        break;
      case Kind::Vector2:
        field.value<Vec2>(thing_) = read_vec2(node, dimension);
        break;
      case Kind::Vector3:
        field.value<Vec3>(thing_) = field.facts.even && node.is_scalar() ? Vec3::Constant(read_number(node, dimension))
                                                                         : read_vec3(node, dimension);
        break;
      case Kind::Orientation:
        field.value<Quat>(thing_) = read_orientation(node);
        break;
      case Kind::Place:
        field.value<ArcPosition>(thing_) = read_arc_position(node);
        break;
      case Kind::Word:
        set_choice(field, thing_, read_word(node, field.words));
        break;
      case Kind::Radius:
        field.value<RadiusLimit>(thing_) = read_radius(node);
        break;
      default:
        read_form(node, field);
    }
  }

  void read_form(const Node& node, const Field& field) {
    void* value = field.make(thing_);
    switch (field.kind) {
      case Kind::Axes:
        *static_cast<FixedAxes*>(value) = read_axes(node);
        break;
      case Kind::Formulation:
        *static_cast<std::string*>(value) = read_formulation(node);
        break;
      case Kind::Curve:
        *static_cast<Curve*>(value) = read_curve(node, folder_, fields_.label());
        break;
      case Kind::Rest:
        *static_cast<RestShape*>(value) = read_rest(node, folder_, fields_.label());
        break;
      case Kind::Rayleigh:
        read_rayleigh(node, *static_cast<Damping*>(value));
        break;
      case Kind::Fix:
        if (!node.is_mapping()) return read_fix_list(node, *field.table, value);
        [[fallthrough]];
      case Kind::Mapping:
        // one value may stand for the whole
        if (const Field* word = field.table->word; word && !node.is_mapping()) {
          if (word->kind == Kind::Word) return set_choice(*word, value, read_word(node, word->words));
          word->value<RadiusLimit>(value) = read_radius(node);
          return;
        }
        read_table(node, *field.table, value, inside(std::string(field.table->what)), folder_);
        break;
      default:
        break;
    }
  }

  // The label of something within this; the scene itself goes without saying.
  [[nodiscard]] std::string inside(std::string what) const {
    return &fields_.table() == &tables::scene ? what : what + " of " + fields_.label();
  }

  // Which of several kinds an item is: the one whose name it has.
  [[nodiscard]] const Field& kind_of(const Node& item, std::size_t index, std::span<const Field> kinds) const {
    if (kinds.size() == 1) return kinds.front();
    std::vector<std::string_view> words;
    const Field* found = nullptr;
    int count = 0;
    for (const Field& kind : kinds) {
      words.push_back(kind.table->name->key);
      if (!item.find(words.back())) continue;
      found = &kind;
      ++count;
    }
    if (count != 1)
      refuse(item, fmt::format("{} {}: expected one of {} with its name; found {} of them", kinds.front().key, index,
                               fmt::join(words, ", "), count));
    return *found;
  }

  void read_list(const Node& node, std::span<const Field> kinds) {
    const Field& first = kinds.front();
    expect_list(node, first.facts.items.empty() ? first.key : first.facts.items);
    for (std::size_t i = 0; i < node.size(); ++i) {
      const Node& item = node.children[i];
      const Field& kind = kind_of(item, i, kinds);
      const Table& table = *kind.table;
      void* thing = kind.items->add(kind.make(thing_));
      std::string label =
          table.what.empty() ? inside(std::string(kind.key)) : inside(fmt::format("{} {}", table.what, i));
      // a name, which may be left out
      if (table.name) {
        const Node* given = item.find(table.name->key);
        const std::string name = given ? read_text(*given) : fmt::format("{} {}", table.what, i + 1);
        table.name->value<std::string>(thing) = name;
        label = fmt::format("{} {}", table.what, shown(name));
      }
      read_table(item, table, thing, label, folder_);
    }
  }

  void read_named(const Node& node, const Field& field) {
    expect_mapping(node, fmt::format("{} by name", field.key));
    for (std::size_t i = 0; i < node.size(); ++i) {
      const std::string& name = node.key(i).text;
      void* thing = field.items->add(field.make(thing_));
      field.table->name->value<std::string>(thing) = name;
      read_table(node.value(i), *field.table, thing, fmt::format("{} {}", field.table->what, shown(name)), folder_);
    }
  }

  Fields fields_;
  void* thing_;
  const std::string& folder_;
};

// Of a thing that comes in several kinds: which one, by the word of its first key.
const Table& read_variant(const Node& node, const Table& table, void* thing, const std::string& label) {
  const Field& first = table.fields[0];
  if (!node.is_mapping())
    refuse(node, fmt::format("{}: expected a mapping {{{}: …}}, found {}", label, first.key, node.describe()));
  const Node* word = node.find(first.key);
  if (!word) refuse(node, fmt::format("missing key '{}' in {}", first.key, label));
  set_choice(first, thing, read_word(*word, first.words));
  return table_of(table, thing);
}

}  // namespace

void read_table(const Node& node, const Table& table, void* thing, const std::string& label,
                const std::string& folder) {
  if (table.variants.empty()) return TableReader(node, table, thing, label, folder).read();
  const Table& variant = read_variant(node, table, thing, label);
  TableReader(node, variant, thing, fmt::format("{} ({})", label, variant.id), folder).read();
}

}  // namespace filum::io
