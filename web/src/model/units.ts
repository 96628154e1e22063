// Quantities as people read and write them. The scene is in SI. Lengths, forces and moments have one unit in the whole document
// (document_units.ts chooses it); any other quantity is shown in a unit of handy size. A bare number that is typed is in the unit that is
// shown beside its field.
import { signal } from '@preact/signals';
import { evaluate, type UnitSizes } from './expression';
import { digits } from './numbers';

export type Quantity =
  | 'length' | 'small length' | 'force' | 'moment' | 'modulus' | 'density' | 'mass' | 'mass per length' | 'time' | 'angle'
  | 'turns' | 'number' | 'bending' | 'stretching' | 'energy' | 'curvature' | 'twist rate' | 'acceleration' | 'milliseconds'
  | 'force per length' | 'speed' | 'factor';

export interface Unit {
  name: string;
  /** SI value of one of it */
  size: number;
}

export const MM: Unit = { name: 'mm', size: 1e-3 };
export const METRE: Unit = { name: 'm', size: 1 };
export const INCH: Unit = { name: 'in', size: 0.0254 };
export const NEWTON: Unit = { name: 'N', size: 1 };
export const KILONEWTON: Unit = { name: 'kN', size: 1e3 };

/** The units of the whole document, and what is less than any length or force of it can be: round-off. */
export interface DocumentUnits {
  length: Unit;
  force: Unit;
  moment: Unit;
  least: Readonly<Partial<Record<Quantity, number>>>;
}
export const documentUnits = signal<DocumentUnits>({
  length: MM, force: NEWTON, moment: { name: 'N mm', size: 1e-3 }, least: {},
});

/** Units of a quantity, small to large. The first that leaves the number at or below 1000 is taken; `usual` is that of zero and of
 * nothing. */
const units: Record<Quantity, readonly Unit[]> = {
  length: [MM, METRE],
  'small length': [{ name: 'µm', size: 1e-6 }, { name: 'mm', size: 1e-3 }, { name: 'm', size: 1 }],
  force: [NEWTON, KILONEWTON],
  moment: [{ name: 'N mm', size: 1e-3 }, { name: 'N m', size: 1 }],
  modulus: [{ name: 'kPa', size: 1e3 }, { name: 'MPa', size: 1e6 }, { name: 'GPa', size: 1e9 }],
  density: [{ name: 'kg/m³', size: 1 }],
  mass: [{ name: 'g', size: 1e-3 }, { name: 'kg', size: 1 }],
  'mass per length': [{ name: 'g/m', size: 1e-3 }, { name: 'kg/m', size: 1 }],
  time: [{ name: 'ms', size: 1e-3 }, { name: 's', size: 1 }],
  milliseconds: [{ name: 'ms', size: 1 }],
  angle: [{ name: '°', size: Math.PI / 180 }],
  turns: [{ name: 'turns', size: 1 }],
  number: [{ name: '', size: 1 }],
  bending: [{ name: 'N mm²', size: 1e-6 }, { name: 'N m²', size: 1 }],
  stretching: [{ name: 'N', size: 1 }, { name: 'kN', size: 1e3 }, { name: 'MN', size: 1e6 }],
  energy: [{ name: 'mJ', size: 1e-3 }, { name: 'J', size: 1 }, { name: 'kJ', size: 1e3 }],
  curvature: [{ name: '1/m', size: 1 }],
  'twist rate': [{ name: 'rad/m', size: 1 }],
  acceleration: [{ name: 'm/s²', size: 1 }],
  'force per length': [{ name: 'N/m', size: 1 }],
  speed: [{ name: 'm/s', size: 1 }],
  factor: [{ name: '×', size: 1 }],
};

/** The unit of zero and of nothing, where it is not the smallest. */
const usual: Partial<Record<Quantity, string>> = { 'small length': 'mm', modulus: 'MPa', mass: 'kg', time: 's', energy: 'J', bending: 'N m²' };

/** The quantity of a check, by the SI unit that it comes in. */
export const quantityOfUnit: Readonly<Record<string, Quantity | undefined>> = { m: 'length', N: 'force', 'N m': 'moment', 'N·m': 'moment', Pa: 'modulus' };

/** What may be typed besides what is shown. */
const alsoTyped: Partial<Record<Quantity, UnitSizes>> = {
  length: { µm: 1e-6, um: 1e-6, cm: 1e-2, km: 1e3, in: 0.0254, ft: 0.3048 },
  force: { mN: 1e-3, MN: 1e6 },
  moment: { 'kN m': 1e3 },
  mass: { t: 1e3, mg: 1e-6 },
};

/** The unit in which numbers up to `value` read best; without a value, the one that a bare number is taken in. */
export function unitFor(value: number | null, quantity: Quantity): Unit {
  if (quantity === 'length' || quantity === 'force' || quantity === 'moment') return documentUnits.value[quantity];
  const list = units[quantity];
  const size = Math.abs(value ?? 0);
  if (!Number.isFinite(size)) return list[list.length - 1]!;
  if (size === 0) return list.find(({ name }) => name === usual[quantity]) ?? list[0]!;
  return list.find((unit) => size / unit.size < 999.95) ?? list[list.length - 1]!;
}

/** What is round-off for this document is nothing. */
export function orNothing(value: number, quantity: Quantity): number {
  return Math.abs(value) < (documentUnits.value.least[quantity] ?? 0) ? 0 : value;
}

/** A value without its unit; what is round-off is nothing. */
export function showIn(value: number, unit: Unit, quantity: Quantity, count = 4): string {
  return digits(orNothing(value, quantity) / unit.size, count);
}

/** «25 mm», «∞» for a straight rod's bend radius, «–» for what is not known. */
export function show(value: number | null | undefined, quantity: Quantity, count = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return digits(value);
  const unit = unitFor(value, quantity);
  const number = showIn(value, unit, quantity, count);
  return unit.name ? `${number} ${unit.name}` : number;
}

/** Several numbers in one unit: «1, 2, 3 mm». */
export function showAll(values: ArrayLike<number>, quantity: Quantity, count = 4): string {
  const list = Array.from(values);
  const unit = unitFor(Math.max(...list.map(Math.abs)), quantity);
  return `${list.map((value) => showIn(value, unit, quantity, count)).join(', ')} ${unit.name}`.trim();
}

/** Names the scene file knows, by what people may type. */
const typed: Record<string, string> = { '°': 'deg', 'kg/m³': 'kg/m3', 'm/s²': 'm/s2', 'N mm²': 'N mm2', 'N m²': 'N m2' };

function sizesOf(quantity: Quantity): UnitSizes {
  const sizes: Record<string, number> = { ...alsoTyped[quantity] };
  for (const { name, size } of units[quantity]) sizes[name] = sizes[typed[name] ?? name] = size;
  return sizes;
}

/** What a person typed, as the scene file takes it; a bare number is in `unit`, «+20» and «*2» change `now`. Undefined: not a number at all. */
export function parse(text: string, unit: Unit, quantity: Quantity, now?: number): string | number | undefined {
  const value = evaluate(text, unit.size, sizesOf(quantity), now);
  if (value !== undefined) return tidy(value);
  // a unit that is not known here is the server's to judge
  const match = /^\s*([-+−]?[0-9.,]+(?:e[-+−]?[0-9]+)?)\s*((?!e\d)[^\s0-9.,+*/()-].*?)\s*$/i.exec(text);
  const number = Number(match?.[1]!.replace(/−/g, '-').replace(',', '.'));
  return Number.isFinite(number) ? `${number} ${typed[match![2]!] ?? match![2]!}` : undefined;
}

/** Without the noise that a change of unit leaves in the last digits. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
