// Facts in words, and the way back from a result file.
#include "io/result/fact_words.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace filum::test_fact_words {

namespace {

Event event_of(EventKind kind, ObjectRef object) {
  Event event;
  event.kind = kind;
  event.object = std::move(object);
  return event;
}

const ObjectRef kHose{ObjectKind::Rod, "hose"};
const ObjectRef kClip{ObjectKind::Hold, "clip"};

}  // namespace

TEST_CASE("words: objects and places read back as what they were") {
  const std::vector<ObjectRef> objects{kHose,
                                       kClip,
                                       {ObjectKind::Body, "b"},
                                       {ObjectKind::Junction, "it's"},
                                       {ObjectKind::Winch, "rod 'x'"},
                                       {ObjectKind::Rope, "r 1"},
                                       {ObjectKind::None, "the \"old\" thing"}};
  for (const ObjectRef& object : objects) CHECK_MESSAGE(io::object_of(words(object)) == object, words(object));
  const std::vector<RodPlace> places{{PlaceKind::Start, {}},         {PlaceKind::End, {}},
                                     {PlaceKind::Along, {}, 0.1},    {PlaceKind::Along, {}, 1e-7 / 3},
                                     {PlaceKind::Hold, "a"},         {PlaceKind::Junction, "y"},
                                     {PlaceKind::Junction, {}},      {PlaceKind::Winch, "w"},
                                     {PlaceKind::Told, "s = far m"}, {PlaceKind::Told, "rod 'x'"}};
  for (const RodPlace& place : places) CHECK_MESSAGE(io::place_of(words(place)) == place, words(place));
  CHECK(words(kHose) == "rod 'hose'");
  CHECK(words(RodPlace{PlaceKind::Along, {}, 0.2}) == "s = 0.2 m");
  CHECK(words(RodPlace{PlaceKind::Junction, {}}) == "a junction");
}

TEST_CASE("words: limits have a name and a unit, and are found by their name") {
  for (const CheckKind kind :
       {CheckKind::BendRadius, CheckKind::InsideBendRadius, CheckKind::Tension, CheckKind::BreakingTension,
        CheckKind::HoldForce, CheckKind::TransverseForce, CheckKind::HoldPull, CheckKind::HoldShear, CheckKind::Length,
        CheckKind::Clearance, CheckKind::PassesThrough})
    CHECK(io::check_kind_of(words(kind)) == kind);
  CHECK_FALSE(io::check_kind_of("colour"));
  CHECK(std::string(unit_of(CheckKind::BendRadius)) == "m");
  CHECK(std::string(unit_of(CheckKind::TransverseForce)) == "N");
  CHECK(io::length_verdict_of(words(LengthVerdict::Kept)) == LengthVerdict::Kept);
  CHECK(io::length_verdict_of("") == LengthVerdict::Failed);
}

TEST_CASE("words: each kind of event is one sentence") {
  Event event = event_of(EventKind::SliderStopped, kClip);
  event.rod = "hose";
  event.to = {PlaceKind::End, {}};
  CHECK(words(event) == "hold 'clip' reached the end of rod 'hose'");
  event.to = {PlaceKind::Junction, {}};
  CHECK(words(event) == "hold 'clip' reached a junction");

  CHECK(words(event_of(EventKind::LetGo, kClip)) == "hold 'clip' let go");
  CHECK(words(event_of(EventKind::FixesPosition, kClip)) == "hold 'clip' now fixes the position");
  CHECK(words(event_of(EventKind::FixesOrientation, kClip)) == "hold 'clip' now fixes the orientation");
  CHECK(words(event_of(EventKind::FixesPose, kClip)) == "hold 'clip' now fixes the position and the orientation");

  CHECK(words(event_of(EventKind::Broke, {ObjectKind::Rope, "r1"})) == "rope 'r1' broke");
  event = event_of(EventKind::Broke, kHose);
  event.from = {PlaceKind::Along, {}, 0.01234};
  CHECK(words(event) == "rod 'hose' broke at s = 12.3 mm");

  event = event_of(EventKind::TooShort, kHose);
  event.from = {PlaceKind::Hold, "a"};
  event.to = {PlaceKind::End, {}};
  event.value = 0.1;
  CHECK(words(event) == "rod 'hose' is too short by 100.0 mm between hold 'a' and the end: it is shown stretched");
  event.kind = EventKind::LengthFound;
  event.value = 0.4494321;
  CHECK(words(event) == "rod 'hose' found its length between hold 'a' and the end: 0.44943 m");
  event.kind = EventKind::LengthLongest;
  CHECK(words(event).find("rod 'hose' finds no length between") == 0);
  event.kind = EventKind::LengthFailed;
  CHECK(words(event).find("rod 'hose' found no length between") == 0);
  event.kind = EventKind::LengthShortest;
  CHECK(words(event).find("rod 'hose' is straight between") == 0);
  event.kind = EventKind::LengthKept;
  CHECK(words(event).find("rod 'hose' is long enough between") == 0);

  event = event_of(EventKind::BodyStopped, {ObjectKind::Body, "unit"});
  CHECK(words(event) == "body 'unit' stopped");
  event.why = "there is no equilibrium beyond";
  CHECK(words(event) == "body 'unit' stopped: there is no equilibrium beyond");
  event.rod = "hose";
  event.from = {PlaceKind::Hold, "a"};
  event.to = {PlaceKind::Hold, "b"};
  event.value = 0.0994;
  CHECK(words(event) == "body 'unit' stopped: rod 'hose' between hold 'a' and hold 'b' is too short by 99.4 mm");

  event = event_of(EventKind::StepDivided, {});
  event.why = "too fast";
  CHECK(words(event) == "a step had to be divided: too fast");
  event.kind = EventKind::RunStopped;
  CHECK(words(event) == "the run could not go on: too fast");
  event.kind = EventKind::Told;
  CHECK(words(event) == "too fast");
}

TEST_CASE("events: the same thing with other figures is the same, of another object it is not") {
  Event event = event_of(EventKind::Broke, kHose);
  event.from = {PlaceKind::Along, {}, 0.1};
  Event other = event;
  other.t = 2;
  other.from.s = 0.2;
  other.value = 3;
  CHECK(event.same(other));
  other.object.name = "hose 2";
  CHECK_FALSE(event.same(other));
  other = event;
  other.from = {PlaceKind::Hold, "a"};
  CHECK_FALSE(event.same(other));
  other = event;
  other.kind = EventKind::TooShort;
  CHECK_FALSE(event.same(other));
}

}  // namespace filum::test_fact_words
