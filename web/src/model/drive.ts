// What a drive asks for at a time: linear between the keyframes that name a value, resting before and after.
import type { Driver, Keyframe } from '../protocol/scene';
import { vec3Of, type Quat, type Vec3 } from '../protocol/vectors';
import { quatFrom, quaternionOf } from './quaternions';

interface DriveValues {
  position?: Vec3;
  orientation?: Quat;
  turns?: number;
  length?: number;
  scale?: number;
}

export function valuesAt(driver: Driver, t: number): DriveValues {
  const values: DriveValues = {};
  const position = between(driver.keys, t, 'position', (a, b, u) => vec3Of(a.map((c, k) => c + u * (b[k]! - c))));
  const orientation = between(driver.keys, t, 'orientation', turned);
  const mixed = (a: number, b: number, u: number): number => a + u * (b - a);
  const turns = between(driver.keys, t, 'turns', mixed);
  const length = between(driver.keys, t, 'length', mixed);
  const scale = between(driver.keys, t, 'scale', mixed);
  if (position) values.position = position;
  if (orientation) values.orientation = orientation;
  if (turns !== undefined) values.turns = turns;
  if (length !== undefined) values.length = length;
  if (scale !== undefined) values.scale = scale;
  return values;
}

/** The lengths that keyframes name. */
export function keyedLengths(driver: Driver): number[] {
  return driver.keys.flatMap(({ length }) => length ?? []);
}

function between<K extends keyof Keyframe>(
  keys: readonly Keyframe[],
  t: number,
  name: K,
  mix: (a: NonNullable<Keyframe[K]>, b: NonNullable<Keyframe[K]>, u: number) => NonNullable<Keyframe[K]>,
): NonNullable<Keyframe[K]> | undefined {
  const named = keys.filter((key) => key[name] !== undefined && key[name] !== null);
  if (named.length === 0) return undefined;
  const after = named.findIndex((key) => key.t > t);
  if (after === 0) return named[0]![name]!;
  if (after < 0) return named.at(-1)![name]!;
  const a = named[after - 1]!;
  const b = named[after]!;
  return mix(a[name]!, b[name]!, (t - a.t) / (b.t - a.t));
}

function turned(a: Quat, b: Quat, u: number): Quat {
  return quatFrom(quaternionOf(a).normalize().slerp(quaternionOf(b).normalize(), u));
}
