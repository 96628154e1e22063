// The levers of the present scene: those of its drives, winches and ropes, one for all hoists and one for all winches, then those that people
// put there.
import { computed, signal } from '@preact/signals';
import { scene } from '../../model/store';
import type { SceneMessage } from '../../protocol/scene';
import { commonLever } from './common_lever';
import { axisId, axisLever, type Slid } from './axis_lever';
import { driveLever } from './drive_lever';
import { lengthLever } from './length_lever';
import type { Lever } from './lever';
import { ropeLever, winchLever } from './reeving_levers';

/** what people put among the levers: «length ROD», «body NAME x», «hold NAME z» */
export const pins = signal<ReadonlySet<string>>(new Set());

export function togglePin(id: string): void {
  const next = new Set(pins.peek());
  if (!next.delete(id)) next.add(id);
  pins.value = next;
}

/** Bodies, and holds in the world. */
function slidThings(known: SceneMessage): Slid[] {
  return [
    ...known.bodies.map(({ name, position }): Slid => ({ kind: 'body', name, position })),
    ...known.holds.filter(({ body }) => body === '').map(({ name, position }): Slid => ({ kind: 'hold', name, position: position ?? [0, 0, 0] })),
  ];
}

/** Drives first, then what was pinned. */
export const levers = computed<readonly Lever[]>(() => {
  const known = scene.value;
  if (!known) return [];
  const list: Lever[] = [];
  for (const driver of known.drivers) {
    const rod = driver.kind === 'rod' ? known.rods.find(({ name }) => name === driver.target) : undefined;
    const rope = driver.kind === 'rope' ? known.ropes.find(({ name }) => name === driver.target) : undefined;
    if (rod) list.push(lengthLever(rod, driver));
    else if (rope) list.push(ropeLever(rope, driver));
    else if ((driver.kind === 'body' || driver.kind === 'hold') && driver.keys.length > 1) list.push(driveLever(driver));
  }
  // ropes that nothing drives yet can be driven too
  for (const rope of known.ropes) if (!known.drivers.some(({ kind, target }) => kind === 'rope' && target === rope.name)) list.push(ropeLever(rope));
  const ropes = commonLever('ropes', list.filter(({ id }) => id.startsWith('rope ')));
  const winches = known.winches.map(winchLever);
  const together = commonLever('winches', winches);
  list.push(...(ropes ? [ropes] : []), ...winches, ...(together ? [together] : []));
  for (const id of pins.value) {
    const rod = known.rods.find(({ name }) => id === `length ${name}`);
    if (rod && !list.some((lever) => lever.id === id)) list.push({ ...lengthLever(rod), pinned: true });
    for (const slid of slidThings(known))
      for (const axis of [0, 1, 2] as const) if (id === axisId(slid, axis)) list.push({ ...axisLever(slid, axis), pinned: true });
  }
  return list;
});
