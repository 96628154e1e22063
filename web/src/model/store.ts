// What the page knows of the simulation: the server's latest word, as signals.
import { computed, effect, signal, untracked } from '@preact/signals';
import type { ConnectionStatus } from '../protocol/connection';
import { FrameStore, type BodyFrame, type HoldFrame, type RodFrame } from '../protocol/frame';
import type { BusyMessage, HelloMessage, ServerEvent } from '../protocol/messages';
import type { Rod, SceneMessage } from '../protocol/scene';
import type { StateMessage } from '../protocol/state';

export const connectionStatus = signal<ConnectionStatus>('connecting');
export const hello = signal<HelloMessage | undefined>(undefined);
export const scene = signal<SceneMessage | undefined>(undefined);
export const state = signal<StateMessage | undefined>(undefined);
/** the command that takes long */
export const busy = signal<BusyMessage | undefined>(undefined);
export const events = signal<readonly ServerEvent[]>([]);

/** The latest frame of the simulation. Not a signal: it is written in place. */
export const live = new FrameStore();
/** What is shown: the latest frame, or one of the recording. `frameNumber` says when it has changed. */
export const frame = new FrameStore();
export const frameNumber = signal(0);
/** a handful of times a second, for what is read and not watched */
export const slowFrame = signal(0);

const documentNumber = computed(() => scene.value?.document ?? 0);

/** Does something whenever another document takes the place of one. */
export function whenDocumentChanges(work: () => void): void {
  let known = 0;
  effect(() => {
    const now = documentNumber.value;
    const changed = known !== 0 && now !== known;
    known = now;
    if (changed) untracked(work);
  });
}

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

/** A rod as the latest frame has it. */
export function rodFrame(name: string): RodFrame | undefined {
  return frame.rods[rodIndex(name)];
}

/** A body as the latest frame has it. */
export function bodyFrame(name: string): BodyFrame | undefined {
  return frame.bodies[scene.peek()?.bodies.findIndex((body) => body.name === name) ?? -1];
}

/** A hold as the latest frame has it: the scene's, then those of hands. */
export function holdFrame(name: string): HoldFrame | undefined {
  const known = scene.peek();
  return frame.holds[known ? [...known.holds, ...known.hands].findIndex((hold) => hold.name === name) : -1];
}

/** A place along a rod of the latest frame, as the scene counts it: a winch may have made the rod longer. */
export function inScene(rod: string, s: number): number {
  const now = rodFrame(rod)?.s.at(-1);
  const length = rodNamed(rod)?.length;
  // frames are in single precision: what is as long as the scene has it is not rescaled
  return now && length && now !== Math.fround(length) ? Math.min((s * length) / now, length) : Math.min(s, length ?? s);
}

/** Whether the latest frame and the latest scene speak of the same things. */
export function frameFitsScene(): boolean {
  const known = scene.peek();
  return known !== undefined && frame.revision === known.revision && frame.rods.length === known.rods.length;
}

const KEPT_EVENTS = 300;

/** Adds events, in order and once. Returns those that are new. */
export function addEvents(more: readonly ServerEvent[]): readonly ServerEvent[] {
  const last = events.peek().at(-1)?.n ?? -1;
  const fresh = more.filter((event) => event.n > last);
  // a server that started anew counts anew
  if (fresh.length === 0 && more.length > 0 && more.at(-1)!.n < last) events.value = more;
  else if (fresh.length > 0) events.value = [...events.peek(), ...fresh].slice(-KEPT_EVENTS);
  return fresh;
}

/** number of the last event of the document before */
const bygone = signal(-1);
whenDocumentChanges(() => (bygone.value = events.peek().at(-1)?.n ?? -1));

/** What of this document is still true of what went wrong: that there was no equilibrium is so until there is one. */
export const warnings = computed(() => {
  const settled = state.value?.solve.converged ?? true;
  return events.value.filter(({ n, level }) => n > bygone.value && (level === 'error' || (level === 'warning' && !settled)));
});
