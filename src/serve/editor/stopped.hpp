// Work that was ended before it was done, and the words for whatever else may end it.
//
// The solvers return when their watcher asks for it and say so; from there to where a command began it is an exception.
#pragma once

#include <exception>
#include <filesystem>
#include <new>
#include <string>

namespace filum::serve {

// By somebody who cancelled it, by a limit of time, by the end of the server.
struct Stopped {
  std::string why;
};

// Of the exception at hand, within a `catch (...)`.
inline std::string words_of_exception() {
  try {
    throw;
  } catch (const Stopped& stopped) {
    return stopped.why;
  } catch (const std::bad_alloc&) {
    return "there is not enough memory for this";
  } catch (const std::filesystem::filesystem_error& error) {
    return error.path1().string() + ": " + error.code().message();
  } catch (const std::exception& error) {
    return std::string("internal error: ") + error.what();
  } catch (...) {
    return "internal error";
  }
}

}  // namespace filum::serve
