// The message «scene»: all that a tree and an inspector show, as docs/workbench-protocol.md has it, in SI units. Only what
// this page reads is named here.
import { byName, flag, list, nullable, number, object, oneOf, text, type Guard, type Guarded } from './guard';
import { pair, quat, vec3 } from './vectors';

/** Of the scene; those that every scene may use have no path. */
export const material = object({ name: text, young: number, poisson: number, density: number }, { path: text });

/** Which numbers there are depends on the shape. */
const section = object(
  { name: text, path: text, shape: oneOf('circle', 'tube', 'rectangle', 'ellipse', 'given') },
  {
    radius: number, outer_radius: number, inner_radius: number, fill_density: number, width: number, height: number, radii: pair,
    EA: number, EI: pair, GJ: number, mass_per_length: number,
  },
);

const rod = object({
  name: text,
  path: text,
  material: text,
  section: text,
  length: number,
  segments: number,
  closed: flag,
  twist: number,
  limits: object({ min_bend_radius: nullable(number), max_tension: nullable(number), max_hold_force: nullable(number) }),
  stiffness: object({ EA: number, EI: pair, GJ: number }),
  mass_per_length: number,
  mass: number,
  outline: pair,
});

const body = object({ name: text, path: text, box: vec3, mass: number, position: vec3, orientation: quat, motion: oneOf('fixed', 'driven', 'free') });

type Axes = [boolean, boolean, boolean];
const axes: Guard<Axes> = (value): value is Axes => Array.isArray(value) && value.length === 3 && value.every((item: unknown) => flag(item));
const fix = object({ position: axes, orientation: axes });

const hold = object({ name: text, path: text, rod: text, s: number, fix, slide: flag, body: text, position: nullable(vec3) });

const junction = object({ name: text, path: text, rods: list(object({ rod: text, s: number })) });

/** A force or a torque, on a place of a rod or on a body. */
const load = object({ path: text, rod: text, s: number, body: text, follow: flag }, { force: vec3, torque: vec3 });

/** What a keyframe does not say is null. */
const keyframe = object(
  { t: number },
  { position: nullable(vec3), orientation: nullable(quat), turns: nullable(number), scale: nullable(number), length: nullable(number), fix: nullable(fix) },
);

const driver = object({ path: text, kind: oneOf('body', 'hold', 'force', 'torque', 'rod', 'winch', 'rope'), target: text, keys: list(keyframe) });

const routing = object({ path: text, rod: text, pull: nullable(number) });

const winch = object({
  name: text, path: text, rod: text, s: number, body: text, point: nullable(vec3), drum_radius: number, speed: number,
  max_force: nullable(number), shortest: nullable(number), longest: nullable(number),
});

const wheel = { body: text, point: vec3, axis: nullable(vec3), radius: number, friction: number };
const sheave = object({ ...wheel, name: text, path: text, rod: text });
const rope = object({ name: text, path: text, stiffness: number, length: nullable(number), breaking_tension: nullable(number), through: list(object(wheel)) });

const plane = object({ name: text, path: text, point: vec3, normal: vec3, friction: number });

/** A mesh that is looked at. `mesh` is the file as the scene names it; an address of '' means that it is not to be found. */
const sceneryItem = object({ name: text, path: text, mesh: text, position: vec3, orientation: quat, scale: number, body: text, bytes: number, address: text });

export const sceneMessage = object({
  type: oneOf('scene'),
  revision: number,
  empty: flag,
  title: text,
  gravity: vec3,
  materials: list(material),
  sections: list(section),
  rods: list(rod),
  bodies: list(body),
  holds: list(hold),
  junctions: list(junction),
  forces: list(load),
  torques: list(load),
  drivers: list(driver),
  routing: list(routing),
  winches: list(winch),
  sheaves: list(sheave),
  ropes: list(rope),
  planes: list(plane),
  scenery: list(sceneryItem),
  simulation: object({ formulation: text, mode: oneOf('statics', 'dynamics'), step: number, end: number }),
  /** by formulation: why it cannot take this scene */
  refusals: byName(text),
  /** holds of hands at points of rods: frames list them after the scene's holds */
  hands: list(object({ name: text, rod: text })),
  warnings: list(text),
});

export type Material = Guarded<typeof material>;
export type Section = Guarded<typeof section>;
export type Rod = Guarded<typeof rod>;
export type Body = Guarded<typeof body>;
export type Hold = Guarded<typeof hold>;
export type Junction = Guarded<typeof junction>;
export type Load = Guarded<typeof load>;
export type Keyframe = Guarded<typeof keyframe>;
export type Driver = Guarded<typeof driver>;
export type Winch = Guarded<typeof winch>;
export type Sheave = Guarded<typeof sheave>;
export type Rope = Guarded<typeof rope>;
export type Wheel = Rope['through'][number];
export type GroundPlane = Guarded<typeof plane>;
export type SceneryItem = Guarded<typeof sceneryItem>;
export type SceneMessage = Guarded<typeof sceneMessage>;
