// What is selected and what the pointer is over. One thing is the one that the inspector shows; others may be selected with it.
import { computed, signal } from '@preact/signals';
import type { BodyFrame, HoldFrame } from '../protocol/frame';
import { bodyFrame, holdFrame } from './store';

export type Thing =
  | { kind: 'rod'; name: string; s?: number }
  | { kind: 'hold' | 'body' | 'junction' | 'scenery'; name: string }
  | { kind: 'load'; path: string }
  | { kind: 'driver' | 'reeving' | 'obstacle'; path: string }
  | { kind: 'material' | 'section'; name: string }
  | { kind: 'scene' };

export const selection = signal<Thing>({ kind: 'scene' });
/** what else is selected, and with which thing: another selection forgets them */
const company = signal<{ of: string; things: readonly Thing[] }>({ of: '', things: [] });
/** All that is selected, the one that the inspector shows last. */
export const selected = computed<readonly Thing[]>(() => {
  const { of, things } = company.value;
  return of === thingKey(selection.value) ? [...things, selection.value] : [selection.value];
});

/** Selects these and nothing else; the last is the one that the inspector shows. */
export function selectAll(things: readonly Thing[]): void {
  const last = things.at(-1) ?? { kind: 'scene' };
  company.value = { of: thingKey(last), things: things.slice(0, -1) };
  selection.value = last;
}

/** Adds a thing to what is selected, or takes it out. */
export function selectAlso(thing: Thing): void {
  const now = selected.peek().filter(({ kind }) => kind !== 'scene');
  const without = now.filter((other) => !sameThing(other, thing));
  selectAll(without.length < now.length ? without : [...now, thing]);
}

export function isSelected(thing: Thing): boolean {
  return selected.value.some((other) => sameThing(other, thing));
}

export const hovered = signal<Thing | undefined>(undefined);

/** Whether both are the same thing, wherever along a rod. */
export function sameThing(a: Thing | undefined, b: Thing | undefined): boolean {
  return a !== undefined && b !== undefined && thingKey(a) === thingKey(b);
}

/** A hold or a body as the latest frame has it. */
export function poseOf(thing: Thing): HoldFrame | BodyFrame | undefined {
  if (thing.kind === 'hold') return holdFrame(thing.name);
  return thing.kind === 'body' ? bodyFrame(thing.name) : undefined;
}

/** Tells things apart, wherever along a rod. */
export function thingKey(thing: Thing): string {
  switch (thing.kind) {
    case 'scene':
      return 'scene';
    case 'load':
    case 'driver':
    case 'reeving':
    case 'obstacle':
      return `${thing.kind} ${thing.path}`;
    default:
      return `${thing.kind} ${thing.name}`;
  }
}
