// The message «state»: what the simulation does now, as docs/workbench-protocol.md has it, in SI units. Only what this
// page reads is named here.
import { flag, list, nullable, number, object, oneOf, text, type Guarded } from './guard';
import { vec3 } from './vectors';

/** A limit of the scene and how near it is. A value of null is infinite; without a position it is on no rod. */
const ofAlarm = {
  name: text, object: text, kind: text, target: text, value: nullable(number), limit: number, bound: oneOf('least', 'most'), unit: text, s: number, position: nullable(vec3), violated: flag,
} as const;
export const alarm = object(ofAlarm);
/** The worst of it over a time, and when. */
export const alarmAt = object({ ...ofAlarm, t: number });

const undoStack = object({ depth: number, label: text });

export const stateMessage = object({
  type: oneOf('state'),
  playing: flag,
  speed: number,
  real_time: number,
  document: object({ name: text, path: text, dirty: flag }),
  /** unsaved work of a server that was not ended properly */
  left_behind: nullable(object({ name: text, when: text })),
  undo: undoStack,
  redo: undoStack,
  clients: number,
  /** what hands hold */
  grabbed: list(object({ hand: text })),
  solve: object({
    kind: oneOf('settle', 'step', 'none'), converged: flag, stable: nullable(flag), why: text, iterations: number, residual: nullable(number),
  }),
  loop: object({ rate: number, jitter_ms: object({ median: number, p99: number, max: number }) }),
  alarms: list(alarm),
  /** lengths that rods found by themselves */
  lengths: list(object({ rod: text, length: number, verdict: text })),
  /** turns of a rod's ends since the simulation began, and where they went */
  turns: list(object({ rod: text, turns: number, twist: number, writhe: number, crossings: number, remainder: number })),
  /** rods and ropes that are paid out or hauled in now, m/s */
  reels: list(object({ speed: number }, { rod: text, rope: text })),
  winches: list(object({ name: text, force: nullable(number), torque: nullable(number), paid_out: number, speed: number })),
  ropes: list(object({ name: text, length: number, tension: nullable(number), broken: flag })),
});

export type Alarm = Guarded<typeof alarm>;
export type StateMessage = Guarded<typeof stateMessage>;
