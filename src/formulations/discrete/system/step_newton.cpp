#include "formulations/discrete/system/step_newton.hpp"

#include "base/index.hpp"
#include "formulations/discrete/friction_of.hpp"

#include <filum/scene.hpp>

#include <algorithm>

namespace filum::discrete {

namespace {

constexpr int kMostIterations = 25;
// Contacts that lie close together share a force slowly: where all else is settled they are waited for.
constexpr int kMostForContacts = 60;
constexpr double kNearlyBalanced = 1e-5;
constexpr double kMostGap = 1e-10;   // of ties, share of the model's size
constexpr double kFloorFactor = 10;  // a residual of so many times what round-off leaves is in balance
// The most that something turns in one iteration, rad. Moments that are averaged depend more on how edges turn.
constexpr double kMostRotation = 0.5;
constexpr double kMostAveraged = 0.25;
// A correction after which there is no need of another, where round-off decides, rad: what is left of the balance adds up
// in the momenta, 1e-8 of them in ten thousand steps.
constexpr double kSettledRotation = 1e-9;
constexpr double kWatchedRotation = 1e-6;  // turns larger than this are watched for getting smaller, rad
// Beyond it edges move along straight lines, rad.
constexpr double kStraightRotation = 0.1;
constexpr double kStraightAveraged = 0.5;
// A correction after which the matrix is kept, rad. Where moments are averaged it depends more on how edges turn.
constexpr double kSmallRotation = 0.02;
constexpr double kVerySmallRotation = 1e-4;
constexpr double kFastFall = 0.1;  // of the residual, without which it is made anew
// Turns that do not get smaller so often will not: to give up early is most of a violent motion's cost.
constexpr double kStuckRatio = 0.9;
constexpr int kMostStuck = 4;

RodSystem::Symmetry symmetry(const ModelData& model) {
  const bool averaged = model.scene->simulation.integrator == Integrator::EnergyMomentum;
  const bool gyroscopic = model.scene->simulation.rotary_inertia || !model.bodies.empty();
  return averaged || solids_rub(model) || rods_rub(model) || gyroscopic ? RodSystem::Symmetry::None
                                                                        : RodSystem::Symmetry::Conservative;
}

// The speed at which a stopped slider would leave the end of its rod.
HaltRow stop_row(const ModelData& model, int index, const Motion& motion, const RodState& state) {
  const Slider& slider = model.sliders[at(index)];
  const GripPoint start =
      grip_point(model, index, motion.start_slide[at(index)], motion.start_position, motion.start_rotor);
  const GripPoint end = grip_point(model, index, state.slide[at(index)], state.position, state.rotor);
  HaltRow row;
  row.along = end.slope.normalized();
  for (int i = 0; i < end.support.count; ++i) {
    row.node[at(row.count)] = model.rods[at(slider.rod)].first_node + end.support.node[at(i)];
    row.weight[at(row.count++)] = end.weight.value[at(i)];
  }
  if (!slider.carried()) {
    row.speed = (end.place.apart - start.place.apart) / motion.step;  // of the hold
    return row;
  }
  const FreeBody& body = model.bodies[at(slider.body)];
  row.node[at(row.count)] = body.node;
  row.weight[at(row.count++)] = -1;
  row.turns = 1;
  row.turn[0] = {body.rotor, Vec3::Zero(), -end.place.apart, true};
  return row;
}

}  // namespace

StepNewton::StepNewton(const ModelData& model) : model_(model), system_(model, symmetry(model)), halt_(model) {
  halted_.reserve(model.sliders.size());
}

bool StepNewton::balanced(double tolerance) const {
  return balance_.finite && balance_.settled && balance_.constraint <= kMostGap &&
         balance_.residual <= std::max(tolerance, kFloorFactor * balance_.floor) &&
         balance_.moment <= std::max(tolerance, kFloorFactor * balance_.moment_floor);
}

// Once a correction is small the matrix is kept for the next, as long as the residual goes on falling fast.
StepReport StepNewton::find(RodState& trial, const Targets& targets, const Motion& motion, double tolerance) {
  using Want = RodSystem::Want;
  system_.set_motion(&motion);
  system_.begin_increment();
  system_.contact().begin(trial, targets, motion);
  system_.rod_contact().begin(trial, motion);
  system_.body_contact().begin(trial, targets, motion);
  if (system_.contacts_have_links()) system_.track_contacts();
  StepReport report;
  const int bound = model_.scene->simulation.iterations;
  const int most = bound > 0 ? bound : kMostIterations;
  bool keep = false;
  bool settled = true;
  double residual = 0;
  double rotation = 0;
  int stuck = 0;
  for (;;) {
    const bool waits = bound == 0 && balance_.settled && balance_.residual < kNearlyBalanced &&
                       system_.rod_contact().touches() && report.iterations < kMostForContacts;
    const bool last = report.iterations >= most && !waits;
    system_.track_sliders(trial);
    // rods that have yielded go on as foreseen; those that never did begin as if they never would
    system_.set_yield(report.iterations == 0 && trial.plastic.blank() ? RodSystem::Yield::Elastic
                                                                      : RodSystem::Yield::On);
    balance_ = system_.evaluate(trial, targets, keep || last ? Want::Residual : Want::NewtonTangent);
    report.residual = balance_.residual;
    if (!balance_.finite) {
      report.why = "the forces are no longer finite";
      return report;
    }
    report.converged = balanced(tolerance) && (settled || balance_.residual <= tolerance);
    if (report.converged && system_.find_stretched(trial) && !last) {
      balance_ = system_.evaluate(trial, targets, Want::NewtonTangent);
      report.converged = keep = false;
    }
    if (report.converged && !last && release_stops(motion, trial)) {
      balance_ = system_.evaluate(trial, targets, Want::NewtonTangent);
      report.converged = keep = false;
    }
    if (report.converged) {
      const Way way = look_back(trial);
      report.converged = way == Way::Free;
      if (way == Way::Through) {
        report.why = "something would go through something else within the step";
        return report;
      }
      // contacts that nobody thought of
      if (way == Way::Further && !last) {
        balance_ = system_.evaluate(trial, targets, Want::NewtonTangent);
        keep = false;
      }
    }
    if (report.converged || last) break;
    if (keep && (balance_.residual > kFastFall * residual || system_.rod_contact().touches())) {
      system_.evaluate(trial, targets, Want::NewtonTangent);
      keep = false;
    }
    residual = balance_.residual;
    if (keep)
      system_.resolve(system_.step().data());
    else if (!system_.solve(0)) {
      report.why = "the matrix of the step is singular";
      return report;
    }
    ++report.iterations;
    const double before = rotation;
    rotation = system_.largest_rotation(trial);
    const double turn = motion.conserving ? kMostAveraged : kMostRotation;
    const double part = std::min(rotation > turn ? turn / rotation : 1, system_.largest_part(trial, rotation));
    system_.advance(trial, part, rotation > (motion.conserving ? kStraightAveraged : kStraightRotation));
    if (motion.conserving && bound == 0 && balance_.settled && before > 0 && rotation > kStuckRatio * before &&
        rotation > kWatchedRotation && ++stuck >= kMostStuck)
      break;
    settled = rotation < kSettledRotation || (before > 0 && rotation > 0.5 * before);
    keep = rotation < (motion.conserving ? kVerySmallRotation : kSmallRotation) && model_.sliders.empty() &&
           !system_.contact().touches() && !system_.rod_contact().touches() && !system_.body_contact().touches();
  }
  // a step of bounded cost goes on with what it has: what it lacks is left to the next
  report.usable = report.converged || bound > 0;
  if (!report.usable) report.why = "Newton did not converge";
  return report;
}

Way StepNewton::look_back(const RodState& trial) {
  const Way obstacles = system_.contact().empty() ? Way::Free : system_.contact().look_back(trial);
  if (obstacles == Way::Through) return obstacles;
  return std::max({obstacles, system_.rod_contact().look_back(trial), system_.body_contact().look_back()});
}

// Whether a stop held what goes back anyway: balance is to be sought anew without it. One that has stood at the rod's end
// all the while does no work and holds through the step.
bool StepNewton::release_stops(const Motion& motion, RodState& trial) const {
  bool released = false;
  for (std::size_t k = 0; k < model_.sliders.size(); ++k) {
    const bool stood = trial.slide[k] == motion.start_slide[k];
    if (stood || system_.slide_pull(static_cast<int>(k)) * trial.slide_stop[k] <= 0) continue;
    trial.slide_stop[k] = 0;
    released = true;
  }
  return released;
}

// A blow at the rod's end is plastic: the gripped end is left no speed along the rod.
void StepNewton::halt_stops(const Motion& motion, RodState& state) {
  for (int k = 0; k < static_cast<int>(model_.sliders.size()); ++k) {
    if (state.slide_stop[at(k)] == 0) continue;
    if (motion.conserving)
      state.dissipated += stop_blow(model_, k, motion.start_slide[at(k)], system_.slide_pull(k), state);
    halted_.push_back(stop_row(model_, k, motion, state));
  }
  system_.release_stops(state);
}

void StepNewton::end_contact(const Motion& motion, RodState& state) {
  halted_.clear();
  halt_stops(motion, state);
  system_.contact().end(state, halted_);
  system_.rod_contact().end(state, halted_);
  system_.body_contact().end(state, halted_);
  if (model_.scene->simulation.integrator == Integrator::EnergyMomentum) halt_.halt(halted_, state);
}

}  // namespace filum::discrete
