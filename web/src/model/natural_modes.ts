// Natural modes of the scene: their frequencies, and one of them swinging as a ghost beside what is shown.
import { signal } from '@preact/signals';
import type { NaturalModes } from '../protocol/answers';
import { vec3Of, type Vec3 } from '../protocol/vectors';
import { tell } from './session';
import { scene, whenDocumentChanges } from './store';

export const naturalModes = signal<NaturalModes | undefined>(undefined);
/** which of them swings */
export const swinging = signal<number | undefined>(undefined);
/** seconds of a drawn swing, whatever its frequency is */
const PERIOD = 1.6;
/** Of the longest cable: how far the farthest point swings. */
const SWING = 0.12;

whenDocumentChanges(forgetModes);

export function forgetModes(): void {
  naturalModes.value = swinging.value = undefined;
}

export async function findModes(): Promise<void> {
  swinging.value = undefined;
  naturalModes.value = await tell('modes', { count: 8 }, 'modes');
}

/** Where the points of each rod are in a mode at a time, s. */
export function swungAt(mode: number, time: number): Vec3[][] {
  const found = naturalModes.peek();
  const by = found?.modes[mode];
  const reach = SWING * Math.max(...(scene.peek()?.rods.map(({ length }) => length) ?? []), 0) * Math.sin((2 * Math.PI * time) / PERIOD);
  return found?.rods.map((points, k) => points.map((point, i) => vec3Of(point.map((c, axis) => c + reach * (by?.rods[k]?.[i]?.[axis] ?? 0))))) ?? [];
}
