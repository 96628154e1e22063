// What rods remember of yield and slip, carried over by arc length.
#include "base/index.hpp"
#include "formulations/discrete/plastic_rods.hpp"

#include <filum/scene.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace filum::discrete {

namespace {

// Plastic strains of one group of elements, as shares of its first yield. `scale`: old first yield over new one.
void carry_group(const rod::ParallelElements& was, const double* old, const rod::ParallelElements& is,
                 const double* scale, int components, double weight, double* now) {
  const auto step = static_cast<std::size_t>(components + 1);
  const double stretch = *std::max_element(scale, scale + components);
  for (std::size_t i = 0; i < is.share.size(); ++i) {
    for (std::size_t c = 0; c < step; ++c) {
      const bool path = c == step - 1;
      double value = 0;
      if (was.share.size() == is.share.size()) {
        value = old[i * step + c];
      } else {
        // another curve: what stays of the whole goes to all of its elements alike
        for (std::size_t k = 0; k < was.share.size(); ++k)
          value = path ? std::max(value, old[k * step + c]) : value + was.share[k] * old[k * step + c];
        if (!path) {
          double sum = 0;
          for (const double w : is.share) sum += w;
          value /= sum;
        }
      }
      now[i * step + c] += weight * value * (path ? stretch : scale[c]);
    }
  }
}

void carry_joint(const rod::SectionPlasticity& was, const double* old, const rod::SectionPlasticity& is,
                 const Vec3& scale, double weight, double* now) {
  if (was.joined == is.joined) {
    if (is.joined) {
      carry_group(was.bend, old, is.bend, scale.data(), 2, weight, now);
    } else {
      carry_group(was.bend, old, is.bend, scale.data(), 1, weight, now);
      carry_group(was.bend, old + was.bend.memory(1), is.bend, scale.data() + 1, 1, weight, now + is.bend.memory(1));
    }
  }
  const int from = was.joint_memory() - was.twist.memory(1);
  const int to = is.joint_memory() - is.twist.memory(1);
  carry_group(was.twist, old + from, is.twist, scale.data() + 2, 1, weight, now + to);
}

// From the two pieces of the old rod between which a new one lies, in proportion.
template <class Carry>
void carry_pieces(std::span<const PlasticPiece> was, std::span<const PlasticPiece> is, bool same, const Carry& carry) {
  for (std::size_t k = 0; k < is.size(); ++k) {
    if (is[k].law == nullptr || was.empty()) continue;
    if (same) {
      if (was[k].law != nullptr) carry(was[k], is[k], 1.0);
      continue;
    }
    const auto after =
        std::upper_bound(was.begin(), was.end(), is[k].s, [](double s, const PlasticPiece& p) { return s < p.s; });
    const auto right = after == was.end() ? after - 1 : after;
    const auto left = after == was.begin() ? after : after - 1;
    const double gap = right->s - left->s;
    const double share = gap > 0 ? std::clamp((is[k].s - left->s) / gap, 0.0, 1.0) : 0;
    if (left->law != nullptr && share < 1) carry(*left, is[k], 1 - share);
    if (right->law != nullptr && share > 0) carry(*right, is[k], share);
  }
}

// Old first yield over new one; what is the same keeps its bits.
Vec3 scale(const PlasticPiece& p, const PlasticPiece& q) {
  return p.per_length == q.per_length ? Vec3(Vec3::Ones()) : Vec3(p.per_length.cwiseQuotient(q.per_length));
}

}  // namespace

void carry_plastic(std::span<const PlasticPiece> was, const std::vector<double>& old, std::span<const PlasticPiece> is,
                   bool same, std::vector<double>& now) {
  carry_pieces(was, is, same, [&](const PlasticPiece& p, const PlasticPiece& q, double weight) {
    carry_joint(*p.law, old.data() + p.memory, *q.law, scale(p, q), weight, now.data() + q.memory);
  });
}

std::vector<PlasticPiece> joint_pieces(const ModelData& model, int rod) {
  const RodRange& range = model.rods[at(rod)];
  std::vector<PlasticPiece> pieces;
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const Joint& joint = model.joints[at(k)];
    const PlasticPlace& place = model.plasticity.joints[at(k)];
    const Vec3 length(joint.length, joint.length, joint.cell);
    pieces.push_back({range.mesh.s[at(joint.node - range.first_node)] / range.mesh.length,
                      place.law < 0 ? nullptr : &model.plasticity.laws[at(place.law)], place.memory,
                      place.yield.cwiseQuotient(length)});
  }
  return pieces;
}

std::vector<PlasticPiece> edge_pieces(const ModelData& model, int rod) {
  const RodRange& range = model.rods[at(rod)];
  std::vector<PlasticPiece> pieces;
  for (int j = 0; j < range.mesh.edges(); ++j) {
    const PlasticPlace& place = model.plasticity.edges[at(range.first_edge + j)];
    const double middle = range.mesh.s[at(j)] + 0.5 * range.mesh.edge_length(j);
    pieces.push_back({middle / range.mesh.length, place.law < 0 ? nullptr : &model.plasticity.laws[at(place.law)],
                      place.memory, place.yield});
  }
  return pieces;
}

rod::SectionPlasticity stretch_as_twist(const rod::SectionPlasticity& law) {
  rod::SectionPlasticity made = law;
  made.bend = made.stretch = {};
  made.twist = law.stretch;
  made.twist_yield = law.stretch_yield;
  return made;
}

std::vector<PlasticPiece> edges_as_joints(const ModelData& model, int rod,
                                          std::span<const rod::SectionPlasticity> stretch_laws) {
  std::vector<PlasticPiece> pieces = edge_pieces(model, rod);
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const int law = model.rods[at(rod)].edge_law[k];
    pieces[k].law = law < 0 ? nullptr : &stretch_laws[at(law)];
    pieces[k].per_length = Vec3(1, 1, pieces[k].per_length[0]);
  }
  return pieces;
}

void transfer_plastic(const ModelData& from, const RodState& from_state, const RodOrigin& origin, const ModelData& to,
                      int to_rod, RodState& to_state) {
  if (from.plasticity.empty() || to.plasticity.empty() || from_state.plastic.blank()) return;
  const RodRange& was = from.rods[at(origin.rod)];
  const RodRange& is = to.rods[at(to_rod)];
  const bool same = was.mesh.s == is.mesh.s;
  // where the places of a piece were on its whole
  const auto placed = [&](std::vector<PlasticPiece> pieces) {
    if (to.scene->rods[at(to_rod)].piece && !same)
      for (PlasticPiece& piece : pieces) piece.s = origin.place(piece.s * is.mesh.length) / was.mesh.length;
    return pieces;
  };
  const std::vector<double>& old = from_state.plastic.numbers();
  std::vector<double> now = to_state.plastic.numbers();
  carry_plastic(joint_pieces(from, origin.rod), old, placed(joint_pieces(to, to_rod)), same && was.joints == is.joints,
                now);
  carry_pieces(edge_pieces(from, origin.rod), placed(edge_pieces(to, to_rod)), same,
               [&](const PlasticPiece& p, const PlasticPiece& q, double weight) {
                 const Vec3 by = scale(p, q);
                 carry_group(p.law->stretch, old.data() + p.memory, q.law->stretch, by.data(), 1, weight,
                             now.data() + q.memory);
               });
  to_state.plastic = rod::PlasticMemory(std::move(now));
}

}  // namespace filum::discrete
