// The smallest bend radius of a line of points: of the circles through every three neighbours. Shapes of different formulations are compared by
// the same measure.
import { Vector3 } from 'three';

/** `points` has three numbers each. Infinite where it is straight. */
export function smallestBend(points: ArrayLike<number>): number {
  const at = (k: number): Vector3 => new Vector3(points[3 * k], points[3 * k + 1], points[3 * k + 2]);
  let least = Infinity;
  for (let k = 1; 3 * (k + 2) <= points.length; ++k) {
    const [a, b, c] = [at(k - 1), at(k), at(k + 1)];
    const twiceArea = b.clone().sub(a).cross(c.clone().sub(a)).length();
    if (twiceArea > 0) least = Math.min(least, (a.distanceTo(b) * b.distanceTo(c) * c.distanceTo(a)) / (2 * twiceArea));
  }
  return least;
}
