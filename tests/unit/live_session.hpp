// Sessions in tests: begun, or the test fails with what they say.
#pragma once

#include <filum/session.hpp>

#include <doctest/doctest.h>

#include <utility>

namespace filum::test {

inline Session begun(const Scene& scene) {
  Result<Session> session = Session::begin(scene);
  REQUIRE_MESSAGE(session.ok(), (session.ok() ? "" : session.error().text()));
  return std::move(*session);
}

inline void must(const Status& status) {
  REQUIRE_MESSAGE(status.ok(), (status.ok() ? "" : status.error().text()));
}

}  // namespace filum::test
