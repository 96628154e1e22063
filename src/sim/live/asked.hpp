// What was asked by hand, instead of what the drivers of a scene say: of holds, bodies, lengths and speeds.
#pragma once

#include "formulations/formulation.hpp"
#include "sim/drivers.hpp"

#include <filum/scene.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace filum::sim {

struct AskedHold {
  std::optional<Vec3> position;
  std::optional<Quat> orientation;
  std::optional<double> turns;
  // N, of the position: with no more force than this in motion (slip.hpp). Not saved: a hand says it with every step.
  double most = std::numeric_limits<double>::infinity();
};

// Lists run parallel to the scene's.
struct Asked {
  std::vector<AskedHold> holds;
  std::vector<AskedBody> bodies;
  std::vector<std::optional<double>> rod_length;   // m
  std::vector<std::optional<double>> winch_speed;  // m/s
  std::vector<std::optional<double>> rope_length;  // m
  // factors on the forces and torques; not saved either
  std::vector<std::optional<double>> force_scale;
  std::vector<std::optional<double>> torque_scale;

  // Nothing, of anything in the scene.
  explicit Asked(const Scene& scene);

  // What is not named stays as it was asked before.
  void ask(int hold, const AskedHold& wanted);
  void ask(int body, const AskedBody& wanted);

  // Whether anything is asked with bounded force.
  [[nodiscard]] bool is_bounded() const;

  // Into targets that the drivers have filled, with the bodies of this (drivers.hpp).
  void put_into(Targets& targets) const;

  // For an edit of the scene: what it says something new of is no longer asked.
  [[nodiscard]] Asked carried(const Scene& from, const Scene& to) const;
};

}  // namespace filum::sim
