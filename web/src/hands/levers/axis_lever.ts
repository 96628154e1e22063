// The lever of a body, or of a hold in the world, along an axis: it moves as a trolley does.
import { roundBelow } from '../../model/numbers';
import { poseOf } from '../../model/selection';
import { bodyFrame, playing, scene } from '../../model/store';
import { vec3Of, type Vec3 } from '../../protocol/vectors';
import { Mover } from '../mover';
import { chosenSpeed, type Lever, type LeverGrip } from './lever';
import { Runner } from './runner';

export type Axis = 0 | 1 | 2;

/** What slides, and where it is in the scene. */
export interface Slid {
  kind: 'body' | 'hold';
  name: string;
  position: Vec3;
}

export const axisId = ({ kind, name }: Slid, axis: Axis): string => `${kind} ${name} ${'xyz'[axis]}`;

export function axisLever(slid: Slid, axis: Axis): Lever {
  const id = axisId(slid, axis);
  const reach = Math.max(...scene.peek()!.rods.map((rod) => rod.length), 0.1);
  const now = (): number => poseOf(slid)?.position[axis] ?? slid.position[axis];
  return {
    id, label: `${slid.name} ${'xyz'[axis]}`, hint: `Moves ${slid.name} along ${'xyz'[axis]}`, quantity: 'length', rate: 'speed',
    min: slid.position[axis] - reach, max: slid.position[axis] + reach,
    speed: chosenSpeed(id, roundBelow(0.2 * reach)),
    value: now,
    moving: () => paceOf(slid, axis),
    grip: () => axisGrip(slid, axis, chosenSpeed(id, roundBelow(0.2 * reach)), reach),
    pinned: false,
  };
}

/** How fast it moves while it plays; of holds the frames do not tell. */
function paceOf({ kind, name }: Slid, axis: Axis): number {
  return playing.peek() && kind === 'body' ? (bodyFrame(name)?.velocity[axis] ?? 0) : 0;
}

/** Seconds that a driven thing takes to stop, as the server has it. */
const BRAKING = 0.15;

function axisGrip(slid: Slid, axis: Axis, speed: number, reach: number): LeverGrip {
  const mover = new Mover(`lever of ${slid.name}`, slid.kind === 'body' ? { body: slid.name } : { hold: slid.name }, slid.kind === 'body' ? { reach: true } : {});
  const start = vec3Of(poseOf(slid)?.position ?? slid.position);
  let runner: Runner | undefined;
  const at = (value: number): Vec3 => vec3Of(start.map((c, k) => (k === axis ? value : c)));
  const now = (): number => poseOf(slid)?.position[axis] ?? start[axis];
  const go = (rate: number): void => {
    runner?.stop();
    if (!playing.peek()) {
      let value = now();
      if (rate !== 0) runner = new Runner((dt) => mover.move({ position: at((value += rate * dt)) }));
      return;
    }
    const pace = paceOf(slid, axis);
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
