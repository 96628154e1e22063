// Keys that lead levers for as long as they are held.
import type { Rod } from '../../protocol/scene';
import { lengthLever } from './length_lever';
import type { Lever, LeverGrip } from './lever';
import { levers } from './lever_list';

/** Keys of the first levers: on, back. */
export const LEVER_KEYS: readonly (readonly [string, string])[] = [['q', 'a'], ['w', 's'], ['i', 'k']];

const held = new Map<string, LeverGrip>();

/** The lever of a key and its direction: those of the first levers; + and − that of the selected cable. */
function leverOf(key: string, selectedRod: () => Rod | undefined): { lever: Lever; sign: number } | undefined {
  const k = LEVER_KEYS.findIndex((pair) => pair.includes(key));
  const lever = levers.peek()[k];
  if (lever) return { lever, sign: key === LEVER_KEYS[k]![0] ? 1 : -1 };
  if (!'+=-'.includes(key)) return undefined;
  const rod = selectedRod();
  return rod && { lever: lengthLever(rod), sign: key === '-' ? -1 : 1 };
}

/** Takes a key if it is a lever's. */
export function leverKey(event: KeyboardEvent, down: boolean, selectedRod: () => Rod | undefined): boolean {
  const key = event.key.toLowerCase();
  if (!down) {
    const grip = held.get(key);
    held.delete(key);
    grip?.go(0);
    grip?.end();
    return grip !== undefined;
  }
  if (event.ctrlKey || event.metaKey) return false;
  if (held.has(key)) return true;
  const found = leverOf(key, selectedRod);
  if (!found) return false;
  const grip = found.lever.grip();
  held.set(key, grip);
  grip.go(found.sign * found.lever.speed * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1));
  return true;
}

/** Lets go of every lever: the page lost the keyboard. */
export function letGoOfLevers(): void {
  for (const grip of held.values()) {
    grip.go(0);
    grip.end();
  }
  held.clear();
}
