// What is selected and what the pointer is over.
import { signal } from '@preact/signals';
import type { BodyFrame, HoldFrame } from '../protocol/frame';
import { bodyFrame, holdFrame } from './store';

export type Thing =
  | { kind: 'rod'; name: string; s?: number }
  | { kind: 'hold' | 'body' | 'junction' | 'scenery'; name: string }
  | { kind: 'load'; path: string }
  | { kind: 'driver' | 'reeving'; path: string }
  | { kind: 'material' | 'section'; name: string }
  | { kind: 'scene' };

export const selection = signal<Thing>({ kind: 'scene' });
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

function thingKey(thing: Thing): string {
  switch (thing.kind) {
    case 'scene':
      return 'scene';
    case 'load':
    case 'driver':
    case 'reeving':
      return `${thing.kind} ${thing.path}`;
    default:
      return `${thing.kind} ${thing.name}`;
  }
}
