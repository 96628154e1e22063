// Groups: things of a scene under one name, to be selected, hidden and locked together. This browser keeps them by document; the scene itself knows
// nothing of them, and a thing that is renamed leaves its groups.
import { computed } from '@preact/signals';
import * as prefs from './prefs';
import { thingKey, type Thing } from './selection';
import { scene, state } from './store';

type Member = prefs.Group['things'][number];

const documentName = (): string => state.value?.document.name ?? '';

/** Those of the present document, each with what of it is there. */
export const groups = computed<readonly { name: string; things: readonly Member[] }[]>(() => {
  const known = scene.value;
  if (!known) return [];
  const there = { rod: known.rods, hold: known.holds, body: known.bodies, junction: known.junctions, scenery: known.scenery };
  return prefs.groups.value
    .filter(({ document }) => document === documentName())
    .map(({ name, things }) => ({ name, things: things.filter((thing) => there[thing.kind].some((other) => other.name === thing.name)) }))
    .filter(({ things }) => things.length > 0);
});

/** What of these can belong to a group. */
function members(things: readonly Thing[]): Member[] {
  return things.flatMap((thing) => (prefs.isMember(thing) ? [{ kind: thing.kind, name: thing.name }] : []));
}

/** Puts things together under a name; a group that had it is no more. */
export function makeGroup(name: string, things: readonly Thing[]): void {
  const some = members(things);
  if (name.trim() === '' || some.length === 0) return;
  prefs.groups.value = [...without(name.trim()), { document: documentName(), name: name.trim(), things: some }];
}

export function removeGroup(name: string): void {
  prefs.groups.value = without(name);
}

function without(name: string): prefs.Group[] {
  return prefs.groups.peek().filter((other) => other.document !== documentName() || other.name !== name);
}

/** A name that no group has yet. */
export function freeName(): string {
  let k = 1;
  while (groups.peek().some(({ name }) => name === `Group ${k}`)) k += 1;
  return `Group ${k}`;
}

/** Whether exactly these are selected. */
export function isGroupSelected(things: readonly Thing[], selected: readonly Thing[]): boolean {
  const keys = new Set(selected.map(thingKey));
  return keys.size === things.length && things.every((thing) => keys.has(thingKey(thing)));
}
