// Written by the program describe_scene from src/scene/describe, not to be edited: what the message «scene» says
// of each thing, by its keys in the scene file.
import { flag, list, nullable, number, object, oneOf, text } from './guard';
import { axes, curve, rest } from './scene_forms';
import { pair, quat, vec3 } from './vectors';

export const materialKeys = {
  name: text,
  young: number,
  poisson: number,
  density: number,
  yield: nullable(number),
  hardening: number,
  isotropic: number,
};

export const bundleWireKeys = {
  wire: text,
  count: number,
  diameter: nullable(number),
  mass: nullable(number),
  conductor: nullable(number),
  strand: nullable(number),
};

export const bendLimitKeys = {
  static: text,
  dynamic: nullable(text),
  measured: oneOf('centre-line', 'inside'),
};

export const breakingStrainKeys = {
  tension: nullable(number),
  compression: nullable(number),
  shear: nullable(number),
};

export const limitsKeys = {
  min_bend_radius: nullable(object(bendLimitKeys)),
  max_tension: nullable(number),
  max_hold_force: nullable(number),
  max_transverse_force: nullable(number),
  breaking_tension: nullable(number),
  breaking_strain: object(breakingStrainKeys),
  max_length: nullable(number),
  min_clearance: nullable(number),
  max_contact_force: nullable(number),
  max_contact_pressure: nullable(number),
  max_chafing: nullable(number),
};

export const dampingKeys = {
  mass: number,
  stiffness: number,
  bend: number,
  twist: number,
  stretch: number,
  air: number,
};

export const layKeys = {
  torque_factor: number,
};

export const stationKeys = {
  at: text,
  s: number,
  section: text,
  material: text,
};

export const rodKeys = {
  name: text,
  material: text,
  section: text,
  length: nullable(number),
  segments: number,
  shape: curve,
  rest: rest,
  normal: nullable(vec3),
  limits: object(limitsKeys),
  closed: flag,
  twist: number,
  stations: list(object(stationKeys)),
  extensible: flag,
  velocity: vec3,
  spin: vec3,
  damping: object(dampingKeys),
  lay: object(layKeys),
};

export const bodyKeys = {
  name: text,
  box: vec3,
  sphere: number,
  round: pair,
  mesh: text,
  scale: number,
  mass: number,
  density: number,
  inertia: nullable(vec3),
  position: vec3,
  orientation: quat,
  velocity: vec3,
  spin: vec3,
  motion: oneOf('fixed', 'driven', 'free'),
  solid: flag,
  friction: number,
  material: text,
};

export const sceneryKeys = {
  name: text,
  mesh: text,
  position: vec3,
  orientation: quat,
  scale: number,
  body: text,
  solid: flag,
  friction: number,
  material: text,
};

export const fixKeys = {
  position: axes,
  orientation: axes,
};

export const clipStrengthKeys = {
  pull: nullable(number),
  shear: nullable(number),
  along: nullable(number),
};

export const clipCaptureKeys = {
  radius: number,
  passes: nullable(vec3),
  cone: number,
  direction: flag,
};

export const clipKeys = {
  strength: object(clipStrengthKeys),
  capture: nullable(object(clipCaptureKeys)),
  insertion_force: nullable(number),
};

export const holdKeys = {
  name: text,
  rod: text,
  at: text,
  s: number,
  fix: object(fixKeys),
  slide: flag,
  friction: number,
  body: text,
  position: nullable(vec3),
  orientation: nullable(quat),
  max_pull: nullable(number),
  max_shear: nullable(number),
  axis: vec3,
  clip: nullable(object(clipKeys)),
};

export const rodPointKeys = {
  rod: text,
  at: text,
  s: number,
};

export const junctionKeys = {
  name: text,
  rods: list(object(rodPointKeys)),
};

export const jointKeys = {
  name: text,
  kind: oneOf('hinge', 'slider', 'ball', 'fixed'),
  body: text,
  to: text,
  point: nullable(vec3),
  axis: vec3,
  min_angle: nullable(number),
  max_angle: nullable(number),
  min_travel: nullable(number),
  max_travel: nullable(number),
  spin: number,
  max_torque: nullable(number),
  torque: number,
  speed: number,
  max_force: nullable(number),
  force: number,
};

export const forceKeys = {
  rod: text,
  at: text,
  s: number,
  body: text,
  force: vec3,
  follow: flag,
};

export const torqueKeys = {
  rod: text,
  at: text,
  s: number,
  body: text,
  torque: vec3,
  follow: flag,
};

export const distributedKeys = {
  rod: text,
  from: text,
  from_s: number,
  to: text,
  to_s: number,
  force_per_length: vec3,
};

export const keyframeKeys = {
  t: number,
  position: nullable(vec3),
  orientation: nullable(quat),
  turns: nullable(number),
  scale: nullable(number),
  length: nullable(number),
  speed: nullable(number),
  tied: nullable(flag),
  fix: nullable(object(fixKeys)),
};

export const driverKeys = {
  kind: oneOf('body', 'hold', 'force', 'torque', 'rod', 'winch', 'rope', 'joint'),
  target: text,
  keys: list(object(keyframeKeys)),
};

export const routingKeys = {
  rod: text,
  mode: oneOf('self-finding', 'pulled'),
  pull: nullable(number),
  from: text,
  from_s: number,
  to: text,
  to_s: number,
  longest: nullable(number),
};

export const winchKeys = {
  name: text,
  rod: text,
  at: text,
  s: number,
  body: text,
  point: nullable(vec3),
  drum_radius: number,
  speed: number,
  max_force: nullable(number),
  shortest: nullable(number),
  longest: nullable(number),
  geared_to: text,
  ratio: number,
};

export const sheaveKeys = {
  name: text,
  rod: text,
  at: text,
  s: number,
  body: text,
  point: vec3,
  axis: vec3,
  radius: number,
  friction: number,
  inertia: number,
};

export const ropePointKeys = {
  body: text,
  point: vec3,
  radius: number,
  axis: nullable(vec3),
  friction: number,
};

export const ropeKeys = {
  name: text,
  stiffness: number,
  length: nullable(number),
  through: list(object(ropePointKeys)),
  breaking_tension: nullable(number),
  wound: oneOf('start', 'end'),
  tied: flag,
};

export const planeKeys = {
  point: vec3,
  normal: vec3,
};

export const sphereKeys = {
  point: vec3,
  radius: number,
};

export const boxKeys = {
  size: vec3,
  position: vec3,
  orientation: quat,
};

export const capsuleKeys = {
  from: vec3,
  to: vec3,
  radius: number,
};

export const cylinderKeys = {
  from: vec3,
  to: vec3,
  radius: number,
};

export const obstacleKeys = {
  name: text,
  kind: oneOf('plane', 'sphere', 'box', 'capsule', 'cylinder', 'mesh'),
  ...planeKeys,
  ...sphereKeys,
  ...boxKeys,
  ...capsuleKeys,
  ...cylinderKeys,
  mesh: text,
  scale: number,
  position: vec3,
  orientation: quat,
  friction: number,
  material: text,
  body: text,
};

export const frictionPairKeys = {
  material: text,
  against: text,
  friction: number,
};

export const contactKeys = {
  obstacles: flag,
  rods: flag,
  friction: number,
  pairs: list(object(frictionPairKeys)),
};

export const chainKeys = {
  sweeps: number,
  damping: number,
  detail: number,
};

export const splineKeys = {
  basis: oneOf('b-spline', 'catmull-rom', 'nurbs'),
  detail: number,
};

export const wirePartKeys = {
  rod: text,
};

export const wireKeys = {
  name: text,
  along: list(object(wirePartKeys)),
};

export const simulationKeys = {
  formulation: text,
  mode: oneOf('statics', 'dynamics'),
  stepper: oneOf('implicit', 'projection', 'variational'),
  spectral_radius: number,
  integrator: oneOf('energy-momentum', 'implicit-euler', 'bdf2', 'generalised-alpha', 'runge-kutta'),
  rotary_inertia: flag,
  step: number,
  tolerance: nullable(number),
  iterations: number,
  end: number,
  start_result: text,
  start: text,
  chain: object(chainKeys),
  spline: object(splineKeys),
};

export const probeKeys = {
  name: text,
  rod: text,
  at: text,
  s: number,
};

export const recordKeys = {
  every: number,
  probes: list(object(probeKeys)),
};

export const sectionKeys = {
  name: text,
  shape: oneOf('circle', 'tube', 'rectangle', 'ellipse', 'given', 'bundle'),
};

export const sectionNumbers = {
  radius: number,
  outer_radius: number,
  inner_radius: number,
  fill_density: number,
  width: number,
  height: number,
  radii: pair,
  EA: number,
  EI: pair,
  GJ: number,
  mass_per_length: number,
  inertia: nullable(vec3),
  yield_moment: nullable(pair),
  yield_torque: nullable(number),
  yield_force: nullable(number),
  hardening: number,
  isotropic: number,
  slip_curvature: nullable(number),
  slipping: number,
  bundle: list(object(bundleWireKeys)),
  tape: number,
  bond: number,
};

export const sceneKeys = {
  title: text,
  gravity: vec3,
  materials: list(object({ ...materialKeys, path: text })),
  sections: list(object({ ...sectionKeys, path: text }, sectionNumbers)),
  rods: list(object({ ...rodKeys, path: text })),
  bodies: list(object({ ...bodyKeys, path: text })),
  scenery: list(object({ ...sceneryKeys, path: text })),
  holds: list(object({ ...holdKeys, path: text })),
  junctions: list(object({ ...junctionKeys, path: text })),
  joints: list(object({ ...jointKeys, path: text })),
  forces: list(object({ ...forceKeys, path: text })),
  torques: list(object({ ...torqueKeys, path: text })),
  distributed: list(object({ ...distributedKeys, path: text })),
  obstacles: list(object({ ...obstacleKeys, path: text })),
  contact: object(contactKeys),
  winches: list(object({ ...winchKeys, path: text })),
  sheaves: list(object({ ...sheaveKeys, path: text })),
  ropes: list(object({ ...ropeKeys, path: text })),
  drivers: list(object({ ...driverKeys, path: text })),
  routing: list(object({ ...routingKeys, path: text })),
  wires: list(object({ ...wireKeys, path: text })),
  simulation: object(simulationKeys),
  record: object(recordKeys),
};
