#include "formulations/chain/mechanism/link_yield.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <utility>

namespace filum::chain {

namespace {

// Bends and twist of a link, or its stretch, as a joint with a law; none: null.
rod::PlasticJoint turn_joint(const ModelData& model, const Link& link) {
  if (link.law < 0 || !link.turn) return {};
  return {&model.laws[at(link.law)], link.yield, link.turn_compliance.cwiseInverse()};
}
rod::PlasticJoint stretch_joint(const ModelData& model, const Link& link) {
  if (link.law < 0 || !(link.gap[0] && link.gap[1] && link.gap[2])) return {};
  return {&model.stretch_laws[at(link.law)], Vec3(1, 1, link.stretch_yield), Vec3(0, 0, 1 / link.gap_compliance)};
}

int memory_of(const rod::PlasticJoint& joint) {
  return joint.law == nullptr ? 0 : joint.law->joint_memory();
}

rod::JointYield answer(const rod::PlasticJoint& joint, const Vec3& strain, const double* memory, bool may) {
  if (joint.law == nullptr) return {};
  return may ? rod::joint_yield(joint, strain, memory) : rod::kept_yield(joint, strain, memory);
}

// The gap along the rod, as the third component.
Vec3 along(const Vec3& tangent, const Vec6& strain) {
  return {0, 0, tangent.dot(strain.head<3>())};
}

// The links of a rod as pieces along it; `memory` gets what they remember, one after the other.
struct RodPieces {
  std::vector<discrete::PlasticPiece> turn;
  std::vector<discrete::PlasticPiece> stretch;
  std::vector<int> link;  // per entry of `turn`
};
RodPieces pieces_of(const ModelData& model, const Mechanism& mechanism, const ChainState& state, int rod,
                    std::vector<double>& memory) {
  RodPieces pieces;
  std::vector<int> order;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k)
    if (mechanism.links[k].rod == rod && mechanism.links[k].law >= 0 && link_memory(model, mechanism.links[k]) > 0)
      order.push_back(static_cast<int>(k));
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return mechanism.links[at(a)].arc < mechanism.links[at(b)].arc; });
  for (const int k : order) {
    const Link& link = mechanism.links[at(k)];
    const rod::PlasticJoint turn = turn_joint(model, link);
    const rod::PlasticJoint stretch = stretch_joint(model, link);
    const auto first = static_cast<int>(memory.size());
    const double s = link.arc / model.rods[at(rod)].length;
    pieces.link.push_back(k);
    pieces.turn.push_back({s, turn.law, first, turn.yield / link.cell});
    pieces.stretch.push_back({s, stretch.law, first + memory_of(turn), Vec3(1, 1, link.stretch_yield / link.cell)});
    std::vector<double> own = state.links[at(k)].plastic.numbers();
    own.resize(at(link_memory(model, link)), 0);
    memory.insert(memory.end(), own.begin(), own.end());
  }
  return pieces;
}

// Back from one list of numbers to the links.
void put_back(const ModelData& model, const Mechanism& mechanism, const RodPieces& pieces,
              const std::vector<double>& memory, ChainState& state) {
  auto next = memory.begin();
  for (const int k : pieces.link) {
    const int count = link_memory(model, mechanism.links[at(k)]);
    state.links[at(k)].plastic = rod::PlasticMemory({next, next + count});
    next += count;
  }
}

}  // namespace

Vec6 link_stiffness(const Link& link) {
  Vec6 stiffness = Vec6::Zero();
  if (link.gap_compliance > 0) stiffness.head<3>().setConstant(1 / link.gap_compliance);
  for (int r = 0; r < 3; ++r)
    if (link.turn_compliance[r] > 0) stiffness[r + 3] = 1 / link.turn_compliance[r];
  return stiffness;
}

Vec3 link_tangent(const Link& link, const ChainState& state) {
  Vec3 tangent = Vec3::Zero();
  if (link.side_a != 0) tangent += state.parts[at(link.a)].orientation * Vec3::UnitZ();
  if (link.side_b != 0) tangent += state.parts[at(link.b)].orientation * Vec3::UnitZ();
  return tangent.normalized();
}

int link_memory(const ModelData& model, const Link& link) {
  return memory_of(turn_joint(model, link)) + memory_of(stretch_joint(model, link));
}

LinkYield link_yield(const ModelData& model, const Link& link, const Vec3& tangent, const Vec6& strain,
                     const rod::PlasticMemory& memory, bool may) {
  LinkYield out;
  if (memory.blank() && !may) return out;
  const rod::PlasticJoint turn = turn_joint(model, link);
  const rod::JointYield bent = answer(turn, strain.tail<3>(), memory.at(0), may);
  out.relief.tail<3>() = bent.relief;
  out.softening.bottomRightCorner<3, 3>() = bent.softening;
  const rod::JointYield pulled =
      answer(stretch_joint(model, link), along(tangent, strain), memory.at(memory_of(turn)), may);
  out.relief.head<3>() = pulled.relief[2] * tangent;
  out.softening.topLeftCorner<3, 3>() = pulled.softening(2, 2) * tangent * tangent.transpose();
  out.yields = bent.yields || pulled.yields;
  return out;
}

double kept_energy(const ModelData& model, const Link& link, const Vec3& tangent, const Vec6& strain,
                   const rod::PlasticMemory& memory) {
  const rod::PlasticJoint turn = turn_joint(model, link);
  const rod::PlasticJoint stretch = stretch_joint(model, link);
  double energy = 0;
  if (turn.law != nullptr) energy += rod::kept_energy(turn, strain.tail<3>(), memory.at(0));
  if (stretch.law != nullptr) energy += rod::kept_energy(stretch, along(tangent, strain), memory.at(memory_of(turn)));
  return energy;
}

double keep_yield(const ModelData& model, const Link& link, const Vec3& tangent, const Vec6& strain, LinkState& state) {
  const rod::PlasticJoint turn = turn_joint(model, link);
  const rod::PlasticJoint stretch = stretch_joint(model, link);
  double heat = 0;
  const auto keep = [&](const rod::PlasticJoint& joint, const Vec3& before, const Vec3& now, int place) {
    if (joint.law == nullptr) return;
    const auto kept = rod::keep_joint(joint, before, now, state.plastic.at(place));
    if (!kept.yields) return;
    heat += kept.heat;
    state.plastic.written();
  };
  keep(turn, state.strain.tail<3>(), strain.tail<3>(), 0);
  keep(stretch, along(tangent, state.strain), along(tangent, strain), memory_of(turn));
  state.strain = strain;
  return heat;
}

bool link_rests(const ModelData& model, const Link& link, const Vec6& strain, const LinkState& state) {
  if (!state.plastic.blank()) return false;
  const rod::SectionPlasticity& law = model.laws[at(link.law)];
  const auto within = [](const rod::ParallelElements& elements, double square) {
    return elements.empty() || square <= rod::kRests * elements.corner[0] * elements.corner[0];
  };
  if (link.turn) {
    const Vec3 q = strain.tail<3>().cwiseQuotient(link.yield);
    if (!within(law.bend, q.head<2>().squaredNorm()) || !within(law.twist, q[2] * q[2])) return false;
  }
  return within(law.stretch, strain.head<3>().squaredNorm() / (link.stretch_yield * link.stretch_yield));
}

double furthest_yield(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  double far = 0;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const rod::PlasticJoint turn = turn_joint(model, mechanism.links[k]);
    const rod::PlasticJoint stretch = stretch_joint(model, mechanism.links[k]);
    const double* memory = state.links[k].plastic.at(0);
    if (turn.law != nullptr) far = std::max(far, rod::furthest_yield(*turn.law, memory));
    if (stretch.law != nullptr) far = std::max(far, rod::furthest_yield(*stretch.law, memory + memory_of(turn)));
  }
  return far;
}

LinkSet link_set(const ModelData& model, const Link& link, const Vec3& tangent, const LinkState& state) {
  LinkSet set;
  if (link.law < 0) return set;
  const rod::PlasticJoint turn = turn_joint(model, link);
  const rod::PlasticJoint stretch = stretch_joint(model, link);
  const Vec6 plastic = link_yield(model, link, tangent, Vec6::Zero(), state.plastic, false).relief;
  double far = 0;
  if (turn.law != nullptr) {
    set.turn.strain = plastic.tail<3>().cwiseProduct(link.turn_compliance) / link.cell;
    far = rod::furthest_yield(*turn.law, state.plastic.at(0));
    // not beyond it yet: as far as it is now
    const Vec3 q = link.turn_compliance.cwiseProduct(state.force.tail<3>()).cwiseQuotient(link.yield);
    if (far == 0 && !turn.law->bend.empty() && !turn.law->slips)
      far = turn.law->joined ? q.head<2>().norm() : q.head<2>().cwiseAbs().maxCoeff();
    if (far == 0 && !turn.law->twist.empty()) far = std::abs(q[2]);
  }
  if (stretch.law != nullptr && !stretch.law->twist.empty()) {
    set.stretch = tangent.dot(plastic.head<3>()) * link.gap_compliance / link.cell;
    const double pulled = rod::furthest_yield(*stretch.law, state.plastic.at(memory_of(turn)));
    const double now = std::abs(tangent.dot(state.force.head<3>())) * link.gap_compliance / link.stretch_yield;
    far = std::max(far, pulled > 0 ? pulled : now);
  }
  set.turn.furthest = far;
  return set;
}

void make_memory(const ModelData& model, const Mechanism& mechanism, ChainState& state) {
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const auto size = at(link_memory(model, mechanism.links[k]));
    if (state.links[k].plastic.numbers().size() == size) continue;
    std::vector<double> numbers = state.links[k].plastic.numbers();
    numbers.resize(size, 0);
    state.links[k].plastic = rod::PlasticMemory(std::move(numbers));
  }
}

void carry_yield(const ModelData& from, const Mechanism& from_mechanism, const ChainState& from_state, int from_rod,
                 const ModelData& to, const Mechanism& to_mechanism, ChainState& to_state, int to_rod) {
  std::vector<double> old;
  std::vector<double> now;
  const RodPieces was = pieces_of(from, from_mechanism, from_state, from_rod, old);
  const RodPieces is = pieces_of(to, to_mechanism, to_state, to_rod, now);
  std::fill(now.begin(), now.end(), 0.0);
  bool same = was.turn.size() == is.turn.size();
  for (std::size_t k = 0; same && k < was.turn.size(); ++k) same = was.turn[k].s == is.turn[k].s;
  discrete::carry_plastic(was.turn, old, is.turn, same, now);
  discrete::carry_plastic(was.stretch, old, is.stretch, same, now);
  put_back(to, to_mechanism, is, now, to_state);
}

void yield_from_nodes(const discrete::ModelData& rods, const discrete::RodState& nodes, const ModelData& model,
                      const Mechanism& mechanism, ChainState& state) {
  if (model.laws.empty() || nodes.plastic.blank()) return;
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod) {
    std::vector<double> now;
    const RodPieces pieces = pieces_of(model, mechanism, state, rod, now);
    std::fill(now.begin(), now.end(), 0.0);
    discrete::carry_plastic(discrete::joint_pieces(rods, rod), nodes.plastic.numbers(), pieces.turn, false, now);
    discrete::carry_plastic(discrete::edges_as_joints(rods, rod, model.stretch_laws), nodes.plastic.numbers(),
                            pieces.stretch, false, now);
    put_back(model, mechanism, pieces, now, state);
  }
}

void yield_to_nodes(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                    const discrete::ModelData& rods, discrete::RodState& nodes) {
  if (model.laws.empty()) return;
  std::vector<double> now = nodes.plastic.numbers();
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod) {
    std::vector<double> old;
    const RodPieces pieces = pieces_of(model, mechanism, state, rod, old);
    discrete::carry_plastic(pieces.turn, old, discrete::joint_pieces(rods, rod), false, now);
    discrete::carry_plastic(pieces.stretch, old, discrete::edges_as_joints(rods, rod, model.stretch_laws), false, now);
  }
  nodes.plastic = rod::PlasticMemory(std::move(now));
}

}  // namespace filum::chain
