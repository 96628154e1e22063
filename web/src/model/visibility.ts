// What of the scene this page does not show, and what it does not let be taken in the hand. The scene itself knows nothing of it.
import { signal } from '@preact/signals';
import type { SceneMessage } from '../protocol/scene';
import { thingKey, type Thing } from './selection';
import { whenDocumentChanges } from './store';

/** things by their keys */
export const hidden = signal<ReadonlySet<string>>(new Set());
export const locked = signal<ReadonlySet<string>>(new Set());

whenDocumentChanges(() => {
  hidden.value = new Set();
  locked.value = new Set();
});

export const isHidden = (thing: Thing): boolean => hidden.value.size > 0 && hidden.value.has(thingKey(thing));
export const isLocked = (thing: Thing): boolean => locked.value.size > 0 && locked.value.has(thingKey(thing));

/** Hides all of them, or shows all of them if all are hidden. */
export function toggleHidden(things: readonly Thing[]): void {
  hidden.value = toggled(hidden.peek(), things);
}

export function toggleLocked(things: readonly Thing[]): void {
  locked.value = toggled(locked.peek(), things);
}

function toggled(set: ReadonlySet<string>, things: readonly Thing[]): ReadonlySet<string> {
  const keys = things.filter(({ kind }) => kind !== 'scene').map(thingKey);
  const next = new Set(set);
  if (keys.every((key) => next.has(key))) keys.forEach((key) => next.delete(key));
  else keys.forEach((key) => next.add(key));
  return next;
}

export function showEverything(): void {
  hidden.value = new Set();
}

/** Hides all but these, and what is on them. */
export function isolate(things: readonly Thing[], scene: SceneMessage): void {
  const kept = new Set(things.map(thingKey));
  const rods = scene.rods.filter(({ name }) => kept.has(`rod ${name}`));
  const all: Thing[] = [
    ...scene.rods.map(({ name }): Thing => ({ kind: 'rod', name })),
    ...scene.bodies.map(({ name }): Thing => ({ kind: 'body', name })),
    ...scene.scenery.map(({ name }): Thing => ({ kind: 'scenery', name })),
    // a hold of a cable that is kept is kept
    ...scene.holds.filter(({ rod }) => !rods.some(({ name }) => name === rod)).map(({ name }): Thing => ({ kind: 'hold', name })),
  ];
  hidden.value = new Set(all.map(thingKey).filter((key) => !kept.has(key)));
}
