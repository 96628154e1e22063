// How the fields of a table are made: field<&Rod::length>("length", {.dimension = Dimension::Length, …}).
//
// What finds a value in its thing is compiled from the member's address; all else of a field is data.
#pragma once

#include "scene/describe/field.hpp"

#include <filum/scene.hpp>

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace filum::scene {

template <class Value, class Thing>
Thing owner_type(Value Thing::*);
template <class T>
struct Stripped {
  using type = T;
  static constexpr bool optional = false;
};
template <class T>
struct Stripped<std::optional<T>> {
  using type = T;
  static constexpr bool optional = true;
};

// A member, or a member of a member.
template <auto First, auto... Inner>
struct Member {
  using Owner = decltype(owner_type(First));
  static const auto& in(const void* thing) { return ((static_cast<const Owner*>(thing)->*First).*....*Inner); }
  static auto& in(void* thing) { return ((static_cast<Owner*>(thing)->*First).*....*Inner); }
  using Whole = std::remove_cvref_t<decltype(in(static_cast<void*>(nullptr)))>;
  using Value = typename Stripped<Whole>::type;

  static const void* get(const void* thing) {
    const auto& value = in(thing);
    if constexpr (Stripped<Whole>::optional)
      return value ? &*value : nullptr;
    else
      return &value;
  }
  static std::span<const std::byte> bytes(const void* thing) { return std::as_bytes(std::span(&in(thing), 1)); }
  static void* make(void* thing) {
    auto& value = in(thing);
    if constexpr (Stripped<Whole>::optional)
      return value ? &*value : &value.emplace();
    else
      return &value;
  }
};

template <class T>
constexpr Kind plain_kind() {
  if constexpr (std::is_same_v<T, double>) return Kind::Number;
  if constexpr (std::is_same_v<T, int>) return Kind::Integer;
  if constexpr (std::is_same_v<T, bool>) return Kind::Flag;
  if constexpr (std::is_same_v<T, std::string>) return Kind::Name;
  if constexpr (std::is_same_v<T, Vec2>) return Kind::Vector2;
  if constexpr (std::is_same_v<T, Vec3>) return Kind::Vector3;
  if constexpr (std::is_same_v<T, Quat>) return Kind::Orientation;
  if constexpr (std::is_same_v<T, ArcPosition>) return Kind::Place;
  if constexpr (std::is_same_v<T, std::array<bool, 3>>) return Kind::Axes;
  if constexpr (std::is_same_v<T, Curve>) return Kind::Curve;
  if constexpr (std::is_same_v<T, RestShape>) return Kind::Rest;
  if constexpr (std::is_same_v<T, RadiusLimit>) return Kind::Radius;
  return Kind::ByHand;
}

// A plain value, whose kind its type tells, or the one given.
template <auto... Path>
constexpr Field field(std::string_view key, const Facts& facts,
                      Kind kind = plain_kind<typename Member<Path...>::Value>()) {
  return {.key = key,
          .kind = kind,
          .get = Member<Path...>::get,
          .make = Member<Path...>::make,
          .bytes = Member<Path...>::bytes,
          .facts = facts};
}

template <auto... Path>
constexpr Field choice(std::string_view key, std::span<const Word> words, const Facts& facts) {
  using Value = typename Member<Path...>::Value;
  static_assert(!std::is_enum_v<Value> || sizeof(Value) == sizeof(int));
  const Kind kind = std::is_enum_v<Value> ? Kind::Word : plain_kind<Value>();
  Field made = field<Path...>(key, facts, kind);
  made.words = words;
  return made;
}

template <auto... Path>
constexpr Field mapping(std::string_view key, const Table& table, const Facts& facts, Kind kind = Kind::Mapping) {
  Field made = field<Path...>(key, facts, kind);
  made.table = &table;
  return made;
}

template <class T>
inline constexpr Items kItems{
    [](const void* list) { return static_cast<const std::vector<T>*>(list)->size(); },
    [](const void* list, std::size_t i) -> const void* { return &(*static_cast<const std::vector<T>*>(list))[i]; },
    [](void* list) -> void* { return &static_cast<std::vector<T>*>(list)->emplace_back(); }};

template <auto... Path>
constexpr Field list(std::string_view key, const Table& table, const Facts& facts, Kind kind = Kind::List) {
  Field made = mapping<Path...>(key, table, facts, kind);
  made.items = &kItems<typename Member<Path...>::Value::value_type>;
  return made;
}
template <auto Path>
constexpr Field named(std::string_view key, const Table& table, const Facts& facts) {
  return list<Path>(key, table, facts, Kind::Named);
}

// A form or a mapping whose values are members of the thing itself.
constexpr Field within(std::string_view key, Kind kind, const Table* table, const Facts& facts) {
  return {.key = key,
          .kind = kind,
          .get = [](const void* thing) { return thing; },
          .make = [](void* thing) { return thing; },
          .table = table,
          .within = true,
          .facts = facts};
}

// A key without a value of its own: another way to say what another key says, or one that is planned.
constexpr Field also(std::string_view key, Kind kind, const Facts& facts, const Table* table = nullptr) {
  return {.key = key, .kind = kind, .table = table, .facts = facts};
}
constexpr Field planned(std::string_view key) {
  return also(key, Kind::Planned, {.doc = "not yet supported"});
}

// It counts where a member has this value; `chosen` also gives it that value when the key is read.
template <auto Choice, auto Value>
constexpr When only(std::string_view otherwise = {}) {
  return {[](const void* thing) { return Member<Choice>::in(thing) == Value; }, nullptr, otherwise};
}
template <auto Choice, auto Value>
constexpr When chosen() {
  return {[](const void* thing) { return Member<Choice>::in(thing) == Value; },
          [](void* thing) { Member<Choice>::in(thing) = Value; },
          {}};
}

template <class T>
inline constexpr Type kType{[]() -> const void* {
                              static const T thing{};
                              return &thing;
                            },
                            sizeof(T)};

}  // namespace filum::scene
