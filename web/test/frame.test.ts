// The frame decoder against bytes written by hand after docs/workbench-protocol.md.
import { beforeEach, describe, expect, it } from 'vitest';
import { FrameError, FrameStore, HoldFlag, RopeFlag } from '../src/protocol/frame';

interface RodBytes {
  points: number[][];
  layout?: boolean;
  values?: boolean;
  radius?: number;
}

interface Parts {
  number?: number;
  bodies?: number;
  holds?: number;
  ropes?: number[][][];
  contacts?: number[][];
  channels?: number;
}

/** Where the header counts its parts. */
const COUNTS = { rods: 88, bodies: 92, holds: 96, channels: 100, ropes: 104, contacts: 108 };

/** A frame, one channel per rod and one hold unless told. */
function bytes(rods: RodBytes[], { number = 7, bodies = 0, holds = 1, ropes = [], contacts = [], channels = 1 }: Parts = {}): ArrayBuffer {
  const rodBytes = ({ points, layout = true, values = true }: RodBytes): number => 48 + 4 * points.length * ((layout ? 3 : 0) + (values ? 7 + channels : 0));
  const size = 112 + rods.reduce((sum, rod) => sum + rodBytes(rod), 0) + 40 * bodies + 64 * holds + ropes.reduce((sum, path) => sum + 16 + 12 * path.length, 0) + 24 * contacts.length;
  const buffer = new ArrayBuffer(size);
  const view = new DataView(buffer);
  for (const [k, c] of [...'FLMF'].entries()) view.setUint8(k, c.charCodeAt(0));
  view.setUint16(4, 1, true);
  view.setUint16(6, 6, true);
  view.setUint32(8, number, true);
  view.setUint32(12, 3, true);
  view.setBigUint64(16, 0xf123456789abcdefn, true);
  view.setFloat64(24, 1.25, true);
  view.setFloat32(40, 0.5, true);
  [1, -2, 3, 4, 5].forEach((energy, k) => view.setFloat64(48 + 8 * k, energy, true));
  for (const [at, count] of [[COUNTS.rods, rods.length], [COUNTS.bodies, bodies], [COUNTS.holds, holds], [COUNTS.channels, channels], [COUNTS.ropes, ropes.length], [COUNTS.contacts, contacts.length]] as const) view.setUint32(at, count, true);
  let at = 112;
  const put = (values: number[]): void => values.forEach((value) => ((view.setFloat32(at, value, true), (at += 4))));
  for (const { points, layout = true, values = true, radius = 0.031 } of rods) {
    view.setUint32(at, points.length, true);
    view.setUint32(at + 4, (layout ? 1 : 0) | (values ? 2 : 0), true);
    view.setFloat64(at + 8, 2.5, true);
    view.setFloat64(at + 16, -0.5, true);
    [3.5, radius, 1.5, 120, 2].forEach((value, k) => view.setFloat32(at + 24 + 4 * k, value, true));
    at += 48;
    if (layout) {
      put(points.map((_, k) => k));
      put(points.flatMap(() => [0.01, 0.02]));
    }
    if (!values) continue;
    put(points.flat());
    put(points.flatMap(() => [1, 0, 0, 0]));
    for (let c = 0; c < channels; ++c) put(points.map((_, k) => 10 * k + c));
  }
  for (let k = 0; k < bodies; ++k) put([k, 20, 30, 0, 1, 0, 0, 0.1, 0.2, 0.3]);
  for (let k = 0; k < holds; ++k) {
    put([1, 2, 3, 1, 0, 0, 0, 4, 5, 6, 7, 8, 9, 0.5, 0.25]);
    view.setUint32(at, HoldFlag.Position | HoldFlag.Hand, true);
    at += 4;
  }
  for (const path of ropes) {
    view.setUint32(at, path.length, true);
    view.setUint32(at + 4, RopeFlag.Slack, true);
    at += 8;
    put([12.5, 3, ...path.flat()]);
  }
  contacts.forEach(put);
  expect(at).toBe(size);
  return buffer;
}

/** The same bytes with one number changed. */
function changed(buffer: ArrayBuffer, at: number, value: number): ArrayBuffer {
  const copy = buffer.slice(0);
  new DataView(copy).setUint32(at, value, true);
  return copy;
}

const line = [[0, 0, 0], [1, 0, 0], [2, 0, 0]];

let store: FrameStore;
beforeEach(() => {
  store = new FrameStore();
});

describe('a whole frame', () => {
  it('has header, rod and hold', () => {
    store.read(bytes([{ points: line }]));
    expect(store).toMatchObject({ number: 7, revision: 3, time: 1.25, solveMs: 0.5, hash: 'f123456789abcdef' });
    expect([...store.energy]).toEqual([1, -2, 3, 4, 5]);
    const rod = store.rods[0]!;
    expect(rod).toMatchObject({ count: 3, turns: 2.5, writhe: -0.5, length: 3.5, minBendRadiusAt: 1.5, maxTension: 120, maxTensionAt: 2 });
    expect(rod.minBendRadius).toBeCloseTo(0.031, 6);
    expect([...rod.s]).toEqual([0, 1, 2]);
    expect([...rod.positions]).toEqual(line.flat());
    expect([...rod.frames]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    expect([...rod.channels[0]!]).toEqual([0, 10, 20]);
    const hold = store.holds[0]!;
    expect([...hold.position]).toEqual([1, 2, 3]);
    expect([...hold.force]).toEqual([4, 5, 6]);
    expect([...hold.moment]).toEqual([7, 8, 9]);
    expect(hold).toMatchObject({ s: 0.5, turns: 0.25, flags: HoldFlag.Position | HoldFlag.Hand });
  });

  it('has bodies before the holds and ropes behind them', () => {
    store.read(bytes([{ points: line }], { bodies: 2, ropes: [line, line.slice(1)] }));
    expect(store.bodies.map((body) => [...body.position])).toEqual([[0, 20, 30], [1, 20, 30]]);
    expect([...store.bodies[1]!.orientation]).toEqual([0, 1, 0, 0]);
    expect(store.bodies[1]!.velocity[2]).toBeCloseTo(0.3, 6);
    expect([...store.holds[0]!.position]).toEqual([1, 2, 3]);
    expect(store.ropes.map((rope) => [...rope.path])).toEqual([line.flat(), line.slice(1).flat()]);
    expect(store.ropes[0]).toMatchObject({ tension: 12.5, length: 3, flags: RopeFlag.Slack });
  });

  it('has contacts at its end', () => {
    const touches = [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]];
    store.read(bytes([{ points: line }], { ropes: [line], contacts: touches }));
    expect([...store.contacts]).toEqual(touches.flat());
    store.read(bytes([{ points: line }]));
    expect(store.contacts.length).toBe(0);
  });

  it('may hold nothing at all', () => {
    store.read(bytes([{ points: line }]));
    store.read(bytes([], { number: 8, holds: 0 }));
    expect([store.rods, store.bodies, store.holds, store.ropes]).toEqual([[], [], [], []]);
    expect(store.number).toBe(8);
  });

  it('lets go of what is gone and takes what is new', () => {
    store.read(bytes([{ points: line }, { points: line.slice(1) }], { bodies: 2, ropes: [line] }));
    expect(store.rods.map((rod) => rod.count)).toEqual([3, 2]);
    store.read(bytes([{ points: line.slice(1) }], { bodies: 1, holds: 3 }));
    expect(store.rods.map((rod) => rod.count)).toEqual([2]);
    expect([store.bodies.length, store.holds.length, store.ropes.length]).toEqual([1, 3, 0]);
  });

  it('may have another number of channels than the last', () => {
    store.read(bytes([{ points: line }]));
    store.read(bytes([{ points: line }], { channels: 3 }));
    expect(store.rods[0]!.channels.map((channel) => [...channel])).toEqual([[0, 10, 20], [1, 11, 21], [2, 12, 22]]);
  });
});

describe('a frame that leaves something out', () => {
  it('leaves it as it was, in the same arrays', () => {
    store.read(bytes([{ points: line }]));
    const { positions, s } = store.rods[0]!;
    store.read(bytes([{ points: line.map(([x]) => [x!, 1, 0]), layout: false }], { number: 8 }));
    expect(store.number).toBe(8);
    expect(store.rods[0]!.positions).toBe(positions);
    expect(positions[1]).toBe(1);
    expect([...s]).toEqual([0, 1, 2]);
    store.read(bytes([{ points: line, layout: false, values: false }], { number: 9 }));
    expect(positions[1]).toBe(1);
  });

  it.each([
    ['the layout of other points', { points: line.slice(1), layout: false }, 1],
    ['the values of other points', { points: line.slice(1), values: false }, 1],
    ['the values of more channels', { points: line, values: false }, 2],
  ])('may not leave out %s', (_, rod, channels) => {
    store.read(bytes([{ points: line }]));
    expect(() => store.read(bytes([rod], { channels }))).toThrow('without saying where they are');
    expect(store.rods[0]!.count).toBe(3);
  });

  it('may not be the first of a rod', () => {
    expect(() => store.read(bytes([{ points: line, layout: false }]))).toThrow(FrameError);
    expect(() => store.read(bytes([{ points: line, values: false }]))).toThrow(FrameError);
  });
});

describe('what is no whole frame', () => {
  const before = bytes([{ points: line }, { points: line.slice(1) }], { number: 1, bodies: 1, ropes: [line] });
  const whole = bytes([{ points: line.map(([x]) => [x!, 5, 5]) }, { points: line }], { number: 2, bodies: 2, holds: 2, ropes: [line.slice(1)] });

  /** Refused, with the store as it was. */
  function refused(buffer: ArrayBuffer, what: string): void {
    const tried = new FrameStore();
    tried.read(before);
    const known = structuredClone(tried);
    expect(() => tried.read(buffer), what).toThrow(FrameError);
    expect(structuredClone(tried), what).toEqual(known);
  }

  it('is refused wherever it is cut off', () => {
    for (let length = 0; length < whole.byteLength; ++length) refused(whole.slice(0, length), `${length} of ${whole.byteLength} bytes`);
  });

  it('is refused if it is too long', () => {
    for (const more of [1, 4, 64]) {
      const longer = new Uint8Array(whole.byteLength + more);
      longer.set(new Uint8Array(whole));
      refused(longer.buffer, `${more} bytes more`);
    }
  });

  it.each(Object.entries(COUNTS))('is refused if it counts its %s wrong', (what, at) => {
    const count = new DataView(whole).getUint32(at, true);
    for (const wrong of [count - 1, count + 1, 1000, 0x7fffffff, 0xffffffff]) refused(changed(whole, at, wrong), `${wrong} ${what}`);
  });

  it('is refused if it counts points wrong, without making room for them', () => {
    for (const wrong of [2, 4, 0x7fffffff, 0xffffffff]) refused(changed(whole, 112, wrong), `${wrong} points`);
    const rope = whole.byteLength - 16 - 24;
    for (const wrong of [1, 3, 0xffffffff]) refused(changed(whole, rope, wrong), `${wrong} points of a rope`);
  });

  it('is refused if it counts more channels than it has bytes, also of no points', () => {
    refused(changed(bytes([{ points: [] }], { holds: 0 }), COUNTS.channels, 0xffffffff), '4 thousand million channels');
  });

  it('is refused if it has another beginning or version', () => {
    refused(changed(whole, 0, 0x464d4c47), 'GLMF');
    refused(changed(whole, 4, 2), 'version 2');
    expect(() => store.read(changed(whole, 4, 2))).toThrow('version 2');
  });

  it('is no reason not to take the next', () => {
    store.read(before);
    expect(() => store.read(whole.slice(0, 500))).toThrow(FrameError);
    store.read(whole);
    expect(store.number).toBe(2);
    expect(store.rods[0]!.positions[1]).toBe(5);
  });
});

describe('a copy', () => {
  it('stays as it was, and shares with the copy before what has not changed since', () => {
    store.read(bytes([{ points: line }, { points: line }]));
    const first = store.copy();
    store.read(bytes([{ points: line.map(([x]) => [x!, 5, 0]), layout: false }, { points: line, layout: false, values: false, radius: 0.5 }]));
    const second = store.copy(first);
    store.read(bytes([{ points: line }, { points: line.map(([x]) => [x!, 7, 0]) }]));
    expect([...first.rods[0]!.positions]).toEqual(line.flat());
    expect([...second.rods[0]!.positions]).toEqual([0, 5, 0, 1, 5, 0, 2, 5, 0]);
    expect([...second.rods[1]!.positions]).toEqual(line.flat());
    expect(second.rods.map((rod, k) => rod.positions === first.rods[k]!.positions)).toEqual([false, true]);
    expect(second.rods[1]!.channels).toBe(first.rods[1]!.channels);
    // figures are those of its own frame
    expect(second.rods[1]!.minBendRadius).toBe(0.5);
  });
});

describe('numbers that are none', () => {
  it('stay where they are', () => {
    store.read(bytes([{ points: [[0, 0, 0], [NaN, 1, Infinity], [2, 0, 0]] }]));
    expect([...store.rods[0]!.positions]).toEqual([0, 0, 0, NaN, 1, Infinity, 2, 0, 0]);
    expect([...store.rods[0]!.frames].every(Number.isFinite)).toBe(true);
  });

  it('are known to be infinite for a straight rod', () => {
    store.read(bytes([{ points: line, radius: Infinity }]));
    expect(store.rods[0]!.minBendRadius).toBe(Infinity);
  });
});
