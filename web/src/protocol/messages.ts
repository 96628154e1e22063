// What server and page say to each other, as docs/workbench-protocol.md has it. SI units throughout.

export type Vec3 = [number, number, number];
/** w, x, y, z */
export type Quat = [number, number, number, number];

export interface Material {
  name: string;
  young: number;
  poisson: number;
  density: number;
  path?: string;
  note?: string;
}

export interface Section {
  name: string;
  path: string;
  shape: 'circle' | 'tube' | 'rectangle' | 'ellipse' | 'given';
  radius?: number;
  outer_radius?: number;
  inner_radius?: number;
  fill_density?: number;
  width?: number;
  height?: number;
  radii?: [number, number];
  EA?: number;
  EI?: [number, number];
  GJ?: number;
  mass_per_length?: number;
}

export interface Limits {
  min_bend_radius: number | null;
  max_tension: number | null;
  max_hold_force: number | null;
  max_transverse_force: number | null;
}

export interface Rod {
  name: string;
  path: string;
  material: string;
  section: string;
  length: number;
  length_given: boolean;
  segments: number;
  closed: boolean;
  twist: number;
  normal: Vec3 | null;
  rest: { kind: string };
  limits: Limits;
  stations: { s: number; section: string; material: string }[];
  extensible: boolean;
  damping: { mass: number; stiffness: number; bend: number; twist: number; stretch: number; air: number };
  stiffness: { EA: number; EI: [number, number]; GJ: number };
  mass_per_length: number;
  mass: number;
  outline: [number, number];
}

export interface Body {
  name: string;
  path: string;
  box: Vec3;
  mass: number;
  position: Vec3;
  orientation: Quat;
  motion: 'fixed' | 'driven' | 'free';
}

export interface Fix {
  position: [boolean, boolean, boolean];
  orientation: [boolean, boolean, boolean];
}

export interface Hold {
  name: string;
  path: string;
  rod: string;
  at: string | number;
  s: number;
  fix: Fix;
  slide: boolean;
  body: string;
  position: Vec3 | null;
  orientation: Quat | null;
  driven: boolean;
}

export interface Junction {
  name: string;
  path: string;
  rods: { rod: string; at: string | number; s: number }[];
}

export interface Load {
  path: string;
  rod: string;
  at: string | number;
  s: number;
  body: string;
  force?: Vec3;
  torque?: Vec3;
  follow: boolean;
}

export interface DriverKey {
  t: number;
  position?: Vec3 | null;
  orientation?: Quat | null;
  turns?: number | null;
  scale?: number | null;
  length?: number | null;
  speed?: number | null;
  fix?: Fix | null;
}

export interface Driver {
  path: string;
  kind: 'body' | 'hold' | 'force' | 'torque' | 'rod' | 'winch' | 'rope';
  target: string | number;
  keys: DriverKey[];
}

export interface Probe {
  name: string;
  path: string;
  rod: string;
  at: string | number;
  s: number;
}

export interface Routing {
  path: string;
  rod: string;
  mode: 'self-finding' | 'pulled';
  pull: number;
}

export interface FoundLength {
  rod: string;
  length: number;
  verdict: string;
}

export interface Winch {
  name: string;
  path: string;
  rod: string;
  s: number;
  body: string;
  point: Vec3 | null;
  drum_radius: number;
  speed: number;
  max_force: number | null;
  shortest: number | null;
  longest: number | null;
}

export interface Wheel {
  body: string;
  point: Vec3;
  axis: Vec3 | null;
  radius: number;
  friction: number;
}

export interface Sheave extends Wheel {
  name: string;
  path: string;
  rod: string;
  inertia: number;
}

export interface Rope {
  name: string;
  path: string;
  stiffness: number;
  length: number | null;
  breaking_tension: number | null;
  through: Wheel[];
}

export interface GroundPlane {
  name: string;
  path: string;
  point: Vec3;
  normal: Vec3;
  friction: number;
}

/** What a winch does now. */
export interface WinchState {
  name: string;
  force: number | null;
  torque: number | null;
  paid_out: number;
  speed: number;
}

export interface Simulation {
  formulation: string;
  mode: 'statics' | 'dynamics';
  step: number;
  end: number;
  stepper: string;
  integrator: string;
}

export interface HandHold {
  name: string;
  rod: string;
  s: number;
  pose: boolean;
  client: number;
}

export interface SceneMessage {
  type: 'scene';
  revision: number;
  empty: boolean;
  title: string;
  gravity: Vec3;
  materials: Material[];
  sections: Section[];
  rods: Rod[];
  bodies: Body[];
  holds: Hold[];
  junctions: Junction[];
  forces: Load[];
  torques: Load[];
  distributed: { path: string; rod: string; from: number; to: number; force_per_length: Vec3 }[];
  drivers: Driver[];
  routing: Routing[];
  probes: Probe[];
  simulation: Simulation;
  scenery: SceneryItem[];
  winches: Winch[];
  sheaves: Sheave[];
  ropes: Rope[];
  planes: GroundPlane[];
  /** by formulation: why it cannot take this scene */
  refusals: Record<string, string>;
  hands: HandHold[];
  warnings: string[];
}

export interface Formulation {
  name: string;
  motion: boolean;
}

export interface HelloMessage {
  type: 'hello';
  protocol: number;
  version: string;
  client: number;
  file_folder: string;
  channels: string[];
  formulations: Formulation[];
  materials: Material[];
}

export interface Alarm {
  name: string;
  object: string;
  kind: string;
  target: string;
  value: number | null;
  limit: number;
  unit: string;
  s: number;
  position: Vec3;
  violated: boolean;
}

/** A mesh that is looked at. */
export interface SceneryItem {
  name: string;
  path: string;
  /** the file, as the scene names it */
  mesh: string;
  position: Vec3;
  orientation: Quat;
  scale: number;
  body: string;
  bytes: number;
  /** empty: the file is not to be found */
  address: string;
}

/** Turns of a cable's ends since the simulation began, and where they went. */
export interface TurnBalance {
  rod: string;
  turns: number;
  twist: number;
  writhe: number;
  crossings: number;
  remainder: number;
}

export interface StateMessage {
  type: 'state';
  revision: number;
  frame: number;
  time: number;
  playing: boolean;
  speed: number;
  real_time: number;
  document: { name: string; path: string; dirty: boolean };
  undo: { depth: number; label: string };
  redo: { depth: number; label: string };
  clients: number;
  solve: {
    kind: 'settle' | 'step' | 'none';
    converged: boolean;
    stable: boolean | null;
    why: string;
    iterations: number;
    residual: number;
    ms: number;
  };
  loop: { rate: number; jitter_ms: { median: number; p99: number; max: number }; late: number };
  alarms: Alarm[];
  lengths: FoundLength[];
  grabbed: { client: number; hand: string; kind: string; name: string }[];
  turns: TurnBalance[];
  /** cables that are paid out or hauled in now, m/s */
  reels: { rod?: string; rope?: string; speed: number }[];
  winches: WinchState[];
  ropes: { name: string; length: number; tension: number | null; broken: boolean }[];
}

export interface ServerEvent {
  n: number;
  t: number;
  level: 'info' | 'warning' | 'error';
  what: string;
}

export interface Reply {
  type: 'reply';
  id: number | null;
  cmd: string;
  ok: boolean;
  frame?: number;
  error?: string;
  path?: string;
  line?: number;
  column?: number;
  [answer: string]: unknown;
}

export type ServerMessage =
  | HelloMessage
  | SceneMessage
  | StateMessage
  | Reply
  | { type: 'events'; events: ServerEvent[] }
  | { type: 'bye' };

export interface Example {
  name: string;
  title: string;
  about: string;
  thumbnail: string;
}

/** The answer to `compare`. */
export interface Comparison {
  rods: Record<string, ComparedRod> | (ComparedRod & { name: string })[];
  converged: boolean;
  why: string;
}

export interface ComparedRod {
  positions: Vec3[];
  distance: number;
  min_bend_radius: number | null;
  max_tension: number;
  length: number;
  turns: number;
}
