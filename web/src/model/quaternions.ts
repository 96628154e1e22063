// Orientations of messages and frames, w x y z, as three.js has them, and back.
import { Quaternion } from 'three';
import type { Quat } from '../protocol/vectors';

export function setQuaternion(out: Quaternion, wxyz: ArrayLike<number>): Quaternion {
  return out.set(wxyz[1] ?? 0, wxyz[2] ?? 0, wxyz[3] ?? 0, wxyz[0] ?? 1);
}

export function quaternionOf(wxyz: ArrayLike<number>): Quaternion {
  return setQuaternion(new Quaternion(), wxyz);
}

export function quatFrom({ w, x, y, z }: Quaternion): Quat {
  return [w, x, y, z];
}
