// A trial of a steel rope with a load: one rope, one disturbance, so many seconds at 1/60 s, and what became of it.
//
// The rope hangs from a point, the load is pinned to its end; both may turn. References are the elastic pendulum with
// the rope's mass on its line (kinetic energy of M + m/3, weight of M + m/2), integrated by the Runge-Kutta method of
// fourth order, and Hooke's law.
#pragma once

#include <string>

namespace filum::validation {

enum class Disturbance {
  Rest,         // hangs as the weight stretches it
  Swing30,      // from 30°, stretched as the weight along it asks
  Swing60,      // likewise from 60°
  Drop90,       // from the horizontal, unstretched
  Jump,         // the anchor is 0.5 m aside from one step to the next
  Hoist,        // the anchor starts upwards at 0.5 m/s in one step and stops after 2 s
  SlackAndSnap  // the anchor falls by 0.5 m in 0.2 s
};
inline constexpr Disturbance kDisturbances[] = {Disturbance::Rest,        Disturbance::Swing30, Disturbance::Swing60,
                                                Disturbance::Drop90,      Disturbance::Jump,    Disturbance::Hoist,
                                                Disturbance::SlackAndSnap};
std::string name_of(Disturbance disturbance);

struct SteelRope {
  double diameter = 0.01;   // m
  double bend_share = 0.1;  // of EI of the solid bar
  double length = 10;       // m
  int elements = 50;
  double load = 0;  // kg
  [[nodiscard]] double area() const;
  [[nodiscard]] double young() const;          // Pa: of steel, or of a rope of it
  [[nodiscard]] double mass() const;           // kg
  [[nodiscard]] double breaking_load() const;  // kg
};

struct Trial {
  bool finite = false;
  double tension = 0;     // at the anchor, largest of the last 10 s over that at rest
  double growth = 0;      // mean energy over a later swing above that over the first, share of the swing's
  double loss = 0;        // of the swing's energy in 15 s
  double period = 0;      // over that of the elastic pendulum, less one
  double elongation = 0;  // mean of the last 10 s over Hooke's, less one
};

Trial try_rope(const SteelRope& rope, Disturbance disturbance, double seconds, bool plain = false);

}  // namespace filum::validation
