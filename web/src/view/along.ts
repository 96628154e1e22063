// Places along a rod of a frame: where the point at arc length s is, and what it carries.
import type { Vector3 } from 'three';
import type { RodFrame } from '../protocol/frame';
import { SAMPLE_SIZE, sampleBetween } from './curve';

const sample = new Float32Array(SAMPLE_SIZE);

/** The point before s and the share of the way to the next. */
function locate(rod: RodFrame, s: number): { i: number; u: number } {
  let low = 0;
  let high = rod.count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rod.s[middle]! <= s) low = middle;
    else high = middle;
  }
  const from = rod.s[low]!;
  const step = rod.s[low + 1]! - from;
  return { i: low, u: step > 0 ? Math.min(Math.max((s - from) / step, 0), 1) : 0 };
}

export function pointAlong(rod: RodFrame, s: number, point: Vector3): Vector3 {
  const { i, u } = locate(rod, s);
  sampleBetween(rod, i, u, sample, 0);
  return point.fromArray(sample, 0);
}

/** The value of a channel at s. */
export function valueAlong(rod: RodFrame, channel: Float32Array, s: number): number {
  const { i, u } = locate(rod, s);
  return channel[i]! + u * (channel[i + 1]! - channel[i]!);
}

/** Half of the larger extent of the section at s. */
export function radiusAlong(rod: RodFrame, s: number): number {
  const { i, u } = locate(rod, s);
  const k = 2 * (u < 0.5 ? i : i + 1);
  return Math.max(rod.outline[k]!, rod.outline[k + 1]!);
}
