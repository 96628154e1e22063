// What a number measures. Values are in SI throughout; how a unit is spelt is the business of `io`.
#pragma once

namespace filum {

enum class Dimension {
  Number,
  Length,
  Mass,
  Force,
  Pressure,
  Density,
  Angle,
  Turns,  // like Angle, but a bare number counts turns
  Time,
  Moment,
  BendStiffness,
  Velocity,
  Acceleration,
  MassPerLength,
  ForcePerLength,
  Curvature,
  TwistRate,
  Spin,
  Inertia,
  RotaryInertia,  // per length
  Rate,           // per time
  Impulse,        // force times time
  BendDamping,    // moment per rate of curvature
  AreaDensity,    // mass per area
  Area,
};

}  // namespace filum
