// The movement of the scene's drivers from equilibrium to equilibrium. Its states take the place of the recording, so that they are looked at,
// played back and exported as a run is; what cables lack on the way stands beside them.
import { signal } from '@preact/signals';
import type { Movement } from '../protocol/answers';
import { FrameStore } from '../protocol/frame';
import { lookAt, recording } from './recording';
import { ask, tell } from './session';
import { playing, scene } from './store';
import { trouble } from './trouble';

export const movement = signal<Movement | undefined>(undefined);
export const movementStates = signal(31);

/** the place of the page where its errors stand */
export const MOVEMENT = 'movement';

export async function followDrivers(): Promise<void> {
  movement.value = undefined;
  if (playing.peek()) await tell('pause');
  const found = await tell('path', { states: movementStates.peek(), nudge: true }, MOVEMENT);
  if (!found) return;
  // a frame leaves out what is as in the one before
  const read = new FrameStore();
  const states = found.frames.map((text) => {
    read.read(bytesOf(text));
    return read.copy();
  });
  recording.follow(states);
  movement.value = found;
  lookAt(recording.first);
  if (!found.converged) trouble.report(MOVEMENT, `not every state is in equilibrium: ${found.why}`);
}

/** Of each rod: the smallest bend radius on the way, m, and when. */
export function tightest(): { rod: string; radius: number; t: number }[] {
  return (scene.value?.rods ?? []).map(({ name }, k) => {
    let [radius, t] = [Infinity, 0];
    for (const state of recording.frames) {
      const now = state.rods[k]?.minBendRadius ?? Infinity;
      if (now < radius) [radius, t] = [now, state.time];
    }
    return { rod: name, radius, t };
  });
}

/** Gives a cable what it lacks, and follows the movement again. */
export async function lengthen(rod: string, by: number): Promise<void> {
  try {
    await ask('change_length', { rod, by: Number(by.toPrecision(6)) });
    await followDrivers();
  } catch (error) {
    trouble.report(MOVEMENT, String(error instanceof Error ? error.message : error));
  }
}

function bytesOf(base64: string): ArrayBuffer {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
}
