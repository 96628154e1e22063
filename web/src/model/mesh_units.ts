// The unit that a mesh was drawn in. Files of meshes do not say it: what is far too large for the scene in metres is taken as millimetres, and
// the person is told and may say otherwise.
import { addMesh } from '../protocol/api';
import { selection } from './selection';
import { tell } from './session';
import { scene } from './store';
import { notify } from './trouble';
import { newGesture } from './undo';

/** meshes that this page has just added, whose unit is still to be judged */
const fresh = new Set<string>();

const UNITS = { metres: 1, millimetres: 1e-3, centimetres: 1e-2, inches: 0.0254 };
/** Times as large as the scene that a mesh may be. */
const TOO_LARGE = 20;

/** Adds a mesh to the scene and selects it. */
export async function takeMesh(file: File): Promise<void> {
  const name = await addMesh(file);
  fresh.add(name);
  selection.value = { kind: 'scenery', name };
}

/** The unit of a mesh of this size, by the size of the scene that it came to. */
export function guessedUnit(size: number, sceneSize: number): keyof typeof UNITS {
  return size > TOO_LARGE * sceneSize ? 'millimetres' : 'metres';
}

/** A mesh was read; its size is that of its box in the numbers of its file. */
export function meshRead(name: string, size: number): void {
  const item = scene.peek()?.scenery.find((candidate) => candidate.name === name);
  if (!fresh.delete(name) || !item || item.scale !== 1) return;
  const rods = scene.peek()?.rods.map((rod) => rod.length) ?? [];
  const unit = guessedUnit(size, Math.max(...rods, 0) || 1);
  if (unit === 'metres') return;
  const use = (wanted: keyof typeof UNITS, gesture: string): void => void tell('place_scenery', { name, scale: UNITS[wanted], gesture });
  const gesture = newGesture('unit of a mesh');
  use(unit, gesture);
  notify(`${item.mesh} is ${Number(size.toPrecision(3))} large in the numbers of its file: taken as ${unit}.`, 'info', [
    { label: 'metres', act: () => use('metres', gesture) },
    { label: 'inches', act: () => use('inches', gesture) },
  ]);
}
