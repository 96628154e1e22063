// Vectors and orientations as messages have them.
import { number, type Guard } from './guard';

export type Vec3 = [number, number, number];
/** w, x, y, z */
export type Quat = [number, number, number, number];

const areNumbers = (value: unknown, count: number): boolean =>
  Array.isArray(value) && value.length === count && value.every((item: unknown) => number(item));

export const pair: Guard<[number, number]> = (value): value is [number, number] => areNumbers(value, 2);
export const vec3: Guard<Vec3> = (value): value is Vec3 => areNumbers(value, 3);
export const quat: Guard<Quat> = (value): value is Quat => areNumbers(value, 4);

/** The first three numbers of a list. */
export function vec3Of(list: ArrayLike<number>): Vec3 {
  return [list[0] ?? NaN, list[1] ?? NaN, list[2] ?? NaN];
}

/** The first four numbers of a list. */
export function quatOf(list: ArrayLike<number>): Quat {
  return [list[0] ?? NaN, list[1] ?? NaN, list[2] ?? NaN, list[3] ?? NaN];
}
