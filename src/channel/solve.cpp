// The whole way: lattice, different shapes, tubes, polish, load path.
#include "base/index.hpp"
#include "channel/catalogue.hpp"
#include "channel/describe.hpp"
#include "channel/distinct.hpp"
#include "channel/lattice_size.hpp"
#include "channel/load_path.hpp"
#include "channel/parallel.hpp"
#include "channel/refine.hpp"
#include "channel/insertion.hpp"
#include "channel/leg_linkages.hpp"
#include "channel/scatter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace filum {
namespace channel {
namespace {

// Shapes nearer to each other than this share of the channel's width everywhere, a twentieth along the beam left aside,
// and of about the same energy are the same: waves that have slid a little.
constexpr double kSameShape = 0.2;
constexpr double kSlid = 0.05;
constexpr double kSameEnergy = 1e-3;
constexpr int kFromCatalogue = 6;
constexpr int kFewestRested = 100;  // random starts, for a list to be called complete
constexpr double kBytesPerLink = 52;  // of a LinkTable
// How often the lattice is made to reach deeper into walls that give, and how deep at first where nothing was found.
constexpr int kMostDeeper = 4;
constexpr double kFirstDepth = 0.25;  // of the width
// How often the lattice is halved where it shows no equilibrium, and from how many states on it is not.
constexpr int kMostFiner = 4;
constexpr double kMostStates = 1e5;

class Solver {
 public:
  Solver(const ChannelProblem& problem, const ChannelOptions& options)
      : problem_(problem),
        options_(options),
        passage_(problem.channel, 1 / problem.beam.length, kReach),
        size_(lattice_size(problem, passage_)) {}

  ChannelOutcome run() {
    search_and_settle();
    if (problem_.channel.stiffness > 0) search_into_walls();
    // a lattice that nobody chose, and that shows no way through, may be too coarse
    for (int finer = 0; finer < kMostFiner && !outcome_.converged && may_be_finer(); ++finer) {
      size_.levels = 2 * size_.levels - 1;
      search_again();
    }
    if (outcome_.converged) {
      if (problem_.loads.size() > 1) follow();
    } else if (outcome_.why.empty()) {
      outcome_.why = "no chain of the lattice could be brought to equilibrium";
    }
    return std::move(outcome_);
  }

 private:
  void search_and_settle() {
    search();
    tell(0.5, "polishing");
    settle();
    outcome_.converged = !outcome_.shapes.empty() && outcome_.shapes.front().converged;
    // nothing came to rest: perhaps a shape that the sweep does not show does
    if (outcome_.converged || problem_.search.k > 1) return;
    linkages_.clear();
    add_catalogue();
    outcome_.shapes.clear();
    settle();
    outcome_.converged = !outcome_.shapes.empty() && outcome_.shapes.front().converged;
  }

  void search_again() {
    outcome_ = {};
    linkages_.clear();
    catalogue_ = {};
    scatter_ = {};
    search_and_settle();
  }

  // Walls that give: the lattice is to reach farther into them than any shape does that was found.
  void search_into_walls() {
    for (int deeper = 0; deeper < kMostDeeper; ++deeper) {
      double deepest = outcome_.converged ? 0 : kFirstDepth * passage_.widest();
      for (const ChannelState& state : outcome_.shapes)
        if (state.converged) deepest = std::max(deepest, state.indentation / problem_.beam.length);
      const double before = passage_.give();
      // what lies between two levels, or is reached already
      if (deepest <= std::max(before, 0.5 * spacing_)) return;
      passage_.let_give(2 * deepest);
      if (passage_.give() <= before) return;
      size_ = lattice_size(problem_, passage_);
      search_again();
    }
  }

  [[nodiscard]] bool may_be_finer() const {
    return problem_.search.levels == 0 && problem_.search.method == ChannelMethod::Lattice &&
           outcome_.cost.states < kMostStates;
  }

  void tell(double share, const char* word) const {
    if (options_.progress) options_.progress(share, word);
  }

  void search() {
    tell(0, "searching");
    coarse_ = make_beam(problem_, passage_, size_.links, problem_.loads.front());
    // more candidates than asked for: their order may change as they come to rest, and some are the same equilibrium
    const int most = 5 + 3 * problem_.search.k;
    if (problem_.search.method == ChannelMethod::Sections)
      search_legs(most);
    else
      search_lattice(most);
    if (coarse_.tip && !linkages_.empty()) add_seeds();
    if (problem_.search.k > 1) add_catalogue();
    if (linkages_.empty()) {
      outcome_.why = coarse_.tip ? "no chain of links reaches the pushed place of the tip between the walls"
                                 : "no chain of links fits between the walls: more levels or links may help";
    }
  }

  void search_lattice(int most) {
    trellis_ = full_lattice(passage_, coarse_, size_.levels, size_.arc_steps, options_.parallel);
    const Sweep swept = coarse_.tip ? sweep_at_length() : sweep(trellis_, coarse_, true, options_.parallel);
    spacing_ = trellis_.spacing;
    const double links = trellis_.tables[0].links();
    outcome_.cost = {size_.links, size_.levels,  trellis_.rulings,
                     links,       swept.visited, swept.bytes + kBytesPerLink * links};
    linkages_ = distinct_linkages(trellis_, coarse_, swept, most, options_.parallel);
  }

  void search_legs(int most) {
    LegLinkages found = leg_linkages(passage_, coarse_, size_, most, options_.parallel);
    spacing_ = found.spacing;
    outcome_.cost = found.cost;
    linkages_ = std::move(found.linkages);
  }

  // A pushed beam: the thrust at which the lowest linkage's links are, taken together, as long as they should be.
  Sweep sweep_at_length() {
    double low = 0, high = 0;
    bool bracketed = false;
    double thrust = 40;  // of the order of the first buckling loads, 4π²
    for (int trial = 0; trial < 14; ++trial) {
      set_thrust(trellis_, thrust);
      const Linkage linkage = lowest(trellis_, coarse_, sweep(trellis_, coarse_, false, options_.parallel));
      if (linkage.energy == kNever) break;
      double longer = 0;
      for (int stage = 0; stage < trellis_.stages; ++stage)
        longer += trellis_.table(stage).longer[at(linkage.links[at(stage)])];
      if (std::abs(longer) < 0.5 * trellis_.spacing * coarse_.step) break;
      // too short links: they must become dearer
      (longer < 0 ? low : high) = thrust;
      if (!bracketed && longer < 0) {
        bracketed = high != 0;
        thrust = bracketed ? 0.5 * (low + high) : 2.5 * thrust + 10;
      } else if (!bracketed) {
        bracketed = trial > 0 && low != 0;
        thrust = bracketed ? 0.5 * (low + high) : thrust > 1 ? 0.4 * thrust - 1 : 2.5 * thrust - 10;
      } else {
        thrust = 0.5 * (low + high);
      }
      if (bracketed && high - low < 0.02 * (1 + std::abs(high))) break;
    }
    set_thrust(trellis_, thrust);
    coarse_.thrust = thrust;
    return sweep(trellis_, coarse_, true, options_.parallel);
  }

  // A push too small for the lattice to see, or to a shape with another number of waves: the lowest linkage with waves on
  // it whose shortening is the push.
  void add_seeds() {
    const double push = std::max(0.0, *problem_.loads.front().push / problem_.beam.length);
    const double slope = 2 * std::sqrt(push);
    if (slope > 0.8) return;
    const Linkage straight = linkages_.front();
    for (const int waves : {1, 2, 3})
      for (const double side : {1.0, -1.0}) {
        Linkage seed = straight;
        seed.spots.clear();
        for (std::size_t i = 1; i < seed.angles.size(); ++i)
          seed.angles[i] +=
              side * slope * std::sin(2 * std::numbers::pi * waves * static_cast<double>(i) * coarse_.step);
        linkages_.push_back(std::move(seed));
      }
  }

  // The minima of a coarse lattice and of random starts, more of them than are asked for.
  void add_catalogue() {
    catalogue_ = make_catalogue(problem_, passage_, coarse_.thrust, options_.parallel);
    for (std::size_t i = 0; i < catalogue_.shapes.size() && static_cast<int>(i) < most_minima(); ++i)
      linkages_.push_back(catalogue_.shapes[i]);
    // friction comes later
    Beam beam = make_beam(problem_, passage_, problem_.search.links, problem_.loads.front());
    beam.friction = 0;
    scatter_ = scatter(passage_, beam, options_.parallel);
    for (std::size_t i = 0; i < scatter_.minima.size() && static_cast<int>(i) < most_minima(); ++i)
      linkages_.push_back(scatter_.minima[i].shape);
  }

  [[nodiscard]] int most_minima() const { return kFromCatalogue + 3 * problem_.search.k; }

  // Is every minimum below the highest that is listed among those that were compared, and was each met more than once?
  // Friction and walls that give change what is a minimum, and nobody has looked again.
  void judge_catalogue() {
    ChannelCatalogue& told = outcome_.catalogue;
    told = {catalogue_.links, catalogue_.levels, catalogue_.chains, scatter_.starts, scatter_.rested, 0, false};
    if (outcome_.shapes.empty() || catalogue_.links == 0) return;
    // fewer than were asked for: nothing is above them
    const bool full = static_cast<int>(outcome_.shapes.size()) == problem_.search.k;
    const double highest = full ? outcome_.shapes.back().dimensionless : kNever;
    const auto compared = [&](const auto& list, const auto& energy_of) {
      return static_cast<int>(list.size()) <= most_minima() || energy_of(list[at(most_minima() - 1)]) > highest;
    };
    for (const Scatter::Minimum& minimum : scatter_.minima)
      told.met_once += minimum.met == 1 && minimum.shape.energy < highest;
    const bool plain = problem_.channel.friction == 0 && problem_.channel.stiffness == 0;
    told.complete = plain && told.met_once == 0 && scatter_.rested >= kFewestRested &&
                    compared(scatter_.minima, [](const Scatter::Minimum& m) { return m.shape.energy; }) &&
                    compared(catalogue_.shapes, [](const Linkage& shape) { return shape.energy; });
  }

  // A linkage and the equilibrium it leads to.
  struct Found {
    const Linkage* linkage = nullptr;
    ChannelState state;
  };

  // What came to rest from a random start does so as it is; friction is left to the polish.
  void add_rested(std::vector<Found>& found) const {
    if (problem_.channel.friction > 0) return;
    const Beam beam = make_beam(problem_, passage_, problem_.search.links, problem_.loads.front());
    for (std::size_t i = 0; i < scatter_.minima.size() && static_cast<int>(i) < most_minima(); ++i)
      found.push_back({&scatter_.minima[i].shape, judged(beam, scatter_.minima[i].polished)});
  }

  // Every candidate to equilibrium; those that are the same, fold back or rest on a saddle go.
  void settle() {
    std::vector<Found> found(linkages_.size());
    for_ranges(options_.parallel, static_cast<int>(linkages_.size()), 1, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) found[at(i)] = {&linkages_[at(i)], at_rest(linkages_[at(i)])};
    });
    add_rested(found);
    std::vector<Found> kept = lowest_of(found);
    const std::vector<Found> before = kept;
    tell(0.6, "refining");
    if (kept.size() == 1) {
      // the threads share the one
      refine_in_tubes(kept[0], options_.parallel);
    } else {
      for_ranges(options_.parallel, static_cast<int>(kept.size()), 1, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) refine_in_tubes(kept[at(i)], {});
      });
    }
    // tubes may have led to lower ones; where that is another shape, the one it began from is still a minimum
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (!before[i].state.converged || same(kept[i].state, before[i].state)) continue;
      kept.push_back(before[i]);
      kept.back().state.refinement = {{"polish", 0, before[i].state.energy, before[i].state.breach}};
    }
    for (const Found& each : lowest_of(kept)) outcome_.shapes.push_back(each.state);
    judge_catalogue();
    if (!outcome_.shapes.empty()) outcome_.why = outcome_.shapes.front().why;
  }

  // The k lowest that differ; what did not come to rest is among them only if nothing did.
  [[nodiscard]] std::vector<Found> lowest_of(std::vector<Found>& found) const {
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.state.energy < b.state.energy; });
    std::vector<Found> kept;
    for (const bool converged : {true, false}) {
      if (!converged && !kept.empty()) break;
      for (const Found& each : found) {
        if (each.state.converged != converged) continue;
        const auto known =
            std::find_if(kept.begin(), kept.end(), [&](const Found& other) { return same(each.state, other.state); });
        // of linkages that lead to one equilibrium the lowest tells how it was found
        if (known != kept.end()) {
          const bool tells = !each.linkage->spots.empty() &&
                             (known->linkage->spots.empty() || each.linkage->energy < known->linkage->energy);
          if (tells) known->linkage = each.linkage;
        } else if (static_cast<int>(kept.size()) < problem_.search.k) {
          kept.push_back(each);
        }
      }
    }
    return kept;
  }

  [[nodiscard]] bool same(const ChannelState& a, const ChannelState& b) const {
    // the same energy with as many contacts on the same sides: a hump that may lie anywhere along an even bend
    const auto on_left = [](const ChannelState& state) {
      return std::count_if(state.contacts.begin(), state.contacts.end(), [](const WallContact& c) { return c.left; });
    };
    const bool same_first = a.contacts.empty() || b.contacts.empty() || a.contacts[0].left == b.contacts[0].left;
    if (std::abs(a.energy - b.energy) < 1e-5 * std::abs(a.energy) && a.contacts.size() == b.contacts.size() &&
        on_left(a) == on_left(b) && same_first && !a.contacts.empty())
      return true;
    if (std::abs(a.dimensionless - b.dimensionless) > kSameEnergy * (1 + std::abs(a.dimensionless))) return false;
    const double near = kSameShape * passage_.widest() * problem_.beam.length;
    const int count = static_cast<int>(a.positions.size());
    const int slid = static_cast<int>(kSlid * problem_.search.links);
    for (int i = 0; i < count; ++i) {
      double least = kNever;
      for (int j = std::max(0, i - slid); j <= std::min(count - 1, i + slid); ++j)
        least = std::min(least, (a.positions[at(i)] - b.positions[at(j)]).norm());
      if (least > near) return false;
    }
    return true;
  }

  [[nodiscard]] ChannelState at_rest(const Linkage& linkage) const {
    const int links = problem_.search.links;
    const Beam beam = make_beam(problem_, passage_, links, problem_.loads.front());
    const std::vector<Vec2> ties =
        linkage.spots.empty() ? std::vector<Vec2>{} : lattice_positions(passage_, coarse_, linkage, links);
    return judged(beam, polish(passage_, beam, resampled(linkage.angles, links), ties));
  }

  [[nodiscard]] ChannelState judged(const Beam& beam, const Polished& polished) const {
    ChannelState state = describe(problem_, passage_, beam, polished);
    const Configuration& shape = polished.configuration;
    const int square = square_link(shape.angles, shape.places);
    if (square > 0 && !(polished.converged && polished.stable && forward(shape.angles, shape.places))) {
      state.converged = false;
      state.why = "link " + std::to_string(square) + " of " + std::to_string(beam.links) +
                  " turns square to the channel: the beam folds back under this load, which the search leaves out";
    } else if (polished.converged && !polished.stable && problem_.channel.friction == 0) {
      state.converged = false;
      state.why = "the equilibrium found is not stable";
    }
    return state;
  }

  [[nodiscard]] const char* lattice_word() const {
    return problem_.search.method == ChannelMethod::Sections ? "sections" : "lattice";
  }

  // Halves the lattice around the linkage, and keeps what comes of it if it is lower; notes how the energy fell.
  void refine_in_tubes(Found& found, const ParallelFor& parallel) const {
    const double length = problem_.beam.length;
    const double unit = problem_.beam.EI / length;
    const Linkage& linkage = *found.linkage;
    if (linkage.spots.empty()) {
      found.state.refinement.push_back({"polish", 0, found.state.energy, found.state.breach});
      return;
    }
    const Refined refined = refine(passage_, coarse_, linkage, spacing_, coarse_.step / size_.arc_steps, parallel);
    ChannelState state = at_rest(refined.linkage);
    const bool lower = state.converged && state.energy < found.state.energy;
    if (lower || !found.state.converged) found.state = std::move(state);
    std::vector<ChannelRefinement> steps{
        {lattice_word(), spacing_, linkage.energy, linkage_breach(passage_, coarse_, linkage)}};
    steps.insert(steps.end(), refined.steps.begin(), refined.steps.end());
    for (const ChannelRefinement& step : steps)
      found.state.refinement.push_back({step.what, step.spacing * length, step.energy * unit, step.breach * length});
    found.state.refinement.push_back({"polish", 0, found.state.energy, found.state.breach});
  }

  void follow() {
    const std::size_t branch = std::min(at(problem_.branch - 1), outcome_.shapes.size() - 1);
    outcome_.path = follow_loads(problem_, passage_, outcome_.shapes[branch],
                                 [this](double share) { tell(0.6 + 0.4 * share, "loading"); });
    for (const ChannelStep& step : outcome_.path) {
      if (step.state.converged) continue;
      outcome_.converged = false;
      outcome_.why = "on the load path: " + step.state.why;
      break;
    }
  }

  const ChannelProblem& problem_;
  const ChannelOptions& options_;
  Passage passage_;
  LatticeSize size_;
  Beam coarse_;
  Trellis trellis_;
  double spacing_ = 0;  // between levels of the first search
  std::vector<Linkage> linkages_;
  Catalogue catalogue_;
  Scatter scatter_;
  ChannelOutcome outcome_;
};

}  // namespace
}  // namespace channel

ChannelOutcome solve_channel(const ChannelProblem& problem, const ChannelOptions& options) {
  if (problem.loads.front().insert) return channel::feed_in(problem, options);
  return channel::Solver(problem, options).run();
}

ChannelOutline channel_outline(const Channel& channel, double reach) {
  const channel::Passage passage(channel, 1, reach);
  ChannelOutline outline;
  constexpr int kPoints = 600;
  for (int i = 0; i <= kPoints; ++i) {
    const channel::Ruling ruling = passage.ruling(passage.end_u() * i / kPoints);
    if (ruling.corner == 0) outline.centreline.push_back(ruling.point);
    // inside a corner the rulings cross: the walls end where they meet
    const auto add = [&](std::vector<Vec2>& wall, double y) {
      const Vec2 point = ruling.point + y * ruling.normal;
      if (ruling.corner != 0 ? ruling.corner * y < 0 : std::abs(passage.locate(point, ruling.piece).y - y) < 1e-6)
        wall.push_back(point);
    };
    add(outline.left, ruling.left);
    add(outline.right, -ruling.right);
  }
  return outline;
}

}  // namespace filum
