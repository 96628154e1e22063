// What the page knows of the simulation: the server's latest word, as signals.
import { computed, signal } from '@preact/signals';
import { FrameStore } from '../protocol/frame';
import type { HelloMessage, Rod, SceneMessage, ServerEvent, StateMessage } from '../protocol/messages';
import type { LineStatus } from '../protocol/client';

export const line = signal<LineStatus>('connecting');
export const hello = signal<HelloMessage | undefined>(undefined);
export const scene = signal<SceneMessage | undefined>(undefined);
export const state = signal<StateMessage | undefined>(undefined);
export const events = signal<readonly ServerEvent[]>([]);

/** The latest frame. Not a signal: it is written in place; `frameNumber` says when. */
export const frame = new FrameStore();
export const frameNumber = signal(0);
/** a handful of times a second, for what is read and not watched */
export const slowFrame = signal(0);

export const playing = computed(() => state.value?.playing ?? false);
export const dirty = computed(() => state.value?.document.dirty ?? false);
export const violations = computed(() => state.value?.alarms.filter((alarm) => alarm.violated) ?? []);
export const canMove = computed(() => {
  const name = scene.value?.simulation.formulation;
  return hello.value?.formulations.find((formulation) => formulation.name === name)?.motion ?? false;
});

export function rodIndex(name: string): number {
  return scene.peek()?.rods.findIndex((rod) => rod.name === name) ?? -1;
}

export function rodNamed(name: string): Rod | undefined {
  return scene.peek()?.rods.find((rod) => rod.name === name);
}

/** A place along a rod of the latest frame, as the scene counts it: a winch may have made the rod longer. */
export function inScene(rod: string, s: number): number {
  const now = frame.rods[rodIndex(rod)]?.s.at(-1);
  const length = rodNamed(rod)?.length;
  return now && length ? Math.min((s * length) / now, length) : s;
}

/** Whether the latest frame and the latest scene speak of the same things. */
export function frameFitsScene(): boolean {
  const known = scene.peek();
  return known !== undefined && frame.revision === known.revision && frame.rods.length === known.rods.length;
}

/** Holds of the latest frame by name: the scene's, then those of hands. */
export function holdIndex(name: string): number {
  const known = scene.peek();
  if (!known) return -1;
  const own = known.holds.findIndex((hold) => hold.name === name);
  if (own >= 0) return own;
  const hand = known.hands.findIndex((hold) => hold.name === name);
  return hand < 0 ? -1 : known.holds.length + hand;
}

const KEPT_EVENTS = 300;

/** Adds events, in order and once. */
export function addEvents(more: readonly ServerEvent[]): void {
  const last = events.peek().at(-1)?.n ?? -1;
  const fresh = more.filter((event) => event.n > last);
  // a server that started anew counts anew
  if (fresh.length === 0 && more.length > 0 && more.at(-1)!.n < last) events.value = more;
  else if (fresh.length > 0) events.value = [...events.peek(), ...fresh].slice(-KEPT_EVENTS);
}
