// The unit that a mesh was drawn in. Files of meshes do not say it: what is far too large for the scene in metres is taken as millimetres, and
// the person is told and may say otherwise.
import { addMesh } from '../protocol/api';
import type { Tubes } from '../protocol/answers';
import { showTubes, shownTubes } from './flexible';
import { remember } from './given_meshes';
import { selection } from './selection';
import { always } from './outbox';
import { outbox, tell } from './session';
import { scene, whenDocumentChanges } from './store';
import { notify, withdrawOffers } from './trouble';
import { newGesture } from './undo';

/** meshes that this page has just added, whose unit is still to be judged: their size in the numbers of their file, once it is known */
const fresh = new Map<string, number | undefined>();
/** those whose tubes are being looked for, which tell the unit better than their size does */
const searched = new Set<string>();

const UNITS = { metres: 1, millimetres: 1e-3, centimetres: 1e-2, inches: 0.0254 };
/** Times as large as the scene that a mesh may be. */
const TOO_LARGE = 20;

/** A tube of this radius is no cable in metres; of more than the other it is one in millimetres, between them in inches. */
const ARM = 0.05;
const WIRE = 0.2;

/** Adds a mesh to the scene and selects it. Tubes in it are offered to be made flexible. */
export async function takeMesh(chosen: File): Promise<void> {
  // its bytes, which the disk may have no more when they are needed again
  const file = new File([await chosen.arrayBuffer()], chosen.name);
  remember(file);
  const { scenery: name, mesh } = await outbox.add((change) => addMesh(file, change), always);
  remember(file, mesh);
  fresh.set(name, undefined);
  searched.add(name);
  selection.value = { kind: 'scenery', name };
  const tubes = await showTubes(name, false);
  searched.delete(name);
  const unit = tubes && unitOfTubes(usualRadius(tubes));
  if (tubes && unit && unit !== 'metres') {
    fresh.delete(name);
    offerUnits(name, unit, `has tubes ${Number((2 * usualRadius(tubes)).toPrecision(3))} thick`);
  } else if (tubes) {
    fresh.delete(name);
  } else {
    judge(name);
  }
}

/** The radius that half of the tubes exceed. */
export function usualRadius({ branches }: Pick<Tubes, 'branches'>): number {
  const radii = branches.map(({ radius }) => radius).sort((a, b) => a - b);
  return radii[Math.floor(radii.length / 2)] ?? 0;
}

/** The unit of a mesh whose tubes are so thick, as the program itself takes it. */
export function unitOfTubes(radius: number): keyof typeof UNITS {
  return radius <= ARM ? 'metres' : radius <= WIRE ? 'inches' : 'millimetres';
}

/** The unit of a mesh of this size, by the size of the scene that it came to. */
export function guessedUnit(size: number, sceneSize: number): keyof typeof UNITS {
  return size > TOO_LARGE * sceneSize ? 'millimetres' : 'metres';
}

/** A mesh was read; its size is that of its box in the numbers of its file. */
export function meshRead(name: string, size: number): void {
  if (!fresh.has(name)) return;
  fresh.set(name, size);
  judge(name);
}

/** Judges the unit of a mesh without tubes by its size, once both are known. */
function judge(name: string): void {
  const size = fresh.get(name);
  if (size === undefined || searched.has(name)) return;
  fresh.delete(name);
  const rods = scene.peek()?.rods.map((rod) => rod.length) ?? [];
  const unit = guessedUnit(size, Math.max(...rods, 0) || 1);
  if (unit !== 'metres') offerUnits(name, unit, `is ${Number(size.toPrecision(3))} large in the numbers of its file`);
}

// a mesh of another document is none to be measured
whenDocumentChanges(withdrawOffers);

/** Takes a mesh to be in a unit, says why, and lets the person say otherwise. Tubes that are shown follow. */
function offerUnits(name: string, unit: keyof typeof UNITS, why: string): void {
  const item = scene.peek()?.scenery.find((candidate) => candidate.name === name);
  if (!item || item.scale !== 1) return;
  const gesture = newGesture('unit of a mesh');
  const use = async (wanted: keyof typeof UNITS): Promise<void> => {
    await tell('place_scenery', { name, scale: UNITS[wanted], gesture });
    if (shownTubes.peek()?.scenery === name) await showTubes(name, false);
  };
  void use(unit);
  const others = (['metres', 'millimetres', 'inches'] as const).filter((other) => other !== unit);
  notify(`${item.mesh} ${why}: taken as ${unit}.`, 'info', others.map((label) => ({ label, act: () => void use(label) })));
}
