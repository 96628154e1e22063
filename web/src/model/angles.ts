// Orientations as three angles: about the world's x, then y, then z.
import { Euler, Quaternion } from 'three';
import type { Quat, Vec3 } from '../protocol/vectors';
import { quatFrom, quaternionOf } from './quaternions';

/** Round-off of frames, which are in single precision, is no angle. */
const LEAST = 1e-6;

export function anglesOf(orientation: Quat): Vec3 {
  const { x, y, z } = new Euler().setFromQuaternion(quaternionOf(orientation), 'ZYX');
  const tidy = (angle: number): number => (Math.abs(angle) < LEAST ? 0 : angle);
  return [tidy(x), tidy(y), tidy(z)];
}

export function orientationOf(angles: readonly number[]): Quat {
  return quatFrom(new Quaternion().setFromEuler(new Euler(angles[0], angles[1], angles[2], 'ZYX')));
}

/** An orientation before so many turns about its own third axis. */
export function withoutTurns(orientation: Quat, turns: number): Quat {
  return quatFrom(quaternionOf(orientation).multiply(new Quaternion(0, 0, Math.sin(-Math.PI * turns), Math.cos(Math.PI * turns))));
}
