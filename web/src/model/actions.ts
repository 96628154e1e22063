// What a person can do to the simulation and the scene: menus, keys and buttons all call these.
import type { Fixing, Json, Renamed } from '../protocol/commands';
import { goLive } from './recording';
import { selection, type Thing } from './selection';
import { loadHistory, tell } from './session';
import { canMove, inScene, playing } from './store';
import { asOne } from './undo';

export async function togglePlay(): Promise<void> {
  goLive();
  if (playing.peek()) await tell('pause');
  else if (canMove.peek()) await tell('play');
  else await tell('settle');
}

/** So many steps; the rows between the first and the last come with the history. */
export async function step(n: number): Promise<void> {
  goLive();
  if ((await tell('step', { n })) && n > 1) await loadHistory();
}
export function reset(): Promise<unknown> {
  goLive();
  return tell('reset');
}

export function settle(): Promise<unknown> {
  goLive();
  return tell('settle');
}

export const setSpeed = (speed: number): Promise<unknown> => tell('speed', { speed });

/** Sets a value of the scene; an error shows beside its field. */
export function set(path: string, value: Json): Promise<unknown> {
  return tell('set', { path, value }, path);
}

/** Removes a thing, in the way that leaves the scene whole. */
export function removeThing(thing: Thing): Promise<void> {
  return removeThings([thing]);
}

/** Removes several things as one thing to undo. What goes with another is not missed. */
export async function removeThings(things: readonly Thing[]): Promise<void> {
  let gone = false;
  await asOne('remove', async (gesture) => {
    for (const thing of [...things].sort(removedBefore)) gone = (await removeOne(thing, things.length > 1 ? { gesture } : {})) !== undefined || gone;
  });
  if (gone) selection.value = { kind: 'scene' };
}

/** What goes with another thing goes before it; of a list the last goes first, so that those before keep their paths. */
const REMOVED: readonly Thing['kind'][] = ['driver', 'load', 'reeving', 'obstacle', 'hold', 'junction', 'rod', 'scenery', 'body', 'section', 'material', 'scene'];
function removedBefore(a: Thing, b: Thing): number {
  const path = (thing: Thing): string => ('path' in thing ? thing.path : '');
  return REMOVED.indexOf(a.kind) - REMOVED.indexOf(b.kind) || path(b).localeCompare(path(a), undefined, { numeric: true });
}

function removeOne(thing: Thing, gesture: { gesture?: string }): Promise<unknown> {
  switch (thing.kind) {
    case 'hold':
      return tell('remove_hold', { hold: thing.name, ...gesture });
    case 'rod':
      return tell('remove_rod', { rod: thing.name, ...gesture });
    case 'body':
      return tell('remove_body', { body: thing.name, ...gesture });
    case 'junction':
      return tell('separate', { junction: thing.name, ...gesture });
    case 'scenery':
      return tell('remove_scenery', { name: thing.name, ...gesture });
    case 'load':
    case 'driver':
    case 'reeving':
    case 'obstacle':
      return tell('remove', { path: thing.path, ...gesture });
    case 'material':
    case 'section':
      return tell('remove', { path: `${thing.kind}s.${thing.name}`, ...gesture }, `${thing.kind}s.${thing.name}`);
    case 'scene':
      return Promise.resolve(undefined);
  }
}

/** Gives a thing another name and keeps it selected. */
export async function rename(kind: Renamed, name: string, to: string): Promise<void> {
  if (!(await tell('rename', { kind, name, to }, `name of ${kind} ${name}`))) return;
  selection.value = kind === 'obstacle' ? { kind, path: `obstacles.${to}` } : { kind, name: to };
}

/** Adds a hold where a rod is now and selects it. */
export async function addHold(rod: string, at: number, fields: { fix?: Fixing; slide?: boolean } = {}): Promise<void> {
  const answer = await tell('add_hold', { rod, at: inScene(rod, at), ...fields });
  if (answer) selection.value = { kind: 'hold', name: answer.hold };
}

/** Likewise by what was typed: a place along the rod as the scene has it, or words such as «50 %». */
export async function addHoldAt(rod: string, at: number | string, where: string): Promise<void> {
  const answer = await tell('add_hold', { rod, at }, where);
  if (answer) selection.value = { kind: 'hold', name: answer.hold };
}

/** Cuts a cable in two and selects the second part. */
export async function split(rod: string, at: number, where?: string): Promise<void> {
  const answer = await tell('split', { rod, at: inScene(rod, at) }, where);
  if (answer) selection.value = { kind: 'rod', name: answer.second };
}
