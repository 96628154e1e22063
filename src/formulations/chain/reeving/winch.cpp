#include "formulations/chain/reeving/winch.hpp"

#include "base/index.hpp"
#include "formulations/chain/mechanism/recut.hpp"

#include <filum/scene.hpp>

#include <algorithm>

namespace filum::chain {

namespace {

// An element longer than this many ordinary ones is cut, a shorter one is joined to the next.
constexpr double kLongest = 1.5;
constexpr double kShortest = 0.5;
// What is wound at a time, and what must stay out of the drum, in ordinary elements.
constexpr double kPiece = 0.4;
constexpr double kLeast = 0.1;
// What a drum winds in a step, at most, likewise: a speed that nobody means is not to fill the memory.
constexpr double kMost = 1000;
// Of the stretch that a slipping brake has too much, what it lets out at once, and what it lets out in every later
// step.
constexpr double kGive = 0.5;
constexpr double kCatchUp = 0.02;

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
  return part.mass * (0.5 * now.velocity.squaredNorm() - model.gravity.dot(now.position)) +
         0.5 * spin.dot(part.inertia.cwiseProduct(spin));
}

// How fast rope leaves a drum, m/s.
double rope_speed(const ChainState& state, const Reel& reel, int element) {
  const PartState& rope = state.parts[at(element)];
  const Vec3 out = rope.orientation * Vec3(0, 0, -reel.side);
  Vec3 rate = rope.velocity;
  if (reel.body >= 0) {
    const PartState& carrier = state.parts[state.elements.size() + at(reel.body)];
    rate -= carrier.velocity + carrier.spin.cross(carrier.orientation * reel.point);
  }
  return out.dot(rate);
}

// What a winch is asked for in a step, as far as its brake holds and its rope goes. A brake that slips lets out what
// keeps the rope at its force: as fast as the rope runs, what its stretch has too much, and, summed up, what that
// missed. The latter two are by the usual step: `share` of it is taken.
double asked(const RodData& rod, const Winch& winch, WinchState& memory, double force, double out, double speed,
             double runs, double dt, double share) {
  double paid = speed * dt;
  if (winch.max_force) {
    const double stretch = (force - *winch.max_force) * out / rod.stiffness.front().EA;
    const double slipped = runs * dt + share * (kGive * stretch + memory.slip);
    // it slips once the rope pulls too hard, and until the rope is no faster than the drum
    const bool slips = slipped > paid && (stretch > 0 || memory.slip != 0);
    memory.slip = slips ? memory.slip + share * kCatchUp * stretch : 0;
    if (slips) paid = slipped;
  }
  return std::clamp(paid, -kMost * rod.element, kMost * rod.element);
}

// No further than to its stops.
double within_stops(const RodData& rod, const Winch& winch, double out, double paid) {
  const double least = std::max(winch.shortest.value_or(0), kLeast * rod.element);
  if (out + paid < least) paid = std::max(paid, std::min(0.0, least - out));
  if (winch.longest && out + paid > *winch.longest) paid = std::min(paid, std::max(0.0, *winch.longest - out));
  return paid;
}

// Winds a piece of less than half an element. What was wound, and whether the list of elements has changed.
double wind_piece(const ModelData& model, ChainState& state, const Reel& reel, double paid, bool& changed) {
  const RodData& rod = model.rods[at(reel.rod)];
  const auto [first, last] = range_of(state, reel.rod);
  const int element = reel.side < 0 ? first : last;
  // the last element before a place where something is tied, or before a sheave, cannot be swallowed
  Element& cut = state.elements[at(element)];
  const int both = reel.side < 0 ? first : last - 1;
  const bool alone =
      first == last || state.elements[at(both)].wheel >= 0 || is_break(rod, reel.side < 0 ? cut.end : cut.begin);
  if (alone) paid = std::max(paid, std::min(0.0, kLeast * rod.element - cut.length()));
  const double before = energy_of(model, state, element);
  move_end(model, state, element, reel.side, reel.side < 0 ? cut.begin - paid : cut.end + paid);
  state.work += energy_of(model, state, element) - before;
  if (cut.length() > kLongest * rod.element) {
    split_element(model, state, element, reel.side < 0 ? cut.end - rod.element : cut.begin + rod.element);
    changed = true;
  } else if (cut.length() < kShortest * rod.element && !alone) {
    state.dissipated += energy_of(model, state, both) + energy_of(model, state, both + 1);
    merge_elements(model, state, both);
    state.dissipated -= energy_of(model, state, both);
    changed = true;
  }
  return paid;
}

}  // namespace

double rope_out(const ModelData& model, const ChainState& state, int winch) {
  const auto [first, last] = range_of(state, model.reels[at(winch)].rod);
  return state.elements[at(last)].end - state.elements[at(first)].begin;
}

namespace {

// What every drum is to wind in a step. Drums that are geared to one turn with it: its brake bears them too, and where
// one of them is at a stop all are.
void ask_all(const ModelData& model, ChainState& state, const Targets& targets, double dt) {
  const std::vector<Winch>& winches = model.scene->winches;
  for (std::size_t w = 0; w < winches.size(); ++w) {
    if (!winches[w].geared_to.empty()) continue;
    const Reel& reel = model.reels[w];
    WinchState& memory = state.winches[w];
    double force = memory.force;
    for (std::size_t k = 0; k < winches.size(); ++k)
      if (winches[k].geared_to == winches[w].name) force += winches[k].ratio * state.winches[k].force;
    const auto [first, last] = range_of(state, reel.rod);
    const RodData& rod = model.rods[at(reel.rod)];
    const double out = rope_out(model, state, static_cast<int>(w));
    const double runs = rope_speed(state, reel, reel.side < 0 ? first : last);
    const double free = asked(rod, winches[w], memory, force, out, targets.winch_speed[w], runs, dt,
                              std::min(1.0, dt / model.scene->simulation.step));
    double paid = within_stops(rod, winches[w], out, free);
    for (std::size_t k = 0; k < winches.size(); ++k) {
      if (winches[k].geared_to != winches[w].name) continue;
      const Reel& other = model.reels[k];
      const double ratio = winches[k].ratio;
      paid = within_stops(model.rods[at(other.rod)], winches[k], rope_out(model, state, static_cast<int>(k)),
                          ratio * paid) /
             ratio;
    }
    memory.asked = paid;
    memory.stopped = paid != free;
    for (std::size_t k = 0; k < winches.size(); ++k) {
      if (winches[k].geared_to != winches[w].name) continue;
      state.winches[k].asked = winches[k].ratio * paid;
      state.winches[k].stopped = memory.stopped;
    }
  }
}

}  // namespace

bool wind(const ModelData& model, ChainState& state, const Targets& targets, double dt) {
  bool changed = false;
  ask_all(model, state, targets, dt);
  for (std::size_t w = 0; w < model.reels.size(); ++w) {
    const Reel& reel = model.reels[w];
    WinchState& memory = state.winches[w];
    const RodData& rod = model.rods[at(reel.rod)];
    double left = memory.asked;
    // however fast it runs, element by element
    double wound = 0;
    while (left != 0) {
      const double piece = std::clamp(left, -kPiece * rod.element, kPiece * rod.element);
      const double done = wind_piece(model, state, reel, piece, changed);
      wound += done;
      left = done == piece ? left - piece : 0;
    }
    memory.speed = wound / dt;
    memory.paid_out += wound;
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
