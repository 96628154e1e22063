import { describe, expect, it } from 'vitest';
import { anglesOf, orientationOf, withoutTurns } from '../src/model/angles';

describe('angles', () => {
  it('come back as they were given', () => {
    const angles = [0.3, -0.7, 2.1];
    anglesOf(orientationOf(angles)).forEach((angle, k) => expect(angle).toBeCloseTo(angles[k]!, 12));
  });

  it('turn about x first, about z last', () => {
    // a quarter about x brings y to z, a quarter about z then leaves it there: y → z
    const [w, x, y, z] = orientationOf([Math.PI / 2, 0, Math.PI / 2]);
    const turned = rotated([w, x, y, z], [0, 1, 0]);
    expect(turned[2]).toBeCloseTo(1, 12);
  });

  it('know nothing of round-off', () => {
    expect(anglesOf([1, 1e-8, 0, 0])).toEqual([0, 0, 0]);
  });

  it('are free of the turns that are counted apart', () => {
    const half = Math.sin(Math.PI / 4);
    // a quarter turn about z is an orientation of none with a quarter turn on top
    const bare = withoutTurns([half, 0, 0, half], 0.25);
    expect(bare[0]).toBeCloseTo(1, 12);
    expect(bare[3]).toBeCloseTo(0, 12);
  });
});

function rotated([w, x, y, z]: readonly [number, number, number, number], v: readonly [number, number, number]): number[] {
  const [a, b, c] = v;
  // 2 (q·v) q + (w² − q·q) v + 2 w q × v
  const dot = x * a + y * b + z * c;
  const s = w * w - x * x - y * y - z * z;
  return [2 * dot * x + s * a + 2 * w * (y * c - z * b), 2 * dot * y + s * b + 2 * w * (z * a - x * c), 2 * dot * z + s * c + 2 * w * (x * b - y * a)];
}
