#include "formulations/chain/winch.hpp"

#include "base/index.hpp"
#include "formulations/chain/recut.hpp"

#include <algorithm>

namespace filum::chain {

namespace {

// An element longer than this many ordinary ones is cut, a shorter one is joined to the next.
constexpr double kLongest = 1.5;
constexpr double kShortest = 0.5;
// What must stay out of the drum, in ordinary elements.
constexpr double kLeast = 0.1;

// First and last element of a rod.
std::pair<int, int> range_of(const ChainState& state, int rod) {
  int first = 0;
  while (state.elements[at(first)].rod != rod) ++first;
  int last = first;
  while (at(last) + 1 < state.elements.size() && state.elements[at(last) + 1].rod == rod) ++last;
  return {first, last};
}

// Whether something is tied to the rod here; its drawn ends are not, once rope has been wound over them.
bool is_break(const RodData& rod, double s) {
  for (const Boundary& boundary : rod.boundaries)
    if (boundary.is_break && boundary.s == s && s > 0 && s < rod.length) return true;
  return false;
}

// Energy of an element's own: what comes with the material that joins it.
double energy_of(const ModelData& model, const ChainState& state, int element) {
  const Element& e = state.elements[at(element)];
  const Part part = element_part(model, e, state.length_factor[at(e.rod)]);
  const PartState& now = state.parts[at(element)];
  const Vec3 spin = now.orientation.conjugate() * now.spin;
  return part.mass * (0.5 * now.velocity.squaredNorm() - model.scene.gravity.dot(now.position)) +
         0.5 * spin.dot(part.inertia.cwiseProduct(spin));
}

}  // namespace

bool wind(const ModelData& model, ChainState& state, const Targets& targets, double dt) {
  bool changed = false;
  for (std::size_t w = 0; w < model.reels.size(); ++w) {
    const Reel& reel = model.reels[w];
    const Winch& winch = model.scene.winches[w];
    WinchState& memory = state.winches[w];
    const RodData& rod = model.rods[at(reel.rod)];
    const auto [first, last] = range_of(state, reel.rod);
    const int element = reel.side < 0 ? first : last;
    const int next = reel.side < 0 ? first + 1 : last - 1;
    const double out = state.elements[at(last)].end - state.elements[at(first)].begin;

    // what it is asked for, as far as its brake holds and its rope goes
    double paid = targets.winch_speed[w] * dt;
    if (winch.max_force && memory.force > *winch.max_force) {
      const double give = (memory.force - *winch.max_force) * out / rod.stiffness.front().EA;
      paid = std::max(paid, 0.0) + give;
    }
    const double least = std::max(winch.shortest.value_or(0), kLeast * rod.element);
    if (out + paid < least) paid = std::max(paid, std::min(0.0, least - out));
    if (winch.longest && out + paid > *winch.longest) paid = std::min(paid, std::max(0.0, *winch.longest - out));
    // the last element before a place where something is tied cannot be swallowed
    const double length = state.elements[at(element)].length();
    const bool alone = first == last || is_break(rod, reel.side < 0 ? state.elements[at(element)].end
                                                                    : state.elements[at(element)].begin);
    if (alone && length + paid < kLeast * rod.element) paid = std::max(paid, kLeast * rod.element - length);
    memory.speed = paid / dt;
    if (paid == 0) continue;
    memory.paid_out += paid;

    Element& cut = state.elements[at(element)];
    const double before = energy_of(model, state, element);
    move_end(model, state, element, reel.side, reel.side < 0 ? cut.begin - paid : cut.end + paid);
    state.work += energy_of(model, state, element) - before;
    if (cut.length() > kLongest * rod.element) {
      split_element(model, state, element, reel.side < 0 ? cut.end - rod.element : cut.begin + rod.element);
      changed = true;
    } else if (cut.length() < kShortest * rod.element && !alone) {
      const int both = std::min(element, next);
      state.dissipated += energy_of(model, state, both) + energy_of(model, state, both + 1);
      merge_elements(model, state, both);
      state.dissipated -= energy_of(model, state, both);
      changed = true;
    }
  }
  return changed;
}

void read_winches(const Mechanism& mechanism, ChainState& state, double dt) {
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const Link& link = mechanism.links[k];
    if (link.winch < 0) continue;
    // the tension of the rope where it leaves the drum
    const bool drum_is_a = link.side_a == 0;
    const PartState& rope = state.parts[at(drum_is_a ? link.b : link.a)];
    WinchState& winch = state.winches[at(link.winch)];
    winch.force = -state.links[k].force.head<3>().dot(rope.orientation * Vec3::UnitZ());
    state.work -= winch.force * winch.speed * dt;
  }
}

}  // namespace filum::chain
