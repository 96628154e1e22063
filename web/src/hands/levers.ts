// Levers: sliders and keys that lead a cable's length, a body along an axis, or whatever a drive leads along its motion.
// While time stands still a lever lays; while it plays it drives, at a bounded speed as a winch or a trolley does.
import { computed, effect, signal } from '@preact/signals';
import { Live } from '../model/live';
import { valuesAt } from '../model/drive';
import { frame, playing, rodIndex, rodNamed, scene, state } from '../model/store';
import type { Quantity } from '../model/units';
import type { Body, Driver, Rod, Rope, Winch } from '../protocol/scene';
import { vec3Of, type Vec3 } from '../protocol/vectors';
import { Mover } from './mover';

export interface Lever {
  id: string;
  label: string;
  hint: string;
  quantity: Quantity;
  /** of one unit of the value per second */
  rate: Quantity;
  min: number;
  max: number;
  /** of the keys, and the most of the slider while it plays */
  speed: number;
  value: () => number;
  /** how fast it moves now */
  moving: () => number;
  grip: () => Grip;
  /** a person put it here and may take it away */
  pinned: boolean;
}

/** A hand on a lever, from the first movement to the last. */
export interface Grip {
  to: (value: number) => void;
  /** so fast from here on; 0 brakes */
  go: (rate: number) => void;
  end: () => void;
}

/** what people put among the levers: «length ROD», «body NAME x» */
export const pins = signal<ReadonlySet<string>>(new Set());
/** speeds that people chose, by lever */
export const speeds = signal<Readonly<Record<string, number>>>({});

export function togglePin(id: string): void {
  const next = new Set(pins.peek());
  if (!next.delete(id)) next.add(id);
  pins.value = next;
}

/** Drives first, then what was pinned. */
export const levers = computed<readonly Lever[]>(() => {
  const known = scene.value;
  if (!known) return [];
  const list: Lever[] = [];
  for (const driver of known.drivers) {
    const rod = driver.kind === 'rod' ? known.rods.find(({ name }) => name === driver.target) : undefined;
    const rope = driver.kind === 'rope' ? known.ropes.find(({ name }) => name === driver.target) : undefined;
    if (rod) list.push(lengthLever(rod, driver));
    else if (rope) list.push(ropeLever(rope, driver));
    else if ((driver.kind === 'body' || driver.kind === 'hold') && driver.keys.length > 1) list.push(driveLever(driver));
  }
  for (const winch of known.winches) list.push(winchLever(winch));
  for (const id of pins.value) {
    const rod = known.rods.find(({ name }) => id === `length ${name}`);
    if (rod && !list.some((lever) => lever.id === id)) list.push({ ...lengthLever(rod), pinned: true });
    for (const body of known.bodies)
      for (const axis of [0, 1, 2] as const) if (id === axisId(body, axis)) list.push({ ...axisLever(body, axis), pinned: true });
  }
  return list;
});

/** 1, 2 or 5 times a power of ten, at most the value. */
export function handy(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((power * ([5, 2, 1].find((digit) => digit * power <= value * (1 + 1e-9)) ?? 1)).toPrecision(6));
}

const chosen = (id: string, usual: number): number => speeds.value[id] ?? usual;

/** A cable's length: a winch. */
export function lengthLever(rod: Rod, driver?: Driver): Lever {
  const id = `length ${rod.name}`;
  const lengths = driver?.keys.flatMap(({ length }) => (length === undefined || length === null ? [] : [length])) ?? [];
  const now = (): number => frame.rods[rodIndex(rod.name)]?.s.at(-1) ?? rod.length;
  return {
    id, label: rod.name, hint: `Pays ${rod.name} out and hauls it in`, quantity: 'length', rate: 'speed',
    min: Math.min(0.5 * rod.length, ...lengths), max: Math.max(1.5 * rod.length, ...lengths),
    speed: chosen(id, handy(0.2 * rod.length)),
    value: now,
    moving: () => state.peek()?.reels.find((reel) => reel.rod === rod.name)?.speed ?? 0,
    grip: () => lengthGrip(rod, now, chosen(id, handy(0.2 * rod.length))),
    pinned: false,
  };
}

function lengthGrip(rod: Rod, now: () => number, speed: number): Grip {
  const where = `${rod.path}.length`;
  const laid = new Live('set_length', where);
  const driven = new Live('reel', where);
  let runner: Runner | undefined;
  const to = (length: number): void => {
    if (playing.peek()) driven.send({ rod: rod.name, length, speed });
    else laid.send({ rod: rod.name, length: Number(length.toPrecision(6)) });
  };
  const go = (rate: number): void => {
    runner?.stop();
    if (playing.peek()) driven.send({ rod: rod.name, speed: rate });
    else if (rate !== 0) {
      let length = now();
      runner = new Runner((dt) => to((length = Math.max(length + rate * dt, 0.02 * rod.length))));
    }
  };
  return { to, go, end: () => runner?.stop() };
}

export const axisId = (body: Body, axis: 0 | 1 | 2): string => `body ${body.name} ${'xyz'[axis]}`;

/** A body along a world axis: a trolley. */
export function axisLever(body: Body, axis: 0 | 1 | 2): Lever {
  const id = axisId(body, axis);
  const reach = Math.max(...scene.peek()!.rods.map((rod) => rod.length), 0.1);
  const index = scene.peek()!.bodies.findIndex((candidate) => candidate.name === body.name);
  const now = (): number => frame.bodies[index]?.position[axis] ?? body.position[axis];
  return {
    id, label: `${body.name} ${'xyz'[axis]}`, hint: `Moves ${body.name} along ${'xyz'[axis]}`, quantity: 'length', rate: 'speed',
    min: body.position[axis] - reach, max: body.position[axis] + reach,
    speed: chosen(id, handy(0.2 * reach)),
    value: now,
    moving: () => (playing.peek() ? (frame.bodies[index]?.velocity[axis] ?? 0) : 0),
    grip: () => axisGrip(body, axis, index, chosen(id, handy(0.2 * reach)), reach),
    pinned: false,
  };
}

/** Seconds that a driven thing takes to stop, as the server has it. */
const BRAKING = 0.15;

function axisGrip(body: Body, axis: 0 | 1 | 2, index: number, speed: number, reach: number): Grip {
  const mover = new Mover(`lever of ${body.name}`, { body: body.name }, { reach: true });
  const start = vec3Of(frame.bodies[index]?.position ?? body.position);
  let runner: Runner | undefined;
  const at = (value: number): Vec3 => vec3Of(start.map((c, k) => (k === axis ? value : c)));
  const now = (): number => frame.bodies[index]?.position[axis] ?? start[axis];
  const go = (rate: number): void => {
    runner?.stop();
    if (!playing.peek()) {
      let value = now();
      if (rate !== 0) runner = new Runner((dt) => mover.move({ position: at((value += rate * dt)) }));
      return;
    }
    const pace = frame.bodies[index]?.velocity[axis] ?? 0;
    const goal = rate === 0 ? now() + 0.5 * BRAKING * pace : now() + Math.sign(rate) * 100 * reach;
    mover.move({ position: at(goal), speed: Math.abs(rate) || speed });
  };
  return {
    to: (value) => mover.move({ position: at(value), ...(playing.peek() && { speed }) }),
    go,
    end: () => {
      const moving = runner === undefined && playing.peek();
      runner?.stop();
      // while it plays it is let go of once it stands
      setTimeout(() => void mover.drop(false), moving ? 2e3 * BRAKING : 0);
    },
  };
}

/** A massless rope's length: a hoist, while it plays. */
function ropeLever(rope: Rope, driver: Driver): Lever {
  const id = `rope ${rope.name}`;
  const lengths = driver.keys.flatMap(({ length }) => (length === undefined || length === null ? [] : [length]));
  const now = (): number => state.peek()?.ropes.find(({ name }) => name === rope.name)?.length ?? lengths[0] ?? 0;
  const speed = chosen(id, handy(0.05 * Math.max(...lengths, 0.1)));
  return {
    id, label: rope.name, hint: `Pays rope ${rope.name} out and hauls it in, while it plays`, quantity: 'length', rate: 'speed',
    min: 0.5 * Math.min(...lengths), max: 1.2 * Math.max(...lengths), speed,
    value: now,
    moving: () => state.peek()?.reels.find((reel) => reel.rope === rope.name)?.speed ?? 0,
    grip: () => {
      const live = new Live('reel', id);
      return {
        to: (length) => live.send({ rope: rope.name, length, speed }),
        go: (rate) => live.send({ rope: rope.name, speed: rate }),
        end: () => undefined,
      };
    },
    pinned: false,
  };
}

/** A winch of the scene: its lever is its speed, and stands at nothing when it is let go of. */
function winchLever(winch: Winch): Lever {
  const id = `winch ${winch.name}`;
  const rod = rodNamed(winch.rod);
  const usual = Math.abs(winch.speed) || handy(0.1 * (rod?.length ?? 1));
  const speed = chosen(id, usual);
  const now = (): number => state.peek()?.winches.find(({ name }) => name === winch.name)?.speed ?? 0;
  return {
    id, label: winch.name, hint: `Speed of winch ${winch.name} while it plays: above zero it pays ${winch.rod} out`, quantity: 'speed', rate: 'speed',
    min: -speed, max: speed, speed,
    value: now,
    moving: now,
    grip: () => {
      const live = new Live('winch', id);
      const go = (rate: number): void => live.send({ winch: winch.name, speed: rate });
      return { to: go, go, end: () => go(0) };
    },
    pinned: false,
  };
}

/** Along the motion that keyframes give, by its time. */
export function driveLever(driver: Driver): Lever {
  const name = driver.target;
  const id = `drive ${driver.kind} ${name}`;
  const first = driver.keys[0]!.t;
  const last = driver.keys.at(-1)!.t;
  const value = (): number => led.value[id] ?? Math.min(Math.max(frame.time, first), last);
  return {
    id, label: name, hint: `Leads ${driver.kind} ${name} along its motion, by the time of that motion`, quantity: 'time', rate: 'factor',
    min: first, max: Math.max(last, first + 1e-6),
    speed: chosen(id, 1),
    value,
    moving: () => (driver.kind === 'body' && playing.peek() ? Math.hypot(...(frame.bodies[scene.peek()?.bodies.findIndex((body) => body.name === name) ?? -1]?.velocity ?? [0])) : 0),
    grip: () => driveGrip(driver, id, value()),
    pinned: false,
  };
}

/** how far along their motions things were led by hand, until time goes on by itself */
const led = signal<Readonly<Record<string, number>>>({});

function driveGrip(driver: Driver, id: string, from: number): Grip {
  const name = driver.target;
  const mover = new Mover(`drive ${name}`, driver.kind === 'body' ? { body: name } : { hold: name });
  const first = driver.keys[0]!.t;
  const last = driver.keys.at(-1)!.t;
  let t = from;
  let runner: Runner | undefined;
  const to = (time: number): void => {
    t = Math.min(Math.max(time, first), last);
    led.value = { ...led.peek(), [id]: t };
    const { position, orientation, turns } = valuesAt(driver, t);
    mover.move({ ...(position && { position }), ...(orientation && { orientation }), ...(turns !== undefined && { turns }) });
  };
  return {
    to,
    go: (rate) => {
      runner?.stop();
      if (rate !== 0) runner = new Runner((dt) => to(t + rate * dt));
    },
    end: () => {
      runner?.stop();
      void mover.drop(false);
    },
  };
}

/** Calls once a picture with the seconds since the last. */
class Runner {
  private running = true;

  constructor(step: (dt: number) => void) {
    let before = performance.now();
    const loop = (now: number): void => {
      if (!this.running) return;
      step(Math.min(Math.max(now - before, 0), 100) / 1000);
      before = now;
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  stop(): void {
    this.running = false;
  }
}

/** Keys of the first levers: on, back. */
export const LEVER_KEYS: readonly (readonly [string, string])[] = [['q', 'a'], ['w', 's'], ['i', 'k']];

const held = new Map<string, Grip>();

/** The lever of a key and its direction: those of the first levers; + and − that of the selected cable. */
function leverOf(key: string, selectedRod: () => Rod | undefined): { lever: Lever; sign: number } | undefined {
  const k = LEVER_KEYS.findIndex((pair) => pair.includes(key));
  const lever = levers.peek()[k];
  if (lever) return { lever, sign: key === LEVER_KEYS[k]![0] ? 1 : -1 };
  if (!'+=-'.includes(key)) return undefined;
  const rod = selectedRod();
  return rod && { lever: lengthLever(rod), sign: key === '-' ? -1 : 1 };
}

/** Takes a key if it is a lever's. */
export function leverKey(event: KeyboardEvent, down: boolean, selectedRod: () => Rod | undefined): boolean {
  const key = event.key.toLowerCase();
  if (!down) {
    const grip = held.get(key);
    held.delete(key);
    grip?.go(0);
    grip?.end();
    return grip !== undefined;
  }
  if (event.ctrlKey || event.metaKey) return false;
  if (held.has(key)) return true;
  const found = leverOf(key, selectedRod);
  if (!found) return false;
  const grip = found.lever.grip();
  held.set(key, grip);
  grip.go(found.sign * found.lever.speed * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1));
  return true;
}

/** Lets go of every lever: the page lost the keyboard. */
export function letGoOfLevers(): void {
  for (const grip of held.values()) {
    grip.go(0);
    grip.end();
  }
  held.clear();
}

// what was led by hand follows the clock again once that goes on
effect(() => {
  if (playing.value) led.value = {};
});

