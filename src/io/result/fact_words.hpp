// The way back from <filum/words.hpp>: what stands in a result file as facts again.
#pragma once

#include <filum/words.hpp>

#include <optional>
#include <string_view>

namespace filum::io {

// What is no such thing is kept as it is told.
ObjectRef object_of(std::string_view words);
RodPlace place_of(std::string_view words);

// Nothing: there is no such limit.
std::optional<CheckKind> check_kind_of(std::string_view words);
// «failed» for what is none.
LengthVerdict length_verdict_of(std::string_view word);

}  // namespace filum::io
