// What only some formulations have, and where a scene asks for it.
//
// A formulation says which of these it supports. Who has the list of them all (sim/formulations.hpp) can then tell a
// person which one to take instead, and no formulation need know of another.
#pragma once

#include <string>
#include <vector>

namespace filum {

struct Scene;

enum class Feature {
  Motion,            // steps in time
  NaturalModes,      // about an equilibrium
  SharedEquilibria,  // that other formulations may begin from
  RestInPositions,   // where things touch, equilibria are searched for in positions and angles
  Winches,           // that pay a rod out and haul it in
  Sheaves,           // over which rods run
  BodyJoints,        // between bodies: hinges, sliders
  Ropes,             // without mass, through eyes and over wheels
  Obstacles,         // planes on which things come to lie
  SolidShapes,       // obstacles that are no planes, or are carried by bodies
  RodContact,        // rods hold each other and themselves off
  BreakingRings,     // closed rods that break
  Plasticity,        // of rods whose sections yield or slip
  RopeLay,           // ropes that a pull makes turn
  SlidingHolds,      // through which a rod slides
  CarriedAxes,       // holds on free bodies along some of their axes
  CarriedSlides,     // holds on free bodies through which a rod slides
  CarriedJunctions,  // junctions of rods that free bodies hold
  ChainOptions,      // `simulation.chain`
  SplineOptions,     // `simulation.spline`
  RungeKutta         // the explicit integrator
};

// One thing of a scene that needs a feature.
struct FeatureUse {
  Feature feature = Feature::Motion;
  std::vector<std::string> path;  // where it stands in the scene
  std::string what;               // «winch 'w1'»
};

std::vector<FeatureUse> features_used(const Scene& scene);

}  // namespace filum
