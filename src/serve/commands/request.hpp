// A command of a page: its fields, each read with the message that says what was expected.
//
// Within the handling of a command a mistake travels as the exception Refusal to `Workbench::answer`, which turns it
// into the reply; it never leaves this module.
#pragma once

#include "serve/commands/json.hpp"

#include <filum/result.hpp>
#include <filum/scene.hpp>

#include <string>
#include <string_view>

namespace filum::serve {

struct Refusal {
  Error error;
  std::string path;  // into the scene, if it is about a value there
};
[[noreturn]] void refuse(std::string message);
// Goes on if all is well.
void must(const Status& status);
template <class T>
T must(Result<T> result) {
  if (!result) throw Refusal{result.error(), {}};
  return std::move(*result);
}

// For messages and labels.
std::string in_quotes(const std::string& name);

class Request {
 public:
  Request(const Json& message, int client) : message_(message), client_(client) {}

  [[nodiscard]] int client() const { return client_; }
  [[nodiscard]] bool has(const char* key) const { return message_.contains(key) && !message_[key].is_null(); }
  [[nodiscard]] const Json& json(const char* key) const;

  [[nodiscard]] std::string text(const char* key) const;
  [[nodiscard]] std::string text_or(const char* key, std::string other) const;
  [[nodiscard]] double number(const char* key) const;
  [[nodiscard]] double number_or(const char* key, double other) const;
  [[nodiscard]] int integer(const char* key, int least, int most) const;
  [[nodiscard]] int integer_or(const char* key, int other, int least, int most) const;
  [[nodiscard]] bool flag_or(const char* key, bool other) const;
  [[nodiscard]] std::optional<Vec3> vector(const char* key) const;
  [[nodiscard]] std::optional<Quat> quaternion(const char* key) const;
  // A number, or a text as the scene file has it.
  [[nodiscard]] ArcPosition place(const char* key) const;
  // As the scene file has it: a list of words, or a mapping to axes.
  [[nodiscard]] Fix fix(const char* key) const;

 private:
  const Json& message_;
  int client_;
};

// Values on their own, `what` names them in messages.
Vec3 read_vector(const Json& value, const char* what);
ArcPosition read_place(const Json& value, const char* what);

}  // namespace filum::serve
