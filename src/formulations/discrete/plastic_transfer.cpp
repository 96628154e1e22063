// What rods remember of yield and slip, carried over by arc length.
#include "base/index.hpp"
#include "formulations/discrete/plastic_rods.hpp"

#include <algorithm>
#include <cmath>

namespace filum::discrete {

namespace {

// Where a piece of rod lies and what it remembers: a joint about its node, an edge about its middle.
struct Piece {
  double s = 0;  // as a share of the rod
  const PlasticPlace* place = nullptr;
  Vec3 per_length = Vec3::Ones();  // strain of first yield per length: bends, twist; of an edge its stretch
};

std::vector<Piece> joint_pieces(const ModelData& model, const RodRange& range) {
  std::vector<Piece> pieces;
  for (int k = range.first_joint; k < range.first_joint + range.joints; ++k) {
    const Joint& joint = model.joints[at(k)];
    const PlasticPlace& place = model.plasticity.joints[at(k)];
    const Vec3 length(joint.length, joint.length, joint.cell);
    pieces.push_back({range.mesh.s[at(joint.node - range.first_node)] / range.mesh.length, &place,
                      place.yield.cwiseQuotient(length)});
  }
  return pieces;
}

std::vector<Piece> edge_pieces(const ModelData& model, const RodRange& range) {
  std::vector<Piece> pieces;
  for (int j = 0; j < range.mesh.edges(); ++j) {
    const PlasticPlace& place = model.plasticity.edges[at(range.first_edge + j)];
    const double middle = range.mesh.s[at(j)] + 0.5 * range.mesh.edge_length(j);
    pieces.push_back({middle / range.mesh.length, &place, place.yield});
  }
  return pieces;
}

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
void carry_pieces(const std::vector<Piece>& was, const std::vector<Piece>& is, bool same, const Carry& carry) {
  for (std::size_t k = 0; k < is.size(); ++k) {
    if (is[k].place->law < 0 || was.empty()) continue;
    if (same) {
      if (was[k].place->law >= 0) carry(was[k], is[k], 1.0);
      continue;
    }
    const auto after =
        std::upper_bound(was.begin(), was.end(), is[k].s, [](double s, const Piece& p) { return s < p.s; });
    const auto right = after == was.end() ? after - 1 : after;
    const auto left = after == was.begin() ? after : after - 1;
    const double gap = right->s - left->s;
    const double share = gap > 0 ? std::clamp((is[k].s - left->s) / gap, 0.0, 1.0) : 0;
    if (left->place->law >= 0 && share < 1) carry(*left, is[k], 1 - share);
    if (right->place->law >= 0 && share > 0) carry(*right, is[k], share);
  }
}

}  // namespace

void transfer_plastic(const ModelData& from, const RodState& from_state, int from_rod, const ModelData& to, int to_rod,
                      RodState& to_state) {
  if (from.plasticity.empty() || to.plasticity.empty() || from_state.plastic.empty()) return;
  const RodRange& was = from.rods[at(from_rod)];
  const RodRange& is = to.rods[at(to_rod)];
  const bool same = was.mesh.s == is.mesh.s;
  const auto old_law = [&](const Piece& p) -> const auto& {
    return from.plasticity.laws[at(p.place->law)];
  };
  const auto new_law = [&](const Piece& p) -> const auto& {
    return to.plasticity.laws[at(p.place->law)];
  };
  const auto scale = [](const Piece& p, const Piece& q) {
    // what is the same keeps its bits
    return p.per_length == q.per_length ? Vec3(Vec3::Ones()) : Vec3(p.per_length.cwiseQuotient(q.per_length));
  };
  carry_pieces(joint_pieces(from, was), joint_pieces(to, is), same && was.joints == is.joints,
               [&](const Piece& p, const Piece& q, double weight) {
                 carry_joint(old_law(p), from_state.plastic.data() + p.place->memory, new_law(q), scale(p, q), weight,
                             to_state.plastic.data() + q.place->memory);
               });
  carry_pieces(edge_pieces(from, was), edge_pieces(to, is), same, [&](const Piece& p, const Piece& q, double weight) {
    const Vec3 by = scale(p, q);
    carry_group(old_law(p).stretch, from_state.plastic.data() + p.place->memory, new_law(q).stretch, by.data(), 1,
                weight, to_state.plastic.data() + q.place->memory);
  });
}

}  // namespace filum::discrete
