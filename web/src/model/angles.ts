// Orientations as three angles: about the world's x, then y, then z.
import { Euler, Quaternion } from 'three';
import type { Quat } from '../protocol/messages';

/** Round-off of frames, which are in single precision, is no angle. */
const LEAST = 1e-6;

export function anglesOf([w, x, y, z]: Quat): [number, number, number] {
  const euler = new Euler().setFromQuaternion(new Quaternion(x, y, z, w), 'ZYX');
  return [euler.x, euler.y, euler.z].map((angle) => (Math.abs(angle) < LEAST ? 0 : angle)) as [number, number, number];
}

export function orientationOf(angles: readonly number[]): Quat {
  const q = new Quaternion().setFromEuler(new Euler(angles[0], angles[1], angles[2], 'ZYX'));
  return [q.w, q.x, q.y, q.z];
}

/** An orientation before so many turns about its own third axis. */
export function withoutTurns([w, x, y, z]: Quat, turns: number): Quat {
  const q = new Quaternion(x, y, z, w).multiply(new Quaternion(0, 0, Math.sin(-Math.PI * turns), Math.cos(Math.PI * turns)));
  return [q.w, q.x, q.y, q.z];
}
