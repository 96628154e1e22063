// A beam in a tube: lattices with more and more rings, their chains brought to rest, the plane's shapes among them.
#include <filum/tube.hpp>

#include "base/index.hpp"
#include "channel/parallel.hpp"
#include "channel/planar_tube.hpp"
#include "channel/space_polish.hpp"
#include "channel/tube_describe.hpp"
#include "channel/tube_load_path.hpp"
#include "channel/tube_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum {
namespace channel {
namespace {

constexpr int kLatticeLinks = 20;      // at most, of the lattice
constexpr int kMostRings = 3;          // that are chosen
constexpr double kSettled = 1e-3;      // relative change of the lowest energy at rest from one lattice to the next
constexpr int kChains = 6;             // of each lattice that are brought to rest
constexpr double kFirstThrust = 10;    // of a pushed beam, EI/L²
constexpr double kMostThrust = 1e6;    // likewise
constexpr int kThrusts = 5;            // halvings between two
constexpr double kSameEnergy = 1e-5;   // relative
constexpr double kAllButSquare = 0.03; // cosine
constexpr double kOutOfPlane = 0.02;   // rad, to leave a plane in which a shape is no minimum

class TubeSolver {
 public:
  TubeSolver(const TubeProblem& problem, const ChannelOptions& options)
      : problem_(problem),
        options_(options),
        passage_(problem.centreline, 1 / problem.length, problem.up),
        wall_(problem.radius, problem.section, 1 / problem.length),
        beam_(make_beam(problem, passage_, problem.loads.front())) {}

  TubeOutcome run() {
    for (const std::vector<Vec3>& tangents : planar_shapes(problem_, options_)) {
      settle(tangents, {});
      settle(leaving_plane(tangents), {});
    }
    const int first = problem_.rings > 0 ? problem_.rings : 1;
    const int last = problem_.rings > 0 ? problem_.rings : kMostRings;
    for (int rings = first; rings <= last && !outcome_.settled; ++rings) search(rings);
    outcome_.settled = outcome_.settled || problem_.rings > 0;
    keep_lowest();
    if (outcome_.found && problem_.loads.size() > 1) follow();
    return std::move(outcome_);
  }

 private:
  // The branch that is asked for, from load to load.
  void follow() {
    const std::size_t branch = std::min(at(problem_.branch - 1), outcome_.shapes.size() - 1);
    outcome_.path = follow_loads(problem_, passage_, wall_, outcome_.shapes[branch], [&](double share) {
      if (options_.progress) options_.progress(share, "following");
    });
    const TubeShape& last = outcome_.path.back().state;
    outcome_.found = last.converged;
    outcome_.why = last.why;
  }

  // A lattice knows forces alone: of a pushed beam it is searched under the thrust with which its lowest chain ends where
  // the tip is to be.
  [[nodiscard]] TubeFound found_under_thrust(const TubeLattice& lattice) {
    const auto look = [&](double thrust) {
      SpaceBeam beam = beam_;
      beam.force = -thrust * passage_.at_arc(*beam_.tip).tangent;
      return search_tube_lattice(passage_, wall_, beam, lattice, kChains, options_);
    };
    const auto reaches = [&](const TubeFound& found) {
      return !found.chains.empty() && passage_.locate(found.chains.front().nodes.back(), 0).s > *beam_.tip;
    };
    double low = 0, high = kFirstThrust;
    TubeFound found = look(high);
    for (; reaches(found) && high < kMostThrust; found = look(high)) {
      low = high;
      high *= 4;
    }
    for (int halving = 0; halving < kThrusts; ++halving) {
      const double middle = 0.5 * (low + high);
      TubeFound other = look(middle);
      if (other.chains.empty()) break;
      (reaches(other) ? low : high) = middle;
      found = std::move(other);
    }
    return found;
  }

  void search(int rings) {
    const int links = std::min(problem_.links, kLatticeLinks);
    const TubeLattice lattice{links, rings, problem_.arc_steps, problem_.keep};
    const TubeFound found = beam_.tip ? found_under_thrust(lattice)
                                      : search_tube_lattice(passage_, wall_, beam_, lattice, kChains, options_);
    outcome_.states = found.states;
    outcome_.visited += found.visited;
    outcome_.pruned = outcome_.pruned || found.pruned;
    for (const TubeChain& chain : found.chains) settle(along(chain), ties(chain));
    const double unit = problem_.EI / problem_.length;
    const double lowest = lowest_energy();
    const double lattice_energy = found.chains.empty() ? 0 : unit * found.chains.front().energy;
    if (!outcome_.rings.empty()) {
      const double change = std::abs(lowest - outcome_.rings.back().energy);
      outcome_.settled = !outcome_.shapes.empty() && change <= kSettled * (std::abs(lowest) + 1e-9 * unit);
    }
    outcome_.rings.push_back({rings, lattice_energy, lowest});
  }

  [[nodiscard]] double lowest_energy() const {
    double lowest = 0;
    for (std::size_t i = 0; i < outcome_.shapes.size(); ++i)
      lowest = i == 0 ? outcome_.shapes[i].energy : std::min(lowest, outcome_.shapes[i].energy);
    return lowest;
  }

  // The directions of the beam's links along a chain of the lattice.
  [[nodiscard]] std::vector<Vec3> along(const TubeChain& chain) const {
    const int old = static_cast<int>(chain.nodes.size()) - 1;
    std::vector<Vec3> tangents;
    for (int link = 0; link < beam_.links; ++link) {
      const double place = std::clamp((link + 0.5) * old / beam_.links - 0.5, 0.0, old - 1.0);
      const int before = std::min(static_cast<int>(place), old - 2);
      const double share = place - before;
      const Vec3 a = (chain.nodes[at(before + 1)] - chain.nodes[at(before)]).normalized();
      const Vec3 b = (chain.nodes[at(before + 2)] - chain.nodes[at(before + 1)]).normalized();
      tangents.emplace_back(((1 - share) * a + share * b).normalized());
    }
    return tangents;
  }

  [[nodiscard]] std::vector<Vec3> ties(const TubeChain& chain) const {
    const int old = static_cast<int>(chain.nodes.size()) - 1;
    std::vector<Vec3> places;
    for (int node = 0; node <= beam_.links; ++node) {
      const double place = static_cast<double>(node) * old / beam_.links;
      const int before = std::min(static_cast<int>(place), old - 1);
      const Vec3& from = chain.nodes[at(before)];
      places.emplace_back(from + (place - before) * (chain.nodes[at(before + 1)] - from));
    }
    return places;
  }

  // A wave square to the plane of the shape.
  [[nodiscard]] std::vector<Vec3> leaving_plane(std::vector<Vec3> tangents) const {
    Vec3 normal = Vec3::Zero();
    for (const Vec3& t : tangents)
      if (beam_.heading.cross(t).norm() > normal.norm()) normal = beam_.heading.cross(t);
    if (normal.norm() < 1e-9) normal = passage_.at_arc(0).d1;
    normal.normalize();
    for (std::size_t i = 0; i < tangents.size(); ++i) {
      const double wave = std::sin(2 * std::numbers::pi * (static_cast<double>(i) + 0.5) * beam_.step);
      tangents[i] = (tangents[i] + kOutOfPlane * wave * normal).normalized();
    }
    return tangents;
  }

  // Some link stands square to the tube, or all but.
  static bool all_but_square(const SpaceConfiguration& shape) {
    for (std::size_t link = 0; link < shape.tangents.size(); ++link)
      if (shape.tangents[link].dot(shape.places[link + 1].tangent) < kAllButSquare) return true;
    return false;
  }

  // Brings a linkage to rest and keeps it if it is new.
  void settle(const std::vector<Vec3>& tangents, const std::vector<Vec3>& ties) {
    const SpaceModel model{passage_, wall_, beam_};
    const SpacePolished polished = polish(model, tangents, ties);
    TubeShape shape = describe(problem_, beam_, polished);
    if (shape.converged && !shape.stable && problem_.friction == 0) {
      shape.converged = false;
      shape.why = "the equilibrium found is not stable";
    } else if (all_but_square(polished.configuration)) {
      shape.converged = false;
      shape.why = "the beam folds back under this load, which the search leaves out";
    }
    if (!shape.converged) {
      outcome_.why = shape.why;
      return;
    }
    const double same = kSameEnergy * (std::abs(shape.energy) + 1e-6 * problem_.EI / problem_.length);
    for (const TubeShape& known : outcome_.shapes)
      if (std::abs(known.energy - shape.energy) < same) return;
    outcome_.shapes.push_back(std::move(shape));
  }

  void keep_lowest() {
    std::stable_sort(outcome_.shapes.begin(), outcome_.shapes.end(),
                     [](const TubeShape& a, const TubeShape& b) { return a.energy < b.energy; });
    if (static_cast<int>(outcome_.shapes.size()) > problem_.k) outcome_.shapes.resize(at(problem_.k));
    outcome_.found = !outcome_.shapes.empty();
    if (outcome_.found)
      outcome_.why.clear();
    else if (outcome_.why.empty())
      outcome_.why = "no chain of links fits into the tube: more rings or links may help";
  }

  const TubeProblem& problem_;
  const ChannelOptions& options_;
  SpacePassage passage_;
  TubeWall wall_;
  SpaceBeam beam_;
  TubeOutcome outcome_;
};

}  // namespace
}  // namespace channel

TubeOutcome search_tube(const TubeProblem& problem, const ChannelOptions& options) {
  return channel::TubeSolver(problem, options).run();
}

}  // namespace filum
