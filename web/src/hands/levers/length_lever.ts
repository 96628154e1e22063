// The lever of a cable's length: it pays out and hauls in, as a winch does.
import { keyedLengths } from '../../model/drive';
import { Live } from '../../model/live';
import { roundBelow } from '../../model/numbers';
import { playing, rodFrame, state } from '../../model/store';
import type { Driver, Rod } from '../../protocol/scene';
import { chosenSpeed, type Lever, type LeverGrip } from './lever';
import { Runner } from './runner';

/** `driver` is one that drives the length: its keyframes are within reach. */
export function lengthLever(rod: Rod, driver?: Driver): Lever {
  const id = `length ${rod.name}`;
  const lengths = driver ? keyedLengths(driver) : [];
  const now = (): number => rodFrame(rod.name)?.s.at(-1) ?? rod.length;
  return {
    id, label: rod.name, hint: `Pays ${rod.name} out and hauls it in`, quantity: 'length', rate: 'speed',
    min: Math.min(0.5 * rod.length, ...lengths), max: Math.max(1.5 * rod.length, ...lengths),
    speed: chosenSpeed(id, roundBelow(0.2 * rod.length)),
    value: now,
    moving: () => state.peek()?.reels.find((reel) => reel.rod === rod.name)?.speed ?? 0,
    grip: () => lengthGrip(rod, now, chosenSpeed(id, roundBelow(0.2 * rod.length))),
    pinned: false,
  };
}

function lengthGrip(rod: Rod, now: () => number, speed: number): LeverGrip {
  const where = `${rod.path}.length`;
  const laid = new Live('set_length', where);
  const driven = new Live('reel', where);
  let runner: Runner | undefined;
  const to = (length: number): void => {
    if (playing.peek()) driven.send({ rod: rod.name, length, speed });
    else laid.send({ rod: rod.name, length: Number(length.toPrecision(6)) });
  };
  const go = (rate: number): void => {
    runner?.stop();
    if (playing.peek()) driven.send({ rod: rod.name, speed: rate });
    else if (rate !== 0) {
      let length = now();
      runner = new Runner((dt) => to((length = Math.max(length + rate * dt, 0.02 * rod.length))));
    }
  };
  return { to, go, end: () => runner?.stop() };
}
