// The beam as a linkage of rigid links, and its energy.
//
// Everything inside the channel module is scaled: lengths by the beam's length L, forces by EI/L², energies by EI/L, so
// that EI = L = 1 and the energy is the U = F L/EI of [Wang2016, Eq. 3.22]. With θ_i the heading of link i, Δs = 1/N,
// joint i between links i − 1 and i, T the force at the tip, θ_c and t₀ the heading of the clamp [Wang2016, Eq. 3.14,
// with rest curvature κ̄ and any heading of the start]:
//
//   U = (θ_0 − θ_c − κ̄_0 Δs/2)² / Δs + Σ_{i=1}^{N−1} (θ_i − θ_{i−1} − κ̄_i Δs)² / 2Δs
//       − Δs Σ_{i=0}^{N−1} T·(e(θ_i) − t₀),   e(θ) = (cos θ, sin θ)
//
// The clamp holds the section, not the first link: half a link lies between the two, which makes the linkage second
// order in Δs. (The source, and the lattice of the search, have θ_0 = θ_c: first order.) A pushed beam has T = 0 and its tip at a given arc length of the centreline.
#pragma once

#include "channel/passage.hpp"

#include <cmath>
#include <optional>
#include <vector>

namespace filum::channel {

struct Beam {
  int links = 0;
  double step = 0;  // Δs
  Vec2 start = Vec2::Zero();
  double heading = 0;        // of the clamp
  std::vector<double> rest;  // κ̄ Δs of joint i; of the first, at the clamp, κ̄ Δs/2
  Vec2 force = Vec2::Zero();
  std::optional<double> tip;  // arc length of the centreline where a pushed tip is
  bool centred = false;       // a pushed tip lies on the centreline
  double wall_stiffness = 0;  // of both walls, per length of the beam, in EI/L⁴; 0: rigid
  double friction = 0;        // coefficient of the walls
  double sense = 1;           // +1: the beam slides towards its tip, −1: towards the clamp
  double thrust = 0;          // push along the channel that lattice links count with where their length is not exact

  [[nodiscard]] double joint_stiffness() const { return 0.5 / step; }
  [[nodiscard]] double joint_energy(int joint, double before, double after) const {
    const double bent = after - before - rest[static_cast<std::size_t>(joint)];
    return joint_stiffness() * bent * bent;
  }
  // Of the lattice, whose first link is the clamp's: the two joints before the second link.
  [[nodiscard]] double entry_energy(double after) const {
    return joint_energy(1, heading, after) + 2 * joint_stiffness() * rest[0] * rest[0];
  }
  // Moment of a joint per angle; of joint 0, which is half as long, twice that of the others.
  [[nodiscard]] double stiffness_of(int joint) const { return (joint == 0 ? 4 : 2) * joint_stiffness(); }
  // How far it is bent from its rest.
  [[nodiscard]] double bent(int joint, const std::vector<double>& angles) const {
    const auto i = static_cast<std::size_t>(joint);
    return angles[i] - (joint == 0 ? heading : angles[i - 1]) - rest[i];
  }
  // How far a wall gives per force of a node, which stands for a link's length of beam, at the tip for half of one.
  [[nodiscard]] double give_of(int node) const {
    return wall_stiffness > 0 ? (node == links ? 2 : 1) / (wall_stiffness * step) : 0;
  }
  [[nodiscard]] double load_energy(double angle) const {
    return -step *
           (force[0] * (std::cos(angle) - std::cos(heading)) + force[1] * (std::sin(angle) - std::sin(heading)));
  }
};

inline Vec2 direction(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

// Linear between the points given, constant beyond them, 1/m.
double natural_curvature(const ChannelBeam& beam, double s);

// With the problem's load number `load`.
Beam make_beam(const ChannelProblem& problem, const Passage& passage, int links, const ChannelLoad& load);

struct Energy {
  double bending = 0;
  double load = 0;
  [[nodiscard]] double total() const { return bending + load; }
};
Energy energy(const Beam& beam, const std::vector<double>& angles);

// links + 1 positions.
std::vector<Vec2> positions(const Beam& beam, const std::vector<double>& angles);

// The nodes seen from the channel, followed along the beam.
std::vector<Place> places(const Passage& passage, const std::vector<Vec2>& nodes);

// How far the farthest of these places is beyond a wall; node 0 is the clamp's.
double breach(const Passage& passage, const std::vector<Place>& nodes);

// Every link leads forward along the channel: within a right angle of the heading at its end.
bool forward(const std::vector<double>& angles, const std::vector<Place>& nodes);

// The first link that is square to the channel, or all but; 0: none.
int square_link(const std::vector<double>& angles, const std::vector<Place>& nodes);

}  // namespace filum::channel
