// Geometry of pointing: rays against lines, angles counted on.
import { Vector3, type Ray } from 'three';

/** The point of the line through `point` along `axis` that is nearest to the ray. */
export function nearestOnLine(ray: Ray, point: Vector3, axis: Vector3): Vector3 | undefined {
  const { origin, direction } = ray;
  const between = new Vector3().subVectors(point, origin);
  const b = axis.dot(direction);
  const across = 1 - b * b;
  // the axis points at the camera: nothing can be read off it
  if (across < 1e-4) return undefined;
  const along = (direction.dot(between) * b - axis.dot(between)) / across;
  return point.clone().addScaledVector(axis, along);
}

/** The angle that differs from `angle` by full turns and is nearest to the last one. */
export function unwrap(angle: number, last: number): number {
  return angle + 2 * Math.PI * Math.round((last - angle) / (2 * Math.PI));
}
