// Frames: the binary messages that say where everything is. A store keeps the last of each rod, because a frame leaves
// out what did not change. Arrays stay the same ones as long as the number of points does.

const MAGIC = 0x464d4c46; // «FLMF», little endian
const VERSION = 1;
const HEADER = 112;
const ROD_HEADER = 48;
const BODY = 40;
const HOLD = 64;
const ROPE_HEADER = 16;

export const enum FrameFlag {
  Playing = 1,
  Converged = 2,
  Equilibrium = 4,
  Dragging = 8,
}

export const enum HoldFlag {
  Position = 1,
  Orientation = 2,
  Hand = 4,
  Popped = 8,
}

export const enum RopeFlag {
  Slack = 1,
  Broken = 2,
}

const enum RodFlag {
  Layout = 1,
  Values = 2,
  Closed = 4,
}

export class RodFrame {
  count = 0;
  closed = false;
  turns = 0;
  writhe = 0;
  length = 0;
  minBendRadius = Infinity;
  minBendRadiusAt = 0;
  maxTension = 0;
  maxTensionAt = 0;
  s: Float32Array = new Float32Array(0);
  outline: Float32Array = new Float32Array(0);
  positions: Float32Array = new Float32Array(0);
  frames: Float32Array = new Float32Array(0);
  channels: Float32Array[] = [];
}

export interface BodyFrame {
  position: Float32Array;
  orientation: Float32Array;
  velocity: Float32Array;
}

export interface HoldFrame {
  position: Float32Array;
  orientation: Float32Array;
  force: Float32Array;
  moment: Float32Array;
  s: number;
  turns: number;
  flags: number;
}

/** A massless rope, where it runs. */
export interface RopeFrame {
  flags: number;
  tension: number;
  length: number;
  /** its points, three numbers each */
  path: Float32Array;
}

export class FrameError extends Error {}

export class FrameStore {
  number = 0;
  revision = 0;
  flags = 0;
  /** hash of the exact state, as 16 hexadecimal digits */
  hash = '';
  time = 0;
  steps = 0;
  solveMs = 0;
  realTime = 0;
  /** elastic, gravity, kinetic, work, dissipated; J */
  readonly energy = new Float64Array(5);
  rods: RodFrame[] = [];
  bodies: BodyFrame[] = [];
  holds: HoldFrame[] = [];
  ropes: RopeFrame[] = [];

  /** Takes a message in. Throws FrameError if it is not a whole frame; what was known before may then be partly new. */
  read(buffer: ArrayBuffer): void {
    const view = new DataView(buffer);
    if (buffer.byteLength < HEADER || view.getUint32(0, true) !== MAGIC) throw new FrameError('not a frame');
    if (view.getUint16(4, true) !== VERSION) throw new FrameError(`frame of version ${view.getUint16(4, true)}`);
    const rods = view.getUint32(88, true);
    const bodies = view.getUint32(92, true);
    const holds = view.getUint32(96, true);
    const channels = view.getUint32(100, true);

    // rods first: a message that is cut off must not leave a new header over old rods
    resize(this.rods, rods, () => new RodFrame());
    let at = HEADER;
    for (const rod of this.rods) at = readRod(view, at, rod, channels);
    if (at + bodies * BODY + holds * HOLD > buffer.byteLength) throw new FrameError('frame is cut off');
    resize(this.bodies, bodies, newBody);
    for (const body of this.bodies) {
      body.position.set(new Float32Array(buffer, at, 3));
      body.orientation.set(new Float32Array(buffer, at + 12, 4));
      body.velocity.set(new Float32Array(buffer, at + 28, 3));
      at += BODY;
    }
    resize(this.holds, holds, newHold);
    for (const hold of this.holds) {
      readHold(view, at, hold);
      at += HOLD;
    }
    resize(this.ropes, view.getUint32(104, true), newRope);
    for (const rope of this.ropes) at = readRope(view, at, rope);
    this.readHeader(view);
  }

  private readHeader(view: DataView): void {
    this.flags = view.getUint16(6, true);
    this.number = view.getUint32(8, true);
    this.revision = view.getUint32(12, true);
    this.hash = view.getBigUint64(16, true).toString(16).padStart(16, '0');
    this.time = view.getFloat64(24, true);
    this.steps = view.getFloat64(32, true);
    this.solveMs = view.getFloat32(40, true);
    this.realTime = view.getFloat32(44, true);
    for (let k = 0; k < 5; ++k) this.energy[k] = view.getFloat64(48 + 8 * k, true);
  }
}

function readRod(view: DataView, start: number, rod: RodFrame, channels: number): number {
  if (start + ROD_HEADER > view.byteLength) throw new FrameError('frame is cut off');
  const count = view.getUint32(start, true);
  const flags = view.getUint32(start + 4, true);
  const floats = (flags & RodFlag.Layout ? 3 * count : 0) + (flags & RodFlag.Values ? (7 + channels) * count : 0);
  let at = start + ROD_HEADER;
  if (at + 4 * floats > view.byteLength) throw new FrameError('frame is cut off');
  if (count !== rod.count || channels !== rod.channels.length) {
    if (~flags & (RodFlag.Layout | RodFlag.Values)) throw new FrameError('a rod changed its points without saying where they are');
    allocate(rod, count, channels);
  }
  const take = (into: Float32Array): void => {
    into.set(new Float32Array(view.buffer, at, into.length));
    at += 4 * into.length;
  };
  if (flags & RodFlag.Layout) {
    take(rod.s);
    take(rod.outline);
  }
  if (flags & RodFlag.Values) {
    take(rod.positions);
    take(rod.frames);
    for (const channel of rod.channels) take(channel);
  }
  rod.closed = (flags & RodFlag.Closed) !== 0;
  rod.turns = view.getFloat64(start + 8, true);
  rod.writhe = view.getFloat64(start + 16, true);
  rod.length = view.getFloat32(start + 24, true);
  rod.minBendRadius = view.getFloat32(start + 28, true);
  rod.minBendRadiusAt = view.getFloat32(start + 32, true);
  rod.maxTension = view.getFloat32(start + 36, true);
  rod.maxTensionAt = view.getFloat32(start + 40, true);
  return at;
}

function allocate(rod: RodFrame, count: number, channels: number): void {
  rod.count = count;
  rod.s = new Float32Array(count);
  rod.outline = new Float32Array(2 * count);
  rod.positions = new Float32Array(3 * count);
  rod.frames = new Float32Array(4 * count);
  rod.channels = Array.from({ length: channels }, () => new Float32Array(count));
}

function readRope(view: DataView, start: number, rope: RopeFrame): number {
  if (start + ROPE_HEADER > view.byteLength) throw new FrameError('frame is cut off');
  const floats = 3 * view.getUint32(start, true);
  const at = start + ROPE_HEADER;
  if (at + 4 * floats > view.byteLength) throw new FrameError('frame is cut off');
  if (rope.path.length !== floats) rope.path = new Float32Array(floats);
  rope.path.set(new Float32Array(view.buffer, at, floats));
  rope.flags = view.getUint32(start + 4, true);
  rope.tension = view.getFloat32(start + 8, true);
  rope.length = view.getFloat32(start + 12, true);
  return at + 4 * floats;
}

function newRope(): RopeFrame {
  return { flags: 0, tension: 0, length: 0, path: new Float32Array(0) };
}

function newBody(): BodyFrame {
  return { position: new Float32Array(3), orientation: new Float32Array(4), velocity: new Float32Array(3) };
}

function newHold(): HoldFrame {
  return {
    position: new Float32Array(3), orientation: new Float32Array(4), force: new Float32Array(3), moment: new Float32Array(3),
    s: 0, turns: 0, flags: 0,
  };
}

function readHold(view: DataView, at: number, hold: HoldFrame): void {
  hold.position.set(new Float32Array(view.buffer, at, 3));
  hold.orientation.set(new Float32Array(view.buffer, at + 12, 4));
  hold.force.set(new Float32Array(view.buffer, at + 28, 3));
  hold.moment.set(new Float32Array(view.buffer, at + 40, 3));
  hold.s = view.getFloat32(at + 52, true);
  hold.turns = view.getFloat32(at + 56, true);
  hold.flags = view.getUint32(at + 60, true);
}

function resize<T>(list: T[], length: number, make: () => T): void {
  while (list.length < length) list.push(make());
  list.length = length;
}
