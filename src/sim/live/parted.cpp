#include "sim/live/parted.hpp"

#include "base/index.hpp"
#include "formulations/discrete/discrete_transfer.hpp"
#include "scene/lookup.hpp"

#include <filum/edit.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace filum::sim {

namespace {

constexpr int kLeastSegments = 2;  // of a piece
constexpr double kSamePlace = 1e-9;

// A rod of the cut scene: which one of the whole it is of, and from where to where, shares of it.
struct Piece {
  int rod = 0;
  double from = 0;
  double to = 1;
};

struct CutScene {
  Scene scene;
  std::vector<Piece> pieces;  // per rod of it
};

// The nodes of a piece, as shares of it.
std::vector<double> nodes_between(const std::vector<double>& nodes, double from, double to) {
  std::vector<double> inside;
  for (const double s : nodes)
    if (s > from - kSamePlace && s < to + kSamePlace) inside.push_back((s - from) / (to - from));
  if (inside.size() > 1) inside.front() = 0, inside.back() = 1;
  return inside;
}

// The scene with its parted rods cut, the pieces of each one behind the other.
Result<CutScene> cut_scene(const Scene& whole, const std::vector<Parting>& partings) {
  CutScene cut{whole, {}};
  Scene& scene = cut.scene;
  // what only a whole scene has, and no model looks at
  scene.drivers.clear();
  scene.routing.clear();
  scene.wires.clear();
  scene.record.probes.clear();
  for (Rod& rod : scene.rods) rod.spin.setZero();
  for (std::size_t r = 0; r < whole.rods.size(); ++r) {
    const auto parting =
        std::find_if(partings.begin(), partings.end(), [&](const Parting& p) { return p.rod == whole.rods[r].name; });
    if (parting == partings.end()) {
      cut.pieces.push_back({static_cast<int>(r), 0, 1});
      continue;
    }
    const double length = scene::rod_length(whole.rods[r]);
    // from the last cut to the first: what is left keeps the name and its arc lengths
    for (std::size_t k = parting->cuts.size(); k-- > 0;) {
      const std::string name = parting->rod + " beyond " + std::to_string(k + 1);
      const std::string joint = "parting of " + name;
      const double s = parting->cuts[k] * length;
      if (Status done = edit::split(scene, parting->rod, {0, s}, name, joint); !done) return done.error();
      std::erase_if(scene.junctions, [&](const Junction& junction) { return junction.name == joint; });
    }
    const int first = index_of(scene.rods, parting->rod);
    for (std::size_t k = 0; k <= parting->cuts.size(); ++k) {
      const double from = k > 0 ? parting->cuts[k - 1] : 0;
      const double to = k < parting->cuts.size() ? parting->cuts[k] : 1;
      Rod& rod = scene.rods[at(first) + k];
      rod.length = (to - from) * length;
      rod.piece = RodPiece{parting->rod, from, to, nodes_between(parting->nodes, from, to)};
      rod.segments = std::max(1, static_cast<int>(rod.piece->nodes.size()) - 1);
      cut.pieces.push_back({static_cast<int>(r), from, to});
    }
  }
  return cut;
}

// Scratch of the model underneath, and the targets as it has them.
struct PartedWorkspace final : Workspace {
  explicit PartedWorkspace(std::unique_ptr<Workspace> of) : inner(std::move(of)) {}
  std::unique_ptr<Workspace> inner;
  Targets targets;
};

class PartedModel final : public Model {
 public:
  PartedModel(const Scene& whole, CutScene cut, std::unique_ptr<Model> inner)
      : whole_(whole), cut_(std::move(cut)), inner_(std::move(inner)) {}

  [[nodiscard]] const Model& inner() const { return *inner_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return cut_.pieces; }

  [[nodiscard]] std::unique_ptr<Workspace> workspace() const override {
    return std::make_unique<PartedWorkspace>(inner_->workspace());
  }
  [[nodiscard]] std::unique_ptr<State> start(const Targets& targets) const override {
    return inner_->start(split(targets));
  }
  SolveReport solve(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    return inner_->solve(inner_of(workspace), state, split(workspace, targets), progress);
  }
  SolveReport nudge(Workspace& workspace, State& state, const Targets& targets,
                    const Progress& progress) const override {
    return inner_->nudge(inner_of(workspace), state, split(workspace, targets), progress);
  }
  StepReport step(Workspace& workspace, State& state, const Targets& targets, double dt) const override {
    return inner_->step(inner_of(workspace), state, split(workspace, targets), dt);
  }
  [[nodiscard]] double peak_pulls(const State& state) const override { return inner_->peak_pulls(state); }
  void take_peaks(State& state, const State& looked) const override { inner_->take_peaks(state, looked); }
  [[nodiscard]] double longest_step() const override { return inner_->longest_step(); }
  [[nodiscard]] double longest_step_from(const State& state) const override { return inner_->longest_step_from(state); }
  [[nodiscard]] std::unique_ptr<State> carry_over(const Model& other, const State& state,
                                                  const Targets& targets) const override {
    const auto* parted = dynamic_cast<const PartedModel*>(&other);
    return inner_->carry_over(parted != nullptr ? *parted->inner_ : other, state, split(targets));
  }
  [[nodiscard]] std::unique_ptr<State> unpack(std::span<const double> values, const Targets& targets) const override {
    return inner_->unpack(values, split(targets));
  }
  [[nodiscard]] Targets where_it_is(const State& state, const Targets& targets) const override {
    Targets found = inner_->where_it_is(state, split(targets));
    found.rod_length = targets.rod_length;
    return found;
  }

  [[nodiscard]] Pose sample(Workspace& workspace, const State& state, const Targets& targets) const override {
    Pose pose = inner_->sample(inner_of(workspace), state, split(workspace, targets));
    std::vector<RodPose> pieces = std::exchange(pose.rods, std::vector<RodPose>(whole_.rods.size()));
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const Piece& piece = cut_.pieces[k];
      if (piece.from == 0)
        pose.rods[at(piece.rod)] = std::move(pieces[k]);
      else
        append(pose.rods[at(piece.rod)], std::move(pieces[k]), begin_of(piece, targets));
    }
    for (std::size_t h = 0; h < pose.holds.size(); ++h)
      pose.holds[h].s += begin_of(piece_of(cut_.scene.holds[h].rod), targets);
    for (ContactPose& contact : pose.contacts)
      for (ContactSide* side : {&contact.a, &contact.b}) {
        if (side->rod < 0) continue;
        const Piece& piece = cut_.pieces[at(side->rod)];
        side->s += begin_of(piece, targets);
        side->rod = piece.rod;
      }
    return pose;
  }

  [[nodiscard]] std::vector<Event> events(const State& state) const override {
    std::vector<Event> list = inner_->events(state);
    for (Event& event : list) {
      const auto rename = [&](std::string& rod) {
        const int index = index_of(cut_.scene.rods, rod);
        if (index < 0) return;
        const Piece& piece = cut_.pieces[at(index)];
        event.from.s += piece.from * scene::rod_length(whole_.rods[at(piece.rod)]);
        rod = whole_.rods[at(piece.rod)].name;
      };
      if (event.object.kind == ObjectKind::Rod)
        rename(event.object.name);
      else if (!event.rod.empty())
        rename(event.rod);
    }
    return list;
  }

 private:
  static Workspace& inner_of(Workspace& workspace) { return *static_cast<PartedWorkspace&>(workspace).inner; }

  // The targets of the pieces: lengths in proportion, all else as it is.
  void split(const Targets& targets, Targets& out) const {
    out = targets;
    out.rod_length.resize(cut_.pieces.size());
    for (std::size_t k = 0; k < cut_.pieces.size(); ++k)
      out.rod_length[k] = (cut_.pieces[k].to - cut_.pieces[k].from) * targets.rod_length[at(cut_.pieces[k].rod)];
  }
  [[nodiscard]] Targets split(const Targets& targets) const {
    Targets out;
    split(targets, out);
    return out;
  }
  const Targets& split(Workspace& workspace, const Targets& targets) const {
    Targets& out = static_cast<PartedWorkspace&>(workspace).targets;
    split(targets, out);
    return out;
  }

  [[nodiscard]] const Piece& piece_of(const std::string& rod) const {
    return cut_.pieces[at(index_of(cut_.scene.rods, rod))];
  }
  static double begin_of(const Piece& piece, const Targets& targets) {
    return piece.from * targets.rod_length[at(piece.rod)];
  }

  // A piece behind what there is of the rod.
  static void append(RodPose& rod, RodPose piece, double begin) {
    for (double& s : piece.s) s += begin;
    // the same place to the last bit: there it has parted
    piece.s.front() = rod.s.back();
    const auto add = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
    add(rod.s, piece.s);
    add(rod.position, piece.position);
    add(rod.velocity, piece.velocity);
    add(rod.frame, piece.frame);
    add(rod.curvature, piece.curvature);
    add(rod.twist, piece.twist);
    add(rod.axial_force, piece.axial_force);
    add(rod.moment, piece.moment);
    add(rod.plastic, piece.plastic);
    add(rod.plastic_stretch, piece.plastic_stretch);
    add(rod.yield, piece.yield);
    add(rod.outline, piece.outline);
    rod.length += piece.length;
    rod.turns += piece.turns;
    rod.writhe += piece.writhe;
    if (piece.min_bend_radius.value < rod.min_bend_radius.value)
      rod.min_bend_radius = {piece.min_bend_radius.value, begin + piece.min_bend_radius.s};
    if (piece.peak_tension.value > rod.peak_tension.value)
      rod.peak_tension = {piece.peak_tension.value, begin + piece.peak_tension.s};
  }

  Scene whole_;
  CutScene cut_;
  std::unique_ptr<Model> inner_;
};

class PartedFormulation final : public Formulation {
 public:
  PartedFormulation(std::shared_ptr<const Formulation> whole, std::vector<Parting> partings)
      : whole_(std::move(whole)), partings_(std::move(partings)) {}

  [[nodiscard]] bool supports(Feature feature) const override {
    return feature != Feature::NaturalModes && feature != Feature::SharedEquilibria && whole_->supports(feature);
  }
  [[nodiscard]] std::vector<scene::Problem> check(const Scene& scene) const override { return whole_->check(scene); }
  [[nodiscard]] std::vector<scene::Problem> check_motion(const Scene& scene) const override {
    return whole_->check_motion(scene);
  }
  [[nodiscard]] std::unique_ptr<Model> compile(const Scene& scene) const override {
    Result<CutScene> cut = cut_scene(scene, partings_);
    // an edit since that leaves no such pieces: they are one again
    if (!cut) return whole_->compile(scene);
    std::unique_ptr<Model> inner = whole_->compile(cut->scene);
    return std::make_unique<PartedModel>(scene, std::move(*cut), std::move(inner));
  }

 private:
  std::shared_ptr<const Formulation> whole_;
  std::vector<Parting> partings_;
};

// The nodes of a rod of a model, as shares of it; none if it has no nodes.
std::vector<double> nodes_of(const Model& model, int rod) {
  std::vector<double> shares;
  const auto* parted = dynamic_cast<const PartedModel*>(&model);
  const auto* nodes = dynamic_cast<const discrete::NodeModel*>(parted != nullptr ? &parted->inner() : &model);
  if (nodes == nullptr) return shares;
  const std::vector<Piece> whole{{rod, 0, 1}};
  const std::vector<Piece>& pieces = parted != nullptr ? parted->pieces() : whole;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (pieces[k].rod != rod) continue;
    const discrete::RodMesh& mesh = nodes->data().rods[parted != nullptr ? k : at(rod)].mesh;
    for (int i = pieces[k].from > 0 ? 1 : 0; i < mesh.nodes(); ++i)
      shares.push_back(pieces[k].from + (pieces[k].to - pieces[k].from) * mesh.s[at(i)] / mesh.length);
  }
  return shares;
}

}  // namespace

std::shared_ptr<const Formulation> part_rods(std::shared_ptr<const Formulation> whole, std::vector<Parting> partings) {
  if (partings.empty()) return whole;
  return std::make_shared<PartedFormulation>(std::move(whole), std::move(partings));
}

Result<std::vector<Parting>> with_cut(const Scene& scene, const Model& model, int rod, double& share,
                                      std::vector<Parting> partings) {
  const std::string& name = scene.rods[at(rod)].name;
  auto parting = std::find_if(partings.begin(), partings.end(), [&](const Parting& p) { return p.rod == name; });
  if (parting == partings.end()) parting = partings.insert(partings.end(), {name, {}, {}});
  parting->nodes = nodes_of(model, rod);
  const std::vector<double>& nodes = parting->nodes;
  // of the pieces so far the one that holds it, and in it the nearest node that leaves enough on both sides
  std::vector<std::size_t> ends{0};
  for (const double cut : parting->cuts)
    ends.push_back(
        static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), cut - kSamePlace) - nodes.begin()));
  ends.push_back(nodes.empty() ? 0 : nodes.size() - 1);
  double best = std::numeric_limits<double>::infinity();
  double where = 0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    if (share < nodes[ends[k]] - kSamePlace || share > nodes[ends[k + 1]] + kSamePlace) continue;
    for (std::size_t i = ends[k] + kLeastSegments; i + kLeastSegments <= ends[k + 1]; ++i)
      if (std::abs(nodes[i] - share) < best) best = std::abs(nodes[i] - share), where = nodes[i];
  }
  if (!(where > 0)) return Error{ErrorCode::NotSupported, "its piece has too few segments to part", {}};
  parting->cuts.insert(std::lower_bound(parting->cuts.begin(), parting->cuts.end(), where), where);
  const Result<CutScene> cut = cut_scene(scene, partings);
  if (!cut) return cut.error();
  share = where;
  return partings;
}

}  // namespace filum::sim
