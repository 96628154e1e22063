// Outlines of sections: closed loops of unit points with outward normals, walked once round.

export interface Profile {
  /** cos-like coordinates on d1 and d2, in units of the half-extents; the last point repeats the first */
  points: Float32Array;
  /** outward normals on d1 and d2 for a section of equal half-extents */
  normals: Float32Array;
  /** share of the way round, 0..1 */
  around: Float32Array;
  count: number;
}

export type Outline = 'round' | 'rectangle';

/** A circle of `sides` sides. */
export function roundProfile(sides: number): Profile {
  const count = sides + 1;
  const points = new Float32Array(2 * count);
  const normals = new Float32Array(2 * count);
  const around = new Float32Array(count);
  for (let k = 0; k < count; ++k) {
    const angle = (2 * Math.PI * (k % sides)) / sides;
    points[2 * k] = normals[2 * k] = Math.cos(angle);
    points[2 * k + 1] = normals[2 * k + 1] = Math.sin(angle);
    around[k] = k / sides;
  }
  return { points, normals, around, count };
}

/** A rectangle with flat sides: every corner twice, once for each side. Starts in the middle of the side along +d1. */
export function rectangleProfile(): Profile {
  const at = [
    [1, 0], [1, 1], [1, 1], [0, 1], [-1, 1], [-1, 1], [-1, 0], [-1, -1], [-1, -1], [0, -1], [1, -1], [1, -1], [1, 0],
  ] as const;
  const side = [
    [1, 0], [1, 0], [0, 1], [0, 1], [0, 1], [-1, 0], [-1, 0], [-1, 0], [0, -1], [0, -1], [0, -1], [1, 0], [1, 0],
  ] as const;
  const count = at.length;
  return {
    points: Float32Array.from(at.flat()),
    normals: Float32Array.from(side.flat()),
    around: Float32Array.from(at, (_, k) => [0, 0.125, 0.125, 0.25, 0.375, 0.375, 0.5, 0.625, 0.625, 0.75, 0.875, 0.875, 1][k]!),
    count,
  };
}
