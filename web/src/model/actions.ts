// What a person can do, in one place: menus, keys and buttons all call these.
import { signal } from '@preact/signals';
import { addMesh, address, examples as fetchExamples, openScene, type ExportFormat } from '../protocol/api';
import type { Comparison, ComparedRod, Example } from '../protocol/messages';
import { selection, type Thing } from './selection';
import { ask, loadHistory, tell } from './session';
import { canMove, dirty, inScene, playing, state } from './store';
import { notify, trouble } from './trouble';

export type Dialog = 'gallery' | 'help' | 'save as' | 'unsaved' | 'check';
export type Tool = 'select' | 'cable' | 'hold' | 'measure' | 'join';
export type Grip = 'move' | 'turn' | 'twist' | 'scale';

export const dialog = signal<Dialog | undefined>(undefined);
export const tool = signal<Tool>('select');
/** what the gizmo of the selected thing does; none: things are dragged freely */
export const grip = signal<Grip | undefined>(undefined);
export const examples = signal<readonly Example[]>([]);
/** the answer to the last comparison, and with what */
export const comparison = signal<{ formulation: string; rods: (ComparedRod & { name: string })[] } | undefined>(undefined);
/** what to do once unsaved changes are dealt with */
let afterUnsaved: (() => void) | undefined;

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
export const undo = (): Promise<unknown> => (state.peek()?.undo.depth ? tell('undo') : Promise.resolve());
export const redo = (): Promise<unknown> => (state.peek()?.redo.depth ? tell('redo') : Promise.resolve());
export const setSpeed = (speed: number): Promise<unknown> => tell('speed', { speed });

/** Sets a value of the scene; an error shows beside its field. */
export function set(path: string, value: unknown): Promise<unknown> {
  return tell('set', { path, value }, path);
}

/** Removes what is selected, in the way that leaves the scene whole. */
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
export async function rename(kind: 'rod' | 'hold' | 'body' | 'junction' | 'material' | 'section' | 'scenery', name: string, to: string): Promise<void> {
  if (await tell('rename', { kind, name, to }, `name of ${kind} ${name}`)) selection.value = { kind, name: to };
}

/** Adds a hold where a rod is now and selects it. */
export async function addHold(rod: string, at: number, fields: { fix?: readonly string[]; slide?: boolean } = {}): Promise<void> {
  const reply = await tell('add_hold', { rod, at: inScene(rod, at), ...fields });
  if (reply) selection.value = { kind: 'hold', name: reply['hold'] as string };
}

/** Cuts a cable in two and selects the second part. */
export async function split(rod: string, at: number, where?: string): Promise<void> {
  const reply = await tell('split', { rod, at: inScene(rod, at) }, where);
  if (reply) selection.value = { kind: 'rod', name: reply['second'] as string };
}

/** Asks again when the shapes have changed, one question at a time. */
export async function keepComparing(): Promise<void> {
  const compared = comparison.peek();
  if (!compared || comparing || playing.peek()) return;
  comparing = true;
  await compareWith(compared.formulation);
  comparing = false;
}
let comparing = false;

export async function compareWith(formulation: string): Promise<void> {
  try {
    const reply = (await ask('compare', { formulation })) as unknown as Comparison;
    const rods = Array.isArray(reply.rods) ? reply.rods : Object.entries(reply.rods).map(([name, rod]) => ({ name, ...rod }));
    // ended meanwhile
    if (comparing && comparison.peek()?.formulation !== formulation) return;
    comparison.value = { formulation, rods };
    if (!reply.converged && !comparing) notify(`${formulation} found no equilibrium: ${reply.why}`, 'error');
  } catch (error) {
    notify(`compare: ${(error as Error).message}`, 'error');
  }
}

/** Does something that leaves the present scene, after asking about unsaved changes. */
export function leaveScene(go: () => void): void {
  if (!dirty.peek()) return go();
  afterUnsaved = go;
  dialog.value = 'unsaved';
}

/** The answer to that question. */
export async function answerUnsaved(answer: 'save' | 'discard' | 'cancel'): Promise<void> {
  const go = afterUnsaved;
  if (answer === 'save' && !(await save())) return;
  afterUnsaved = undefined;
  if (dialog.peek() === 'unsaved') dialog.value = undefined;
  if (answer !== 'cancel') go?.();
}

export async function showGallery(): Promise<void> {
  dialog.value = 'gallery';
  try {
    examples.value = await fetchExamples();
    trouble.clear('gallery');
  } catch (error) {
    trouble.report('gallery', `the examples could not be listed: ${(error as Error).message}`, 'examples');
  }
}

export function openExample(name: string): void {
  leaveScene(() => {
    dialog.value = undefined;
    selection.value = { kind: 'scene' };
    void tell('open', { example: name });
  });
}

export function newScene(): void {
  leaveScene(() => {
    selection.value = { kind: 'scene' };
    void tell('new');
  });
}

const MESHES = /\.(obj|stl|ply|gltf|glb)$/i;
const SCENES = /\.ya?ml$/i;

/** Takes files that were chosen or dropped: a scene is opened, meshes are added. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  for (const file of files) {
    try {
      if (SCENES.test(file.name)) {
        const text = await file.text();
        leaveScene(() => {
          selection.value = { kind: 'scene' };
          openScene(file.name, text).catch((error: Error) => notify(`${file.name}: ${error.message}`, 'error'));
        });
      } else if (MESHES.test(file.name)) {
        selection.value = { kind: 'scenery', name: await addMesh(file) };
      } else {
        notify(`${file.name}: neither a scene (.yaml) nor a mesh (.obj, .stl, .ply, .gltf, .glb)`, 'error');
      }
    } catch (error) {
      notify(`${file.name}: ${(error as Error).message}`, 'error');
    }
  }
}

/** Lets a person choose files of their own machine. */
export function chooseFiles(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = '.yaml,.yml,.obj,.stl,.ply,.gltf,.glb';
  input.onchange = () => void takeFiles([...(input.files ?? [])]);
  input.click();
}

/** Saves to where the scene came from; one that came from nowhere asks for a name. True: saved. */
export async function save(): Promise<boolean> {
  if (!state.peek()?.document.path) {
    dialog.value = 'save as';
    return false;
  }
  const reply = await tell('save');
  if (reply) notify(`saved to ${String(reply['path'])}`);
  return reply !== undefined;
}

export async function saveAs(path: string, overwrite: boolean): Promise<boolean> {
  const reply = await tell('save', overwrite ? { path, overwrite } : { path }, 'save as');
  if (!reply) return false;
  dialog.value = undefined;
  notify(`saved to ${String(reply['path'])}`);
  return true;
}

/** Hands a file to the browser's downloads. */
export function download(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

const documentName = (): string => state.peek()?.document.name || 'scene';

export function downloadScene(): void {
  download(address('/api/scene.yaml'), `${documentName()}.yaml`);
}

export function exportTo(format: ExportFormat): void {
  download(address('/api/export', { format }), '');
}

export function downloadResult(): void {
  download(address('/api/result.json'), `${documentName()}.json`);
}

export function openReport(): void {
  window.open(address('/api/report.html'), '_blank', 'noopener');
}

export function downloadPicture(picture: Blob): void {
  const url = URL.createObjectURL(picture);
  download(url, `${documentName()}.png`);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
