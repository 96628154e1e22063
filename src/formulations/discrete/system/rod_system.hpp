// Energy, residual and tangent of a Kirchhoff model at a state, and the linear solve with them.
//
// Every unknown is a length: an edge's angle is multiplied by the edge's rest length, a rotor's rotation by the model's
// mean edge length, a multiplier divided by a stiffness. So pivots compare, one shift suits all, and units do not
// matter.
//
// The axial force is Newton's own unknown (condensed: same matrix): the geometric stiffness uses RodState::tension, the
// residual the true strain. A linear step lengthens the edges it turns, and this keeps the spurious tension of that out
// of the next matrix.
#pragma once

#include "formulations/discrete/balance.hpp"
#include "formulations/discrete/body_contact.hpp"
#include "formulations/discrete/discrete_model.hpp"
#include "formulations/discrete/discrete_sample.hpp"
#include "formulations/discrete/mobility.hpp"
#include "formulations/discrete/motion_terms.hpp"
#include "formulations/discrete/obstacle_contact.hpp"
#include "formulations/discrete/rod_contact.hpp"
#include "formulations/discrete/rod_state.hpp"
#include "formulations/discrete/side_frame.hpp"
#include "formulations/discrete/slider.hpp"
#include "formulations/discrete/tangent.hpp"
#include "formulations/formulation.hpp"
#include "rod/edge.hpp"
#include "rod/joint_step.hpp"
#include "rod/plastic_joint.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace filum::discrete {

using discrete::Balance;

// A stretch of a rod in a step that keeps energy, the forces and blocks of an edge: step_chunk.hpp.
struct StepChunk;
template <class T>
struct EdgeForceOf;
template <class T>
struct EdgeBlocks;

struct LayStep;

class RodSystem {
 public:
  // The matrix is symmetric for conservative statics and for integrators that evaluate the end of a step.
  enum class Symmetry { Conservative, None };
  explicit RodSystem(const ModelData& model, Symmetry symmetry = Symmetry::Conservative);
  ~RodSystem();

  // From now on inertia and damping act too; null: at rest. The motion must outlive its use.
  void set_motion(const Motion* motion) {
    motion_ = motion;
    laws_found_ = false;
  }

  [[nodiscard]] const std::vector<Component>& components() const { return components_; }

  // Fills residual (and tangent), refreshes the state's unwrapped twists. The geometric stiffness has Newton's axial
  // force or, in `TrueTangent`, the true one.
  enum class Want { Residual, NewtonTangent, TrueTangent };
  Balance evaluate(RodState& state, const Targets& targets, Want want);

  // Solves for the step from the last evaluate with a tangent; `shift` is added to the diagonal of all primal unknowns.
  // False if the matrix was not finite.
  bool solve(double shift);
  // The factor alone.
  bool factor_shifted(double shift);

  // Where rods yield. `Off`: elastic from what is remembered on. `Elastic`: with the elastic tangent, since a rod that
  // yielded last may as well be unloaded now.
  enum class Yield { Off, Elastic, On };
  void set_yield(Yield yield) { yield_ = yield; }
  // The largest part of the last step by which no joint is strained too far at a time.
  // `rotation`: the largest that the step asks for.
  [[nodiscard]] double largest_part(const RodState& state, double rotation) const;
  // Stretch: an increment begins with edges that do not yield (false: no rod ever does). Those which a balance finds
  // beyond yield do so from then on; true if there are any, and balance is to be sought anew.
  bool begin_increment() {
    std::fill(stretch_yields_.begin(), stretch_yields_.end(), 0);
    edges_yield_ = false;
    return !stretch_yields_.empty();
  }
  bool find_stretched(const RodState& state);

  // Negative pivots beyond those of the constraint rows: 0 at a strict minimum.
  [[nodiscard]] int excess_negative() const;

  // Moves the state, which is that of the last evaluate, by `factor` times the last step. `far`: it turns something so
  // far that a moving rod is not to be put together from edges of the right length.
  void advance(RodState& state, double factor, bool far = false);

  // Largest rotation of an edge or rotor that the last step asks for, rad. `state`: as last evaluated.
  [[nodiscard]] double largest_rotation(const RodState& state) const;

  // What of the last step may be taken at rest lest something goes through an obstacle or a rod.
  [[nodiscard]] double free_share(const RodState& state);
  // Something holds rods off.
  [[nodiscard]] bool touching() const { return contact_.acts() || rod_contact_.acts(); }
  // At rest: before the search for an equilibrium from `state`, before one that has been found is evaluated once more, when
  // one has been found; and whether friction holds it.
  void begin_contact(RodState& state, const Targets& targets, const std::vector<Vec3>& start);
  void begin_contact_as_it_is(RodState& state, const Targets& targets);
  void end_contact(RodState& state);
  [[nodiscard]] bool rubbing(const RodState& state) const {
    return contact_.rubbing(state) || rod_contact_.rubbing(state);
  }

  // Force of nodes' surroundings on them: the residual before holds are struck out. For reactions.
  [[nodiscard]] Vec3 node_residual(int node) const { return node_force_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] Vec3 rotor_residual(int rotor) const { return rotor_moment_[static_cast<std::size_t>(rotor)]; }
  // What the part of the rod beyond the middle of an edge does to the part before, N.
  [[nodiscard]] Vec3 edge_force(int edge) const { return edge_force_[static_cast<std::size_t>(edge)]; }
  // The axial force that acted, Newton's prediction apart.
  [[nodiscard]] double axial_force(int edge) const { return axial_force_[static_cast<std::size_t>(edge)]; }
  [[nodiscard]] const rod::JointStrain& strain(int joint) const { return strain_[static_cast<std::size_t>(joint)]; }

  // All that, as of the last evaluate.
  [[nodiscard]] Internals internals(const Balance& balance) const {
    return {strain_,     edge_force_,   axial_force_,    axial_change_,  half_turn_,
            node_force_, rotor_moment_, balance.elastic, balance.gravity};
  }

  // The step as one vector in the solver's unknowns: for nudging along a softest direction.
  [[nodiscard]] std::vector<double>& step() { return step_; }
  [[nodiscard]] double size() const { return model_.size; }
  [[nodiscard]] double typical_stiffness() const { return stiffness_scale_; }
  // Of a node in the softest bending mode of a rod (of the stiffest among several), N/m.
  [[nodiscard]] double soft_stiffness() const { return soft_stiffness_; }
  [[nodiscard]] bool is_primal(int row) const { return primal_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] bool is_free(int row) const { return !fixed_[static_cast<std::size_t>(row)]; }

  // The largest multiplier: how much a violated constraint weighs against energy, N.
  [[nodiscard]] double largest_multiplier(const RodState& state) const;
  // ∂energy/∂s of a slider's arc length: what a stop at the rod's end has to hold.
  [[nodiscard]] double slide_pull(int slider) const { return stop_pull_[static_cast<std::size_t>(slider)]; }

  // Obstacles, and rods, that hold rods off: told when a step begins and ends.
  [[nodiscard]] ObstacleContact& contact() { return contact_; }
  [[nodiscard]] RodContact& rod_contact() { return rod_contact_; }
  [[nodiscard]] BodyContact& body_contact() { return body_contact_; }
  [[nodiscard]] bool contacts_have_links() const {
    return !rod_contact_.empty() || !body_contact_.empty() || contact_.has_links();
  }
  // After rods have come to touch elsewhere, the pattern of the matrix is made anew.
  void track_contacts();

  // Lets go of a stopped slider that is pulled back from the rod's end; `advance` stops them.
  void release_stops(RodState& state) const;

  // After a slider has moved to other nodes, the pattern of the matrix is made anew.
  void track_sliders(const RodState& state);

  // For eigenvalue problems: the first rows of things (−1: wholly fixed), and the tangent of the last evaluate with a
  // mass added, factored once for many right-hand sides, which must be nil in held rows.
  [[nodiscard]] int node_row(int node) const { return node_row_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] int rotor_row(int rotor) const;
  [[nodiscard]] int slider_row(int slider) const;
  [[nodiscard]] double rotor_arm() const { return arm_; }
  void add_mass(int row, double amount) { tangent_.add_at(row, amount); }
  void add_rotor_mass(int rotor, const Mat3& amount);
  void add_edge_mass(int edge, const Mat3& amount);  // on the difference of its nodes' displacements
  bool factor();
  void resolve(double* x) const { tangent_.solve(x); }

 private:
  void analyse();
  void find_slots();
  [[nodiscard]] std::vector<int> elimination_order(int blocks) const;
  [[nodiscard]] static int meeting_node(int nodes);
  void mark_fixed();
  void prepare_tangent(double shift);
  void add_rod(int rod, RodState& state, const Targets& targets, Want want, Balance& balance);
  void add_node(const RodState& state, int node, const Vec3& gravity, Balance& balance);
  void find_rows();
  void find_least_yield();
  void put_odd_end(int odd, bool at_start, int row);
  void add_joints(RodState& state, int first, int count, Balance& balance);
  void add_edge_force(int index, const EdgeForceOf<double>& force);
  template <class T>
  void scatter_edges(const EdgeBlocks<T>& blocks, int first, int count);
  template <class T>
  void scatter_alike(const EdgeBlocks<T>& blocks, int first, int begin, int end);
  void scatter_edge_alone(const EdgeBlocks<double>& blocks, int index);
  void scatter_coupling(const Joint& joint, const rod::Mat4& ab, const rod::Mat4& ba);
  void scatter_rotor(const Joint& joint, const Eigen::Matrix<double, 4, 3>& h, const rod::Mat34& back);
  // rod_system_instant.cpp
  void begin_instant_edges(const RodState& state, int first, int count, Balance& balance);
  void yield_instant_edges(const RodState& state, int first, int count);
  void add_instant_spins(const RodState& state, int first, int count);
  void measure_instant_joints(RodState& state, int begin, int count, int joint, Balance& balance);
  [[nodiscard]] rod::JointYield yield_instant_joint(const RodState& state, int joint, Balance& balance);
  void add_instant_joints(RodState& state, int begin, int count, int joint, Balance& balance);
  void end_instant_edges(int first, int begin, int last);
  void add_odd_instant_joint(RodState& state, int index, Balance& balance);
  void scatter_odd_instant(const RodState& state, const Joint& joint, const Mat3& stiffness, const Mat3& coupling);
  rod::Mat4 add_lay(const RodState& state, int index);
  // What joints are made of depends on the state, or on the step.
  [[nodiscard]] bool elasticity_changes() const { return model_.laid || (motion_ != nullptr && model_.damped); }
  // rod_system_step.cpp
  void begin_edges(const RodState& state, int first, int count);
  void add_edge_yields(const RodState& state, int first, int count);
  void add_section_spins(const RodState& state, int first, int count);
  void find_step_laws(const RodState& state);
  void add_joint_rows(RodState& state, int begin, int count, int joint);
  void end_edges(int first, int begin, int last);
  struct OddSide;
  void add_odd_joint(RodState& state, int index);
  [[nodiscard]] OddSide odd_side(const RodState& state, const Side& side) const;
  [[nodiscard]] rod::StepLaw step_law(const RodState& state, int joint) const;
  Mat3 relieve(const RodState& state, int joint, rod::StepLaw& law);
  void relieve_rows(const RodState& state, int begin, int count, int joint);
  void scatter_conserving_side(const Joint& joint, const rod::JointStepTangent& t, const OddSide& edge);
  LayStep lay_step(const RodState& state, const rod::JointStep& step, int joint);
  void add_lay_rows(const RodState& state, int begin, int count, int joint);
  void scatter_lay_rotor(const Joint& joint, const LayStep& lay);
  [[nodiscard]] bool conserving() const { return motion_ != nullptr && motion_->conserving; }
  // Joints' moments are Newton's own unknowns, where what acts stays the same from iteration to iteration: not of laid
  // ropes, not of joints that yield (`softens_`), not while rods touch rods, where contacts come and go.
  [[nodiscard]] bool foresees_moments() const { return conserving() && !model_.laid; }
  [[nodiscard]] bool assumes_moments() const {
    return foresees_moments() && !(rod_contact_.acts() && rod_contact_.touches());
  }
  // That of joint k for the matrix.
  [[nodiscard]] const Vec3& assumed_moment(const RodState& state, std::size_t k) const {
    return softens_[k] != 0 ? acted_[k] : state.joint_moment[k];
  }
  void add_loads(const RodState& state, const Targets& targets, Balance& balance);
  void add_ties(const RodState& state, Balance& balance);
  void add_sliders(const RodState& state, const Targets& targets, Balance& balance);
  // rod_system_sliders.cpp
  void connect_carried(int slider, math::BlockGraph& graph) const;
  void add_grip(int slider, const RodState& state, const Targets& targets, Balance& balance);
  [[nodiscard]] GripAct grip_act(int slider, const RodState& state, const Targets& targets, const GripPoint& end,
                                 CarriedGrip& grip) const;
  void add_grip_tangent(int slider, const GripAct& act, const CarriedGrip& grip, const SliderFriction* slides);
  void add_contact(const ContactTerm& touch, const RodState& state);
  struct OutlineBlocks;
  [[nodiscard]] OutlineBlocks outline_blocks(const ContactTerm& touch, const RodState& state) const;
  void add_outline_contact(const ContactTerm& touch, const RodState& state);
  void add_outline_turn(const ContactTerm& touch, const OutlineBlocks& blocks);
  void measure_torques(const RodState& state);
  void add_contact_turn(const ContactTerm& touch, int t);
  void add_turn_blocks(int a, int b, const Mat3& m, const Mat3& back);
  void connect_contact(int a, int b, math::BlockGraph& graph) const;
  void add_inertia(const RodState& state, int node);
  void add_rotor_spin(const RodState& state);
  void gather_residual(Balance& balance);
  [[nodiscard]] bool hangs(int rod, bool far) const;
  void hang(int rod, RodState& state) const;
  void hang_from_root(int rod, RodState& state) const;
  void advance_edges(int rod, RodState& state, double factor, bool far);
  void turn_edges(const RodRange& range, RodState& state);
  [[nodiscard]] Vec3 side_rotation(const RodState& state, const Side& side) const;
  [[nodiscard]] Vec3 node_step(int node) const {
    return Eigen::Map<const Vec3>(step_.data() + node_row_[static_cast<std::size_t>(node)]);
  }
  [[nodiscard]] Vec3 rotor_step(int rotor) const;  // rad
  [[nodiscard]] int rotor_block(int rotor) const { return rotor_block_[static_cast<std::size_t>(rotor)]; }

  const ModelData& model_;
  std::vector<Component> components_;
  Tangent tangent_;
  bool symmetric_ = true;
  bool want_tangent_ = false;
  Yield yield_ = Yield::On;
  const Motion* motion_ = nullptr;
  ObstacleContact contact_;
  RodContact rod_contact_;
  BodyContact body_contact_;
  std::vector<std::pair<int, int>> links_;  // pairs of nodes that rod contacts connect

  // layout of the unknowns
  std::vector<int> node_row_;     // first row of a node's block; its angle at +3 if it starts an edge
  std::vector<int> tie_row_;      // per tie: first row of its multiplier, within the slave's block
  std::vector<int> rotor_block_;  // −1: wholly fixed
  std::vector<int> slider_block_;
  std::vector<SliderSupport> slider_support_;
  std::vector<std::vector<int>> slider_window_;  // per slider: the nodes its block may touch
  std::vector<char> fixed_;                      // per row
  std::vector<char> primal_;                     // per row: position, angle, rotation, slide
  std::vector<char> mobile_;                     // per row: of a rod that could still move as a rigid body
  bool moves_ = false;                           // there are such rows
  int constraint_rows_ = 0;
  double arm_ = 1;              // mean edge length: the scale of rotor rotations
  double stiffness_scale_ = 1;  // largest EA/l: the scale of multipliers
  double soft_stiffness_ = 1;
  double soft_force_ = 0;               // EI/L² of the stiffest rod, N
  double largest_axial_ = 0;            // EA, N
  double largest_bending_ = 0;          // of a joint, N·m
  double largest_spin_ = 0;             // inertia of an edge or a body about an axis of its own, kg·m²
  std::vector<double> spin_stiffness_;  // per edge: GJ/l as a stiffness of its angle

  // where the blocks of an edge (nodes a, b) lie, and the block (a, c) of a joint of two edges (nodes a, b, c)
  struct EdgeSlots {
    math::Slot aa, bb;
    Tangent::Pair ab;
  };
  std::vector<EdgeSlots> edge_slots_;
  std::vector<Tangent::Pair> joint_slot_;

  std::vector<char> stretch_yields_;                                            // per edge, where rods yield
  bool edges_yield_ = false;                                                    // one of them does
  Vec2 least_yield_ = Vec2::Constant(std::numeric_limits<double>::infinity());  // bend and twist of a joint, rad
  double shortest_edge_ = 0;                                                    // unstretched
  // per edge, where rods are laid: what twist adds to its force, N, by how much that grows with its length, N/m, and to
  // its own block
  std::vector<double> lay_pull_;
  std::vector<double> lay_rate_;
  std::vector<rod::Mat4> lay_own_;
  bool true_tension_ = false;  // in the matrix, not Newton's own
  double spent_ = 0;           // by what yields in the increment, J

  // Which joints lie in a row with their edges, and the others.
  std::unique_ptr<StepChunk> chunk_;
  bool laws_found_ = false;                  // of this motion
  std::vector<rod::StepLaw> step_law_;       // per joint: but for what yields at the step's end
  std::vector<char> has_yielded_;            // per joint: before the step
  bool tilts_ = false;                       // cross-sections have inertia about all their axes
  std::vector<char> in_row_;                 // per joint: it joins an edge with the next
  std::vector<int> start_joint_;             // per edge: the joint of that kind at its start, or −1
  std::vector<int> odd_start_, odd_finish_;  // per edge: another joint at its start, at its end: an odd one, or −1
  std::vector<char> blocks_lie_;  // per edge: how its blocks lie in the matrix; 0: they are to be added one by one

  // per evaluation
  std::vector<rod::JointStrain> strain_;
  std::vector<Vec3> acted_;         // per joint: components of the moment that acted over the step
  std::vector<char> softens_;       // per joint: it yields
  std::vector<double> per_length_;  // 1/|e|
  std::vector<Vec3> edge_force_;
  std::vector<double> axial_force_;
  std::vector<Vec3> axial_gradient_;  // ∂(axial force)/∂e
  std::vector<double> axial_change_;  // of averaged tension
  std::vector<double> half_turn_;     // per edge, where moments are averaged: tan(α/2) of its turn about itself
  std::vector<Vec3> node_force_;
  std::vector<double> node_force_sum_;
  std::vector<Vec3> rotor_moment_;
  std::vector<Vec3> rotor_turn_;  // of a step that keeps energy: Cayley's vector
  std::vector<double> rotor_moment_sum_;
  std::vector<double> stop_pull_;
  std::vector<double> step_;
  std::vector<Vec3> moved_;       // per node: where the step leads
  std::vector<double> turn_;      // per edge: about itself, as it is moved; or its length then
  std::vector<Vec3> whole_turn_;  // per edge: about all axes, as it is moved
  struct Largest {
    double moment = 0;      // left unbalanced on an edge
    double moment_sum = 0;  // of magnitudes on an edge
    double inertia = 0;     // (c m |x|)²: round-off leaves its share of c m |x| in a difference of positions
    double slide_pull = 0;  // tangential force left on a slider
    double contact = 0;     // round-off of a contact force, N
  };
  Largest largest_;
};

}  // namespace filum::discrete
