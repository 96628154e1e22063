// Scenes and meshes from and to files: the gallery, opening, saving, and the question about unsaved changes.
import { computed, effect, signal } from '@preact/signals';
import { examples as fetchExamples, openHarness, openScene, type Example } from '../protocol/api';
import { Refused } from '../protocol/connection';
import { openChannel } from './channel';
import { isChannel } from './channel_text';
import { takeMesh } from './mesh_units';
import { dialog } from './modes';
import { always } from './outbox';
import * as prefs from './prefs';
import { selection } from './selection';
import { ask, outbox, tell } from './session';
import { dirty, state } from './store';
import { messageOf, notify, trouble } from './trouble';

export const examples = signal<readonly Example[]>([]);
/** what to do once unsaved changes are dealt with */
let afterUnsaved: (() => void) | undefined;

/** Does something that leaves the present scene, after asking about unsaved changes. */
export function leaveScene(go: () => void): void {
  if (dirty.peek()) askUnsaved(go);
  else go();
}

function askUnsaved(go: () => void): void {
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
    trouble.report('gallery', `the examples could not be listed: ${messageOf(error)}`);
  }
}

/** What the present scene says of itself, if it is an example. */
export const aboutScene = computed(() => {
  const known = state.value?.document;
  return known && !known.path ? examples.value.find(({ name }) => name === known.name)?.about : undefined;
});

export function openExample(name: string): void {
  leaveScene(() => {
    dialog.value = undefined;
    selection.value = { kind: 'scene' };
    void tell('open', { example: name });
  });
}

/** Opens a file of the machine where the simulation runs. Only the server knows whether that leaves the present scene, as a channel does not. */
export async function openPath(path: string, whatever = false): Promise<void> {
  try {
    const { channel } = await ask('open', { path, ...(!whatever && { if_saved: true }) });
    if (channel) return await openChannel(channel.name, channel.text, channel.path);
    selection.value = { kind: 'scene' };
    dialog.value = undefined;
  } catch (error) {
    if (error instanceof Refused && error.dirty) return askUnsaved(() => void openPath(path, true));
    prefs.recent.value = prefs.recent.peek().filter((other) => other !== path);
    if (dialog.peek() === 'open') trouble.report('open', messageOf(error));
    else notify(messageOf(error), 'error');
  }
}

/** Files that are remembered. */
const RECENT = 8;

effect(() => {
  const path = state.value?.document.path;
  if (path && prefs.recent.peek()[0] !== path) prefs.recent.value = [path, ...prefs.recent.peek().filter((other) => other !== path)].slice(0, RECENT);
});

export function newScene(): void {
  leaveScene(() => {
    selection.value = { kind: 'scene' };
    void tell('new');
  });
}

const MESHES = /\.(obj|stl|ply|gltf|glb|iv|step|stp)$/i;
const HARNESSES = /\.(kbl|vec|xml|zip)$/i;
const SCENES = /\.ya?ml$/i;

/** Opens harness data as a scene; of what contradicts itself in it the first is shown, all of it stands in the events. */
async function takeHarness(file: File): Promise<void> {
  try {
    const notes = await outbox.add((change) => openHarness(file, change), always);
    if (notes.length > 0) notify(`${file.name}: ${notes[0]}${notes.length > 1 ? ` (and ${notes.length - 1} more)` : ''}`);
  } catch (error) {
    notify(messageOf(error), 'error');
  }
}

/** Takes files that were chosen or dropped: a scene or a harness is opened, meshes are added. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  for (const file of files) {
    try {
      if (SCENES.test(file.name)) {
        const text = await file.text();
        if (isChannel(text)) {
          await openChannel(file.name.replace(SCENES, ''), text);
          continue;
        }
        leaveScene(() => {
          selection.value = { kind: 'scene' };
          outbox.add((change) => openScene(file.name.replace(SCENES, ''), text, { change }), always).catch((error: unknown) => notify(`${file.name}: ${messageOf(error)}`, 'error'));
        });
      } else if (MESHES.test(file.name)) {
        await takeMesh(file);
      } else if (HARNESSES.test(file.name)) {
        leaveScene(() => {
          selection.value = { kind: 'scene' };
          void takeHarness(file);
        });
      } else {
        notify(`${file.name}: neither a scene (.yaml), a harness (.kbl, .vec, .xml, .zip) nor a mesh (.obj, .stl, .ply, .gltf, .glb, .iv, .step)`, 'error');
      }
    } catch (error) {
      notify(`${file.name}: ${messageOf(error)}`, 'error');
    }
  }
}

/** Lets a person choose files of their own machine. */
export function chooseFiles(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = '.yaml,.yml,.kbl,.vec,.xml,.zip,.obj,.stl,.ply,.gltf,.glb,.iv,.step,.stp';
  input.onchange = () => void takeFiles([...(input.files ?? [])]);
  input.click();
}

/** Saves to where the scene came from; one that came from nowhere asks for a name. True: saved. */
export async function save(): Promise<boolean> {
  if (!state.peek()?.document.path) {
    dialog.value = 'save as';
    return false;
  }
  try {
    notify(`saved to ${(await ask('save')).path}`);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.changed) dialog.value = 'changed';
    else trouble.report(undefined, messageOf(error));
    return false;
  }
}

/** Saves over what somebody else has written into the scene's file. */
export async function replaceChanged(): Promise<void> {
  dialog.value = undefined;
  const answer = await tell('save', { overwrite: true });
  if (answer) notify(`saved to ${answer.path}`);
}

/** what the last try to save under another name would have replaced */
export const inTheWay = signal<string | undefined>(undefined);

/** A name of a scene file: with the usual ending if it has none. */
export function withEnding(name: string): string {
  return /\.[a-z]+$/i.test(name) ? name : `${name}.yaml`;
}

export async function saveAs(path: string, overwrite: boolean): Promise<void> {
  try {
    const answer = await ask('save', overwrite ? { path, overwrite } : { path });
    dialog.value = undefined;
    notify(`saved to ${answer.path}`);
  } catch (error) {
    inTheWay.value = error instanceof Refused && (error.exists || error.changed) ? path : undefined;
    trouble.report('save as', messageOf(error));
  }
}
