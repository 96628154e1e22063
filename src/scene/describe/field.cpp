#include "scene/describe/field.hpp"

#include <algorithm>
#include <cstring>

namespace filum::scene {

const Field* Table::find(std::string_view key) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

bool Table::has_target() const {
  return one_of && std::none_of(fields.begin(), fields.end(), [](const Field& field) {
           return field.facts.when.choose && field.kind == Kind::Mapping;
         });
}

std::string_view word_for(std::span<const Word> words, int value) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const Word& word) { return word.value == value; });
  return found == words.end() ? std::string_view() : found->text;
}

// Every such enum is an int underneath, which `choice` asserts.
int choice_of(const Field& field, const void* thing) {
  int value = 0;
  std::memcpy(&value, field.get(thing), sizeof value);
  return value;
}

void set_choice(const Field& field, void* thing, int value) {
  std::memcpy(field.make(thing), &value, sizeof value);
}

const Table& table_of(const Table& table, const void* thing) {
  if (table.variants.empty()) return table;
  return *table.variants[static_cast<std::size_t>(choice_of(table.fields[0], thing))];
}

}  // namespace filum::scene
