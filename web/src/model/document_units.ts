// The units of the document: as a person chose them, or as the scene's size suggests. Lengths in mm up to a few metres, forces in N up to
// the weight of a tonne.
import { effect } from '@preact/signals';
import type { SceneMessage } from '../protocol/scene';
import * as prefs from './prefs';
import { scene } from './store';
import { documentUnits, INCH, KILONEWTON, METRE, MM, NEWTON, type DocumentUnits, type Unit } from './units';

/** From this size on, m, lengths are in metres; from this weight on, N, forces are in kN. */
const LARGE = 5;
const HEAVY = 1e4;
/** Frames are in single precision; equilibria are found to about this share. */
const ROUND_OFF = { length: 1e-7, force: 1e-6 };

const lengths = { mm: MM, m: METRE, in: INCH };
const forces = { N: NEWTON, kN: KILONEWTON };

export function unitsOf(known: SceneMessage | undefined, length: 'fit' | keyof typeof lengths, force: 'fit' | keyof typeof forces): DocumentUnits {
  const size = Math.max(...(known?.rods.map((rod) => rod.length) ?? []), ...(known?.bodies.map((body) => Math.hypot(...body.position)) ?? []), 0);
  const masses = [...(known?.rods ?? []), ...(known?.bodies ?? [])].map(({ mass }) => mass);
  const weight = masses.reduce((sum, mass) => sum + mass, 0) * Math.hypot(...(known?.gravity ?? [0]));
  // what bending a rod into an arc of its length takes
  const stiff = Math.max(...(known?.rods.map((rod) => Math.max(...rod.stiffness.EI) / rod.length ** 2) ?? []), 0);
  const unit = length === 'fit' ? (size > LARGE ? METRE : MM) : lengths[length];
  const pull = force === 'fit' ? (weight > HEAVY ? KILONEWTON : NEWTON) : forces[force];
  const smallest = ROUND_OFF.force * Math.max(weight, stiff);
  // a rod that turns by less than round-off over its length is straight
  const bend = size > 0 ? ROUND_OFF.length / size : 0;
  const least = { length: ROUND_OFF.length * size, force: smallest, moment: smallest * size, curvature: bend, 'twist rate': bend };
  return { length: unit, force: pull, moment: momentUnit(unit, pull), least };
}

function momentUnit(length: Unit, force: Unit): Unit {
  if (force === KILONEWTON) return { name: 'kN m', size: 1e3 };
  return length === MM ? { name: 'N mm', size: 1e-3 } : { name: 'N m', size: 1 };
}

effect(() => {
  documentUnits.value = unitsOf(scene.value, prefs.lengthUnit.value, prefs.forceUnit.value);
});
