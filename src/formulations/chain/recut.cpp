#include "formulations/chain/recut.hpp"

#include "base/index.hpp"
#include "math/frame.hpp"

#include <cmath>

namespace filum::chain {

namespace {

double rigid_half(const ModelData& model, const ChainState& state, const Element& element) {
  return half_length(model, element, state.length_factor[at(element.rod)]);
}

// A piece of an element: along its line, moving with it.
PartState piece(const PartState& part, double along) {
  PartState made = part;
  const Vec3 arm = part.orientation * Vec3(0, 0, along);
  made.position += arm;
  made.velocity += part.spin.cross(arm);
  return made;
}

bool same_link(const Link& one, const Link& other) {
  return one.rod == other.rod && one.arc == other.arc && one.hold == other.hold && one.winch == other.winch &&
         one.turn == other.turn && one.side_a == other.side_a && one.side_b == other.side_b;
}

}  // namespace

void move_end(const ModelData& model, ChainState& state, int element, int side, double s) {
  Element& cut = state.elements[at(element)];
  const double before = rigid_half(model, state, cut);
  (side > 0 ? cut.end : cut.begin) = s;
  state.parts[at(element)] = piece(state.parts[at(element)], side * (rigid_half(model, state, cut) - before));
}

void split_element(const ModelData& model, ChainState& state, int element, double s) {
  const PartState whole = state.parts[at(element)];
  const double half = rigid_half(model, state, state.elements[at(element)]);
  Element second = state.elements[at(element)];
  second.begin = s;
  state.elements[at(element)].end = s;
  state.elements[at(element)].wheel = -1;
  state.elements.insert(state.elements.begin() + element + 1, second);
  const double first_half = rigid_half(model, state, state.elements[at(element)]);
  const double second_half = rigid_half(model, state, second);
  state.parts[at(element)] = piece(whole, first_half - half);
  state.parts.insert(state.parts.begin() + element + 1, piece(whole, half - second_half));
}

void merge_elements(const ModelData& model, ChainState& state, int element) {
  const auto e = at(element);
  const PartState a = state.parts[e];
  const PartState b = state.parts[e + 1];
  const double factor = state.length_factor[at(state.elements[e].rod)];
  const Part mass_a = element_part(model, state.elements[e], factor);
  const Part mass_b = element_part(model, state.elements[e + 1], factor);
  const Vec3 start = a.position + a.orientation * Vec3(0, 0, -rigid_half(model, state, state.elements[e]));
  const Vec3 end = b.position + b.orientation * Vec3(0, 0, rigid_half(model, state, state.elements[e + 1]));
  state.elements[e].end = state.elements[e + 1].end;
  state.elements[e].wheel = state.elements[e + 1].wheel;
  const Part mass = element_part(model, state.elements[e], factor);

  PartState whole;
  whole.position = (mass_a.mass * a.position + mass_b.mass * b.position) / mass.mass;
  whole.velocity = (mass_a.mass * a.velocity + mass_b.mass * b.velocity) / mass.mass;
  // along the line between the outer ends, turned about it as the two are on the average
  const Vec3 axis = (end - start).normalized();
  const Quat between = a.orientation.slerp(mass_b.mass / mass.mass, b.orientation);
  whole.orientation = Quat(math::frame_from(axis, between * Vec3::UnitX())).normalized();
  // angular momentum across the line; about it the mean spin, because a rope has hardly any inertia there
  auto across = [&](const PartState& part, const Part& inertia) {
    const Vec3 spin = part.spin;
    return Vec3(inertia.inertia[0] * spin +
                inertia.mass * (part.position - whole.position).cross(part.velocity - whole.velocity));
  };
  const Vec3 momentum = across(a, mass_a) + across(b, mass_b);
  const double about = (mass_a.mass * a.spin.dot(axis) + mass_b.mass * b.spin.dot(axis)) / mass.mass;
  whole.spin = (momentum - axis.dot(momentum) * axis) / mass.inertia[0] + about * axis;
  whole.stiffness = a.stiffness + b.stiffness;
  state.parts[e] = whole;
  state.elements.erase(state.elements.begin() + element + 1);
  state.parts.erase(state.parts.begin() + element + 1);
}

std::vector<LinkState> carried_links(const Mechanism& from, const std::vector<LinkState>& memory, const Mechanism& to) {
  std::vector<LinkState> carried(to.links.size());
  // both lists have the same order: what is left of it is found a little further on
  std::size_t next = 0;
  for (std::size_t k = 0; k < to.links.size(); ++k) {
    std::size_t found = next;
    while (found < from.links.size() && !same_link(from.links[found], to.links[k])) ++found;
    if (found < from.links.size()) {
      carried[k] = memory[found];
      next = found + 1;
    } else if (k > 0) {
      carried[k].force = carried[k - 1].force;
    }
  }
  return carried;
}

}  // namespace filum::chain
