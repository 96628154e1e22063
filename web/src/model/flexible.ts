// Tubes of a mesh that can be made flexible: shown over it, then all of them or the way between two places become cables.
import { signal } from '@preact/signals';
import type { Tubes } from '../protocol/answers';
import type { Vec3 } from '../protocol/vectors';
import * as modes from './modes';
import { selection } from './selection';
import { ask, tell } from './session';
import { whenDocumentChanges } from './store';
import { notify } from './trouble';

/** the tubes that are shown, and the mesh they are in */
export const shownTubes = signal<{ scenery: string; tubes: Tubes } | undefined>(undefined);

/** Looks for tubes in a mesh and shows them; without any nothing is shown. */
export async function showTubes(scenery: string, said = true): Promise<Tubes | undefined> {
  const tubes = said ? await tell('find_tubes', { scenery }) : await ask('find_tubes', { scenery }).catch(() => undefined);
  if (!tubes || tubes.branches.length === 0) {
    if (tubes && said) notify(`there is no tube in ${scenery}: no part of it that is round across and longer than it is wide`);
    return undefined;
  }
  shownTubes.value = { scenery, tubes };
  modes.tool.value = 'flexible';
  return tubes;
}

/** The mesh stays one. */
export function hideTubes(): void {
  shownTubes.value = undefined;
  if (modes.tool.peek() === 'flexible') modes.tool.value = 'select';
}

/** All tubes that are shown become cables, or those of the way between two places. */
export async function makeFlexible(between?: { from: Vec3; to: Vec3 }): Promise<void> {
  const shown = shownTubes.peek();
  if (!shown) return;
  const made = await tell('make_flexible', { scenery: shown.scenery, ...between });
  // refused: they stay shown, for other places to be clicked
  if (!made) return;
  hideTubes();
  const first = made.rods[0];
  if (first !== undefined) selection.value = { kind: 'rod', name: first };
  if (made.notes.length > 0) notify(made.notes.join('; '));
}

/** How many of the nodes are free ends, and how many join tubes. */
export function countNodes({ nodes }: Tubes): { ends: number; joints: number } {
  return { ends: nodes.filter(({ degree }) => degree === 1).length, joints: nodes.filter(({ degree }) => degree > 2).length };
}

whenDocumentChanges(hideTubes);
