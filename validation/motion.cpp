#include "validation/motion.hpp"

#include "base/index.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace filum::validation {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Where the cubic through four values at −1, 0, 1, 2 is zero between 0 and 1.
double cubic_zero(double a, double b, double c, double d) {
  auto value = [&](double x) {
    return -a * x * (x - 1) * (x - 2) / 6 + b * (x + 1) * (x - 1) * (x - 2) / 2 - c * (x + 1) * x * (x - 2) / 2 +
           d * (x + 1) * x * (x - 1) / 6;
  };
  double low = 0;
  double high = 1;
  const bool rising = b < c;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    ((value(middle) < 0) == rising ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Rising zero crossings, in intervals from the first value.
std::vector<double> crossings(const std::vector<double>& y) {
  std::vector<double> found;
  for (std::size_t i = 1; i + 2 < y.size(); ++i)
    if (y[i] < 0 && y[i + 1] >= 0)
      found.push_back(static_cast<double>(i) + cubic_zero(y[i - 1], y[i], y[i + 1], y[i + 2]));
  return found;
}

// The value at the top of the parabola through three values.
double top(double a, double b, double c) {
  const double bend = a - 2 * b + c;
  return bend == 0 ? b : b - (c - a) * (c - a) / (8 * bend);
}

// Takes from a displacement what the eigensolver's round-off leaves of translation and rotation: the forces that go
// with it must balance on a rod that nothing holds.
void remove_rigid_motion(const std::vector<double>& masses, const RodPose& rest, std::vector<Vec3>& shape) {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  Vec3 mean = Vec3::Zero();
  for (std::size_t i = 0; i < masses.size(); ++i) {
    mass += masses[i];
    centre += masses[i] * rest.position[i];
    mean += masses[i] * shape[i];
  }
  centre /= mass;
  mean /= mass;
  // the rotation with the same angular momentum
  Mat3 inertia = Mat3::Zero();
  Vec3 angular = Vec3::Zero();
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const Vec3 arm = rest.position[i] - centre;
    inertia += masses[i] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    angular += masses[i] * arm.cross(shape[i]);
  }
  const Vec3 turn = inertia.ldlt().solve(angular);
  for (std::size_t i = 0; i < masses.size(); ++i) shape[i] -= mean + turn.cross(rest.position[i] - centre);
}

}  // namespace

Motion::Motion(Sheet& sheet, Scene scene) : sheet_(sheet) {
  scene.simulation.mode = Mode::Dynamics;
  Result<Session> begun = Session::begin(scene);
  if (!begun) {
    give_up(begun.error().text());
    return;
  }
  session_.emplace(std::move(*begun));
}

Motion Motion::released(Sheet& sheet, const Scene& scene, const NaturalMode& mode, double amplitude) {
  // the force that holds the rod displaced by the mode
  Scene held = scene;
  held.simulation.start = StartKind::Equilibrium;
  const RodPose rest = rod_pose(sheet.solve(scene));
  const std::vector<double> masses = node_masses(scene.sections.front().section.mass_per_length, rest);
  std::vector<Vec3> shape = mode.rods.front().displacement;
  shape.resize(masses.size(), Vec3::Zero());
  if (scene.holds.empty()) remove_rigid_motion(masses, rest, shape);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (masses[i] == 0) continue;
    const Vec3 force = amplitude * mode.eigenvalue * masses[i] * shape[i];
    held.forces.push_back({{scene.rods.front().name, {0, rest.s[i]}}, "", force, false});
  }
  Motion motion(sheet, held);
  // let go
  Scene released = scene;
  released.simulation.mode = Mode::Dynamics;
  released.simulation.start = StartKind::Equilibrium;
  if (motion.fine())
    if (const Status let_go = motion.session_->edit(released); !let_go) motion.give_up(let_go.error().text());
  return motion;
}

bool Motion::step() {
  if (!fine()) return false;
  if (session_->step()) return true;
  last_ = session_->pose();
  give_up("a step failed at t = " + std::to_string(session_->time()));
  return false;
}

void Motion::watch(double end, int every, const std::function<void(double, const Pose&)>& tell) {
  if (!fine()) return;
  tell(time(), pose());
  const double half = 0.5 * session_->scene().simulation.step;
  for (int k = 1; time() < end - half; ++k) {
    if (!step()) return;
    if (k % every == 0) tell(time(), pose());
  }
}

void Motion::give_up(const std::string& why) {
  sheet_.fail(why);
  session_.reset();
}

Outcome run_through(Sheet& sheet, const Scene& scene) {
  Scene moving = scene;
  moving.simulation.mode = Mode::Dynamics;
  Result<Outcome> outcome = run(moving);
  if (!outcome) {
    sheet.fail(outcome.error().text());
    return sheet.solve(scene);
  }
  if (!outcome->run->completed) sheet.fail("the run stopped: " + outcome->run->why);
  return std::move(*outcome);
}

ModesOutcome modes_of(Sheet& sheet, const Scene& scene, int count) {
  ModesOptions options;
  options.count = count;
  Result<ModesOutcome> outcome = modes(scene, options);
  if (outcome && static_cast<int>(outcome->modes.size()) >= count) return std::move(*outcome);
  sheet.fail(outcome ? "too few modes: " + outcome->solve.why : outcome.error().text());
  ModesOutcome nothing;
  NaturalMode mode;
  mode.eigenvalue = kNan;
  mode.rods.resize(scene.rods.size());
  nothing.modes.assign(at(count), mode);
  return nothing;
}

const NaturalMode& softest(const ModesOutcome& outcome) {
  // of a rigid motion round-off leaves a little
  const double least = 1e-6 * std::abs(outcome.modes.back().eigenvalue);
  for (const NaturalMode& mode : outcome.modes)
    if (std::abs(mode.eigenvalue) > least) return mode;
  return outcome.modes.back();
}

std::vector<double> node_masses(double mass_per_length, const RodPose& rod) {
  // half of each neighbouring edge; the seam of a ring has both of its halves in its first entry
  std::vector<double> masses(rod.s.size(), 0);
  for (std::size_t i = 0; i + 1 < rod.s.size(); ++i) {
    const double half = 0.5 * mass_per_length * (rod.s[i + 1] - rod.s[i]);
    masses[i] += half;
    masses[i + 1] += half;
  }
  if (rod.closed) masses.front() += std::exchange(masses.back(), 0);
  return masses;
}

double share_of_mode(const NaturalMode& mode, const std::vector<double>& masses, const RodPose& rod,
                     const RodPose& rest) {
  const std::vector<Vec3>& shape = mode.rods.front().displacement;
  double moved = 0;
  double whole = 0;
  for (std::size_t i = 0; i < std::min(shape.size(), masses.size()); ++i) {
    moved += masses[i] * shape[i].dot(rod.position[i] - rest.position[i]);
    whole += masses[i] * shape[i].squaredNorm();
  }
  return moved / whole;
}

double squared_rate(const std::vector<double>& y, double dt, int lag) {
  double product = 0;
  double square = 0;
  const auto step = at(lag);
  for (std::size_t i = step; i + step < y.size(); ++i) {
    product += (y[i - step] + y[i + step]) * y[i];
    square += y[i] * y[i];
  }
  const double cosine = product / (2 * square);
  const double angle = cosine > 1 ? std::acosh(cosine) : std::acos(cosine);
  return (cosine > 1 ? 1 : -1) * std::pow(angle / (lag * dt), 2);
}

double mean_period(const std::vector<double>& y, double dt) {
  const std::vector<double> at_zero = crossings(y);
  if (at_zero.size() < 2) return kNan;
  return dt * (at_zero.back() - at_zero.front()) / static_cast<double>(at_zero.size() - 1);
}

Swings swings(const std::vector<double>& y, double dt) {
  const std::vector<double> at_zero = crossings(y);
  if (at_zero.size() < 3) return {kNan, kNan};
  // the top of the first and of the last swing between two crossings
  auto highest = [&](double from, double to) {
    const auto first = static_cast<std::ptrdiff_t>(from) + 1;
    const auto last = static_cast<std::ptrdiff_t>(to);
    const auto best = std::max_element(y.begin() + first, y.begin() + last);
    return top(*(best - 1), *best, *(best + 1));
  };
  const std::size_t n = at_zero.size();
  const double before = highest(at_zero[0], at_zero[1]);
  const double after = highest(at_zero[n - 2], at_zero[n - 1]);
  Swings result;
  result.period = mean_period(y, dt);
  result.decay = std::log(before / after) / (static_cast<double>(n - 2) * result.period);
  return result;
}

double root_of_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / n;
    mean_y += y[i] / n;
  }
  double up = 0;
  double along = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    up += (x[i] - mean_x) * (y[i] - mean_y);
    along += (x[i] - mean_x) * (x[i] - mean_x);
  }
  return mean_x - mean_y * along / up;
}

Momentum momentum(const std::vector<double>& masses, const RodPose& rod) {
  Momentum sum;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    sum.linear += masses[i] * rod.velocity[i];
    sum.angular += masses[i] * rod.position[i].cross(rod.velocity[i]);
  }
  return sum;
}

}  // namespace filum::validation
