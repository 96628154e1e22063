// The lever of a body along a world axis: it moves as a trolley does.
import { roundBelow } from '../../model/numbers';
import { bodyFrame, playing, scene } from '../../model/store';
import type { Body } from '../../protocol/scene';
import { vec3Of, type Vec3 } from '../../protocol/vectors';
import { Mover } from '../mover';
import { chosenSpeed, type Lever, type LeverGrip } from './lever';
import { Runner } from './runner';

type Axis = 0 | 1 | 2;

export const axisId = (body: Body, axis: Axis): string => `body ${body.name} ${'xyz'[axis]}`;

export function axisLever(body: Body, axis: Axis): Lever {
  const id = axisId(body, axis);
  const reach = Math.max(...scene.peek()!.rods.map((rod) => rod.length), 0.1);
  const now = (): number => bodyFrame(body.name)?.position[axis] ?? body.position[axis];
  return {
    id, label: `${body.name} ${'xyz'[axis]}`, hint: `Moves ${body.name} along ${'xyz'[axis]}`, quantity: 'length', rate: 'speed',
    min: body.position[axis] - reach, max: body.position[axis] + reach,
    speed: chosenSpeed(id, roundBelow(0.2 * reach)),
    value: now,
    moving: () => (playing.peek() ? (bodyFrame(body.name)?.velocity[axis] ?? 0) : 0),
    grip: () => axisGrip(body, axis, chosenSpeed(id, roundBelow(0.2 * reach)), reach),
    pinned: false,
  };
}

/** Seconds that a driven thing takes to stop, as the server has it. */
const BRAKING = 0.15;

function axisGrip(body: Body, axis: Axis, speed: number, reach: number): LeverGrip {
  const mover = new Mover(`lever of ${body.name}`, { body: body.name }, { reach: true });
  const start = vec3Of(bodyFrame(body.name)?.position ?? body.position);
  let runner: Runner | undefined;
  const at = (value: number): Vec3 => vec3Of(start.map((c, k) => (k === axis ? value : c)));
  const now = (): number => bodyFrame(body.name)?.position[axis] ?? start[axis];
  const go = (rate: number): void => {
    runner?.stop();
    if (!playing.peek()) {
      let value = now();
      if (rate !== 0) runner = new Runner((dt) => mover.move({ position: at((value += rate * dt)) }));
      return;
    }
    const pace = bodyFrame(body.name)?.velocity[axis] ?? 0;
    const goal = rate === 0 ? now() + 0.5 * BRAKING * pace : now() + Math.sign(rate) * 100 * reach;
    mover.move({ position: at(goal), speed: Math.abs(rate) || speed });
  };
  return {
    to: (value) => mover.move({ position: at(value), ...(playing.peek() && { speed }) }),
    go,
    end: () => {
      const moving = runner === undefined && playing.peek();
      runner?.stop();
      // while it plays it is let go of once it stands
      setTimeout(() => void mover.drop(false), moving ? 2e3 * BRAKING : 0);
    },
  };
}
