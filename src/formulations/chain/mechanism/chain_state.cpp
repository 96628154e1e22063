#include "formulations/chain/mechanism/chain_state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

namespace filum::chain {

namespace {

// Everything of a state, number by number, in one order for writing and for reading.
template <class S, class F>
void visit(S& state, F&& f) {
  auto numbers = [&](auto& vector) {
    for (int i = 0; i < vector.size(); ++i) f(vector.data()[i]);
  };
  auto peak = [&](auto& pull) {
    f(pull.tension), f(pull.at_steps), f(pull.arc), f(pull.settled), f(pull.usual), f(pull.taut_for), f(pull.slack),
        f(pull.jerked);
  };
  for (auto& element : state.elements) f(element.rod), f(element.begin), f(element.end), f(element.wheel);
  for (auto& part : state.parts) {
    numbers(part.position), numbers(part.orientation.coeffs()), numbers(part.velocity), numbers(part.spin);
    f(part.stiffness);
  }
  for (auto& rope : state.ropes) {
    f(rope.length), f(rope.tension), f(rope.slack), f(rope.broken), f(rope.tied), f(rope.retied), peak(rope.peak);
    for (auto* list : {&rope.friction, &rope.beyond})
      for (auto& value : *list) f(value);
    for (auto& value : rope.bound) f(value);
  }
  for (auto& wheel : state.wheels) {
    numbers(wheel.force), f(wheel.tension), f(wheel.friction), f(wheel.bound), f(wheel.sticks), f(wheel.stuck),
        f(wheel.leaves);
    f(wheel.reached), f(wheel.rate), f(wheel.lost), f(wheel.angle), f(wheel.slip), f(wheel.twist), f(wheel.twist_rate),
        f(wheel.jumped);
  }
  for (auto& joint : state.joints)
    f(joint.position), f(joint.rate), f(joint.force), f(joint.motor_bound), f(joint.stopped);
  for (auto& touch : state.touches) {
    f(touch.part), f(touch.own), f(touch.feature), f(touch.solid), f(touch.other), f(touch.sticks), f(touch.force);
    f(touch.stick), f(touch.gap), f(touch.chafing);
    numbers(touch.friction), numbers(touch.normal), numbers(touch.point), numbers(touch.slip);
  }
  for (auto& pull : state.pulls) numbers(pull);
  for (auto& winch : state.winches)
    f(winch.paid_out), f(winch.speed), f(winch.force), f(winch.slip), f(winch.asked), f(winch.stopped);
  for (auto& link : state.links)
    numbers(link.force), numbers(link.lag), f(link.twist), f(link.twist_lag), f(link.twist_rate), f(link.broken);
  for (auto& pull : state.peaks) peak(pull);
  for (auto* list : {&state.length_factor, &state.hold_turns, &state.force_scale, &state.torque_scale})
    for (auto& value : *list) f(value);
  f(state.load), f(state.moving), f(state.work), f(state.dissipated), f(state.risen), f(state.merged_last),
      f(state.most_kinetic), f(state.whip), f(state.last_step), f(state.loss), f(state.loss_time), f(state.told_loss),
      f(state.told_made), f(state.structure);
}

}  // namespace

std::uint64_t structure_of(const std::vector<Element>& elements) {
  // FNV-1a, word by word; a double holds 53 bits of it
  std::uint64_t hash = 0xcbf29ce484222325;
  auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 29;
  };
  for (const Element& element : elements) {
    mix(static_cast<std::uint64_t>(element.rod));
    mix(std::bit_cast<std::uint64_t>(element.begin));
    mix(std::bit_cast<std::uint64_t>(element.end));
    mix(static_cast<std::uint64_t>(element.wheel));
  }
  return hash >> 11;
}

std::vector<double> pack_state(const ChainState& state) {
  std::vector<double> values = {static_cast<double>(state.elements.size()), static_cast<double>(state.parts.size()),
                                static_cast<double>(state.links.size()), static_cast<double>(state.touches.size())};
  visit(state, [&](const auto& value) { values.push_back(static_cast<double>(value)); });
  // last, if there is any, what links remember of yield
  const auto remembers = [](const LinkState& link) { return !link.plastic.numbers().empty(); };
  if (std::none_of(state.links.begin(), state.links.end(), remembers)) return values;
  for (const LinkState& link : state.links) {
    const std::vector<double>& memory = link.plastic.numbers();
    values.push_back(static_cast<double>(memory.size()));
    values.insert(values.end(), memory.begin(), memory.end());
    values.insert(values.end(), link.strain.begin(), link.strain.end());
  }
  return values;
}

namespace {

// False for a number that is none of T's.
template <class T>
bool take(double number, T& value) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // integers are packed as doubles, which hold all up to this one
    constexpr double kLargest = sizeof(T) > 4 ? 0x1p53 : std::numeric_limits<int>::max();
    if (!(number >= (std::is_signed_v<T> ? -kLargest : 0.0) && number <= kLargest)) return false;
  }
  value = static_cast<T>(number);
  return true;
}

// Elements as a mechanism is made of: rod by rod, each with an extent, sheaves within a rod.
bool are_sound(const ChainState& state) {
  int rod = -1;
  for (std::size_t e = 0; e < state.elements.size(); ++e) {
    const Element& element = state.elements[e];
    if (element.rod != rod && element.rod != ++rod) return false;
    if (!(std::isfinite(element.begin) && std::isfinite(element.end) && element.begin < element.end)) return false;
    if (element.wheel < -1 || element.wheel >= static_cast<int>(state.wheels.size())) return false;
    const bool goes_on = e + 1 < state.elements.size() && state.elements[e + 1].rod == rod;
    if (element.wheel >= 0 && !goes_on) return false;
  }
  return rod + 1 == static_cast<int>(state.length_factor.size());
}

// What touches is there: elements, or parts that have a solid.
bool touch_soundly(const ChainState& state) {
  const auto is_part = [&](int part) { return part >= 0 && part < static_cast<int>(state.parts.size()); };
  const auto is_element = [&](int part) { return part < static_cast<int>(state.elements.size()); };
  return std::all_of(state.touches.begin(), state.touches.end(), [&](const TouchState& touch) {
    return is_part(touch.part) && is_part(touch.other) && (touch.own >= 0 || is_element(touch.part)) &&
           (touch.solid >= 0 || is_element(touch.other));
  });
}

// What is left of the numbers is what links remember of yield. False if it is not.
bool take_memory(std::span<const double> values, std::vector<LinkState>& links) {
  for (LinkState& link : links) link.plastic = rod::PlasticMemory();
  if (values.empty()) return true;
  for (LinkState& link : links) {
    const double left = static_cast<double>(values.size()) - 7;
    if (!(left >= 0 && values[0] >= 0 && values[0] <= left)) return false;
    const auto count = static_cast<std::size_t>(values[0]);
    link.plastic = rod::PlasticMemory({values.begin() + 1, values.begin() + 1 + static_cast<std::ptrdiff_t>(count)});
    link.strain = Vec6::Map(values.data() + 1 + count);
    values = values.subspan(7 + count);
  }
  return values.empty();
}

}  // namespace

bool unpack_state(std::span<const double> values, ChainState& state) {
  constexpr std::size_t kCounts = 4;
  if (values.size() < kCounts) return false;
  // the list of elements may be longer or shorter than that of the start; what else there is may not
  const double others = static_cast<double>(state.parts.size() - state.elements.size());
  if (!(values[0] >= 0) || values[1] - values[0] != others || !(values[2] >= 0) || !(values[3] >= 0)) return false;
  ChainState read = state;
  const auto count = [](double value) { return static_cast<std::size_t>(value); };
  const auto most = static_cast<double>(values.size());
  if (values[0] > most || values[2] > most || values[3] > most) return false;
  read.elements.resize(count(values[0]));
  read.parts.resize(count(values[1]));
  read.links.resize(count(values[2]));
  read.touches.resize(count(values[3]));
  std::size_t needed = kCounts;
  visit(read, [&](const auto&) { ++needed; });
  if (needed > values.size()) return false;
  std::size_t next = kCounts;
  bool numbers = true;
  visit(read, [&](auto& value) { numbers = take(values[next++], value) && numbers; });
  if (!numbers || !are_sound(read) || !touch_soundly(read) || !take_memory(values.subspan(needed), read.links))
    return false;
  read.structure = structure_of(read.elements);
  state = std::move(read);
  return true;
}

}  // namespace filum::chain
