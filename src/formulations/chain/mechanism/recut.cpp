#include "formulations/chain/mechanism/recut.hpp"

#include "base/index.hpp"
#include "math/frame.hpp"
#include "math/rotation.hpp"
#include "rod/rope_lay.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace filum::chain {

namespace {

// A piece of an element: along its line, moving with it.
PartState piece(const PartState& part, double along) {
  PartState made = part;
  const Vec3 arm = part.orientation * Vec3(0, 0, along);
  made.position += arm;
  made.velocity += part.spin.cross(arm);
  return made;
}

// What tells a link from all others, whatever elements it joins.
using Place = std::tuple<int, double, int, int, bool, int, int>;
Place place_of(const Link& link) {
  return {link.rod, link.arc, link.hold, link.winch, link.turn, link.side_a, link.side_b};
}

}  // namespace

void move_end(const ModelData& model, ChainState& state, int element, int side, double s) {
  Element& cut = state.elements[at(element)];
  const double factor = state.length_factor[at(cut.rod)];
  const double before = half_length(model, cut, factor);
  (side > 0 ? cut.end : cut.begin) = s;
  state.parts[at(element)] = piece(state.parts[at(element)], side * (half_length(model, cut, factor) - before));
}

Halves halves_of(const ModelData& model, const Element& element, const PartState& whole, double length_factor, double s,
                 const Vec6& force, const Vec3& set) {
  Halves made{element, element, whole, whole};
  made.first_element.end = s;
  made.first_element.wheel = -1;
  made.second_element.begin = s;
  const double half = half_length(model, element, length_factor);
  const double first_half = half_length(model, made.first_element, length_factor);
  const double second_half = half_length(model, made.second_element, length_factor);
  made.first = piece(whole, first_half - half);
  made.second = piece(whole, half - second_half);
  made.first.stiffness = whole.stiffness * first_half / half;
  made.second.stiffness = whole.stiffness * second_half / half;
  if (force.isZero(0)) return made;

  // the new joint opens, bends and twists as its force asks: φ = −ελ, half of it by either side
  const RodData& rod = model.rods[at(element.rod)];
  const Stiffness& stiff = rod.stiffness[at(rod.element_at(s))];
  const double cell = first_half + second_half;
  const double coupling = rod::lay_coupling(rod.torque_factor, stiff);
  const double twisting = stiff.GJ - coupling * coupling / stiff.EA;
  const Vec3 turn = cell * (set - force.tail<3>().cwiseQuotient(Vec3(stiff.EI[0], stiff.EI[1], twisting)));
  const Vec3 axis = whole.orientation * Vec3::UnitZ();
  const Vec3 gap = -cell / stiff.EA * force.head<3>() - coupling / stiff.EA * turn[2] * axis;
  const Vec3 start = whole.position - half * axis - 0.5 * gap;
  const Vec3 end = whole.position + half * axis + 0.5 * gap;
  const Quat back = math::exp_quat(whole.orientation * (-0.5 * turn));
  made.first.orientation = (back * whole.orientation).normalized();
  made.second.orientation = (back.conjugate() * whole.orientation).normalized();
  made.first.position = start + made.first.orientation * Vec3(0, 0, first_half);
  made.second.position = end - made.second.orientation * Vec3(0, 0, second_half);
  return made;
}

PartState whole_of(const ModelData& model, const Element& element_a, const PartState& a, const Element& element_b,
                   const PartState& b, double length_factor) {
  const Part mass_a = element_part(model, element_a, length_factor);
  const Part mass_b = element_part(model, element_b, length_factor);
  Element element = element_a;
  element.end = element_b.end;
  const Part mass = element_part(model, element, length_factor);
  const Vec3 start = a.position + a.orientation * Vec3(0, 0, -half_length(model, element_a, length_factor));
  const Vec3 end = b.position + b.orientation * Vec3(0, 0, half_length(model, element_b, length_factor));

  // along the line between the outer ends, turned about it as the two are on the average
  PartState whole;
  whole.position = 0.5 * (start + end);
  const Vec3 axis = (end - start).normalized();
  const Quat between = a.orientation.slerp(mass_b.mass / mass.mass, b.orientation);
  whole.orientation = Quat(math::frame_from(axis, between * Vec3::UnitX())).normalized();
  // momentum, and angular momentum across the line; about it the mean spin, because a rope has hardly any inertia there
  whole.velocity = (mass_a.mass * a.velocity + mass_b.mass * b.velocity) / mass.mass;
  const Vec3 centre = (mass_a.mass * a.position + mass_b.mass * b.position) / mass.mass;
  auto across = [&](const PartState& part, const Part& inertia) {
    return Vec3(inertia.inertia[0] * part.spin +
                inertia.mass * (part.position - centre).cross(part.velocity - whole.velocity));
  };
  const Vec3 momentum = across(a, mass_a) + across(b, mass_b);
  const double about = (mass_a.mass * a.spin.dot(axis) + mass_b.mass * b.spin.dot(axis)) / mass.mass;
  whole.spin = (momentum - axis.dot(momentum) * axis) / mass.inertia[0] + about * axis;
  whole.stiffness = a.stiffness + b.stiffness;
  return whole;
}

void split_element(const ModelData& model, ChainState& state, int element, double s) {
  const Element& cut = state.elements[at(element)];
  const Halves made =
      halves_of(model, cut, state.parts[at(element)], state.length_factor[at(cut.rod)], s, Vec6::Zero(), Vec3::Zero());
  state.elements[at(element)] = made.first_element;
  state.parts[at(element)] = made.first;
  state.elements.insert(state.elements.begin() + element + 1, made.second_element);
  state.parts.insert(state.parts.begin() + element + 1, made.second);
}

void merge_elements(const ModelData& model, ChainState& state, int element) {
  const auto e = at(element);
  Element& one = state.elements[e];
  state.parts[e] =
      whole_of(model, one, state.parts[e], state.elements[e + 1], state.parts[e + 1], state.length_factor[at(one.rod)]);
  one.end = state.elements[e + 1].end;
  one.wheel = state.elements[e + 1].wheel;
  state.elements.erase(state.elements.begin() + element + 1);
  state.parts.erase(state.parts.begin() + element + 1);
}

std::vector<LinkState> carried_links(const Mechanism& from, const std::vector<LinkState>& memory, const Mechanism& to) {
  std::multimap<Place, std::size_t> known;
  for (std::size_t k = 0; k < from.links.size(); ++k) known.emplace(place_of(from.links[k]), k);
  std::vector<LinkState> carried(to.links.size());
  std::vector<std::size_t> made;
  for (std::size_t k = 0; k < to.links.size(); ++k) {
    if (const auto found = known.find(place_of(to.links[k])); found != known.end()) {
      carried[k] = memory[found->second];
      known.erase(found);
    } else if (k > 0) {
      carried[k].force = carried[k - 1].force;
      carried[k].twist_rate = carried[k - 1].twist_rate;
      made.push_back(k);
    }
  }
  // a new joint remembers what its neighbours do on the average
  for (const std::size_t k : made) {
    if (to.links[k].law < 0) continue;
    const auto beside = [&](std::size_t j) { return j < to.links.size() && to.links[j].rod == to.links[k].rod; };
    const std::vector<double> none;
    const std::vector<double>& before = beside(k - 1) ? carried[k - 1].plastic.numbers() : none;
    const std::vector<double>& after = beside(k + 1) ? carried[k + 1].plastic.numbers() : none;
    std::vector<double> mean;
    if (before.size() == after.size() || after.empty()) mean = before;
    if (before.empty()) mean = after;
    if (before.size() == after.size())
      for (std::size_t i = 0; i < before.size(); ++i) mean[i] = 0.5 * (before[i] + after[i]);
    carried[k].plastic = rod::PlasticMemory(std::move(mean));
  }
  return carried;
}

std::vector<TouchState> carried_touches(const Mechanism& from, const std::vector<TouchState>& touches,
                                        const Mechanism& to) {
  const auto part_now = [&](int part) {
    if (part >= from.first_body) return part - from.first_body + to.first_body;
    const Element& was = from.elements[at(part)];
    const double middle = 0.5 * (was.begin + was.end);
    const auto found = std::find_if(to.elements.begin(), to.elements.end(), [&](const Element& now) {
      return now.rod == was.rod && now.begin <= middle && middle <= now.end;
    });
    return found == to.elements.end() ? -1 : static_cast<int>(found - to.elements.begin());
  };
  std::vector<TouchState> carried;
  for (TouchState touch : touches) {
    touch.part = part_now(touch.part);
    touch.other = part_now(touch.other);
    if (touch.part >= 0 && touch.other >= 0) carried.push_back(touch);
  }
  return carried;
}

}  // namespace filum::chain
