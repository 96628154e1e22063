#include "formulations/chain/mechanism/link_yield.hpp"

#include "base/index.hpp"

#include <algorithm>
#include <array>

namespace filum::chain {

namespace {

// No link has more memory: 12 elements of two bends, of twist and of stretch.
constexpr std::size_t kMostMemory = 128;

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
  return may ? rod::joint_yield(joint, strain, memory, nullptr) : rod::kept_yield(joint, strain, memory);
}

// The gap along the rod, as the third component.
Vec3 along(const Vec3& tangent, const Vec6& strain) {
  return {0, 0, tangent.dot(strain.head<3>())};
}

double keep(const rod::PlasticJoint& joint, const Vec3& before, const Vec3& now, double* memory) {
  if (!answer(joint, now, memory, true).yields) return 0;
  std::array<double, kMostMemory> after;
  rod::joint_yield(joint, now, memory, after.data());
  const double loss = rod::joint_loss(joint, before, now, memory, after.data());
  std::copy_n(after.begin(), memory_of(joint), memory);
  return loss;
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
    std::vector<double> own = state.links[at(k)].plastic;
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
    state.links[at(k)].plastic.assign(next, next + count);
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
                     const std::vector<double>& memory, bool may) {
  LinkYield out;
  const rod::PlasticJoint turn = turn_joint(model, link);
  const rod::JointYield bent = answer(turn, strain.tail<3>(), memory.data(), may);
  out.relief.tail<3>() = bent.relief;
  out.softening.bottomRightCorner<3, 3>() = bent.softening;
  const rod::JointYield pulled =
      answer(stretch_joint(model, link), along(tangent, strain), memory.data() + memory_of(turn), may);
  out.relief.head<3>() = pulled.relief[2] * tangent;
  out.softening.topLeftCorner<3, 3>() = pulled.softening(2, 2) * tangent * tangent.transpose();
  out.yields = bent.yields || pulled.yields;
  return out;
}

double kept_energy(const ModelData& model, const Link& link, const Vec3& tangent, const Vec6& strain,
                   const std::vector<double>& memory) {
  const rod::PlasticJoint turn = turn_joint(model, link);
  const rod::PlasticJoint stretch = stretch_joint(model, link);
  double energy = 0;
  if (turn.law != nullptr) energy += rod::kept_energy(turn, strain.tail<3>(), memory.data());
  if (stretch.law != nullptr)
    energy += rod::kept_energy(stretch, along(tangent, strain), memory.data() + memory_of(turn));
  return energy;
}

double keep_yield(const ModelData& model, const Link& link, const Vec3& tangent, const Vec6& strain, LinkState& state) {
  const rod::PlasticJoint turn = turn_joint(model, link);
  const double loss = keep(turn, state.strain.tail<3>(), strain.tail<3>(), state.plastic.data()) +
                      keep(stretch_joint(model, link), along(tangent, state.strain), along(tangent, strain),
                           state.plastic.data() + memory_of(turn));
  state.strain = strain;
  return loss;
}

bool has_yielded(const LinkState& state) {
  return std::any_of(state.plastic.begin(), state.plastic.end(), [](double value) { return value != 0; });
}

double furthest_yield(const ModelData& model, const Mechanism& mechanism, const ChainState& state) {
  double far = 0;
  for (std::size_t k = 0; k < mechanism.links.size(); ++k) {
    const rod::PlasticJoint turn = turn_joint(model, mechanism.links[k]);
    const rod::PlasticJoint stretch = stretch_joint(model, mechanism.links[k]);
    const double* memory = state.links[k].plastic.data();
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
    far = rod::furthest_yield(*turn.law, state.plastic.data());
    // not beyond it yet: as far as it is now
    const Vec3 q = link.turn_compliance.cwiseProduct(state.force.tail<3>()).cwiseQuotient(link.yield);
    if (far == 0 && !turn.law->bend.empty() && !turn.law->slips)
      far = turn.law->joined ? q.head<2>().norm() : q.head<2>().cwiseAbs().maxCoeff();
    if (far == 0 && !turn.law->twist.empty()) far = std::abs(q[2]);
  }
  if (stretch.law != nullptr && !stretch.law->twist.empty()) {
    set.stretch = tangent.dot(plastic.head<3>()) * link.gap_compliance / link.cell;
    const double pulled = rod::furthest_yield(*stretch.law, state.plastic.data() + memory_of(turn));
    const double now = std::abs(tangent.dot(state.force.head<3>())) * link.gap_compliance / link.stretch_yield;
    far = std::max(far, pulled > 0 ? pulled : now);
  }
  set.turn.furthest = far;
  return set;
}

void make_memory(const ModelData& model, const Mechanism& mechanism, ChainState& state) {
  for (std::size_t k = 0; k < mechanism.links.size(); ++k)
    state.links[k].plastic.resize(at(link_memory(model, mechanism.links[k])), 0);
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
  if (model.laws.empty() || nodes.plastic.empty()) return;
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod) {
    std::vector<double> now;
    const RodPieces pieces = pieces_of(model, mechanism, state, rod, now);
    std::fill(now.begin(), now.end(), 0.0);
    discrete::carry_plastic(discrete::joint_pieces(rods, rod), nodes.plastic, pieces.turn, false, now);
    discrete::carry_plastic(discrete::edges_as_joints(rods, rod, model.stretch_laws), nodes.plastic, pieces.stretch,
                            false, now);
    put_back(model, mechanism, pieces, now, state);
  }
}

void yield_to_nodes(const ModelData& model, const Mechanism& mechanism, const ChainState& state,
                    const discrete::ModelData& rods, discrete::RodState& nodes) {
  if (model.laws.empty()) return;
  for (int rod = 0; rod < static_cast<int>(model.rods.size()); ++rod) {
    std::vector<double> old;
    const RodPieces pieces = pieces_of(model, mechanism, state, rod, old);
    discrete::carry_plastic(pieces.turn, old, discrete::joint_pieces(rods, rod), false, nodes.plastic);
    discrete::carry_plastic(pieces.stretch, old, discrete::edges_as_joints(rods, rod, model.stretch_laws), false,
                            nodes.plastic);
  }
}

}  // namespace filum::chain
