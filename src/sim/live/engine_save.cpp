// A scene in motion as a list of numbers and back, to the last bit.
//
// First what the engine remembers (what the holds fix by now, where they took hold, what was asked of them, where they
// and the bodies are), then the formulation's own state. Where rods have parted the fingerprint is negative, and what has
// parted where comes first. The list begins with a fingerprint of the scene's structure:
// rods with their segments, bodies, holds, loads. Stiffnesses, drivers and times may have changed since.
#include "sim/live/engine.hpp"

#include "base/index.hpp"
#include "scene/lookup.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace filum::sim {

namespace {

// A rod is at most so many times as long as its scene says, or as short.
constexpr double kMostLengthShare = 1000;

// FNV-1a, cut to the 53 bits that a double keeps.
class Fingerprint {
 public:
  void add(std::string_view text) {
    for (const char c : text) byte(static_cast<unsigned char>(c));
    byte(0);
  }
  void add(std::size_t number) { add(std::to_string(number)); }
  [[nodiscard]] double value() const { return static_cast<double>(hash_ >> 11U); }

 private:
  void byte(unsigned char c) { hash_ = (hash_ ^ c) * 1099511628211ULL; }
  std::uint64_t hash_ = 14695981039346656037ULL;
};

double fingerprint(const Scene& scene) {
  Fingerprint print;
  print.add(scene.simulation.formulation);
  print.add(scene.rods.size());
  for (const Rod& rod : scene.rods) {
    print.add(rod.name);
    print.add(static_cast<std::size_t>(rod.segments));
    print.add(rod.closed ? 1U : 0U);
  }
  print.add(scene.bodies.size());
  for (const Body& body : scene.bodies) print.add(body.name);
  print.add(scene.holds.size());
  for (const Hold& hold : scene.holds) {
    print.add(hold.name);
    print.add(hold.rod);
    print.add(hold.body);
  }
  print.add(scene.junctions.size());
  print.add(scene.forces.size());
  print.add(scene.torques.size());
  // without their numbers: the print of a scene that has none is what it always was
  for (const Winch& winch : scene.winches) print.add(winch.name), print.add(winch.rod);
  for (const Sheave& sheave : scene.sheaves) print.add(sheave.name), print.add(sheave.rod);
  for (const Rope& rope : scene.ropes) print.add(rope.name), print.add(rope.through.size());
  for (const BodyJoint& joint : scene.joints) print.add(joint.name), print.add(joint.body), print.add(joint.to);
  return print.value();
}

// Writes to a list of numbers, or reads the same things from one: one walk for both.
class Writer {
 public:
  explicit Writer(std::vector<double>& out) : out_(out) {}
  void number(const double& value) { out_.push_back(value); }
  void flag(const bool& value) { out_.push_back(value ? 1 : 0); }

 private:
  std::vector<double>& out_;
};

class Reader {
 public:
  explicit Reader(std::span<const double> in) : in_(in) {}
  void number(double& value) { value = next_ < in_.size() ? in_[next_] : 0, ++next_; }
  void flag(bool& value) {
    double number = 0;
    this->number(number);
    value = number != 0;
  }
  [[nodiscard]] bool enough() const { return next_ <= in_.size(); }
  [[nodiscard]] std::span<const double> rest() const { return in_.subspan(next_); }
  [[nodiscard]] std::size_t rest_size() const { return next_ < in_.size() ? in_.size() - next_ : 0; }

 private:
  std::span<const double> in_;
  std::size_t next_ = 0;
};

template <class File, class Value>
void pass(File& file, Value& value) {
  using Plain = std::remove_const_t<Value>;
  if constexpr (std::is_same_v<Plain, double>) {
    file.number(value);
  } else if constexpr (std::is_same_v<Plain, bool>) {
    file.flag(value);
  } else if constexpr (std::is_same_v<Plain, Quat>) {
    for (int i = 0; i < 4; ++i) file.number(value.coeffs()[i]);
  } else {
    for (int i = 0; i < value.size(); ++i) file.number(value[i]);
  }
}

template <class File, class Value>
void pass_optional(File& file, Value& value) {
  bool has = value.has_value();
  pass(file, has);
  if (!has) return;
  if constexpr (!std::is_const_v<Value>)
    if (!value) value.emplace();
  pass(file, *value);
}

template <class File, class Holds, class Grips, class AskedHolds>
void pass_holds(File& file, Holds& holds, Grips& grips, AskedHolds& asked) {
  for (std::size_t h = 0; h < holds.size(); ++h) {
    for (std::size_t axis = 0; axis < 3; ++axis) pass(file, holds[h].fix.position[axis]);
    for (std::size_t axis = 0; axis < 3; ++axis) pass(file, holds[h].fix.orientation[axis]);
    // a clip that catches has taken hold somewhere
    if (holds[h].clip && holds[h].clip->capture) pass(file, holds[h].at.fraction), pass(file, holds[h].at.offset);
    pass_optional(file, holds[h].position);
    pass_optional(file, holds[h].orientation);
    pass(file, grips[h].position_since);
    pass(file, grips[h].orientation_since);
    pass(file, grips[h].popped);
    pass(file, grips[h].near);
    pass(file, grips[h].mouth);
    pass(file, grips[h].caught_at);
    pass(file, grips[h].caught_off);
    pass_optional(file, asked[h].position);
    pass_optional(file, asked[h].orientation);
    pass_optional(file, asked[h].turns);
  }
}

// What was asked of anything but holds.
template <class File, class Everything>
void pass_asked(File& file, Everything& asked) {
  for (auto& body : asked.bodies) pass_optional(file, body.position), pass_optional(file, body.orientation);
  for (auto* drives : {&asked.rod_length, &asked.winch_speed, &asked.rope_length})
    for (auto& value : *drives) pass_optional(file, value);
}

template <class File, class Where>
void pass_targets(File& file, Where& targets) {
  for (auto& hold : targets.holds) pass(file, hold.position), pass(file, hold.orientation), pass(file, hold.turns);
  for (auto& body : targets.bodies) pass(file, body.position), pass(file, body.orientation);
  for (auto& scale : targets.force_scale) pass(file, scale);
  for (auto& scale : targets.torque_scale) pass(file, scale);
  for (auto& length : targets.rod_length) pass(file, length);
  for (auto& speed : targets.winch_speed) pass(file, speed);
  for (auto& length : targets.rope_length) pass(file, length);
  for (auto& scale : targets.joint_scale) pass(file, scale);
  for (auto& tied : targets.rope_tied) pass(file, tied);
}

}  // namespace

namespace {

// Rods by their place in the scene, cuts and nodes of each.
std::vector<double> pack_partings(const Scene& scene, const std::vector<Parting>& partings) {
  std::vector<double> out{static_cast<double>(partings.size())};
  for (const Parting& parting : partings) {
    out.push_back(index_of(scene.rods, parting.rod));
    for (const std::vector<double>* list : {&parting.cuts, &parting.nodes}) {
      out.push_back(static_cast<double>(list->size()));
      out.insert(out.end(), list->begin(), list->end());
    }
  }
  return out;
}

// False: they are none of this scene.
bool unpack_partings(Reader& file, const Scene& scene, std::vector<Parting>& partings) {
  const auto count = [&](double most) {
    double value = -1;
    file.number(value);
    return value >= 0 && value <= most && value == std::floor(value) ? static_cast<int>(value) : -1;
  };
  const int rods = count(static_cast<double>(scene.rods.size()));
  for (int k = 0; k < rods; ++k) {
    const int rod = count(static_cast<double>(scene.rods.size()) - 1);
    if (rod < 0) return false;
    Parting& parting = partings.emplace_back();
    parting.rod = scene.rods[at(rod)].name;
    for (std::vector<double>* list : {&parting.cuts, &parting.nodes}) {
      const int size = count(static_cast<double>(file.rest_size()));
      if (size < 0) return false;
      for (int i = 0; i < size; ++i) file.number(list->emplace_back());
      // shares, one after the other
      double last = -1;
      for (const double share : *list) {
        if (!(share > last && share >= 0 && share <= 1)) return false;
        last = share;
      }
    }
  }
  return rods >= 0;
}

}  // namespace

SavedState Engine::save() const {
  SavedState saved;
  saved.t = t_;
  Writer file(saved.values);
  file.number(partings_.empty() ? fingerprint(scene()) : -fingerprint(scene()));
  if (!partings_.empty()) {
    for (const double& value : pack_partings(scene(), partings_)) file.number(value);
    file.number(broken_);
  }
  file.number(control_.trial());
  file.number(edited_work_);
  pass_holds(file, scene().holds, grips_, asked_.holds);
  pass_asked(file, asked_);
  pass_targets(file, living_.held());
  for (const double& length : living_.compiled_lengths()) file.number(length);
  const std::vector<double> packed = living_.pack();
  saved.values.insert(saved.values.end(), packed.begin(), packed.end());
  return saved;
}

Status Engine::restore(const SavedState& saved) {
  const Error foreign{
      ErrorCode::BadInput,
      "the saved state does not fit this scene: it has other rods, segments, bodies, holds or loads, or "
      "another stepper",
      {}};
  Reader file(saved.values);
  double print = 0;
  file.number(print);
  if (std::abs(print) != fingerprint(scene())) return foreign;
  std::vector<Parting> partings;
  double broken = 0;
  if (print < 0) {
    if (!unpack_partings(file, scene(), partings)) return foreign;
    file.number(broken);
  }

  // read aside, so that a list that does not fit changes nothing
  Scene scene = living_.scene();
  std::vector<Grip> grips(scene.holds.size());
  Asked asked(scene);
  double trial = 0;
  double edited_work = 0;
  file.number(trial);
  file.number(edited_work);
  pass_holds(file, scene.holds, grips, asked.holds);
  pass_asked(file, asked);
  Targets last = living_.resting();
  pass_targets(file, last);
  std::vector<double> compiled(scene.rods.size());
  for (double& length : compiled) file.number(length);
  if (!file.enough()) return foreign;
  // lengths that no driver or search has made: compiling them might take for ever
  for (std::size_t r = 0; r < compiled.size(); ++r) {
    const double share = compiled[r] / scene::rod_length(scene.rods[r]);
    if (!(share >= 1 / kMostLengthShare && share <= kMostLengthShare)) return foreign;
  }
  // the clock may have been set back since a hold took hold: that is then how it begins
  for (Grip& grip : grips)
    if (std::max(grip.position_since, grip.orientation_since) > saved.t) grip = {};
  LivingScene living(std::move(scene), part_rods(whole_, partings), std::move(compiled));
  if (!living.unpack(file.rest(), last)) return foreign;

  living_ = std::move(living);
  partings_ = std::move(partings);
  broken_ = broken;
  grips_ = std::move(grips);
  asked_ = std::move(asked);
  control_.set_trial(trial);
  edited_work_ = edited_work;
  t_ = saved.t;
  solve_.converged = true;
  // what goes on was told when it began
  going_on_ = living_.events();
  router_.begin(living_.scene());
  turns_.forget();
  turns_.begin(living_.scene(), pose(), living_.held());
  return Done{};
}

}  // namespace filum::sim
