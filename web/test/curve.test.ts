// The drawn centre line: through its points, as the frames point, with twist in between.
import { describe, expect, it } from 'vitest';
import { SAMPLE_SIZE, sampleBetween } from '../src/view/curve';

/** A quarter circle of radius 1 in the x-z plane, whose frames turn with it and about their tangent by `twist`. */
function arc(points: number, twist = 0) {
  const positions = new Float32Array(3 * points);
  const frames = new Float32Array(4 * points);
  for (let k = 0; k < points; ++k) {
    const angle = (k / (points - 1)) * (Math.PI / 2);
    positions.set([1 - Math.cos(angle), 0, Math.sin(angle)], 3 * k);
    // about y by the angle, then about the tangent z by the twist
    const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
    const t = (twist * k) / (points - 1) / 2;
    frames.set([c * Math.cos(t), s * Math.sin(t), s * Math.cos(t), c * Math.sin(t)], 4 * k);
  }
  return { count: points, positions, frames };
}

const out = new Float32Array(SAMPLE_SIZE);

describe('sampleBetween', () => {
  it('goes through the points', () => {
    const rod = arc(5);
    for (let i = 0; i < 4; ++i) {
      sampleBetween(rod, i, 0, out, 0);
      for (let c = 0; c < 3; ++c) expect(out[c]).toBeCloseTo(rod.positions[3 * i + c]!, 6);
      sampleBetween(rod, i, 1, out, 0);
      for (let c = 0; c < 3; ++c) expect(out[c]).toBeCloseTo(rod.positions[3 * i + 3 + c]!, 6);
    }
  });

  it('stays on a circle between five points to a thousandth of its radius', () => {
    // a cubic through points 22.5° apart, with tangents as long as the chord, misses the arc by less than 1e-3
    const rod = arc(5);
    for (let i = 0; i < 4; ++i) {
      sampleBetween(rod, i, 0.5, out, 0);
      expect(Math.hypot(out[0]! - 1, out[2]!)).toBeCloseTo(1, 3);
    }
  });

  it('carries a frame that is square, also with twist', () => {
    const rod = arc(5, 2);
    for (const u of [0, 0.3, 0.7, 1]) {
      sampleBetween(rod, 2, u, out, 0);
      const [t, d1, d2] = [3, 6, 9].map((o) => out.subarray(o, o + 3)) as [Float32Array, Float32Array, Float32Array];
      const dot = (a: Float32Array, b: Float32Array): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
      for (const v of [t, d1, d2]) expect(dot(v, v)).toBeCloseTo(1, 5);
      for (const [a, b] of [[t, d1], [t, d2], [d1, d2]] as const) expect(dot(a, b)).toBeCloseTo(0, 5);
    }
  });

  it('takes the short way between frames of opposite sign', () => {
    const rod = arc(3);
    for (let c = 4; c < 8; ++c) rod.frames[c]! *= -1;
    sampleBetween(rod, 0, 0.5, out, 0);
    const plain = new Float32Array(SAMPLE_SIZE);
    sampleBetween(arc(3), 0, 0.5, plain, 0);
    for (let c = 0; c < SAMPLE_SIZE; ++c) expect(out[c]).toBeCloseTo(plain[c]!, 5);
  });
});
