// The lever of a drive: leads what is driven along the motion that keyframes give, by the time of that motion.
import { effect, signal } from '@preact/signals';
import { valuesAt } from '../../model/drive';
import { bodyFrame, frame, playing } from '../../model/store';
import { show } from '../../model/units';
import type { Driver } from '../../protocol/scene';
import { Mover } from '../mover';
import { chosenSpeed, type Lever, type LeverGrip } from './lever';
import { Runner } from './runner';

/** how far along their motions things were led by hand, until time goes on by itself */
const led = signal<Readonly<Record<string, number>>>({});

// what was led by hand follows the clock again once that goes on
effect(() => {
  if (playing.value) led.value = {};
});

export function driveLever(driver: Driver): Lever {
  const name = driver.target;
  const id = `drive ${driver.kind} ${name}`;
  const first = driver.keys[0]!.t;
  const last = driver.keys.at(-1)!.t;
  const value = (): number => led.value[id] ?? Math.min(Math.max(frame.time, first), last);
  return {
    id, label: name, hint: `Leads ${driver.kind} ${name} along its motion, by the time of that motion`, quantity: 'time', rate: 'factor',
    min: first, max: Math.max(last, first + 1e-6),
    speed: chosenSpeed(id, 1),
    value,
    reading: () => readingAt(driver, value()),
    moving: () => (driver.kind === 'body' && playing.peek() ? Math.hypot(...(bodyFrame(name)?.velocity ?? [0])) : 0),
    grip: () => driveGrip(driver, id, value()),
    pinned: false,
  };
}

/** How far it was led, in what it is led by: a way, turns, or else the time of the motion. */
function readingAt(driver: Driver, t: number): string {
  const [first, now] = [valuesAt(driver, driver.keys[0]!.t), valuesAt(driver, t)];
  if (first.position && now.position) {
    const way = Math.hypot(...now.position.map((c, k) => c - first.position![k]!));
    if (way > 0 || driver.keys.some(({ position }) => position && position.some((c, k) => c !== first.position![k]))) return show(way, 'length');
  }
  if (now.turns !== undefined) return show(now.turns - (first.turns ?? 0), 'turns');
  return show(t, 'time', 3);
}

function driveGrip(driver: Driver, id: string, from: number): LeverGrip {
  const name = driver.target;
  const mover = new Mover(`drive ${name}`, driver.kind === 'body' ? { body: name } : { hold: name });
  const first = driver.keys[0]!.t;
  const last = driver.keys.at(-1)!.t;
  let t = from;
  let runner: Runner | undefined;
  const to = (time: number): void => {
    t = Math.min(Math.max(time, first), last);
    led.value = { ...led.peek(), [id]: t };
    const { position, orientation, turns } = valuesAt(driver, t);
    mover.move({ ...(position && { position }), ...(orientation && { orientation }), ...(turns !== undefined && { turns }) });
  };
  return {
    to,
    go: (rate) => {
      runner?.stop();
      if (rate !== 0) runner = new Runner((dt) => to(t + rate * dt));
    },
    end: () => {
      runner?.stop();
      void mover.drop(false);
    },
  };
}
