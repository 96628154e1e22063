// A lever: leads a number of the simulation by a slider or by keys. While time stands still it lays; while it plays it drives,
// at a bounded speed as a winch or a trolley does.
import { signal } from '@preact/signals';
import type { Quantity } from '../../model/units';

export interface Lever {
  id: string;
  label: string;
  hint: string;
  quantity: Quantity;
  /** of one unit of the value per second */
  rate: Quantity;
  min: number;
  max: number;
  /** of the keys, and the most of the slider while it plays */
  speed: number;
  value: () => number;
  /** the value in words, where it is more than a number of its quantity */
  reading?: () => string;
  /** how fast it moves now */
  moving: () => number;
  grip: () => LeverGrip;
  /** a person put it here and may take it away */
  pinned: boolean;
}

/** A hand on a lever, from the first movement to the last. */
export interface LeverGrip {
  to: (value: number) => void;
  /** so fast from here on; 0 brakes */
  go: (rate: number) => void;
  end: () => void;
}

/** speeds that people chose, by lever */
export const speeds = signal<Readonly<Record<string, number>>>({});

/** The speed of a lever: a person's, or the usual one. */
export function chosenSpeed(id: string, usual: number): number {
  return speeds.value[id] ?? usual;
}
