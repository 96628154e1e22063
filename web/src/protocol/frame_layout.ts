// How the bytes of a frame lie, as docs/workbench-protocol.md has it, and whether they are all there. Little endian.

const MAGIC = 0x464d4c46; // «FLMF»
const VERSION = 1;
const HEADER = 112;
const ROD_HEADER = 48;
const BODY = 40;
const HOLD = 64;
const ROPE_HEADER = 16;
/** Numbers of a contact: where, and the force there. */
export const CONTACT = 6;

export const enum RodFlag {
  Layout = 1,
  Values = 2,
}

export class FrameError extends Error {}

/** Where in a message its parts begin. */
export interface FrameLayout {
  rods: number[];
  bodies: number[];
  holds: number[];
  ropes: number[];
  contacts: { at: number; count: number };
  /** per rod */
  channels: number;
}

/** What is known of a rod before a frame: a frame leaves out what stayed as it was. */
interface KnownRod {
  count: number;
  channels: { length: number };
}

/** Finds the parts of a frame. Throws FrameError if it is not one, whole and to the last byte, that goes on from what is known. */
export function layoutOf(view: DataView, known: readonly KnownRod[]): FrameLayout {
  if (view.byteLength < HEADER || view.getUint32(0, true) !== MAGIC) throw new FrameError('not a frame');
  if (view.getUint16(4, true) !== VERSION) throw new FrameError(`frame of version ${view.getUint16(4, true)}`);
  const channels = view.getUint32(100, true);
  if (4 * channels > view.byteLength) throw new FrameError('frame is cut off');
  let at = HEADER;
  /** Steps over so many bytes, if they are there. */
  const over = (bytes: number): number => {
    const start = at;
    at += bytes;
    if (at > view.byteLength) throw new FrameError('frame is cut off');
    return start;
  };
  // a count is believed as far as there are bytes for it
  const parts = (count: number, step: (k: number) => number): number[] => {
    const starts: number[] = [];
    for (let k = 0; k < count; ++k) starts.push(step(k));
    return starts;
  };
  const rods = parts(view.getUint32(88, true), (k) => {
    const start = over(ROD_HEADER);
    const count = view.getUint32(start, true);
    const flags = view.getUint32(start + 4, true);
    const [layout, values] = [(flags & RodFlag.Layout) !== 0, (flags & RodFlag.Values) !== 0];
    const same = known[k]?.count === count && known[k].channels.length === channels;
    if (!same && !(layout && values)) throw new FrameError('a rod changed its points without saying where they are');
    over(4 * count * ((layout ? 3 : 0) + (values ? 7 + channels : 0)));
    return start;
  });
  const bodies = parts(view.getUint32(92, true), () => over(BODY));
  const holds = parts(view.getUint32(96, true), () => over(HOLD));
  const ropes = parts(view.getUint32(104, true), () => {
    const start = over(ROPE_HEADER);
    over(12 * view.getUint32(start, true));
    return start;
  });
  const count = view.getUint32(108, true);
  const contacts = { at: over(4 * CONTACT * count), count };
  if (at !== view.byteLength) throw new FrameError('frame is longer than it says');
  return { rods, bodies, holds, ropes, contacts, channels };
}

/** Reads numbers one part of the message after the other. */
export class Reader {
  constructor(
    private readonly view: DataView,
    private at: number,
  ) {}

  count(): number {
    return this.view.getUint32(this.step(4), true);
  }

  single(): number {
    return this.view.getFloat32(this.step(4), true);
  }

  double(): number {
    return this.view.getFloat64(this.step(8), true);
  }

  /** Fills an array of single precision. */
  fill(into: Float32Array): void {
    into.set(new Float32Array(this.view.buffer, this.step(4 * into.length), into.length));
  }

  skip(bytes: number): void {
    this.step(bytes);
  }

  private step(bytes: number): number {
    const start = this.at;
    this.at += bytes;
    return start;
  }
}
