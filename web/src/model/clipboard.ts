// Copy, paste, duplicate and mirror: the things of the scene that are selected, as they stand, under new names and moved aside or reflected.
import { signal } from '@preact/signals';
import type { Json } from '../protocol/commands';
import { vec3Of, type Vec3 } from '../protocol/vectors';
import { selectAll, selected, type Thing } from './selection';
import { ask } from './session';
import { bodyFrame, frame, rodFrame, scene } from './store';
import { messageOf, notify } from './trouble';
import { asOne } from './undo';

interface CopiedRod {
  name: string;
  value: Record<string, Json>;
  points: Vec3[];
  holds: { name: string; value: Record<string, Json>; position: Vec3 }[];
}

interface CopiedBody {
  name: string;
  value: Record<string, Json>;
  position: Vec3;
}

interface Copied {
  rods: CopiedRod[];
  bodies: CopiedBody[];
}

const clipboard = signal<Copied | undefined>(undefined);

const tidy = (c: number): number => Number(c.toPrecision(9));

/** Takes the selected cables, with their holds, and bodies. */
export function copySelected(): boolean {
  const things = selected.peek();
  const rods = things.flatMap((thing) => (thing.kind === 'rod' ? copyRod(thing.name) : []));
  const bodies = things.flatMap((thing) => (thing.kind === 'body' ? copyBody(thing.name) : []));
  if (rods.length + bodies.length === 0) {
    notify('Select cables or bodies to copy them.');
    return false;
  }
  clipboard.value = { rods, bodies };
  return true;
}

/** Without what is not set, however deep. */
function given(keys: Record<string, Json>): Record<string, Json> {
  const isMapping = (value: Json): value is Record<string, Json> => typeof value === 'object' && value !== null && !Array.isArray(value);
  const kept = Object.entries(keys).map(([key, value]): [string, Json] => [key, isMapping(value) ? given(value) : value]);
  return Object.fromEntries(kept.filter(([, value]) => value !== null && !(isMapping(value) && Object.keys(value).length === 0)));
}

function copyRod(name: string): CopiedRod[] {
  const rod = scene.peek()?.rods.find((candidate) => candidate.name === name);
  const now = rodFrame(name);
  if (!rod || !now || now.count < 2) return [];
  const points = Array.from({ length: now.count }, (_, k): Vec3 => [tidy(now.positions[3 * k]!), tidy(now.positions[3 * k + 1]!), tidy(now.positions[3 * k + 2]!)]);
  const limits = given(rod.limits);
  const holds = scene.peek()!.holds.flatMap((hold, k) => {
    const held = frame.holds[k];
    if (hold.rod !== name || !held) return [];
    const fix: Json = [...(hold.fix.position.some(Boolean) ? ['position'] : []), ...(hold.fix.orientation.some(Boolean) ? ['orientation'] : [])];
    return [{ name: hold.name, value: { at: hold.at, fix, ...(hold.slide && { slide: true }) }, position: [tidy(held.position[0]!), tidy(held.position[1]!), tidy(held.position[2]!)] satisfies Vec3 }];
  });
  const make = { ...(rod.material && { material: rod.material }), section: rod.section, length: rod.length, segments: rod.segments };
  return [{ name, value: { ...make, ...(Object.keys(limits).length > 0 && { limits }) }, points, holds }];
}

function copyBody(name: string): CopiedBody[] {
  const body = scene.peek()?.bodies.find((candidate) => candidate.name === name);
  const now = bodyFrame(name);
  if (!body || !now) return [];
  return [{ name, value: { box: body.box, mass: body.mass, motion: body.motion, orientation: body.orientation }, position: [tidy(now.position[0]!), tidy(now.position[1]!), tidy(now.position[2]!)] }];
}

/** Moved aside by this much, or reflected in the plane through the middle across this axis. */
export type Placing = { by: Vec3 } | { mirror: 0 | 1 | 2 };

/** what is put into the scene now: the next thing waits for it, and so does not take its names */
let pasting: Promise<unknown> = Promise.resolve();

/** Puts what was copied into the scene, as one thing to undo, and selects it. */
export async function paste(placing: Placing): Promise<void> {
  const copied = clipboard.peek();
  if (!copied) return;
  const before = pasting;
  pasting = asOne('paste', (gesture) => before.then(() => add(copied, placing, gesture)));
  await pasting;
}

async function add(copied: Copied, placing: Placing, gesture: string): Promise<void> {
  const place = placer(copied, placing);
  const taken = new Set([...(scene.peek()?.rods ?? []), ...(scene.peek()?.bodies ?? []), ...(scene.peek()?.holds ?? [])].map(({ name }) => name));
  const made: Thing[] = [];
  try {
    for (const { name, value, position } of copied.bodies) {
      const own = freeName(name, taken);
      await ask('add', { list: 'bodies', name: own, value: { ...value, position: place(position) }, gesture });
      made.push({ kind: 'body', name: own });
    }
    for (const rod of copied.rods) {
      const own = freeName(rod.name, taken);
      await ask('add', { list: 'rods', name: own, value: { ...rod.value, shape: { spline: rod.points.map(place) } }, gesture });
      made.push({ kind: 'rod', name: own });
      for (const hold of rod.holds) await ask('add', { list: 'holds', value: { name: freeName(hold.name, taken), rod: own, ...hold.value, position: place(hold.position) }, gesture });
    }
  } catch (error) {
    notify(messageOf(error), 'error');
  }
  if (made.length > 0) selectAll(made);
}

function placer({ rods, bodies }: Copied, placing: Placing): (point: Vec3) => Vec3 {
  if ('by' in placing) return (point) => [tidy(point[0] + placing.by[0]), tidy(point[1] + placing.by[1]), tidy(point[2] + placing.by[2])];
  const axis = placing.mirror;
  const all = [...rods.flatMap(({ points }) => points), ...bodies.map(({ position }) => position)].map((point) => point[axis]);
  const edge = Math.max(...all);
  return (point) => vec3Of(point.map((value, c) => (c === axis ? tidy(2 * edge - value) : value)));
}

function freeName(name: string, taken: Set<string>): string {
  const stem = name.replace(/ \d+$/, '');
  let k = 2;
  while (taken.has(`${stem} ${k}`)) k += 1;
  taken.add(`${stem} ${k}`);
  return `${stem} ${k}`;
}

/** Moves all that is selected and can be moved by this much, as one thing to undo. */
export function moveTogether(by: Vec3): Promise<void> {
  return asOne('move together', (gesture) => moveBy(by, gesture));
}

async function moveBy(by: Vec3, gesture: string): Promise<void> {
  const known = scene.peek();
  if (!known) return;
  const chosen = selected.peek();
  const rods = new Set(chosen.flatMap((thing) => (thing.kind === 'rod' ? [thing.name] : [])));
  const holds = known.holds.filter((hold) => rods.has(hold.rod) || chosen.some((thing) => thing.kind === 'hold' && thing.name === hold.name));
  const moved = (point: ArrayLike<number>): Vec3 => [tidy(point[0]! + by[0]), tidy(point[1]! + by[1]), tidy(point[2]! + by[2])];
  try {
    for (const thing of chosen) {
      const body = thing.kind === 'body' ? bodyFrame(thing.name) : undefined;
      if (thing.kind === 'body' && body) await ask('place_body', { body: thing.name, position: moved(body.position), gesture });
    }
    for (const hold of holds) {
      const held = frame.holds[known.holds.indexOf(hold)];
      if (held && !hold.body && hold.fix.position.some(Boolean)) await ask('place_hold', { hold: hold.name, position: moved(held.position), gesture });
    }
  } catch (error) {
    notify(messageOf(error), 'error');
  }
}
