// The levers of hoists and winches: a massless rope's length and a winch's speed, while it plays.
import { keyedLengths } from '../../model/drive';
import { Live } from '../../model/live';
import { roundBelow } from '../../model/numbers';
import { rodNamed, state } from '../../model/store';
import type { Driver, Rope, Winch } from '../../protocol/scene';
import { chosenSpeed, type Lever } from './lever';

/** A massless rope's length: a hoist, while it plays. */
export function ropeLever(rope: Rope, driver?: Driver): Lever {
  const id = `rope ${rope.name}`;
  const now = (): number => state.peek()?.ropes.find(({ name }) => name === rope.name)?.length ?? lengths[0] ?? 0;
  const given = driver ? keyedLengths(driver) : rope.length === null ? [] : [rope.length];
  const lengths = given.length > 0 ? given : [state.peek()?.ropes.find(({ name }) => name === rope.name)?.length ?? 1];
  const speed = chosenSpeed(id, roundBelow(0.05 * Math.max(...lengths, 0.1)));
  return {
    id, label: rope.name, hint: `Pays rope ${rope.name} out and hauls it in, while it plays`, quantity: 'length', rate: 'speed',
    min: 0.5 * Math.min(...lengths), max: 1.2 * Math.max(...lengths), speed,
    value: now,
    moving: () => state.peek()?.reels.find((reel) => reel.rope === rope.name)?.speed ?? 0,
    grip: () => {
      const live = new Live('reel', id);
      return {
        to: (length) => live.send({ rope: rope.name, length, speed }),
        go: (rate) => live.send({ rope: rope.name, speed: rate }),
        end: () => undefined,
      };
    },
    pinned: false,
  };
}

/** A winch of the scene: its lever is its speed, and stands at nothing when it is let go of. */
export function winchLever(winch: Winch): Lever {
  const id = `winch ${winch.name}`;
  const rod = rodNamed(winch.rod);
  const usual = Math.abs(winch.speed) || roundBelow(0.1 * (rod?.length ?? 1));
  const speed = chosenSpeed(id, usual);
  const now = (): number => state.peek()?.winches.find(({ name }) => name === winch.name)?.speed ?? 0;
  return {
    id, label: winch.name, hint: `Speed of winch ${winch.name} while it plays: above zero it pays ${winch.rod} out`, quantity: 'speed', rate: 'speed',
    min: -speed, max: speed, speed,
    value: now,
    moving: now,
    grip: () => {
      const live = new Live('winch', id);
      const go = (rate: number): void => live.send({ winch: winch.name, speed: rate });
      return { to: go, go, end: () => go(0) };
    },
    pinned: false,
  };
}
