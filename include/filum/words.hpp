// Facts in words: objects, places, limits and events, as result files, reports, terminals and pages all show them.
#pragma once

#include <filum/outcome.hpp>

#include <string>

namespace filum {

// «rod 'hose'»
std::string words(const ObjectRef& object);
// «hold 'a'», «a junction», «the start», «s = 0.2 m»
std::string words(const RodPlace& place);
// «hold 'a' and the end»: of what lies between them.
std::string words(const RodPlace& from, const RodPlace& to);
// «bend radius»
const char* words(CheckKind kind);
// «rod 'hose'», «rod 'hose', body 'knuckle'»: what a check is about.
std::string subject(const Check& check);
// «hold 'clip' let go»
std::string words(const Event& event);
// «found»
const char* words(LengthVerdict verdict);

// SI, of a limit and what is compared with it.
const char* unit_of(CheckKind kind);

// One word each, for programs: «rod», «too_short».
const char* key_of(ObjectKind kind);
const char* key_of(EventKind kind);

}  // namespace filum
