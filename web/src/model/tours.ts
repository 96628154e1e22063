// Guided tours: a scene, and steps that each say what to do and see by themselves when it was done.
import { computed, effect, signal } from '@preact/signals';
import { comparison } from './comparison';
import { leaveScene } from './files';
import { dialog } from './modes';
import { lookedAt } from './recording';
import { selection } from './selection';
import { tell } from './session';
import { frame, holdFrame, scene, slowFrame, state, violations } from './store';

interface Step {
  say: string;
  /** reads signals alone, so that it is looked at whenever one changes */
  done: () => boolean;
}

interface Tour {
  title: string;
  about: string;
  example: string;
  steps: readonly Step[];
}

const rod = () => scene.value?.rods[0];
const turnsBuiltIn = () => (rod()?.twist ?? 0) / (2 * Math.PI);
const ropes = () => state.value?.ropes.map(({ length }) => length) ?? [];

/** what a step began with */
let before: { hold: number[]; ropes: number[]; length: number } = { hold: [], ropes: [], length: 0 };

export const tours: readonly Tour[] = [
  {
    title: 'Route a hose', about: 'Move an end, watch a limit, find a length, check with another formulation.', example: 'brake-hose',
    steps: [
      { say: 'Drag the wheel end (the lower collar) somewhere else: the hose follows. X, Y or Z while dragging keeps it on an axis.', done: () => moved('wheel end') > 0.01 },
      { say: 'Select the hose and type a smallest bend radius of 60 under «Limits» in the inspector. Limits stand below the tree; what is too sharp turns red.', done: () => Math.abs((rod()?.bend_radius_limit ?? 0) - 0.06) < 1e-9 },
      { say: 'Make the hose longer or shorter until no limit is exceeded: type a length, press + and −, or pull the slider.', done: () => rod()?.length !== before.length && violations.value.length === 0 },
      { say: 'Compare with another formulation (the ghost in the toolbar): it should lie on the same line.', done: () => comparison.value !== undefined },
    ],
  },
  {
    title: 'Lift a load', about: 'Play, hoist by levers, look back into the run.', example: 'gantry-crane',
    steps: [
      { say: 'Press Space, or Play below: the trolley drives out along its keyframes.', done: () => state.value?.playing === true },
      { say: 'Hoist the load: pull the lever «all ropes» to the left by half a metre. While it plays a lever drives at a bounded speed.', done: () => ropes().some((length, k) => length < (before.ropes[k] ?? 0) - 0.5) },
      { say: 'Press Space again, then press on the course of the run, at its beginning: every frame was recorded.', done: () => lookedAt.value !== undefined },
      { say: 'Come back to now by Esc, or by «Back to now».', done: () => lookedAt.value === undefined && state.value?.playing === false },
    ],
  },
  {
    title: 'Twist a ring', about: 'A twisted ring stays flat up to a point, then leaves its plane.', example: 'michell-ring',
    steps: [
      { say: 'Select the ring and type 1 into «Twist» of its make: one full turn is built in. Press Space: it gets a tap, trembles, and stays flat.', done: () => Math.abs(turnsBuiltIn() - 1) < 1e-9 && frame.time > 0.4 },
      { say: 'Press Home, type 1.9 and press Space again: beyond √3 times the ratio of the stiffnesses, 1.73 turns, the tap is enough and it writhes out of its plane. Colour it by torsion, above, to see where the twist is.', done: () => turnsBuiltIn() > 1.8 && Math.abs(frame.rods[0]?.writhe ?? 0) > 0.05 },
      { say: 'Pause by Space and undo (Ctrl Z) until the ring has its one turn again: every state comes back to the last bit.', done: () => Math.abs(turnsBuiltIn() - 1) < 1e-9 && state.value?.playing === false },
    ],
  },
];

function moved(hold: string): number {
  const now = holdFrame(hold);
  return now && before.hold.length > 0 ? Math.hypot(...now.position.map((c, k) => c - before.hold[k]!)) : 0;
}

/** the tour that is taken, and its step */
export const tour = signal<{ tour: Tour; step: number } | undefined>(undefined);
export const tourStep = computed(() => tour.value?.tour.steps[tour.value.step]);

export function startTour(wanted: Tour): void {
  leaveScene(() => {
    dialog.value = undefined;
    selection.value = { kind: 'scene' };
    void tell('open', { example: wanted.example }).then((opened) => opened && begin(wanted));
  });
}

function begin(wanted: Tour): void {
  tour.value = { tour: wanted, step: 0 };
  // as the new scene has it, once it is there
  setTimeout(remember, 300);
}

function remember(): void {
  before = { hold: [...(holdFrame('wheel end')?.position ?? [])], ropes: state.peek()?.ropes.map(({ length }) => length) ?? [], length: scene.peek()?.rods[0]?.length ?? 0 };
}

export function endTour(): void {
  tour.value = undefined;
}

effect(() => {
  void [slowFrame.value, scene.value, state.value];
  const now = tour.value;
  if (!now || !tourStep.value?.done()) return;
  remember();
  tour.value = { tour: now.tour, step: now.step + 1 };
});
