// What a key of the scene file is, said once.
//
// A struct of the scene has one Table of Fields: the key, the member behind it, what kind of value it is, its
// dimension, range, default and meaning. All that knows keys goes by these tables: the reader, the writer, the check of
// what has changed, the page's JSON and types, the schema for editors and the tables of docs/scene-format.md. Ranges of
// single values are checked by them too.
//
// The tables are data: a thing is a `void*` whose type the table knows, and a field finds its value in it. They are made
// in describe_*.cpp by the functions of make_field.hpp.
#pragma once

#include "base/dimension.hpp"
#include "scene/describe/range.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace filum::scene {

struct Table;

// What stands behind a key, and the type of its value.
enum class Kind {
  Number,       // double
  Integer,      // int
  Flag,         // bool
  Name,         // std::string: a thing's own, or that of another it refers to
  File,         // std::string
  Line,         // std::string for people, which may be left without a value
  Formulation,  // std::string
  Vector2,
  Vector3,
  Orientation,  // Quat: a quaternion, or tangent and normal
  Place,        // ArcPosition
  Word,         // an enum: one of `words`
  Axes,         // std::array<bool, 3>
  Points,       // std::vector<Vec3>
  Numbers,      // std::vector<double>
  Mapping,      // of the keys of `table`
  List,         // std::vector of things that are such mappings
  Named,        // likewise, by name
  // forms of their own
  Version,   // no value: the format's
  Curve,     // Curve
  Arc,       // Curve: three points, or a mapping
  Control,   // Curve: control points of three or four numbers
  Rest,      // RestShape: a word, or a mapping
  Fix,       // a mapping of Axes, or the list of those that are fixed wholly
  Rayleigh,  // Damping: its two factors
  Radius,    // RadiusLimit: a length, or a multiple of the diameter
  Planned,   // no value: documented, refused as «not yet supported»
  ByHand,    // no value: known by its key alone (channel files)
};

enum class Need {
  Optional,  // left out of fresh text where it is the default
  Shown,     // may be left out, but fresh text says it
  Required
};

// One of the words that a choice has.
struct Word {
  std::string_view text;
  int value;
  template <class Value>
  constexpr Word(std::string_view word, Value meaning) : text(word), value(static_cast<int>(meaning)) {}
};

// A key that counts for some things only.
struct When {
  bool (*applies)(const void* thing) = nullptr;  // null: always
  void (*choose)(void* thing) = nullptr;         // makes it count: the key says what kind of thing it is
  std::string_view otherwise = {};               // the refusal where it does not count; {} stands for the thing
};

// All that is said of a key besides where its value is.
struct Facts {
  Dimension dimension = Dimension::Number;
  Need need = Need::Optional;
  const Range* range = &kAny;      // of a number, or of each component; null: a check of its own tells
  bool direction = false;          // Vector3: not zero
  bool even = false;               // Vector3: one number stands for all three
  bool free = false;               // a run may go on though it has changed
  int least = 0;                   // List: so many items or more
  std::string_view fallback = {};  // the default in words, where the struct's own does not say it
  std::string_view doc = {};       // its meaning, in Markdown
  std::string_view page = {};      // what the page calls it, if not by its key; «-»: the page has it from another key
  std::string_view items = {};     // List: what it holds, for messages
  std::string_view missing = {};   // the keys to ask for if it is missing, if not for itself
  When when = {};
};

// How the vector behind a List is walked.
struct Items {
  std::size_t (*size)(const void* list);
  const void* (*at)(const void* list, std::size_t index);
  void* (*add)(void* list);
};

struct Field {
  std::string_view key;
  Kind kind = Kind::ByHand;
  // Where its value is: null if there is none, which `make` mends. Without the two a key is another way to say what
  // another one says.
  const void* (*get)(const void* thing) = nullptr;
  void* (*make)(void* thing) = nullptr;
  std::span<const std::byte> (*bytes)(const void* thing) = nullptr;  // of the member: a test finds those left out
  const Table* table = nullptr;                                      // Mapping, List, Named, Fix, Arc
  const Items* items = nullptr;                                      // List, Named
  std::span<const Word> words = {};                                  // Word; of a Place: those that it is limited to
  bool within = false;                                               // Mapping: its keys are members of the same thing
  Facts facts = {};

  [[nodiscard]] bool applies(const void* thing) const { return !facts.when.applies || facts.when.applies(thing); }
  template <class T>
  [[nodiscard]] const T& value(const void* thing) const {
    return *static_cast<const T*>(get(thing));
  }
  template <class T>
  [[nodiscard]] T& value(void* thing) const {
    return *static_cast<T*>(make(thing));
  }
};

// A struct of the scene.
struct Type {
  const void* (*fresh)();  // a thing as the struct makes it
  std::size_t size;
};

// The keys of one kind of mapping.
struct Table {
  std::string_view id;    // its definition in docs/scene.schema.json
  std::string_view what;  // for messages: «rod»; empty: it is called by the key of its list
  std::span<const Field> fields;
  std::string_view doc = {};
  const Type* type = nullptr;                   // the struct of a thing
  const Field* name = nullptr;                  // what a thing is called by, if it has a name
  const Field* word = nullptr;                  // a value of this field may stand for the mapping
  std::span<const Table* const> variants = {};  // by the word of the first field: which keys there are
  bool one_of = false;                          // exactly one of the keys that choose is given
  bool lines = false;                           // fresh text has a line for each key

  [[nodiscard]] const Field* find(std::string_view key) const;
  // The keys that choose hold the name of what the thing is about, and are no mappings.
  [[nodiscard]] bool has_target() const;
};

// The word for a value; empty if there is none.
std::string_view word_for(std::span<const Word> words, int value);
template <class Enum>
std::string_view word_for(std::span<const Word> words, Enum value) {
  return word_for(words, static_cast<int>(value));
}
// The value of an enum's member, whatever its type.
int choice_of(const Field& field, const void* thing);
void set_choice(const Field& field, void* thing, int value);

// The table that says which keys a thing has.
const Table& table_of(const Table& table, const void* thing);

}  // namespace filum::scene
