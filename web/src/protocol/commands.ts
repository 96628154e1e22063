// Every command that the server knows: what it takes, and what it answers. What each does stands in
// docs/workbench-protocol.md.
//
// The list is plain enough to be read by another program, which compares it with the server's own:
//   - it begins with the line «export interface Commands {» and ends with the first line «}»;
//   - within, a line is a comment (its first two characters but blanks are «//») or a command, alone on its line:
//         NAME: { args: { FIELD: TYPE; FIELD?: TYPE }; answer: TYPE };
//     without fields: «args: {}»; «?» marks a field that may be left out; a TYPE has no braces and no semicolon;
//   - in other words: ^  (\w+): \{ args: \{(.*)\}; answer: (\w+) \};$ and within the first braces (\w+)(\??): ([^;]+)
// Any command may have a `gesture` besides: see model/undo.ts.
import type { AddedHold, Cancelled, ChannelSolved, Channels, Checks, Compared, Done, Dropped, FoundLength, Grabbed, HarnessTables, Joined, Listed, MadeFlexible, Moved, Movement, NaturalModes, NewCable, Opened, Recorded, Saved, SceneText, Split, SpreadHolds, Tubes } from './answers';
import * as answers from './answers';
import type { Guard } from './guard';
import type { Quat, Vec3 } from './vectors';

/** What the scene file may have as a value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** Along a rod: an arc length in m, or a text such as «50 %» or «end - 10 mm». */
export type Place = number | string;
export interface RodPlace {
  rod: string;
  at: Place;
}
/** Where a new cable ends: in space, on a body, or on a rod that it is joined to. */
export type CableEnd = Vec3 | { body: string; position: Vec3 } | RodPlace;
type FixedAxes = boolean | readonly ('x' | 'y' | 'z')[];
/** What a hold takes hold of, as the scene file has it. */
export type Fixing = readonly ('position' | 'orientation')[] | { position: FixedAxes; orientation: FixedAxes };
/** What has a name that can be changed. */
export type Renamed = 'rod' | 'hold' | 'body' | 'junction' | 'material' | 'section' | 'obstacle' | 'scenery';

export interface Commands {
  // playing
  play: { args: {}; answer: Done };
  pause: { args: {}; answer: Done };
  step: { args: { n?: number }; answer: Done };
  reset: { args: {}; answer: Done };
  settle: { args: {}; answer: Done };
  speed: { args: { speed: number }; answer: Done };
  winch: { args: { winch: string; speed: number }; answer: Done };
  reel: { args: { rod?: string; rope?: string; length?: number; speed?: number }; answer: Done };
  cancel: { args: {}; answer: Cancelled };
  keep: { args: {}; answer: Done };
  undo: { args: {}; answer: Done };
  redo: { args: {}; answer: Done };
  formulation: { args: { formulation: string }; answer: Done };
  compare: { args: { formulation: string }; answer: Compared };
  modes: { args: { count?: number }; answer: NaturalModes };
  path: { args: { states?: number; nudge?: boolean }; answer: Movement };
  channel: { args: { text: string; name?: string }; answer: ChannelSolved };
  channels: { args: {}; answer: Channels };
  save_channel: { args: { path: string; text: string; overwrite?: boolean }; answer: Saved };
  // hands
  grab: { args: { hand: string; hold?: string; body?: string; rod?: string; s?: number; pose?: boolean; pull?: boolean; reach?: boolean }; answer: Grabbed };
  move: { args: { hand: string; position?: Vec3; orientation?: Quat; turns?: number; speed?: number }; answer: Moved };
  drop: { args: { hand: string; attach?: boolean; body?: string }; answer: Dropped };
  place_hold: { args: { hold: string; position?: Vec3; orientation?: Quat; turns?: number }; answer: Done };
  place_body: { args: { body: string; position?: Vec3; orientation?: Quat }; answer: Done };
  // values of the scene
  set: { args: { path: string; value: Json }; answer: Done };
  add: { args: { list: string; value: Json; name?: string }; answer: Done };
  remove: { args: { path: string }; answer: Done };
  rename: { args: { kind: Renamed; name: string; to: string }; answer: Done };
  remove_body: { args: { body: string }; answer: Done };
  // holds
  add_hold: { args: { rod: string; at: Place; fix?: Fixing; name?: string; body?: string; slide?: boolean }; answer: AddedHold };
  fix_hold: { args: { hold: string; fix: Fixing }; answer: Done };
  move_hold_along: { args: { hold: string; at: Place }; answer: Done };
  remove_hold: { args: { hold: string }; answer: Done };
  release: { args: { hold: string }; answer: Done };
  spread_holds: { args: { rod: string; count: number; pose?: boolean; name?: string }; answer: SpreadHolds };
  // junctions
  join: { args: { rods: readonly RodPlace[]; name?: string }; answer: Joined };
  connect: { args: { first: string; second: string; fit?: 'as placed' | 'continue'; name?: string }; answer: Joined };
  separate: { args: { junction: string; rod?: string }; answer: Done };
  move_junction: { args: { junction: string; rod: string; at: Place }; answer: Done };
  // cables
  set_length: { args: { rod: string; length: number }; answer: Done };
  change_length: { args: { rod: string; by: number; relative?: boolean }; answer: Done };
  find_length: { args: { rod: string; tension?: number }; answer: FoundLength };
  prolong: { args: { rod: string; by: number; end: 'start' | 'end' }; answer: Done };
  lengthen_between: { args: { rod: string; from: Place; to: Place; by: number }; answer: Done };
  new_cable: { args: { from: CableEnd; to: CableEnd; name?: string; material?: string; section?: string; length?: number; slack?: number; segments?: number; pose?: boolean }; answer: NewCable };
  remove_rod: { args: { rod: string }; answer: Done };
  split: { args: { rod: string; at: Place; second?: string; junction?: string }; answer: Split };
  // scenery
  place_scenery: { args: { name: string; position?: Vec3; orientation?: Quat; scale?: number; body?: string }; answer: Done };
  remove_scenery: { args: { name: string }; answer: Done };
  find_tubes: { args: { scenery: string }; answer: Tubes };
  make_flexible: { args: { scenery: string; from?: Vec3; to?: Vec3; straight?: boolean; material?: string }; answer: MadeFlexible };
  // files
  open: { args: { example?: string; path?: string; text?: string; name?: string; unsaved?: boolean; untouched?: boolean; if_saved?: boolean }; answer: Opened };
  new: { args: {}; answer: Done };
  list: { args: { folder?: string }; answer: Listed };
  save: { args: { path?: string; overwrite?: boolean }; answer: Saved };
  restore: { args: {}; answer: Done };
  discard: { args: {}; answer: Done };
  text: { args: {}; answer: SceneText };
  check: { args: {}; answer: Checks };
  history: { args: { since?: number }; answer: Recorded };
  harness: { args: { extra?: number; allowance?: number; round?: number }; answer: HarnessTables };
  stop: { args: {}; answer: Done };
}

export type CommandName = keyof Commands;

/** What a hand can take: a hold, a body, or a point of a rod. */
export type Grabbable = { hold: string } | { body: string } | { rod: string; s: number };

/** Of some fields that may be left out, one must be there. */
interface Choices {
  grab: Grabbable;
  reel: { rod: string } | { rope: string };
  open: { example: string } | { path: string } | { text: string };
}

/** What goes with a command. */
export type Args<C extends CommandName> = Commands[C]['args'] & (C extends keyof Choices ? Choices[C] : unknown) & { gesture?: string };
export type Answer<C extends CommandName> = Commands[C]['answer'];
/** Commands that need nothing to go with them. */
export type BareCommand = { [C in CommandName]: {} extends Args<C> ? C : never }[CommandName];

const { done } = answers;
/** What the answers must be. */
export const answerGuards: { readonly [C in CommandName]: Guard<Answer<C>> } = {
  play: done, pause: done, step: done, reset: done, settle: done, speed: done, winch: done, reel: done, keep: done, undo: done, redo: done, formulation: done,
  place_hold: done, place_body: done, set: done, add: done, remove: done, rename: done, remove_body: done,
  fix_hold: done, move_hold_along: done, remove_hold: done, release: done, separate: done, move_junction: done,
  set_length: done, change_length: done, prolong: done, lengthen_between: done, remove_rod: done,
  place_scenery: done, remove_scenery: done, new: done, restore: done, discard: done, stop: done,
  compare: answers.compared,
  modes: answers.naturalModes,
  path: answers.movement,
  channel: answers.channelSolved,
  channels: answers.channels,
  save_channel: answers.saved,
  open: answers.opened,
  grab: answers.grabbed,
  move: answers.moved,
  drop: answers.dropped,
  add_hold: answers.addedHold,
  spread_holds: answers.spreadHolds,
  join: answers.joined,
  connect: answers.joined,
  find_length: answers.foundLength,
  new_cable: answers.newCable,
  split: answers.split,
  cancel: answers.cancelled,
  list: answers.listed,
  save: answers.saved,
  text: answers.sceneText,
  check: answers.checks,
  history: answers.recorded,
  find_tubes: answers.tubes,
  make_flexible: answers.madeFlexible,
  harness: answers.harnessTables,
};
