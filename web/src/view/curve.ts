// A smooth centre line with material frames through the points of a rod.
//
// Between two points the line is the cubic with the frames' tangents d3 at both ends, so that it leaves a clamp as the
// clamp points. Frames are blended and made square to the tangent of the cubic. Nothing is allocated here.

/** What a rod looks like at one instant: one entry per point. */
export interface RodShape {
  count: number;
  /** m, x y z per point */
  positions: Float32Array;
  /** w x y z per point; takes (x, y, z) to (d1, d2, d3) */
  frames: Float32Array;
  /** m, arc length per point; two that are the same are the ends where the rod has parted */
  s?: Float32Array;
}

/** How many gaps a rod has, where it has parted. */
export function gapsOf(rod: RodShape): number {
  let gaps = 0;
  for (let i = 1; rod.s && i < rod.count; ++i) if (rod.s[i] === rod.s[i - 1]) ++gaps;
  return gaps;
}

/** The largest angle between the frames of neighbouring points, radians. */
export function turnOf({ count, frames: q }: RodShape): number {
  let least = 1;
  for (let f = 0; f < 4 * (count - 1); f += 4) least = Math.min(least, Math.abs(q[f]! * q[f + 4]! + q[f + 1]! * q[f + 5]! + q[f + 2]! * q[f + 6]! + q[f + 3]! * q[f + 7]!));
  return 2 * Math.acos(Math.min(least, 1));
}

/** Position, tangent, d1 and d2 at one place: 12 numbers. */
export const SAMPLE_SIZE = 12;

/** Writes the sample at `u` in 0..1 between points `i` and `i + 1` to `out` from `o` on. */
export function sampleBetween(rod: RodShape, i: number, u: number, out: Float32Array, o: number): void {
  const p = rod.positions;
  const q = rod.frames;
  const a = 3 * i;
  const b = a + 3;
  const f = 4 * i;
  const g = f + 4;

  // chord length scales both tangents
  const dx = p[b]! - p[a]!;
  const dy = p[b + 1]! - p[a + 1]!;
  const dz = p[b + 2]! - p[a + 2]!;
  const chord = Math.sqrt(dx * dx + dy * dy + dz * dz);

  // tangents d3 at both points
  const w0 = q[f]!, x0 = q[f + 1]!, y0 = q[f + 2]!, z0 = q[f + 3]!;
  let w1 = q[g]!, x1 = q[g + 1]!, y1 = q[g + 2]!, z1 = q[g + 3]!;
  const ax = 2 * (x0 * z0 + w0 * y0) * chord;
  const ay = 2 * (y0 * z0 - w0 * x0) * chord;
  const az = (1 - 2 * (x0 * x0 + y0 * y0)) * chord;
  const bx = 2 * (x1 * z1 + w1 * y1) * chord;
  const by = 2 * (y1 * z1 - w1 * x1) * chord;
  const bz = (1 - 2 * (x1 * x1 + y1 * y1)) * chord;

  // cubic and its derivative
  const u2 = u * u;
  const u3 = u2 * u;
  const h01 = 3 * u2 - 2 * u3;
  const h10 = u3 - 2 * u2 + u;
  const h11 = u3 - u2;
  out[o] = p[a]! + h01 * dx + h10 * ax + h11 * bx;
  out[o + 1] = p[a + 1]! + h01 * dy + h10 * ay + h11 * by;
  out[o + 2] = p[a + 2]! + h01 * dz + h10 * az + h11 * bz;
  const e01 = 6 * (u - u2);
  const e10 = 3 * u2 - 4 * u + 1;
  const e11 = 3 * u2 - 2 * u;
  let tx = e01 * dx + e10 * ax + e11 * bx;
  let ty = e01 * dy + e10 * ay + e11 * by;
  let tz = e01 * dz + e10 * az + e11 * bz;
  const t = Math.sqrt(tx * tx + ty * ty + tz * tz) || 1;
  tx /= t;
  ty /= t;
  tz /= t;

  // blended frame, on the same hemisphere
  if (w0 * w1 + x0 * x1 + y0 * y1 + z0 * z1 < 0) {
    w1 = -w1;
    x1 = -x1;
    y1 = -y1;
    z1 = -z1;
  }
  let w = w0 + u * (w1 - w0);
  let x = x0 + u * (x1 - x0);
  let y = y0 + u * (y1 - y0);
  let z = z0 + u * (z1 - z0);
  const n = Math.sqrt(w * w + x * x + y * y + z * z) || 1;
  w /= n;
  x /= n;
  y /= n;
  z /= n;

  // d1 made square to the tangent, d2 = d3 × d1
  let nx = 1 - 2 * (y * y + z * z);
  let ny = 2 * (x * y + w * z);
  let nz = 2 * (x * z - w * y);
  const along = nx * tx + ny * ty + nz * tz;
  nx -= along * tx;
  ny -= along * ty;
  nz -= along * tz;
  const m = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
  nx /= m;
  ny /= m;
  nz /= m;
  out[o + 3] = tx;
  out[o + 4] = ty;
  out[o + 5] = tz;
  out[o + 6] = nx;
  out[o + 7] = ny;
  out[o + 8] = nz;
  out[o + 9] = ty * nz - tz * ny;
  out[o + 10] = tz * nx - tx * nz;
  out[o + 11] = tx * ny - ty * nx;
}
