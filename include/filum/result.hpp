// Result<T>: a value, or the one error that explains why there is none.
//
// Bad input never asserts and never throws: the function that met it returns an Error that says what was found, what
// was expected and where, and the caller passes it on unchanged until somebody prints it.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace filum {

enum class ErrorCode {
  BadInput,      // the user's text or numbers are wrong
  NotSupported,  // a documented feature that has not landed yet, or that this formulation cannot honour
  File,          // a file could not be read or written
  NoSolution,    // nothing is wrong with the input, and yet a step or an equilibrium was not found
};

struct Error {
  ErrorCode code = ErrorCode::BadInput;
  std::string message;
  std::string file;  // empty: not about a file
  int line = 0;      // 1-based; 0: not about a line
  int column = 0;    // 1-based; 0: not about a column

  // «file:line:column: message», leaving out what is not known.
  [[nodiscard]] std::string text() const;
};

// The commonest two: what somebody asked for makes no sense; a file cannot be had.
inline Error bad_input(std::string message) {
  return {ErrorCode::BadInput, std::move(message), {}, 0, 0};
}
inline Error file_error(std::string file, std::string message) {
  return {ErrorCode::File, std::move(message), std::move(file), 0, 0};
}

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::move(value)) {}      // NOLINT: implicit on purpose, `return value;`
  Result(Error error) : held_(std::move(error)) {}  // NOLINT: implicit on purpose, `return error;`

  [[nodiscard]] bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() { return std::get<0>(held_); }
  const T& value() const { return std::get<0>(held_); }
  [[nodiscard]] const Error& error() const { return std::get<1>(held_); }

  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> held_;
};

// For functions that return nothing but may fail.
struct Done {};
using Status = Result<Done>;

}  // namespace filum
