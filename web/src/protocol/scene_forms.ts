// What of the message «scene» has a form of its own: curves, rest shapes, axes that are held.
import { flag, list, number, object, oneOf, text, type Guard } from './guard';
import { pair, vec3 } from './vectors';

type Axes = [boolean, boolean, boolean];
export const axes: Guard<Axes> = (value): value is Axes => Array.isArray(value) && value.length === 3 && value.every((item: unknown) => flag(item));

/** By its kind through `points` (the first thousand of `count`), or round an axis. */
export const curve = object(
  { kind: oneOf('line', 'points', 'spline', 'arc', 'helix', 'control'), file: text },
  { points: list(vec3), count: number, centre: vec3, axis: vec3, start: vec3, angle: number, pitch: number, basis: oneOf('b-spline', 'catmull-rom', 'nurbs') },
);

export const rest = object({ kind: oneOf('straight', 'as-shaped', 'uniform', 'curve'), curvature: pair, twist_rate: number }, { curve });
