// Energy, residual and tangent of a spline model at a state, and the linear solve with them.
//
// Every unknown is a length: an angle or a rotation is multiplied by the mean width of a segment, a multiplier divided
// by a stiffness. So pivots compare, one shift suits all, and units do not matter. A block holds a control point, the
// angle of the node next to it and the multipliers of what grips there, so that the matrix is that of a band.
//
// The axial force is Newton's own unknown (condensed: same matrix), as in the Kirchhoff formulation: the geometric
// stiffness uses SplineState::tension, the residual the true strain.
#pragma once

#include "body/spin_inertia.hpp"
#include "formulations/discrete/balance.hpp"
#include "formulations/discrete/tangent.hpp"
#include "formulations/formulation.hpp"
#include "formulations/spline/spline_model.hpp"
#include "formulations/spline/spline_motion.hpp"
#include "formulations/spline/spline_plastic.hpp"
#include "formulations/spline/spline_state.hpp"
#include "rod/bending_step.hpp"
#include "rod/carried_twist.hpp"
#include "rod/spline_strain.hpp"

#include <array>
#include <vector>

namespace filum::spline {

using discrete::Balance;

// Where a slider grips: r = Σ value P, r′ and r″ of the legs, from this control point on.
struct SliderPlace {
  rod::SplineBasis basis;
  int first = 0;
};
[[nodiscard]] SliderPlace slider_place(const SplineModel& model, const SplineState& state, int slider);
// The point of `curve` at the arc length that `slides` has it grip.
[[nodiscard]] Vec3 slider_point(const SplineModel& model, const SplineState& curve, const SplineState& slides,
                                int slider);

class System {
 public:
  // The matrix is symmetric for conservative loads, unless the forces are averaged over a step.
  enum class Symmetry { Conservative, None };
  explicit System(const SplineModel& model, Symmetry symmetry = Symmetry::Conservative);

  // From now on inertia and damping act too; null: at rest. A motion that averages has the middle of the step as the
  // state's control points, and its frames, twists and rotors stay those of the start until `advance_to_end`. The
  // motion must outlive its use.
  void set_motion(const SplineMotion* motion);

  // Fills residual (and tangent). The geometric stiffness has Newton's axial force or, in `TrueTangent`, the true one.
  enum class Want { Residual, NewtonTangent, TrueTangent };
  Balance evaluate(const SplineState& state, const Targets& targets, Want want);

  // Solves for the step from the last evaluate with a tangent; `shift` is added to the diagonal of all primal unknowns.
  // False if the matrix was not finite.
  bool solve(double shift);

  // Moves the state, which is that of the last evaluate, by `factor` times the last step.
  void advance(SplineState& state, double factor);

  // Of a motion that averages: from the middle of the step, as last evaluated, to its end.
  void advance_to_end(SplineState& state) const;

  // Of such a motion: how fast a node spins about its tangent at the end of the step, and how far a node or the curve turns
  // in it, rad.
  [[nodiscard]] double end_spin(int node) const;
  [[nodiscard]] double step_turn() const;
  [[nodiscard]] double turn_work(int node) const { return 2 * spin_[static_cast<std::size_t>(node)].half_tan; }

  // Of a motion: how the rotor of a free body turns through the step.
  [[nodiscard]] body::SpinInertia body_spin(const SplineState& state, int rotor) const;

  // Largest rotation of the curve or of a rotor that the last step asks for, rad.
  [[nodiscard]] double largest_rotation(const SplineState& state) const;
  [[nodiscard]] double largest_multiplier(const SplineState& state) const;

  // Negative pivots beyond those of the constraint rows: 0 at a strict minimum.
  [[nodiscard]] int excess_negative() const { return tangent_.negative_pivots() - constraint_rows_; }
  [[nodiscard]] bool is_primal(int row) const { return primal_[static_cast<std::size_t>(row)] != 0; }
  [[nodiscard]] bool is_free(int row) const { return fixed_[static_cast<std::size_t>(row)] == 0; }
  std::vector<double>& step() { return step_; }

  // The mass matrix in the unknowns, which are lengths (spline_mass.cpp). `spins`: with the inertia of rods about their
  // tangents. y := M x, and `factor` times it onto the tangent of the last evaluate.
  void set_mass(const SplineState& state, bool spins);
  void weigh(const Eigen::VectorXd& x, Eigen::VectorXd& y) const;
  void add_mass(double factor);
  // Factors the tangent as it is now; x := its inverse times x.
  bool factor();
  void resolve(double* x) const { tangent_.solve(x); }

  // `factor` times the mass matrix, inertia about tangents included, with the rows of what grips, factored.
  bool factor_mass(const SplineState& state, const Targets& targets, double factor);

  // Into `step` the least change, in the norm of the mass (times `mass_factor`), by which the strains at the stretch points
  // lose `miss` and held places move by −`back` (per grip; of sections and ties nothing is looked at), while all else that
  // is gripped stays. At rest; the multipliers of the state are to be zero. False: not finite.
  bool least_change(const SplineState& state, const Targets& targets, const std::vector<double>& miss,
                    const std::vector<Vec3>& back, double mass_factor);

  // Where the unknowns of a control point, of a node's angle (times the arm) and of a rotor (likewise; −1: held) stand.
  [[nodiscard]] int control_row(int control) const { return first_row(control); }
  [[nodiscard]] int angle_row(int node) const {
    return first_row(model_.curve[static_cast<std::size_t>(node)].angle) + 3;
  }
  [[nodiscard]] int rotor_row(int rotor) const {
    const int block = rotor_block_[static_cast<std::size_t>(rotor)];
    return block < 0 ? -1 : first_row(block);
  }
  [[nodiscard]] double arm() const { return arm_; }

  // Where rods yield, as RodSystem has it. `Off`: elastic from what is remembered on; `Elastic`: with the elastic
  // tangent. An increment begins with stretch points that do not yield (false: no rod ever does, or it goes on with
  // `resume_increment`); those which a balance finds beyond yield do so from then on.
  enum class Yield { Off, Elastic, On };
  void set_yield(Yield yield) { yield_ = yield; }
  bool begin_increment();
  void resume_increment() { resumes_ = true; }
  bool find_stretched(const SplineState& state);
  // Of a step that is averaged, per segment: whether it was found to yield in bending, or may by its directors.
  [[nodiscard]] std::vector<char> bends_beyond() const;
  // Of the last step, so much that no site is strained by more than a few yield strains.
  [[nodiscard]] double largest_part(const SplineState& state, double rotation) const;

  // After a slider has moved to other control points the pattern of the matrix is made anew; stopped ones that are pulled
  // back from the rod's end are let go (spline_sliders.cpp).
  void track_sliders(const SplineState& state);
  void release_stops(SplineState& state) const;

  [[nodiscard]] double soft_stiffness() const { return soft_stiffness_; }
  [[nodiscard]] double typical_stiffness() const { return stiffness_scale_; }
  [[nodiscard]] double size() const { return model_.nodes.size; }

  [[nodiscard]] double strain_change(int stretch) const { return strain_change_[static_cast<std::size_t>(stretch)]; }

  // As of the last evaluate: true axial forces at the stretch points, what holds do to their rotors, and what each
  // gripped section gets, all on the rod.
  [[nodiscard]] const std::vector<double>& axial_force() const { return axial_; }
  [[nodiscard]] Vec3 rotor_moment(int rotor) const { return rotor_moment_[static_cast<std::size_t>(rotor)]; }
  [[nodiscard]] Vec3 section_moment(int grip) const { return section_moment_[static_cast<std::size_t>(grip)]; }

 private:
  // spline_layout.cpp
  void set_scales();
  void analyse();
  [[nodiscard]] std::vector<int> elimination_order() const;
  void mark_rows();

  // spline_assembly.cpp
  using Mat16 = Eigen::Matrix<double, 16, 16>;  // per control point: position,
                                                // then the angle beside it
  using Vec16 = Eigen::Matrix<double, 16, 1>;
  struct Element {
    Mat16 stiffness;              // not set where none is wanted
    Vec16 force = Vec16::Zero();  // gradient
    Vec16 twist = Vec16::Zero();  // of the segment's twist
    double torque = 0;
    double length_factor = 1;
  };
  [[nodiscard]] Element empty_element(double length_factor) const;
  void add_inertia(const SplineState& state, const Segment& segment, Element& element);
  void add_averaged_segment(const SplineState& state, int index, Want want, Balance& balance);
  void look_ahead(const SplineState& state);
  void turn_node(const SplineState& state, int node);
  void add_spin(const Segment& segment, int end, Element& element) const;
  void add_averaged_twist(const SplineState& state, int index, Element& element, Balance& balance);
  struct MeanYield {
    Vec3 relief = Vec3::Zero();
    Mat3 softening = Mat3::Zero();  // by the strain at the end
    double energy = 0;              // stored at the end, less the elastic
  };
  [[nodiscard]] MeanYield mean_yield(const Site& site, const SplineState& state, bool may) const;
  [[nodiscard]] bool add_round_bending(const SplineState& state, int index, Element& element, Balance& balance);
  void add_averaged_bending(const SplineState& state, int index, Element& element, Balance& balance);
  static void spread_step(const BendPoint& point, const Mat3& vv, const Mat3& va, Element& element);
  // Of a segment's bend points: forces per turn and its gradient, levers and the gradients of the torques on them.
  struct TurnProducts {
    Eigen::Matrix<double, 16, 2 * kBendPoints> left;
    Eigen::Matrix<double, 16, 2 * kBendPoints> right;
  };
  void spread_bending_step(int index, int g, const rod::BendingStep& bending, Element& element, TurnProducts& products);
  struct BendStart {
    bool known = false;
    Vec2 excess{0, 0};  // curvature beyond that at rest
    Vec2 relief{0, 0};  // what its memory takes from the moment
  };
  const BendStart& bend_start(const SplineState& state, int point, const rod::BendPlace& start, double rest_speed);
  void turn_segment(int index);
  [[nodiscard]] Vec16 carried_gradient(int index, int g) const;
  void add_averaged_stretch(const SplineState& state, int index, Want want, Element& element, Balance& balance);
  void add_segment(const SplineState& state, int index, Want want, Balance& balance);
  double unlaid(const std::vector<Vec3>& leg, const Segment& segment, Element& element) const;
  std::array<double, 2> unlaid_over_step(const Segment& segment, double length_factor, Vec16& lever,
                                         Vec16& gradient) const;
  void add_bending(const SplineState& state, int index, Element& element, Balance& balance);
  void spread(const Segment& segment, const BendPoint& point, const Mat3& turn, const rod::Mat7& h,
              Element& element) const;
  void add_stretch(const SplineState& state, int index, Want want, Element& element, Balance& balance);
  void scatter(const Segment& segment, int index, const Element& element);

  // spline_grips.cpp
  void add_loads(const SplineState& state, const Targets& targets, Balance& balance);
  void add_weight(const SplineState& state, const Targets& targets, Balance& balance);
  void push(int node, const Vec3& force);
  void add_grip(const SplineState& state, const Targets& targets, int index, Balance& balance);
  void grip_place(const SplineState& state, const Targets& targets, int index, Balance& balance);
  void grip_tie(const SplineState& state, int index, Balance& balance);
  void grip_section(const SplineState& state, int index, Balance& balance);

  // spline_sliders.cpp
  void connect_sliders(math::BlockGraph& graph);
  void add_slider(const SplineState& state, const Targets& targets, int index, Balance& balance);
  void advance_sliders(SplineState& state, double factor) const;

  // spline_moving_grips.cpp
  void grip_tie_over_step(const SplineState& state, int index, Balance& balance);
  void grip_section_over_step(const SplineState& state, int index, Balance& balance);
  void couple_section_over_step(const SplineState& state, int index, const Mat3& mean);
  void add_bodies(const SplineState& state);
  // A rotor as it acts: on average over the step, or at the instant that is evaluated.
  [[nodiscard]] Mat3 acting_rotor(const SplineState& state, int rotor) const;

  void gather_residual(Balance& balance);
  void carry_directors(SplineState& state, double factor) const;

  // Of a control point, or of what comes after them: rotors. Ghosts share the block of their own.
  [[nodiscard]] int first_row(int id) const { return tangent_.rows_before(block_[static_cast<std::size_t>(id)]); }
  [[nodiscard]] discrete::Tangent::Pair pair(int a, int b) const {
    return tangent_.pair(block_[static_cast<std::size_t>(a)], block_[static_cast<std::size_t>(b)]);
  }
  // Adds m at the rows of block a and the columns of block b, and `back` at the rows of b and the columns of a.
  template <class M, class N>
  void couple_split(int block_a, int row_a, int block_b, int row_b, const M& m, const N& back) {
    const discrete::Tangent::Pair place = pair(block_a, block_b);
    if (block_[static_cast<std::size_t>(block_a)] != block_[static_cast<std::size_t>(block_b)]) {
      tangent_.add_split(place, m, back, row_a, row_b);
      return;
    }
    tangent_.add_diagonal(place, m, row_a, row_b);
    tangent_.add_diagonal(place, back, row_b, row_a);
  }
  // Adds m there, and its mirror image.
  template <class M>
  void couple(int block_a, int row_a, int block_b, int row_b, const M& m) {
    const discrete::Tangent::Pair place = pair(block_a, block_b);
    if (block_[static_cast<std::size_t>(block_a)] != block_[static_cast<std::size_t>(block_b)]) {
      tangent_.add(place, m, row_a, row_b);
      return;
    }
    tangent_.add_diagonal(place, m, row_a, row_b);
    tangent_.add_diagonal(place, m.transpose(), row_b, row_a);
  }
  [[nodiscard]] double angle_step(int node) const;
  [[nodiscard]] bool averages() const { return motion_ != nullptr && motion_->averaged; }
  // What holds look at: the state, or the end of the step that it is the middle of.
  [[nodiscard]] const std::vector<Vec3>& gripped_control(const SplineState& state) const {
    return averages() ? end_control_ : state.control;
  }
  // A grip at the end of the step, seen from its middle.
  [[nodiscard]] double share() const { return averages() ? 0.5 : 1; }

  // Keeps angles whose absolute value nothing determines: a share of the twist stiffness of a segment.
  static constexpr double kSpinShift = 1e-8;

  const SplineModel& model_;
  discrete::Tangent tangent_;
  bool symmetric_ = true;
  bool want_tangent_ = false;
  const SplineMotion* motion_ = nullptr;
  std::vector<Vec3> new_leg_;
  std::vector<Vec3> end_control_;  // of a step that is averaged
  std::vector<Vec3> end_leg_;
  std::vector<double> end_twist_;  // per segment
  std::vector<double> turn_;       // per node: since the start of the step, about its tangent
  struct NodeSpin {
    rod::Vec4 force;      // on (r′, angle)
    rod::Mat4 tangent;    // by both at the step's end
    Vec3 carry;           // rod/place_turn.hpp
    Vec3 mean_tangent;    // of the two ends of the step
    double half_tan = 0;  // of its turn
  };
  std::vector<NodeSpin> spin_;         // per node
  std::vector<double> bend_turn_;      // per bend point: like `turn_`
  std::vector<BendStart> bend_start_;  // per bend point, of a step that is averaged
  struct {
    std::array<rod::CarriedTwist, kBendPoints> carried;
    std::array<Vec16, kBendPoints> gradient;   // of what carrying adds, by the middle of the step
    std::array<double, kBendPoints> torque{};  // on the curve, of those on the bend points' turns
  } twisting_;                                 // of the segment that is being added

  std::vector<int> grip_row_;      // per grip: first of its rows within its block
  std::vector<int> block_;         // of the matrix, per control point and rotor
  std::vector<int> rotor_block_;   // where a rotor stands in that list; −1: wholly fixed
  std::vector<int> slider_block_;  // where a slider stands in that list: multipliers, then its arc length
  std::vector<int> slider_first_;  // per slider: the first of the control points that make its place
  struct SliderWindow {
    int first = 0;
    int last = 0;
  };
  std::vector<SliderWindow> slider_window_;  // per slider: the control points that its block may touch
  std::vector<double> slide_pull_;           // per slider: along the rod, on its arc length
  double largest_pull_ = 0;
  std::vector<char> fixed_;
  std::vector<char> primal_;
  std::vector<char> mobile_;  // of a rod that could still move as a rigid body
  std::vector<char> idle_;    // angles and rotations that nothing may determine
  int constraint_rows_ = 0;
  double arm_ = 1;  // mean width of a segment
  double stiffness_scale_ = 1;
  double soft_stiffness_ = 1;
  double soft_force_ = 0;
  double largest_axial_ = 0;
  double largest_bending_ = 0;  // EI over a width, N·m
  double spin_stiffness_ = 0;   // GJ over a width, as a stiffness of its angle

  Yield yield_ = Yield::On;
  bool resumes_ = false;
  std::vector<char> stretch_yields_;  // per stretch point, where rods yield
  std::vector<char> bend_yields_;     // per segment: in the step that is being found
  double spent_ = 0;                  // by what yields in the increment, J

  // of set_mass
  std::vector<double> segment_stock_;  // per segment: length over the compiled one
  std::vector<double> angle_mass_;     // per node
  std::vector<Mat3> rotor_mass_;       // per rotor

  struct SegmentSlots {
    std::array<math::Slot, 4> own;
    std::array<discrete::Tangent::Pair, 6> pair;  // (0,1) (0,2) (0,3) (1,2) (1,3) (2,3)
  };
  std::vector<SegmentSlots> slots_;

  std::vector<double> axial_;
  std::vector<Vec3> axial_gradient_;   // by r′
  std::vector<Vec16> laid_slope_;      // per segment, where rods are laid: of the force that its torque adds
  std::vector<double> strain_change_;  // over the step
  std::vector<double> gradient_;       // per row
  std::vector<double> force_sum_;      // per control point: of magnitudes
  std::vector<Vec3> rotor_moment_;
  std::vector<Vec3> section_moment_;  // per grip
  double moment_sum_ = 0;
  double inertia_ = 0;  // c m |x|: round-off leaves its share of it in a
                        // difference of positions
  std::vector<double> step_;
};

}  // namespace filum::spline
