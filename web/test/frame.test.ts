// The frame decoder against bytes written by hand after docs/workbench-protocol.md.
import { describe, expect, it } from 'vitest';
import { FrameError, FrameStore, HoldFlag, RopeFlag } from '../src/protocol/frame';

interface RodBytes {
  points: number[][];
  layout?: boolean;
  values?: boolean;
}

/** A frame with one channel per rod, no bodies and one hold. */
function bytes(rods: RodBytes[], { number = 7, holds = 1, ropes = [] as number[][][] } = {}): ArrayBuffer {
  const size = 112 + rods.reduce((sum, rod) => sum + 48 + 4 * rod.points.length * ((rod.layout === false ? 0 : 3) + (rod.values === false ? 0 : 8)), 0) + 64 * holds + ropes.reduce((sum, path) => sum + 16 + 12 * path.length, 0);
  const view = new DataView(new ArrayBuffer(size));
  for (const [k, c] of [...'FLMF'].entries()) view.setUint8(k, c.charCodeAt(0));
  view.setUint16(4, 1, true);
  view.setUint16(6, 6, true);
  view.setUint32(8, number, true);
  view.setUint32(12, 3, true);
  view.setBigUint64(16, 0x0123456789abcdefn, true);
  view.setFloat64(24, 1.25, true);
  [1, -2, 3, 4, 5].forEach((energy, k) => view.setFloat64(48 + 8 * k, energy, true));
  view.setUint32(88, rods.length, true);
  view.setUint32(96, holds, true);
  view.setUint32(100, 1, true);
  view.setUint32(104, ropes.length, true);
  let at = 112;
  const put = (values: number[]): void => values.forEach((value) => ((view.setFloat32(at, value, true), (at += 4))));
  for (const { points, layout = true, values = true } of rods) {
    view.setUint32(at, points.length, true);
    view.setUint32(at + 4, (layout ? 1 : 0) | (values ? 2 : 0), true);
    view.setFloat64(at + 8, 2.5, true);
    view.setFloat32(at + 28, 0.031, true);
    at += 48;
    if (layout) {
      put(points.map((_, k) => k));
      put(points.flatMap(() => [0.01, 0.02]));
    }
    if (!values) continue;
    put(points.flat());
    put(points.flatMap(() => [1, 0, 0, 0]));
    put(points.map((_, k) => 10 * k));
  }
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
  return view.buffer as ArrayBuffer;
}

const line = [[0, 0, 0], [1, 0, 0], [2, 0, 0]];

describe('FrameStore', () => {
  it('reads header, rod and hold', () => {
    const store = new FrameStore();
    store.read(bytes([{ points: line }]));
    expect(store).toMatchObject({ number: 7, revision: 3, flags: 6, time: 1.25, hash: '0123456789abcdef' });
    expect([...store.energy]).toEqual([1, -2, 3, 4, 5]);
    const rod = store.rods[0]!;
    expect(rod.count).toBe(3);
    expect(rod.turns).toBe(2.5);
    expect(rod.minBendRadius).toBeCloseTo(0.031, 6);
    expect([...rod.s]).toEqual([0, 1, 2]);
    expect([...rod.positions]).toEqual(line.flat());
    expect([...rod.channels[0]!]).toEqual([0, 10, 20]);
    const hold = store.holds[0]!;
    expect([...hold.position]).toEqual([1, 2, 3]);
    expect([...hold.moment]).toEqual([7, 8, 9]);
    expect(hold).toMatchObject({ s: 0.5, turns: 0.25, flags: HoldFlag.Position | HoldFlag.Hand });
  });

  it('keeps what a frame leaves out, in the same arrays', () => {
    const store = new FrameStore();
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

  it('reads ropes behind the holds, and lets go of those that are gone', () => {
    const store = new FrameStore();
    store.read(bytes([{ points: line }], { ropes: [line, line.slice(1)] }));
    expect(store.ropes.map((rope) => [...rope.path])).toEqual([line.flat(), line.slice(1).flat()]);
    expect(store.ropes[0]).toMatchObject({ tension: 12.5, length: 3, flags: RopeFlag.Slack });
    expect([...store.holds[0]!.position]).toEqual([1, 2, 3]);
    store.read(bytes([{ points: line }]));
    expect(store.ropes).toEqual([]);
    const cut = bytes([{ points: line }], { ropes: [line] });
    expect(() => store.read(cut.slice(0, -4))).toThrow(FrameError);
  });

  it('follows rods that come, go and change their points', () => {
    const store = new FrameStore();
    store.read(bytes([{ points: line }, { points: line.slice(1) }]));
    expect(store.rods.map((rod) => rod.count)).toEqual([3, 2]);
    store.read(bytes([{ points: line.slice(1) }]));
    expect(store.rods.map((rod) => rod.count)).toEqual([2]);
  });

  it('refuses what is no whole frame', () => {
    const whole = bytes([{ points: line }]);
    for (const length of [0, 4, 111, 112, 150, whole.byteLength - 1]) {
      expect(() => new FrameStore().read(whole.slice(0, length)), `${length} bytes`).toThrow(FrameError);
    }
    const other = whole.slice(0);
    new DataView(other).setUint16(4, 2, true);
    expect(() => new FrameStore().read(other)).toThrow('version 2');
  });

  it('refuses new points that do not say where they are', () => {
    const store = new FrameStore();
    store.read(bytes([{ points: line }]));
    expect(() => store.read(bytes([{ points: line.slice(1), layout: false }]))).toThrow(FrameError);
  });
});
