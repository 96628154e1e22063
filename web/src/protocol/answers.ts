// What the server answers to commands that it has done. Every answer has the number of the first frame that shows what the
// command did.
import { flag, list, nullable, number, object, oneOf, text, type Guarded } from './guard';
import { alarm, alarmAt } from './state';
import { quat, vec3 } from './vectors';

const frame = number;

export const done = object({ frame });
export const grabbed = object({ frame, kind: oneOf('point', 'hold', 'body'), name: text, position: vec3, orientation: quat, turns: number });
/** `stopped`: why it did not come all the way. */
export const moved = object({ frame }, { stopped: text });
/** The name of what was left. */
export const dropped = object({ frame, name: text });
export const addedHold = object({ frame, hold: text });
export const spreadHolds = object({ frame, holds: list(text) });
export const joined = object({ frame, junction: text });
export const foundLength = object({ frame, length: number });
export const newCable = object({ frame, rod: text });
export const split = object({ frame, first: text, second: text, junction: text });
export const saved = object({ frame, path: text });
/** The folders and scenes of a folder of the server. */
export const listed = object({ folder: text, parent: nullable(text), folders: list(text), files: list(text) });
/** Whether there was something to cancel. */
export const cancelled = object({ cancelled: flag });
export const sceneText = object({ frame, text });
export const checks = object({ frame, checks: list(alarm) });
export const recorded = object({ frame, columns: list(text), rows: list(list(nullable(number))) });
/** The shapes in equilibrium by another formulation, and how far they are from the present ones, m. */
export const compared = object({ frame, converged: flag, why: text, rods: list(object({ name: text, positions: list(vec3), distance: number })) });

/** The points of each rod in equilibrium, and for each mode their displacements. */
export const naturalModes = object({ rods: list(list(vec3)), modes: list(object({ frequency: number, remark: text, rods: list(list(vec3)) })) });

/** The movement of the drivers: its states as frames in base64, and of each limit the worst. A shortage is a part of a rod that lacks length, m; it would stop
 *  the movement at a time. */
export const movement = object({
  converged: flag, stable: nullable(flag), why: text, frames: list(text), checks: list(alarmAt),
  shortages: list(object({ rod: text, from: text, to: text, missing: number, t: number, stopped: number })),
  lengths: list(object({ rod: text, from: text, to: text, length: number, verdict: text })),
});

const point2 = list(number);
/** The beam in equilibrium between the walls, SI. A step of a load path may have snapped on its way. */
const channelState = object(
  {
    converged: flag, stable: flag, energy: number, U: number, push_force: number, positions: list(point2),
    contacts: list(object({ point: point2, force: point2, magnitude: number, friction: number })), insertion_force: number,
  },
  { snapped: flag, snap_release: number, indentation: number, friction_heat: number },
);
/** Of a planar channel its walls, shapes and steps; of a tube in space, which has none of these, itself and its shape. */
export const channelSolved = object(
  {
    title: text, converged: flag, why: text, outline: object({ centreline: list(point2), left: list(point2), right: list(point2) }),
    handles: object({ kind: text, points: list(point2) }), shapes: list(channelState), path: list(channelState),
  },
  { tube: object({ radius: number, centreline: list(vec3), pruned: flag, settled: flag, shapes: list(object({ energy: number, U: number, planar: flag, breach: number, stable: flag, insertion_force: number, contacts: list(object({ magnitude: number })), positions: list(vec3) }, { torque: number, indentation: number })) }) },
);
/** `channel`: what was to be opened is a channel file, and not the scene. */
export const opened = object({ frame }, { channel: object({ name: text, path: text, text }) });
export const channels = object({ channels: list(object({ name: text, text })) });

/** The tubes in a mesh, in the world: where they end or meet, and their centre lines. */
export const tubes = object({ frame, nodes: list(object({ position: vec3, degree: number })), branches: list(object({ points: list(vec3), radius: number, length: number, start: number, end: number })), pieces: number });
export const madeFlexible = object({ frame, rods: list(text), notes: list(text) });
/** What a harness engineer reads of the present state. `radius` null: straight; `limit` null: none; `use` null: without end. */
export const harnessTables = object({
  frame,
  segments: list(object({ rod: text, from: text, to: text, diameter: number, source: text, drawn: number, found: number, adapted: number, radius: nullable(number), s: number, limit: nullable(number), use: number, tension: number, turns: number })),
  clips: list(object({ hold: text, rod: text, s: number, along: number, across: number, moment: number, use: number })),
  wires: list(object({ wire: text, along: text, found: number, cut: number })),
  gaps: list(object({ rod: text, s: number, other: text, otherS: number, gap: number, limit: nullable(number), use: nullable(number) })),
});

export type Done = Guarded<typeof done>;
export type Grabbed = Guarded<typeof grabbed>;
export type Moved = Guarded<typeof moved>;
export type Dropped = Guarded<typeof dropped>;
export type AddedHold = Guarded<typeof addedHold>;
export type SpreadHolds = Guarded<typeof spreadHolds>;
export type Joined = Guarded<typeof joined>;
export type FoundLength = Guarded<typeof foundLength>;
export type NewCable = Guarded<typeof newCable>;
export type Split = Guarded<typeof split>;
export type Saved = Guarded<typeof saved>;
export type Listed = Guarded<typeof listed>;
export type NaturalModes = Guarded<typeof naturalModes>;
export type Movement = Guarded<typeof movement>;
export type ChannelState = Guarded<typeof channelState>;
export type ChannelSolved = Guarded<typeof channelSolved>;
export type TubeSolved = NonNullable<ChannelSolved['tube']>;
export type Opened = Guarded<typeof opened>;
export type Channels = Guarded<typeof channels>;
export type Cancelled = Guarded<typeof cancelled>;
export type SceneText = Guarded<typeof sceneText>;
export type Checks = Guarded<typeof checks>;
export type Recorded = Guarded<typeof recorded>;
export type Tubes = Guarded<typeof tubes>;
export type MadeFlexible = Guarded<typeof madeFlexible>;
export type HarnessTables = Guarded<typeof harnessTables>;
export type Compared = Guarded<typeof compared>;
export type ComparedRod = Compared['rods'][number];
