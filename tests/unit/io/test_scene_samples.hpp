// Scenes that several tests share.
#pragma once

#include <string>

namespace filum::test {

// Every key that is read, most units, and names that need quotes.
inline const std::string kFullScene = R"(# a comment at the top
filum: 1
title: "Every key: once"
gravity: [0, 0, -9.81 m/s2]
materials:
  epdm: {young: 7 MPa, poisson: 0.49, density: 1.15 g/cm3}   # soft
  "odd: name": {young: 2.0e9, poisson: 1/3, density: 1400 kg/m^3}
sections:
  hose:  {shape: tube, outer_radius: 5.2 mm, inner_radius: 1.6 mm, fill_density: 1060}
  wire:  {shape: circle, radius: 1 mm}
  band:  {shape: rectangle, width: 12 mm, height: 3 mm}
  oval:  {shape: ellipse, radii: [4 mm, 0.2 cm]}
  given: {shape: given, EA: 100 kN, EI: [0.8 N m2, 0.8 N·m²], GJ: 0.7, mass_per_length: 50 g/m, radius: 3 mm}
  loom:  {shape: bundle, bundle: [{diameter: 2.9 mm, count: 12, mass: 26 g/m, conductor: 2.5 mm2, strand: 0.26 mm},
          {wire: FLRY-B 0.5, count: 3}], tape: 0.3 mm, bond: 0.2}
rods:
  hose:
    material: epdm
    section: hose
    length: 0.42        # metres
    segments: 60
    shape: {line: [[0, 0, 0], [0.3, 0, 0]]}
    rest: straight
    normal: [0, 0, 1]
    limits: {min_bend_radius: 25 mm, max_tension: 60 N, max_hold_force: 0.1 kN, max_transverse_force: 50 N}
    extensible: false
    velocity: [0, 5 mm/s, 0]
    spin: [0, 0, 30 deg/s]
    damping: {rayleigh: [0.1 1/s, 2 ms], bend: 1e-6 N m2 s, twist: 2e-6, stretch: 1e-3 N·s, air: 0.02 kg/m2}
    stations: [{s: 0.1, section: wire}, {s: 75 %, section: band, material: steel}]
  ring: {section: given, closed: true, twist: 2.5 turns, segments: 30,
         shape: {arc: {centre: [0, 0, 0], axis: [0, 0, 2], start: [0.1, 0, 0], angle: 360 deg}}, rest: as-shaped}
  bow:
    material: steel
    section: oval
    shape: {arc: [[0, 0, 0], [0.1, 0.05, 0], [0.2, 0, 0]]}
    rest: {curvature: [2, 0.5 1/m], twist_rate: 90 deg/m}
  "coil \"a\"":
    material: "odd: name"
    section: wire
    shape: {helix: {centre: [0, 0, 0], axis: [0, 0, 1], start: [0.02, 0, 0], turns: 3.7, pitch: 8 mm}}
    rest: {helix: {centre: [0, 0, 0], start: [0.03, 0, 0], angle: 20 rad, pitch: 0.01}}
  curl:
    material: copper
    section: wire
    limits: {min_bend_radius: {static: 6 d, dynamic: 10 d, measured: inside}, max_length: 2}
    shape:
      spline:
        - [0, 0, 0]
        - [0.1, 0.02, 0]
        - [0.2, -0.02, 0.01]
    rest: {points: [[0, 0, 0], [0.1, 0, 0], [0.2, 0.01, 0]]}
  chain: {material: nbr, section: band, shape: {points: [[0, 0, 0], [1 in, 0, 0], [1 ft, 0, 0]]},
          rest: {line: [[0, 0, 0], [1, 0, 0]]}}
bodies:
  knuckle: {box: [0.1, 0.1, 0.1], mass: 4.0 kg, inertia: 2 kg m2, position: [0.3, 0, 0], orientation: [2, 0, 0, 1], motion: driven}
  frame: {motion: fixed}
  bob: {mass: 100 g, inertia: [1e-5, 2e-5 kg·m², 300 g cm2], position: [0.2, 0, 0.01], velocity: [0, 0, -1 m/s],
        spin: [0, 0, 60 rpm], motion: free}
holds:
  - {name: frame end, rod: hose, at: start, fix: [position, orientation]}
  - {name: knuckle end, rod: hose, at: end, fix: [position, orientation], body: knuckle}
  - {name: posed, rod: hose, at: 0.3, fix: [position, orientation], position: [0.2, 0, -0.1],
     orientation: {tangent: [1, 0.2, 0], normal: [0, 0, 1]}}
  - {rod: bow, at: end, fix: {position: [y, z], orientation: true}}
  - {name: "p-clip", rod: bow, at: 50 %, fix: [position], slide: true, max_pull: 40 N, max_shear: 20 N}
  - {name: hinge, rod: bow, at: start, fix: {position: true, orientation: [x, y]}, orientation: [0.6, 0, 0.8, 0]}
  - {name: bob eye, rod: curl, at: end, fix: [position, orientation], body: bob}
wires: [{name: KL30, along: [{rod: bow}, {rod: curl}]}]
junctions:
  - {name: y1, rods: [{rod: bow, at: end}, {rod: curl, at: start}, {rod: chain, at: end - 10 mm}]}
  - rods: [{rod: ring, at: 33.3 %}, {rod: chain, at: start}]
forces:      [{rod: hose, at: end, force: [0, 0, -10], follow: false}, {rod: bow, at: 1/3 %, force: [1 mN, 0, 0], follow: true},
              {body: bob, force: [0, 0, 0.5], follow: true}]
torques:     [{body: bob, torque: [0, 0, 1 N mm]}, {rod: hose, at: end, torque: [0, 0, 1.2 N m], follow: true}]
distributed: [{rod: hose, from: 0.1, to: 0.4, force_per_length: [0, 3 N/m, 0]}, {rod: bow, force_per_length: [0, 0, 1]}]
drivers:
  - {body: knuckle, path: [{t: 0, position: [0.3, 0, 0]}, {t: 2 s, position: [0.3, 0, -0.12], orientation: [0, 1, 0, 0]}]}
  - {hold: posed, path: [{t: 0}, {t: 5, position: [0.2, 0, 0], turns: 10}, {t: 6, fix: []},
                          {t: 7, fix: [orientation]}, {t: 8, fix: {orientation: true, position: [y, z]}}]}
  - {force: 0, path: [{t: 0, scale: 0}, {t: 1000 ms, scale: 1}]}
  - {torque: 0, path: [{t: 0, scale: 1}]}
  - {rod: hose, path: [{t: 0, length: 0.42}, {t: 1 min, length: 45 cm}]}
routing: [{rod: bow, mode: self-finding, pull: 2 N, longest: 3 m}, {rod: curl, mode: pulled, from: start, to: end, pull: 500 mN}]
simulation: {formulation: kirchhoff, mode: dynamics, stepper: implicit, step: 1/60, end: 3, start: equilibrium,
             integrator: {name: implicit-euler}, rotary_inertia: true, tolerance: 1e-4,
             iterations: 3}
record: {every: 20 ms, probes: [{name: tip, rod: hose, at: end}, {rod: bow, at: middle}]}
)";

// The smallest scene worth solving, in lines that tests can count on.
inline const std::string kSmallScene = R"(filum: 1
sections:
  wire: {shape: circle, radius: 1 mm}
rods:
  a:
    material: steel
    section: wire
    shape: {line: [[0, 0, 0], [1, 0, 0]]}
holds:
  - {name: left, rod: a, at: start, fix: [position, orientation]}
)";

// Rods in a tree, as lists of lines throughout.
inline const std::string kTreeScene = R"(filum: 1
gravity:
  - 0
  - 0
  - -1.62
sections:
  core:
    shape: ellipse
    radii:
      - 2 mm
      - 1 mm
rods:
  trunk:
    material: pvc
    section: core
    segments: 12
    shape:
      line:
        - [0, 0, 0]
        - [0, 0, 1]
  left:
    material: pvc
    section: core
    shape: {spline: [[0, 0, 1], [0.1, 0, 1.2], [0.2, 0, 1.3]]}
  right:
    material: pvc
    section: core
    shape: {helix: {centre: [0, 0, 1], start: [0.05, 0, 1], turns: 2, pitch: 20 mm}}
bodies:
  wall: {box: [1, 1, 0.1], orientation: {tangent: [0, 0, 1], normal: [1, 1, 0]}}
holds:
  - name: foot
    rod: trunk
    at: start
    fix:
      - position
      - orientation
    body: wall
  - name: ring
    rod: left
    at: 90 %
    fix:
      position: [x, y]
    slide: true
junctions:
  - name: fork
    rods:
      - {rod: trunk, at: end}
      - {rod: left, at: start}
      - {rod: right, at: start}
drivers:
  - hold: foot
    path:
      - {t: 0, position: [0, 0, 0], turns: 0}
      - {t: 1, position: [0, 0, 0.1], turns: 1/2}
simulation:
  stepper: implicit
  start: {result: earlier/tree.result}
)";

}  // namespace filum::test
