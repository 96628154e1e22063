// Quantities as people read and write them. The scene is in SI; each quantity is shown in a unit of handy size.
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

/** Units of a quantity, small to large. The first that leaves the number at or below 1000 is taken. */
const units: Record<Quantity, readonly Unit[]> = {
  length: [{ name: 'mm', size: 1e-3 }, { name: 'm', size: 1 }, { name: 'km', size: 1e3 }],
  'small length': [{ name: 'µm', size: 1e-6 }, { name: 'mm', size: 1e-3 }, { name: 'm', size: 1 }],
  force: [{ name: 'mN', size: 1e-3 }, { name: 'N', size: 1 }, { name: 'kN', size: 1e3 }],
  moment: [{ name: 'N mm', size: 1e-3 }, { name: 'N m', size: 1 }],
  modulus: [{ name: 'kPa', size: 1e3 }, { name: 'MPa', size: 1e6 }, { name: 'GPa', size: 1e9 }],
  density: [{ name: 'kg/m³', size: 1 }],
  mass: [{ name: 'g', size: 1e-3 }, { name: 'kg', size: 1 }, { name: 't', size: 1e3 }],
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

/** The unit in which numbers up to `value` read best. */
export function unitFor(value: number, quantity: Quantity): Unit {
  const list = units[quantity];
  const size = Math.abs(value);
  // zero is nothing of the middle unit: 0 mm, 0 N
  if (!Number.isFinite(size)) return list[list.length - 1]!;
  if (size === 0) return list.length === 3 ? list[1]! : list[0]!;
  return list.find((unit) => size / unit.size < 999.95) ?? list[list.length - 1]!;
}

/** «25 mm», «∞» for a straight rod's bend radius, «–» for what is not known. */
export function show(value: number | null | undefined, quantity: Quantity, count = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return digits(value);
  const unit = unitFor(value, quantity);
  const number = digits(value / unit.size, count);
  return unit.name ? `${number} ${unit.name}` : number;
}

/** Names the scene file knows, by what people may type. */
const typed: Record<string, string> = { '°': 'deg', 'kg/m³': 'kg/m3', 'm/s²': 'm/s2', 'N mm²': 'N mm2', 'N m²': 'N m2' };

/** What a person typed, as the scene file takes it; a bare number is in `unit`. Undefined: not a number at all. */
export function parse(text: string, unit: Unit, quantity: Quantity): string | number | undefined {
  const match = /^\s*([-+−]?[0-9.,]+(?:e[-+−]?[0-9]+)?)\s*(.*?)\s*$/i.exec(text);
  if (!match) return undefined;
  const number = Number(match[1]!.replace(/−/g, '-').replace(',', '.'));
  if (!Number.isFinite(number)) return undefined;
  const name = match[2]!;
  if (name === '') return tidy(number * unit.size);
  // a unit that is shown here is turned into SI; any other is the server's to judge
  const known = units[quantity].find((candidate) => candidate.name === name || typed[candidate.name] === name);
  if (known) return tidy(number * known.size);
  return `${number} ${typed[name] ?? name}`;
}

/** Without the noise that a change of unit leaves in the last digits. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
