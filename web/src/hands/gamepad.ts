// A gamepad leads the first levers, as a crane driver's sticks do: left stick up and down, right stick up and down, left stick sideways. Its
// first button plays and pauses.
import { togglePlay } from '../model/actions';
import type { LeverGrip } from './levers/lever';
import { levers } from './levers/lever_list';

/** Of a stick: less than this is rest. */
const REST = 0.15;
/** Axes of the first levers, and which way is on. */
const STICKS = [{ axis: 1, sign: -1 }, { axis: 3, sign: -1 }, { axis: 0, sign: 1 }] as const;

export function listenToGamepads(): void {
  const held = new Map<number, { grip: LeverGrip; rate: number }>();
  let pressed = false;
  let running = false;
  const loop = (): void => {
    const pad = navigator.getGamepads().find((one) => one !== null);
    if (!pad) {
      for (const { grip } of held.values()) release(grip);
      held.clear();
      running = false;
      return;
    }
    STICKS.forEach(({ axis, sign }, k) => lead(held, k, sign * (pad.axes[axis] ?? 0)));
    const now = pad.buttons[0]?.pressed ?? false;
    if (now && !pressed) void togglePlay();
    pressed = now;
    requestAnimationFrame(loop);
  };
  addEventListener('gamepadconnected', () => {
    if (running) return;
    running = true;
    requestAnimationFrame(loop);
  });
}

/** Leads a lever as far as its stick is pushed. */
function lead(held: Map<number, { grip: LeverGrip; rate: number }>, k: number, push: number): void {
  const lever = levers.peek()[k];
  const now = held.get(k);
  if (!lever || Math.abs(push) < REST) {
    if (now) release(now.grip);
    held.delete(k);
    return;
  }
  // in steps of a twentieth, so that a trembling thumb says nothing new
  const rate = (Math.round(20 * push) / 20) * lever.speed;
  if (now?.rate === rate) return;
  const grip = now?.grip ?? lever.grip();
  grip.go(rate);
  held.set(k, { grip, rate });
}

function release(grip: LeverGrip): void {
  grip.go(0);
  grip.end();
}
