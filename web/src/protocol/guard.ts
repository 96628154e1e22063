// Guards: whether what the server said is what its type says. A type is derived from its guard, so that the two cannot
// differ. A guard leaves the value as it is, with whatever else a newer server has put into it.

/** Where it says no, it puts the keys that lead there into the trail, outermost first. */
export type Guard<T> = (value: unknown, trail?: string[]) => value is T;
/** What a guard lets through. */
export type Guarded<G> = G extends Guard<infer T> ? T : never;

type Shape = Readonly<Record<string, Guard<unknown>>>;
type Plain<T> = { [K in keyof T]: T[K] };
type Shaped<S extends Shape> = { [K in keyof S]: Guarded<S[K]> };

/** What the server said is not what the protocol has it say. */
export class ProtocolError extends Error {}

/** The value, if the guard lets it through; otherwise an error that says where it does not fit. */
export function checked<T>(value: unknown, guard: Guard<T>, what: string): T {
  const trail: string[] = [];
  if (guard(value, trail)) return value;
  throw new ProtocolError(`the server's ${what} is not understood${trail.length > 0 ? ` at '${trail.join('.')}'` : ''}`);
}

export const text: Guard<string> = (value) => typeof value === 'string';
export const number: Guard<number> = (value) => typeof value === 'number';
export const flag: Guard<boolean> = (value) => typeof value === 'boolean';

/** One of these words. */
export function oneOf<const W extends readonly string[]>(...words: W): Guard<W[number]> {
  return (value): value is W[number] => words.some((word) => word === value);
}

/** JSON has no infinite number and no absent vector: null. */
export function nullable<T>(guard: Guard<T>): Guard<T | null> {
  return (value, trail): value is T | null => value === null || guard(value, trail);
}

export function list<T>(guard: Guard<T>): Guard<T[]> {
  return (value, trail): value is T[] => Array.isArray(value) && value.every((item: unknown, k) => inside(guard, item, String(k), trail));
}

/** Values by names that the server chooses. */
export function byName<T>(guard: Guard<T>): Guard<Record<string, T>> {
  return (value, trail): value is Record<string, T> => isObject(value) && Object.entries(value).every(([key, item]) => inside(guard, item, key, trail));
}

/** An object with these keys, and perhaps those. */
export function object<S extends Shape, O extends Shape = Record<never, never>>(
  shape: S,
  optional?: O,
): Guard<Plain<Shaped<S> & Partial<Shaped<O>>>> {
  const needed = Object.entries(shape);
  const allowed = Object.entries(optional ?? {});
  return (value, trail): value is Plain<Shaped<S> & Partial<Shaped<O>>> =>
    isObject(value) &&
    needed.every(([key, guard]) => inside(guard, value[key], key, trail)) &&
    allowed.every(([key, guard]) => value[key] === undefined || inside(guard, value[key], key, trail));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inside(guard: Guard<unknown>, value: unknown, key: string, trail: string[] | undefined): boolean {
  if (guard(value, trail)) return true;
  trail?.unshift(key);
  return false;
}
