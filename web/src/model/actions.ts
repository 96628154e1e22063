// What a person can do to the simulation and the scene: menus, keys and buttons all call these.
import type { Fixing, Json, Renamed } from '../protocol/commands';
import { selection, type Thing } from './selection';
import { loadHistory, tell } from './session';
import { canMove, inScene, playing } from './store';

export async function togglePlay(): Promise<void> {
  if (playing.peek()) await tell('pause');
  else if (canMove.peek()) await tell('play');
  else await tell('settle');
}

/** So many steps; the rows between the first and the last come with the history. */
export async function step(n: number): Promise<void> {
  if ((await tell('step', { n })) && n > 1) await loadHistory();
}
export const reset = (): Promise<unknown> => tell('reset');
export const settle = (): Promise<unknown> => tell('settle');
export const setSpeed = (speed: number): Promise<unknown> => tell('speed', { speed });

/** Sets a value of the scene; an error shows beside its field. */
export function set(path: string, value: Json): Promise<unknown> {
  return tell('set', { path, value }, path);
}

/** Removes a thing, in the way that leaves the scene whole. */
export async function removeThing(thing: Thing): Promise<void> {
  const remove = (): Promise<unknown> => {
    switch (thing.kind) {
      case 'hold':
        return tell('remove_hold', { hold: thing.name });
      case 'rod':
        return tell('remove_rod', { rod: thing.name });
      case 'body':
        return tell('remove_body', { body: thing.name });
      case 'junction':
        return tell('separate', { junction: thing.name });
      case 'scenery':
        return tell('remove_scenery', { name: thing.name });
      case 'load':
      case 'driver':
      case 'reeving':
        return tell('remove', { path: thing.path });
      case 'material':
      case 'section':
        return tell('remove', { path: `${thing.kind}s.${thing.name}` }, `${thing.kind}s.${thing.name}`);
      case 'scene':
        return Promise.resolve(undefined);
    }
  };
  if (await remove()) selection.value = { kind: 'scene' };
}

/** Gives a thing another name and keeps it selected. */
export async function rename(kind: Renamed, name: string, to: string): Promise<void> {
  if (await tell('rename', { kind, name, to }, `name of ${kind} ${name}`)) selection.value = { kind, name: to };
}

/** Adds a hold where a rod is now and selects it. */
export async function addHold(rod: string, at: number, fields: { fix?: Fixing; slide?: boolean } = {}): Promise<void> {
  const answer = await tell('add_hold', { rod, at: inScene(rod, at), ...fields });
  if (answer) selection.value = { kind: 'hold', name: answer.hold };
}

/** Cuts a cable in two and selects the second part. */
export async function split(rod: string, at: number, where?: string): Promise<void> {
  const answer = await tell('split', { rod, at: inScene(rod, at) }, where);
  if (answer) selection.value = { kind: 'rod', name: answer.second };
}
