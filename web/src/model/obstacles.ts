// Obstacles as the scene's file says them: new ones, and the same one at another place.
import { Quaternion, Vector3 } from 'three';
import type { Json } from '../protocol/commands';
import type { Obstacle } from '../protocol/scene';
import { vec3Of, type Vec3 } from '../protocol/vectors';
import { quatFrom, quaternionOf } from './quaternions';

/** Shapes that need no file. */
export const SHAPES = ['box', 'cylinder', 'capsule', 'sphere', 'plane'] as const;
export type Shape = (typeof SHAPES)[number];

const tidy = (vector: Vector3): Vec3 => vec3Of(vector.toArray().map((value) => Number(value.toPrecision(6)) || 0));

/** A new one of about this size around a point. */
export function newObstacle(shape: Shape, at: Vec3, size: number): Record<string, Json> {
  const half = new Vector3(0, size, 0);
  const [from, to] = [tidy(new Vector3(...at).sub(half)), tidy(new Vector3(...at).add(half))];
  const radius = Number((size / 4).toPrecision(2));
  switch (shape) {
    case 'plane':
      return { plane: { point: at, normal: [0, 0, 1] } };
    case 'sphere':
      return { sphere: { centre: at, radius } };
    case 'box':
      return { box: { size: [size, size, size], position: at } };
    case 'capsule':
    case 'cylinder':
      return { [shape]: { from, to, radius } };
  }
}

/** Where its middle is and how its own axes lie, seen from what carries it: the axis of a post is its y, the normal of a plane its z. */
export function placeOf({ kind, point, normal, from, to, position, orientation }: Obstacle): { position: Vector3; turn: Quaternion } {
  const [a, b] = [new Vector3(...from), new Vector3(...to)];
  switch (kind) {
    case 'plane':
      return { position: new Vector3(...point), turn: new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...normal).normalize()) };
    case 'sphere':
      return { position: new Vector3(...point), turn: new Quaternion() };
    case 'capsule':
    case 'cylinder':
      return { position: a.clone().add(b).multiplyScalar(0.5), turn: new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), b.sub(a).normalize()) };
    case 'box':
    case 'mesh':
      return { position: new Vector3(...position), turn: quaternionOf(orientation) };
  }
}

/** What to set to have it there: moved or turned about its middle. A mesh has two settings of its own, of which one changes. */
export function placed(obstacle: Obstacle, change: { position: Vector3 } | { turn: Quaternion }): { path: string; value: Json } {
  const now = placeOf(obstacle);
  const { position, turn } = { ...now, ...change };
  const { kind, path, radius, size } = obstacle;
  switch (kind) {
    case 'plane':
      return { path: `${path}.plane`, value: { point: tidy(position), normal: tidy(new Vector3(0, 0, 1).applyQuaternion(turn)) } };
    case 'sphere':
      return { path: `${path}.sphere.centre`, value: tidy(position) };
    case 'capsule':
    case 'cylinder': {
      const half = new Vector3(0, 0.5 * new Vector3(...obstacle.from).distanceTo(new Vector3(...obstacle.to)), 0).applyQuaternion(turn);
      return { path: `${path}.${kind}`, value: { from: tidy(position.clone().sub(half)), to: tidy(position.clone().add(half)), radius } };
    }
    case 'box':
      return { path: `${path}.box`, value: { size, position: tidy(position), orientation: quatFrom(turn) } };
    case 'mesh':
      return 'turn' in change ? { path: `${path}.orientation`, value: quatFrom(turn) } : { path: `${path}.position`, value: tidy(position) };
  }
}
