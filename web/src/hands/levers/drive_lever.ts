// The lever of a drive: leads what is driven along the motion that keyframes give, by the time of that motion.
import { effect, signal } from '@preact/signals';
import { valuesAt } from '../../model/drive';
import { bodyFrame, frame, playing } from '../../model/store';
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
    moving: () => (driver.kind === 'body' && playing.peek() ? Math.hypot(...(bodyFrame(name)?.velocity ?? [0])) : 0),
    grip: () => driveGrip(driver, id, value()),
    pinned: false,
  };
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
