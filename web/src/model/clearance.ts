// The smallest distance between what is selected and the rest: cables by the skins of their round outlines, bodies by their boxes. Meshes of the
// scenery are not looked at.
import { computed } from '@preact/signals';
import { Quaternion, Vector3 } from 'three';
import type { RodFrame } from '../protocol/frame';
import * as prefs from './prefs';
import { setQuaternion } from './quaternions';
import { selected } from './selection';
import { frame, frameFitsScene, scene, slowFrame } from './store';

interface Clearance {
  /** m; below zero they overlap */
  distance: number;
  from: Vector3;
  to: Vector3;
  /** what is nearest */
  name: string;
}

export const clearance = computed<Clearance | undefined>(() => {
  void slowFrame.value;
  const known = scene.value;
  if (!prefs.showClearance.value || !known || !frameFitsScene()) return undefined;
  const chosen = new Set(selected.value.flatMap((thing) => (thing.kind === 'rod' || thing.kind === 'body' ? [`${thing.kind} ${thing.name}`] : [])));
  const rods = known.rods.map(({ name }, k) => ({ name, key: `rod ${name}`, rod: frame.rods[k]! }));
  const bodies = known.bodies.map(({ name, box }, k) => ({ name, key: `body ${name}`, body: frame.bodies[k]!, box }));
  let best: Clearance | undefined;
  const take = (found: Clearance): void => {
    if (!best || found.distance < best.distance) best = found;
  };
  for (const one of rods) {
    // what is joined touches
    const joined = (name: string): boolean => known.junctions.some((junction) => [one.name, name].every((wanted) => junction.rods.some(({ rod }) => rod === wanted)));
    for (const other of rods) if (chosen.has(one.key) && !chosen.has(other.key) && !joined(other.name)) take({ ...betweenRods(one.rod, other.rod), name: other.name });
    for (const other of bodies) {
      if (chosen.has(one.key) === chosen.has(other.key)) continue;
      // what is held to a body touches it
      if (known.holds.some((hold) => hold.rod === one.name && hold.body === other.name)) continue;
      take({ ...toBox(one.rod, other.body, other.box), name: chosen.has(one.key) ? other.name : one.name });
    }
  }
  return best;
});

const at = (rod: RodFrame, k: number, out: Vector3): Vector3 => out.fromArray(rod.positions, 3 * k);
const girth = (rod: RodFrame, k: number): number => Math.max(rod.outline[2 * k]!, rod.outline[2 * k + 1]!);

function betweenRods(one: RodFrame, other: RodFrame): Omit<Clearance, 'name'> {
  const best = { distance: Infinity, from: new Vector3(), to: new Vector3() };
  const [a, b, c, d] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const [p, q] = [new Vector3(), new Vector3()];
  for (let i = 0; i + 1 < one.count; ++i) {
    at(one, i, a);
    at(one, i + 1, b);
    for (let k = 0; k + 1 < other.count; ++k) {
      at(other, k, c);
      at(other, k + 1, d);
      nearest(a, b, c, d, p, q);
      const distance = p.distanceTo(q) - girth(one, i) - girth(other, k);
      if (distance >= best.distance) continue;
      best.distance = distance;
      best.from.copy(p);
      best.to.copy(q);
    }
  }
  return best;
}

/** The nearest points of two segments. */
export function nearest(a: Vector3, b: Vector3, c: Vector3, d: Vector3, p: Vector3, q: Vector3): void {
  const [u, v, w] = [b.clone().sub(a), d.clone().sub(c), a.clone().sub(c)];
  const [uu, uv, vv, uw, vw] = [u.dot(u), u.dot(v), v.dot(v), u.dot(w), v.dot(w)];
  const across = uu * vv - uv * uv;
  const bound = (x: number): number => Math.min(Math.max(x, 0), 1);
  let s = across > 1e-12 * uu * vv ? bound((uv * vw - vv * uw) / across) : 0;
  let t = vv > 0 ? (uv * s + vw) / vv : 0;
  if (t < 0 || t > 1) {
    t = bound(t);
    s = uu > 0 ? bound((uv * t - uw) / uu) : 0;
  }
  p.copy(a).addScaledVector(u, s);
  q.copy(c).addScaledVector(v, t);
}

function toBox(rod: RodFrame, body: { position: ArrayLike<number>; orientation: ArrayLike<number> }, box: readonly number[]): Omit<Clearance, 'name'> {
  const best = { distance: Infinity, from: new Vector3(), to: new Vector3() };
  const turn = setQuaternion(new Quaternion(), body.orientation);
  const back = turn.clone().invert();
  const centre = new Vector3(body.position[0], body.position[1], body.position[2]);
  const half = new Vector3(box[0]! / 2, box[1]! / 2, box[2]! / 2);
  const point = new Vector3();
  for (let k = 0; k < rod.count; ++k) {
    at(rod, k, point);
    const local = point.clone().sub(centre).applyQuaternion(back);
    const on = local.clone().clamp(half.clone().negate(), half);
    const distance = local.distanceTo(on) - girth(rod, k);
    if (distance >= best.distance) continue;
    best.distance = distance;
    best.from.copy(point);
    best.to.copy(on.applyQuaternion(turn).add(centre));
  }
  return best;
}
