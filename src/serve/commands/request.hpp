// A command of a page: read once as it comes in, its fields each with the message that says what was expected.
//
// Within the handling of a command a mistake travels as the exception Refusal to `Workbench::answer`, which turns it
// into the reply; it never leaves this module.
#pragma once

#include "scene/text.hpp"
#include "serve/commands/json.hpp"
#include "serve/commands/page_ledger.hpp"

#include <filum/curve.hpp>
#include <filum/fix.hpp>
#include <filum/result.hpp>
#include <filum/types.hpp>

#include <optional>
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

class Request {
 public:
  // What cannot be read is kept as a fault, for the answer to tell.
  // `page`: the name that the page has given itself; empty: none.
  static Request read(std::string_view text, int client, std::string page = {});
  Request(Json message, int client, std::string page = {});

  // The connection that it came by, and who said it under which number, if it is to be done once.
  [[nodiscard]] int client() const { return client_; }
  [[nodiscard]] Caller caller() const;
  // Goes on if it was a command at all, known or not.
  void check() const;
  [[nodiscard]] const std::string& command() const { return command_; }
  // As the page has numbered it; null: not, or in a way that is not given back.
  [[nodiscard]] const Json& id() const { return id_; }
  // Of a move; empty: it is something else.
  [[nodiscard]] const std::string& hand() const { return hand_; }
  // Whether it makes an earlier move needless: one of the same hand that names the same things.
  [[nodiscard]] bool overtakes(const Request& earlier) const;
  // Every field must be one that the command knows; `known` has them with blanks between.
  void check_fields(std::string_view known) const;

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
  Json message_;
  int client_;
  std::string page_;
  std::string fault_;
  std::string command_;
  Json id_;
  std::string hand_;
};

// Values on their own, `what` names them in messages.
Vec3 read_vector(const Json& value, const char* what);
ArcPosition read_place(const Json& value, const char* what);

}  // namespace filum::serve
