// Cables that are too short for where they are held: between two neighbouring holds the straight way is longer than the cable. It says how
// much is missing at the least; what bends needs more. One that is meant to bear tension is too short only beyond its largest tension.
import { computed } from '@preact/signals';
import { vec3Of, type Vec3 } from '../protocol/vectors';
import { frame, holdFrame, rodFrame, scene, slowFrame } from './store';

interface Shortage {
  rod: string;
  /** the two holds */
  from: string;
  to: string;
  /** m */
  missing: number;
  position: Vec3;
}

/** What stretch alone may make of a length. */
const NOTICED = 1e-3;

export const shortages = computed<readonly Shortage[]>(() => {
  void slowFrame.value;
  const known = scene.value;
  if (!known || frame.revision !== known.revision) return [];
  return known.rods.flatMap((rod) => {
    const now = rodFrame(rod.name);
    if (rod.limits.max_tension !== null && (now?.maxTension ?? 0) <= rod.limits.max_tension) return [];
    const length = now?.s.at(-1) ?? rod.length;
    const holds = known.holds
      .filter((hold) => hold.rod === rod.name && hold.fix.position.every(Boolean) && !hold.slide)
      .flatMap(({ name }) => {
        const now = holdFrame(name);
        return now ? [{ name, s: now.s, position: now.position }] : [];
      })
      .sort((a, b) => a.s - b.s);
    return holds.slice(1).flatMap((to, k): Shortage[] => {
      const from = holds[k]!;
      const missing = Math.hypot(...to.position.map((c, axis) => c - from.position[axis]!)) - (to.s - from.s);
      return missing > NOTICED * length ? [{ rod: rod.name, from: from.name, to: to.name, missing, position: vec3Of(to.position) }] : [];
    });
  });
});
