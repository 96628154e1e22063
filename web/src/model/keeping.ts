// Keeps the document in this browser after every change, gives it to a server that was started anew, and offers what a page or a server
// that broke off has left behind.
import { effect, signal } from '@preact/signals';
import { openScene } from '../protocol/api';
import { fetchLacking, lacking } from './given_meshes';
import { keepDocument, keptDocuments, settleDocument, type Kept } from './kept_documents';
import { always, type Base } from './outbox';
import { ask, outbox } from './session';
import { hello, scene, state } from './store';
import { messageOf, notify } from './trouble';

/** what this browser kept and nobody saved, to be offered */
export const leftInBrowser = signal<Kept | undefined>(undefined);

/** the text that was kept last and is in no file yet */
let keptText: string | undefined;

/** Meshes of the document that this page lacks, as soon as the server has them for all. */
function fetchMeshes(): void {
  const there = new Set(scene.peek()?.scenery.filter(({ address }) => address !== '').map(({ mesh }) => mesh));
  void fetchLacking((outbox.base?.meshes ?? []).filter((name) => there.has(name)));
}

async function keep({ name, path, dirty, text }: Base): Promise<void> {
  fetchMeshes();
  try {
    if (dirty && text !== keptText) await keepDocument({ name, path, text, when: Date.now(), settled: false });
    else if (!dirty) await settleDocument(name, path);
    keptText = dirty ? text : undefined;
  } catch (error) {
    notify(messageOf(error), 'error');
  }
}

/** A server that was started anew has it all; its own journal of it is the same or older, but for meshes that this page may lack. */
function back(): void {
  notify('The simulation was started anew. Your unsaved changes are back.');
  const { base } = outbox;
  if (base && state.peek()?.left_behind?.name === base.name && lacking(base.meshes).length === 0) ask('discard').catch(() => undefined);
}

function lost({ name, path, text }: Base, error: unknown): void {
  leftInBrowser.value = { name, path, text, when: Date.now(), settled: false };
  notify(`The simulation was started anew, and your unsaved changes could not be brought back: ${messageOf(error)}`, 'error');
}

/** A page that begins offers what was left, unless the server has it or offers it itself. */
async function offerLeft(): Promise<void> {
  const known = state.peek();
  const [last] = (await keptDocuments()).filter(({ settled }) => !settled);
  if (last && !known?.document.dirty && !known?.left_behind) leftInBrowser.value = last;
}

/** Opens a kept version as unsaved changes of its file, or of none. */
export async function openKept({ name, path, text }: { name: string; path: string; text: string }): Promise<void> {
  await outbox.add((change) => openScene(name, text, { change, unsaved: true, ...(path && { path }) }), always);
  leftInBrowser.value = undefined;
}

export async function forgetLeft(): Promise<void> {
  const left = leftInBrowser.peek();
  leftInBrowser.value = undefined;
  if (left) await settleDocument(left.name, left.path);
}

/** From here on the document is kept. */
export function startKeeping(): void {
  outbox.news = {
    base: (base) => void keep(base),
    back,
    lost,
    refused: (error) => notify(`a change could not be made again: ${messageOf(error)}`, 'error'),
  };
  effect(() => void (scene.value && fetchMeshes()));
  let offered = false;
  effect(() => {
    if (offered || !hello.value || !state.value) return;
    offered = true;
    void offerLeft();
  });
}
