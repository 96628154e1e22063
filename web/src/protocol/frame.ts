// Frames: the binary messages that say where everything is. A store keeps the last of each rod, because a frame leaves
// out what did not change. Arrays stay the same ones as long as the number of points does.
import { CONTACT, layoutOf, Reader, RodFlag } from './frame_layout';

export { FrameError } from './frame_layout';

export const enum HoldFlag {
  Position = 1,
  Orientation = 2,
  Hand = 4,
  Popped = 8,
  OpenClip = 16,
}

export const enum RopeFlag {
  Slack = 1,
  Broken = 2,
}

export class RodFrame {
  count = 0;
  turns = 0;
  writhe = 0;
  length = 0;
  minBendRadius = Infinity;
  minBendRadiusAt = 0;
  maxTension = 0;
  maxTensionAt = 0;
  s: Float32Array = new Float32Array(0);
  /** half-extents along d1 and d2, two numbers a point */
  outline: Float32Array = new Float32Array(0);
  positions: Float32Array = new Float32Array(0);
  /** orientations, w x y z a point */
  frames: Float32Array = new Float32Array(0);
  channels: Float32Array[] = [];
  /** another number whenever its points or values are others: who has drawn it need not do so again */
  version = 0;
}

/** of the last rod that changed */
let versions = 0;

export class BodyFrame {
  readonly position = new Float32Array(3);
  readonly orientation = new Float32Array(4);
  readonly velocity = new Float32Array(3);
}

/** What a hold does to its rod, and where. */
export class HoldFrame {
  readonly position = new Float32Array(3);
  readonly orientation = new Float32Array(4);
  readonly force = new Float32Array(3);
  readonly moment = new Float32Array(3);
  s = 0;
  turns = 0;
  flags = 0;
}

/** A massless rope, where it runs. */
export class RopeFrame {
  flags = 0;
  tension = 0;
  length = 0;
  /** its points, three numbers each */
  path: Float32Array = new Float32Array(0);
}

export class FrameStore {
  number = 0;
  revision = 0;
  /** hash of the exact state, as 16 hexadecimal digits */
  hash = '';
  time = 0;
  solveMs = 0;
  /** elastic, gravity, kinetic, work, dissipated; J */
  energy = new Float64Array(5);
  rods: RodFrame[] = [];
  bodies: BodyFrame[] = [];
  holds: HoldFrame[] = [];
  ropes: RopeFrame[] = [];
  /** where things touch and the force on the rod there, six numbers each */
  contacts: Float32Array = new Float32Array(0);

  /** Is as another one is; both share what it consists of. */
  show(other: FrameStore): void {
    Object.assign(this, other);
  }

  /** One that stays as this is now. It shares with an earlier copy the points and values of rods that are still as they were then. */
  copy(before?: FrameStore): FrameStore {
    const made = Object.assign(new FrameStore(), this, { energy: this.energy.slice(), contacts: this.contacts.slice() });
    made.rods = this.rods.map((rod, k) => {
      const then = before?.rods[k];
      const { s, outline, positions, frames, channels } = then?.version === rod.version ? then : copyOf(rod);
      return Object.assign(new RodFrame(), rod, { s, outline, positions, frames, channels });
    });
    made.bodies = this.bodies.map((body) => Object.assign(new BodyFrame(), { position: body.position.slice(), orientation: body.orientation.slice(), velocity: body.velocity.slice() }));
    made.holds = this.holds.map((hold) =>
      Object.assign(new HoldFrame(), hold, { position: hold.position.slice(), orientation: hold.orientation.slice(), force: hold.force.slice(), moment: hold.moment.slice() }),
    );
    made.ropes = this.ropes.map((rope) => Object.assign(new RopeFrame(), rope, { path: rope.path.slice() }));
    return made;
  }

  /** Takes a message in. Throws FrameError if it is not a whole frame, and is then as it was. */
  read(buffer: ArrayBuffer): void {
    const view = new DataView(buffer);
    const layout = layoutOf(view, this.rods);
    resize(this.rods, layout.rods.length, () => new RodFrame());
    resize(this.bodies, layout.bodies.length, () => new BodyFrame());
    resize(this.holds, layout.holds.length, () => new HoldFrame());
    resize(this.ropes, layout.ropes.length, () => new RopeFrame());
    this.rods.forEach((rod, k) => readRod(new Reader(view, layout.rods[k]!), rod, layout.channels));
    this.bodies.forEach((body, k) => readBody(new Reader(view, layout.bodies[k]!), body));
    this.holds.forEach((hold, k) => readHold(new Reader(view, layout.holds[k]!), hold));
    this.ropes.forEach((rope, k) => readRope(new Reader(view, layout.ropes[k]!), rope));
    if (this.contacts.length !== CONTACT * layout.contacts.count) this.contacts = new Float32Array(CONTACT * layout.contacts.count);
    new Reader(view, layout.contacts.at).fill(this.contacts);
    this.number = view.getUint32(8, true);
    this.revision = view.getUint32(12, true);
    this.hash = view.getBigUint64(16, true).toString(16).padStart(16, '0');
    this.time = view.getFloat64(24, true);
    this.solveMs = view.getFloat32(40, true);
    for (let k = 0; k < 5; ++k) this.energy[k] = view.getFloat64(48 + 8 * k, true);
  }
}

/** Points and values of a rod, on their own. */
function copyOf({ s, outline, positions, frames, channels }: RodFrame): Pick<RodFrame, 's' | 'outline' | 'positions' | 'frames' | 'channels'> {
  return { s: s.slice(), outline: outline.slice(), positions: positions.slice(), frames: frames.slice(), channels: channels.map((channel) => channel.slice()) };
}

function readRod(from: Reader, rod: RodFrame, channels: number): void {
  const count = from.count();
  const flags = from.count();
  if (count !== rod.count || channels !== rod.channels.length) allocate(rod, count, channels);
  rod.turns = from.double();
  rod.writhe = from.double();
  rod.length = from.single();
  rod.minBendRadius = from.single();
  rod.minBendRadiusAt = from.single();
  rod.maxTension = from.single();
  rod.maxTensionAt = from.single();
  from.skip(4);
  if (flags & (RodFlag.Layout | RodFlag.Values)) rod.version = ++versions;
  if (flags & RodFlag.Layout) {
    from.fill(rod.s);
    from.fill(rod.outline);
  }
  if (flags & RodFlag.Values) {
    from.fill(rod.positions);
    from.fill(rod.frames);
    for (const channel of rod.channels) from.fill(channel);
  }
}

function allocate(rod: RodFrame, count: number, channels: number): void {
  rod.count = count;
  rod.s = new Float32Array(count);
  rod.outline = new Float32Array(2 * count);
  rod.positions = new Float32Array(3 * count);
  rod.frames = new Float32Array(4 * count);
  rod.channels = Array.from({ length: channels }, () => new Float32Array(count));
}

function readBody(from: Reader, body: BodyFrame): void {
  from.fill(body.position);
  from.fill(body.orientation);
  from.fill(body.velocity);
}

function readHold(from: Reader, hold: HoldFrame): void {
  from.fill(hold.position);
  from.fill(hold.orientation);
  from.fill(hold.force);
  from.fill(hold.moment);
  hold.s = from.single();
  hold.turns = from.single();
  hold.flags = from.count();
}

function readRope(from: Reader, rope: RopeFrame): void {
  const floats = 3 * from.count();
  rope.flags = from.count();
  rope.tension = from.single();
  rope.length = from.single();
  if (rope.path.length !== floats) rope.path = new Float32Array(floats);
  from.fill(rope.path);
}

function resize<T>(list: T[], length: number, make: () => T): void {
  while (list.length < length) list.push(make());
  list.length = length;
}
