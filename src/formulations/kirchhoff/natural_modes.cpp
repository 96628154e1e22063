#include "formulations/kirchhoff/natural_modes.hpp"

#include "base/index.hpp"
#include "formulations/discrete/mode_search.hpp"
#include "formulations/discrete/mode_shape.hpp"
#include "formulations/kirchhoff/stiffness_form.hpp"
#include "math/dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace filum::kirchhoff {

using namespace discrete;

namespace {

// Eigenvalues λ + σ within this share of each other are sorted out among themselves.
constexpr double kCluster = 1e-3;
// A motion moves freely if it deforms nothing and no stress turns with it. Round-off bends a shape a little: what that
// deforms is below the first share of the softest bending of a rod, and the stress cancels to the second, since the
// equilibrium is exact to a hundredth of it, or is no more than the third share of the stiffness, a strain that no
// equilibrium knows, or turns in the bends that round-off made and does some of their work. A pendulum on a stiff rod
// deforms as little, but nothing cancels.
constexpr double kUndeformed = 1e-7;
constexpr double kCancelled = 1e-8;
constexpr double kNoStress = 1e-12;
constexpr double kByBends = 10;
constexpr double kNothing = 1e-13;  // of the softest bending: round-off, whatever it is made of

// The mass matrix in the solver's unknowns, which are lengths: an edge's angle times its rest length, a rotor's
// rotation times the arm. Lumped: diagonal but for the inertia of bodies and of cross-sections that tilt.
class Mass {
 public:
  Mass(const ModelData& model, const RodSystem& system, const RodState& state, bool spins, int rows) : diagonal_(rows) {
    diagonal_.setZero();
    for (const RodRange& range : model.rods) {
      const auto rod = static_cast<std::size_t>(&range - model.rods.data());
      // a rod of another length is more or less of the same stock
      for (int i = 0; i < range.mesh.nodes(); ++i)
        add_node(system, range.first_node + i, state.length_factor[rod] * model.node_mass[at(range.first_node + i)]);
    }
    for (const FreeBody& body : model.bodies) add_node(system, body.node, model.node_mass[at(body.node)]);
    if (spins) {
      for (const Edge& edge : model.edges) {
        const double factor = state.length_factor[at(edge.rod)];
        diagonal_[system.node_row(edge.a) + 3] = edge.spin_inertia / (edge.rest_length * edge.rest_length * factor);
        if (edge.tilts()) add_tilt(model, system, state, edge);
      }
    }
    for (std::size_t r = 0; r < model.rotors.size(); ++r) {
      const int row = system.rotor_row(static_cast<int>(r));
      if (row < 0 || model.rotors[r].body < 0 || model.rotors[r].inertia.isZero(0)) continue;
      const Mat3 world = state.rotor[r] * model.rotors[r].inertia * state.rotor[r].transpose();
      rotors_.push_back({static_cast<int>(r), row, world / (system.rotor_arm() * system.rotor_arm())});
    }
    // what is held does not move
    free_.resize(rows);
    for (int row = 0; row < rows; ++row) free_[row] = system.is_free(row) ? 1 : 0;
  }

  // Adds `factor` times it to the tangent of the last evaluate.
  void add_to(RodSystem& system, double factor) const {
    for (Eigen::Index row = 0; row < diagonal_.size(); ++row)
      if (diagonal_[row] > 0) system.add_mass(static_cast<int>(row), factor * diagonal_[row]);
    for (const RotorMass& rotor : rotors_) system.add_rotor_mass(rotor.rotor, factor * rotor.inertia);
    for (const TiltMass& tilt : tilts_) system.add_edge_mass(tilt.edge, factor * tilt.inertia);
  }

  void times(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    y = diagonal_.cwiseProduct(x);
    for (const RotorMass& rotor : rotors_) y.segment<3>(rotor.row) += rotor.inertia * x.segment<3>(rotor.row);
    for (const TiltMass& tilt : tilts_) {
      const Vec3 pull = tilt.inertia * (x.segment<3>(tilt.b) - x.segment<3>(tilt.a));
      y.segment<3>(tilt.a) -= pull;
      y.segment<3>(tilt.b) += pull;
    }
    y = y.cwiseProduct(free_);
  }

  [[nodiscard]] const Eigen::VectorXd& diagonal() const { return diagonal_; }

 private:
  void add_node(const RodSystem& system, int node, double mass) {
    diagonal_.segment<3>(system.node_row(node)).array() += mass;
  }

  // A turn about d1 moves the end of an edge against its start along −d2, one about d2 along d1.
  void add_tilt(const ModelData& model, const RodSystem& system, const RodState& state, const Edge& edge) {
    const auto j = static_cast<std::size_t>(&edge - model.edges.data());
    const Vec3 d1 = state.frame[j].col(0);
    const Vec3 d2 = state.frame[j].col(1);
    const Vec2 mass = state.length_factor[at(edge.rod)] / state.edge[j].squaredNorm() * edge.tilt_inertia;
    tilts_.push_back({static_cast<int>(j), system.node_row(edge.a), system.node_row(edge.b),
                      mass[0] * d2 * d2.transpose() + mass[1] * d1 * d1.transpose()});
  }

  struct TiltMass {
    int edge = 0;
    int a = 0;  // rows of its nodes
    int b = 0;
    Mat3 inertia;
  };
  struct RotorMass {
    int rotor = 0;
    int row = 0;
    Mat3 inertia;
  };
  Eigen::VectorXd diagonal_;
  Eigen::VectorXd free_;
  std::vector<RotorMass> rotors_;
  std::vector<TiltMass> tilts_;
};

// Of the softest rod, as one spring, N/m.
double softest_bending(const ModelData& model) {
  double softest = std::numeric_limits<double>::infinity();
  for (const RodRange& range : model.rods)
    for (const Stiffness& s : range.edge_stiffness)
      softest = std::min(softest, bending_spring(s.EI.minCoeff(), range.mesh.length));
  return softest;
}

class RodPencil final : public ModePencil {
 public:
  RodPencil(const ModelData& model, RodSystem& system, RodState& state, const Targets& targets, bool spins)
      : ModePencil(prepared_rows(system, state)),
        model_(model),
        system_(system),
        state_(state),
        targets_(targets),
        mass_(model, system, state, spins, rows()),
        soft_(softest_bending(model)) {}

  std::vector<NaturalMode> run(int count, const Progress& progress) {
    const Modes found = search(count, progress);
    std::vector<NaturalMode> modes;
    for (Eigen::Index k = 0; k < found.eigenvalue.size(); ++k)
      modes.push_back(shape(found.eigenvalue[k], found.vectors.col(k)));
    return modes;
  }

 private:
  static int prepared_rows(RodSystem& system, const RodState& state) {
    system.track_sliders(state);
    return static_cast<int>(system.step().size());
  }

  Scales scales() const override {
    double lightest = std::numeric_limits<double>::infinity();
    for (const double m : mass_.diagonal())
      if (m > 0) lightest = std::min(lightest, m);
    return {.mass = mass_.diagonal().sum() / 3,
            .soft = soft_,
            .noise = std::numeric_limits<double>::epsilon() * system_.typical_stiffness() *
                     static_cast<double>(model_.edges.size()),
            .above_all = 1e3 * system_.typical_stiffness() / lightest};
  }

  Factored factor(double shift) override {
    system_.evaluate(state_, targets_, RodSystem::Want::TrueTangent);
    mass_.add_to(system_, shift);
    const bool done = system_.factor();
    return {done, system_.excess_negative()};
  }

  void resolve(Eigen::VectorXd& x) override {
    system_.resolve(x.data());
    for (int row = 0; row < rows(); ++row)
      if (!system_.is_primal(row)) x[row] = 0;
  }

  void weigh(const Eigen::VectorXd& x, Eigen::VectorXd& y) override { mass_.times(x, y); }

  // λ from the elements, which lose less to round-off than the matrix.
  void sort_out(double shift, Modes& modes) override {
    const Eigen::Index count = modes.vectors.cols();
    system_.evaluate(state_, targets_, RodSystem::Want::Residual);
    const StiffnessForm form(model_, system_, state_);
    modes.eigenvalue.resize(count);
    std::vector<StiffnessForm::Motion> motion;
    for (Eigen::Index k = 0; k < count; ++k) {
      motion.push_back(form.motion(modes.vectors.col(k)));
      modes.eigenvalue[k] = form(motion.back(), motion.back());
    }
    const auto height = [&](Eigen::Index k) { return modes.eigenvalue[k] + shift; };
    for (Eigen::Index first = 0, last = 1; first < count; first = last++) {
      while (last < count && height(last) < (1 + kCluster) * height(last - 1)) ++last;
      sort_out_cluster(form, motion, first, last - first, modes);
    }
    name_free_motions(form, modes);
    turn_alike(modes);
  }

  // Rayleigh and Ritz among neighbours: pairs, and motions without stiffness.
  static void sort_out_cluster(const StiffnessForm& form, const std::vector<StiffnessForm::Motion>& motion,
                               Eigen::Index first, Eigen::Index count, Modes& modes) {
    if (count < 2) return;
    Eigen::MatrixXd k(count, count);
    for (Eigen::Index i = 0; i < count; ++i)
      for (Eigen::Index j = 0; j <= i; ++j)
        k(i, j) = k(j, i) =
            form(motion[static_cast<std::size_t>(first + i)], motion[static_cast<std::size_t>(first + j)]);
    const math::SymmetricEigen ritz = math::symmetric_eigen(k);
    modes.eigenvalue.segment(first, count) = ritz.values;
    modes.vectors.middleCols(first, count) = (modes.vectors.middleCols(first, count) * ritz.vectors).eval();
  }

  // Stiffness that cannot be told from none is none.
  void name_free_motions(const StiffnessForm& form, Modes& modes) const {
    for (Eigen::Index k = 0; k < modes.eigenvalue.size(); ++k) {
      const StiffnessForm::Parts parts = form.parts(form.motion(modes.vectors.col(k)));
      const double largest = modes.vectors.col(k).cwiseAbs().maxCoeff();
      const double soft = soft_ * largest * largest;
      const bool undeformed = std::abs(parts.deforming) < kUndeformed * soft;
      const bool cancels = std::abs(parts.turning) <= kCancelled * parts.turning_size + kNoStress * parts.most +
                                                          kByBends * std::abs(parts.deforming) + kNothing * soft;
      if (undeformed && cancels) modes.eigenvalue[k] = 0;
    }
  }

  void turn_alike(Modes& modes) const {
    turn_towards_axes(modes.eigenvalue, modes.vectors, [&](const Eigen::VectorXd& x, Eigen::VectorXd& y) {
      y.setZero();
      for (int node = 0; node < model_.nodes; ++node)
        for (int axis = 0; axis < 3; ++axis) {
          const int row = system_.node_row(node) + axis;
          y[row] = (3 - axis) * mass_.diagonal()[row] * x[row];
        }
    });
  }

  NaturalMode shape(double eigenvalue, const Eigen::VectorXd& x) const {
    NaturalMode mode;
    mode.eigenvalue = eigenvalue;
    mode.frequency = eigenvalue > 0 ? std::sqrt(eigenvalue) / (2 * std::numbers::pi) : 0;
    mode.rods.resize(model_.rods.size());
    for (std::size_t r = 0; r < model_.rods.size(); ++r) add_rod(static_cast<int>(r), x, mode.rods[r]);
    turn_sections(x, mode);
    for (std::size_t r = 0; r < model_.rods.size(); ++r) {
      if (!model_.rods[r].mesh.closed) continue;
      mode.rods[r].displacement.push_back(mode.rods[r].displacement.front());
      mode.rods[r].turn.push_back(mode.rods[r].turn.front());
    }
    mode.body_displacement.assign(targets_.bodies.size(), Vec3::Zero());
    mode.body_rotation.assign(targets_.bodies.size(), Vec3::Zero());
    for (const FreeBody& body : model_.bodies) {
      mode.body_displacement[at(body.body)] = x.segment<3>(system_.node_row(body.node));
      if (const int row = system_.rotor_row(body.rotor); row >= 0)
        mode.body_rotation[at(body.body)] = x.segment<3>(row) / system_.rotor_arm();
    }
    normalise(mode, model_.size);
    return mode;
  }

  // Displacements of nodes; turns of nodes as the mean of the edges beside them.
  void add_rod(int rod, const Eigen::VectorXd& x, NaturalMode::RodShape& shape) const {
    const RodRange& range = model_.rods[at(rod)];
    const RodMesh& mesh = range.mesh;
    for (int i = 0; i < mesh.nodes(); ++i) {
      shape.displacement.push_back(x.segment<3>(system_.node_row(range.first_node + i)));
      double turn = 0;
      int sides = 0;
      const int before = i > 0 ? i - 1 : (mesh.closed ? mesh.edges() - 1 : -1);
      const int after = i < mesh.edges() ? i : -1;
      for (const int j : {before, after}) {
        if (j < 0) continue;
        const Edge& edge = model_.edges[at(range.first_edge + j)];
        turn += x[system_.node_row(edge.a) + 3] / (edge.rest_length * state_.length_factor[at(rod)]);
        ++sides;
      }
      shape.turn.push_back(turn / sides);
    }
  }

  // Where something grips a cross-section, that is what turns the node.
  void turn_sections(const Eigen::VectorXd& x, NaturalMode& mode) const {
    for (const Joint& joint : model_.joints) {
      const Side& section = joint.left.is_edge() ? joint.right : joint.left;
      if (section.is_edge()) continue;
      const int rotor = model_.sections[at(section.section)].rotor;
      const int row = system_.rotor_row(rotor);
      const Vec3 rotation = row < 0 ? Vec3::Zero() : Vec3(x.segment<3>(row) / system_.rotor_arm());
      const Vec3 t = side_frame(model_, state_, section, 0).col(2);
      mode.rods[at(joint.rod)].turn[at(joint.node - model_.rods[at(joint.rod)].first_node)] = rotation.dot(t);
    }
  }

  const ModelData& model_;
  RodSystem& system_;
  RodState& state_;
  const Targets& targets_;
  Mass mass_;
  double soft_ = 0;
};

}  // namespace

std::vector<NaturalMode> natural_modes(const ModelData& model, RodSystem& system, RodState& state,
                                       const Targets& targets, bool spins, int count, const Progress& progress) {
  return RodPencil(model, system, state, targets, spins).run(count, progress);
}

}  // namespace filum::kirchhoff
