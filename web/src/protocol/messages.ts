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
}

export interface Driver {
  path: string;
  kind: 'body' | 'hold' | 'force' | 'torque' | 'rod';
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

export interface SceneryMesh {
  id: number;
  name: string;
  bytes: number;
  address: string;
  position: Vec3;
  orientation: Quat;
  scale: number;
  body: string;
  visible: boolean;
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
  meshes: SceneryMesh[];
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
