#include "io/result/fact_words.hpp"

#include "scene/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace filum {

namespace {

// Words and what they stand for, read in both directions.
template <class Kind>
struct Word {
  Kind kind;
  const char* text;
};

constexpr std::array kObjects{
    Word<ObjectKind>{ObjectKind::Rod, "rod"},           Word<ObjectKind>{ObjectKind::Hold, "hold"},
    Word<ObjectKind>{ObjectKind::Body, "body"},         Word<ObjectKind>{ObjectKind::Junction, "junction"},
    Word<ObjectKind>{ObjectKind::Winch, "winch"},       Word<ObjectKind>{ObjectKind::Rope, "rope"},
    Word<ObjectKind>{ObjectKind::Obstacle, "obstacle"}, Word<ObjectKind>{ObjectKind::Scenery, "scenery"},
    Word<ObjectKind>{ObjectKind::Sheave, "sheave"},     Word<ObjectKind>{ObjectKind::Joint, "joint"},
};

// Places that are things.
constexpr std::array<std::pair<PlaceKind, ObjectKind>, 3> kThings{{
    {PlaceKind::Hold, ObjectKind::Hold},
    {PlaceKind::Junction, ObjectKind::Junction},
    {PlaceKind::Winch, ObjectKind::Winch},
}};

constexpr std::array kPlaces{
    Word<PlaceKind>{PlaceKind::Start, "the start"},
    Word<PlaceKind>{PlaceKind::End, "the end"},
    Word<PlaceKind>{PlaceKind::Junction, "a junction"},
};

constexpr std::array kChecks{
    Word<CheckKind>{CheckKind::BendRadius, "bend radius"},
    Word<CheckKind>{CheckKind::InsideBendRadius, "bend radius inside"},
    Word<CheckKind>{CheckKind::Tension, "tension"},
    Word<CheckKind>{CheckKind::BreakingTension, "breaking tension"},
    Word<CheckKind>{CheckKind::TensileStrain, "strain in tension"},
    Word<CheckKind>{CheckKind::CompressiveStrain, "strain in compression"},
    Word<CheckKind>{CheckKind::ShearStrain, "strain in shear"},
    Word<CheckKind>{CheckKind::HoldForce, "hold force"},
    Word<CheckKind>{CheckKind::TransverseForce, "transverse force"},
    Word<CheckKind>{CheckKind::HoldPull, "hold pull"},
    Word<CheckKind>{CheckKind::HoldShear, "hold shear"},
    Word<CheckKind>{CheckKind::ClipPull, "clip pull"},
    Word<CheckKind>{CheckKind::ClipShear, "clip shear"},
    Word<CheckKind>{CheckKind::ClipAlong, "clip along"},
    Word<CheckKind>{CheckKind::Length, "length"},
    Word<CheckKind>{CheckKind::Yield, "strain, times first yield"},
    Word<CheckKind>{CheckKind::Clearance, "clearance"},
    Word<CheckKind>{CheckKind::PassesThrough, "passes through"},
    Word<CheckKind>{CheckKind::ContactForce, "contact force"},
    Word<CheckKind>{CheckKind::ContactPressure, "contact pressure"},
    Word<CheckKind>{CheckKind::Chafing, "chafing"},
};

constexpr std::array kVerdicts{
    Word<LengthVerdict>{LengthVerdict::Found, "found"},     Word<LengthVerdict>{LengthVerdict::Shortest, "shortest"},
    Word<LengthVerdict>{LengthVerdict::Longest, "longest"}, Word<LengthVerdict>{LengthVerdict::Kept, "kept"},
    Word<LengthVerdict>{LengthVerdict::Failed, "failed"},
};

constexpr std::array kEvents{
    Word<EventKind>{EventKind::Told, "told"},
    Word<EventKind>{EventKind::SliderStopped, "slider_stopped"},
    Word<EventKind>{EventKind::LaidOut, "laid_out"},
    Word<EventKind>{EventKind::TooShort, "too_short"},
    Word<EventKind>{EventKind::Broke, "broke"},
    Word<EventKind>{EventKind::Jerked, "jerked"},
    Word<EventKind>{EventKind::LetGo, "let_go"},
    Word<EventKind>{EventKind::FixesPosition, "fixes_position"},
    Word<EventKind>{EventKind::FixesOrientation, "fixes_orientation"},
    Word<EventKind>{EventKind::FixesPose, "fixes_pose"},
    Word<EventKind>{EventKind::Popped, "popped"},
    Word<EventKind>{EventKind::Caught, "caught"},
    Word<EventKind>{EventKind::LengthFound, "length_found"},
    Word<EventKind>{EventKind::LengthShortest, "length_shortest"},
    Word<EventKind>{EventKind::LengthLongest, "length_longest"},
    Word<EventKind>{EventKind::LengthKept, "length_kept"},
    Word<EventKind>{EventKind::LengthFailed, "length_failed"},
    Word<EventKind>{EventKind::PushedOut, "pushed_out"},
    Word<EventKind>{EventKind::BodyStopped, "body_stopped"},
    Word<EventKind>{EventKind::WinchStopped, "winch_stopped"},
    Word<EventKind>{EventKind::BrakeSlipped, "brake_slipped"},
    Word<EventKind>{EventKind::WentSlack, "went_slack"},
    Word<EventKind>{EventKind::RopeJumped, "rope_jumped"},
    Word<EventKind>{EventKind::JointStopped, "joint_stopped"},
    Word<EventKind>{EventKind::RopeUntied, "rope_untied"},
    Word<EventKind>{EventKind::KnotsAdapted, "knots_adapted"},
    Word<EventKind>{EventKind::EnergyTaken, "energy_taken"},
    Word<EventKind>{EventKind::EnergyMade, "energy_made"},
    Word<EventKind>{EventKind::StepDivided, "step_divided"},
    Word<EventKind>{EventKind::RunStopped, "run_stopped"},
};

template <class Kind, std::size_t Size>
const char* word_for(const std::array<Word<Kind>, Size>& list, Kind kind) {
  for (const Word<Kind>& word : list)
    if (word.kind == kind) return word.text;
  return "";
}

template <class Kind, std::size_t Size>
std::optional<Kind> kind_for(const std::array<Word<Kind>, Size>& list, std::string_view text) {
  for (const Word<Kind>& word : list)
    if (text == word.text) return word.kind;
  return std::nullopt;
}

constexpr std::string_view kAt = "s = ";
constexpr std::string_view kMetres = " m";

// Of a rod that has, or has not, found its length.
std::string length_words(const Event& event) {
  const std::string which = words(event.object);
  const std::string where = " between " + words(event.from, event.to);
  const std::string metres = scene::text(std::round(event.value * 1e5) / 1e5) + " m";
  switch (event.kind) {
    case EventKind::LengthFound:
      return which + " found its length" + where + ": " + metres;
    case EventKind::LengthShortest:
      return which + " is straight" + where + ": " + metres;
    case EventKind::LengthKept:
      return which + " is long enough" + where + ": " + metres;
    case EventKind::LengthLongest:
      return which + " finds no length" + where + ": it would get longer than the " + metres + " allowed";
    default:
      return which + " found no length" + where + ": there was no equilibrium on the way; it stays at " + metres;
  }
}

std::string slider_words(const Event& event) {
  const bool end = event.to.kind == PlaceKind::Start || event.to.kind == PlaceKind::End;
  return words(event.object) + " reached " + words(event.to) +
         (end ? " of " + words(ObjectRef{ObjectKind::Rod, event.rod}) : "");
}

// A rod that was drawn longer or shorter than it is.
std::string laid_words(const Event& event) {
  const std::string drawn = scene::text(std::round(std::abs(event.value) * 1000) / 10) + " % " +
                            (event.value > 0 ? "longer" : "shorter") + " than it is";
  if (!event.why.empty()) return words(event.object) + " was drawn " + drawn + " and begins stretched " + event.why;
  return words(event.object) + " was drawn " + drawn + ": it begins laid out at its own length";
}

// Where along a rod it happened, if that is said.
std::string place_words(const Event& event) {
  return event.from.kind == PlaceKind::Along ? " at s = " + scene::in_millimetres(event.from.s) : "";
}

std::string stopped_words(const Event& event) {
  std::string what = words(event.object) + " stopped";
  if (!event.rod.empty())
    return what + ": " + words(ObjectRef{ObjectKind::Rod, event.rod}) + " between " + words(event.from, event.to) +
           " is too short by " + scene::in_millimetres(event.value);
  return event.why.empty() ? what : what + ": " + event.why;
}

}  // namespace

std::string words(const ObjectRef& object) {
  if (object.kind == ObjectKind::None) return object.name;
  return key_of(object.kind) + (" " + scene::quoted(object.name));
}

std::string words(const RodPlace& place) {
  if (place.kind == PlaceKind::Told) return place.name;
  if (place.kind == PlaceKind::Along) return std::string(kAt) + scene::text(place.s) + std::string(kMetres);
  for (const auto& [kind, thing] : kThings)
    if (place.kind == kind && !place.name.empty()) return words(ObjectRef{thing, place.name});
  return word_for(kPlaces, place.kind);
}

std::string words(const RodPlace& from, const RodPlace& to) {
  return words(from) + " and " + words(to);
}

const char* words(CheckKind kind) {
  return word_for(kChecks, kind);
}

std::string subject(const Check& check) {
  if (check.near.kind == ObjectKind::None) return words(check.object);
  return words(check.object) + ", " + (check.near == check.object ? "itself" : words(check.near));
}

const char* words(LengthVerdict verdict) {
  return word_for(kVerdicts, verdict);
}

std::string words(const Event& event) {
  switch (event.kind) {
    case EventKind::Told:
      return event.why;
    case EventKind::SliderStopped:
      return slider_words(event);
    case EventKind::LaidOut:
      return laid_words(event);
    case EventKind::TooShort:
      return words(event.object) + " is too short by " + scene::in_millimetres(event.value) + " between " +
             words(event.from, event.to) + ": it is shown stretched";
    case EventKind::Broke:
      return words(event.object) + " broke" + place_words(event) + (event.why.empty() ? "" : " " + event.why);
    case EventKind::Jerked:
      return words(event.object) + " was jerked" + place_words(event) + ": " + scene::text(std::round(event.value)) +
             " N, more than a step shows";
    case EventKind::LetGo:
      return words(event.object) + " let go";
    case EventKind::FixesPosition:
      return words(event.object) + " now fixes the position";
    case EventKind::FixesOrientation:
      return words(event.object) + " now fixes the orientation";
    case EventKind::FixesPose:
      return words(event.object) + " now fixes the position and the orientation";
    case EventKind::Popped:
      return words(event.object) + " was pulled open " + event.why + " by " +
             scene::text(std::round(event.value * 100) / 100) + " N";
    case EventKind::Caught:
      return words(event.object) + " caught " + words(ObjectRef{ObjectKind::Rod, event.rod}) +
             " at s = " + scene::in_millimetres(event.from.s) +
             (event.value > 0 ? ", pushed in by " + scene::text(std::round(event.value * 100) / 100) + " N" : "");
    case EventKind::PushedOut:
      return words(event.object) + " is drawn inside " + event.why + ", moved out by up to " +
             scene::in_millimetres(event.value) + ", at s = " + scene::in_millimetres(event.from.s);
    case EventKind::BodyStopped:
      return stopped_words(event);
    case EventKind::WinchStopped:
      return words(event.object) + " stopped with " + scene::text(std::round(event.value * 1e3) / 1e3) + " m out";
    case EventKind::BrakeSlipped:
      return words(event.object) + ": its brake slips at " + scene::text(std::round(event.value)) + " N";
    case EventKind::WentSlack:
      return words(event.object) + " went slack";
    case EventKind::RopeJumped:
      return words(ObjectRef{ObjectKind::Rod, event.rod}) + " came off " + words(event.object);
    case EventKind::JointStopped:
      return words(event.object) + " is at its end, " + scene::text(std::round(event.value * 1e4) / 1e4);
    case EventKind::RopeUntied:
      return words(event.object) + " is untied";
    case EventKind::KnotsAdapted:
      return "the knots of " + words(event.object) + " were adapted: " + event.why;
    case EventKind::EnergyTaken:
    case EventKind::EnergyMade:
      return std::string("the fixed step has ") + (event.kind == EventKind::EnergyMade ? "made " : "taken ") +
             scene::text(std::round(event.value * 1000) / 10) + " % of the energy that moved: " + event.why;
    case EventKind::StepDivided:
      return "a step had to be divided: " + event.why;
    case EventKind::RunStopped:
      return "the run could not go on: " + event.why;
    default:
      return length_words(event);
  }
}

const char* unit_of(CheckKind kind) {
  if (is_plain(kind)) return "";
  if (is_length(kind)) return "m";
  if (kind == CheckKind::ContactPressure) return "Pa";
  return kind == CheckKind::Chafing ? "N·m" : "N";
}

const char* key_of(ObjectKind kind) {
  return word_for(kObjects, kind);
}

const char* key_of(EventKind kind) {
  return word_for(kEvents, kind);
}

namespace io {

ObjectRef object_of(std::string_view words) {
  for (const auto& [kind, text] : kObjects) {
    const std::string before = std::string(text) + " '";
    if (words.size() > before.size() && words.starts_with(before) && words.ends_with('\''))
      return {kind, std::string(words.substr(before.size(), words.size() - before.size() - 1))};
  }
  return {ObjectKind::None, std::string(words)};
}

RodPlace place_of(std::string_view words) {
  if (const auto kind = kind_for(kPlaces, words)) return {*kind, {}};
  if (words.starts_with(kAt) && words.ends_with(kMetres)) {
    RodPlace place{PlaceKind::Along, {}};
    const char* const end = words.data() + words.size() - kMetres.size();
    if (std::from_chars(words.data() + kAt.size(), end, place.s).ptr == end) return place;
  }
  const ObjectRef object = object_of(words);
  for (const auto& [kind, thing] : kThings)
    if (object.kind == thing) return {kind, object.name};
  return {PlaceKind::Told, std::string(words)};
}

std::optional<CheckKind> check_kind_of(std::string_view words) {
  return kind_for(kChecks, words);
}

LengthVerdict length_verdict_of(std::string_view word) {
  return kind_for(kVerdicts, word).value_or(LengthVerdict::Failed);
}

}  // namespace io

}  // namespace filum
