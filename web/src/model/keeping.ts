// Keeps the document in this browser after every change, gives it to a server that was started anew, and offers what a page or a server
// that broke off has left behind.
import { effect, signal } from '@preact/signals';
import { keepDocument, keptDocuments, settleDocument, type Kept } from './kept_documents';
import { giveMeshesAgain } from './mesh_units';
import { ask } from './session';
import { connectionStatus, hello, state } from './store';
import { messageOf, notify } from './trouble';
import { allAnswered, allKept, anythingUnkept, askedSoFar, sayAgain, sayUnheard, whenAnswered, whenLeft } from './unkept';

/** the latest text of the document, whether it has unsaved changes or not; none before the first answer, and after another document was opened */
let latest: Omit<Kept, 'when' | 'settled'> & { dirty: boolean } | undefined;
/** what this browser kept and nobody saved, to be offered */
export const leftInBrowser = signal<Kept | undefined>(undefined);

/** the text that was kept last and is in no file yet */
let keptText: string | undefined;

/** the document that the server had when this page began */
let begunWith: { name: string; path: string } | undefined;
let process = 0;
let greetedBy: unknown;
let seen = '';
let asking = false;
let again = false;
/** what a new server has is not what is kept, until it has what this page had */
let givingBack = false;

/** What tells one state of the document from another. */
function mark(): string {
  const known = state.peek();
  return known ? JSON.stringify([process, known.document, known.undo, known.redo]) : '';
}

/** Asks for the text after a change, one question at a time. */
async function follow(): Promise<void> {
  if (givingBack) return;
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  do {
    again = false;
    const now = mark();
    const known = state.peek();
    if (!known || (now === seen && !anythingUnkept())) break;
    // who waits for an answer asks again when it comes
    if (!allAnswered()) break;
    const before = askedSoFar();
    try {
      const { text } = await ask('text');
      // a text in the midst of changes may or may not have them
      if (askedSoFar() !== before) {
        again = true;
        continue;
      }
      seen = now;
      allKept();
      await take({ ...known.document, text });
    } catch {
      // not connected: the next state asks again
      break;
    }
  } while (again);
  asking = false;
}

async function take(document: { name: string; path: string; dirty: boolean; text: string }): Promise<void> {
  const { name, path, dirty, text } = document;
  latest = document;
  try {
    if (dirty && text !== keptText) await keepDocument({ name, path, text, when: Date.now(), settled: false });
    else if (!dirty) await settleDocument(name, path);
    keptText = dirty ? text : undefined;
  } catch (error) {
    notify(messageOf(error), 'error');
  }
}

/** A server said hello: another one than before gets the document that this page had; a page that begins looks for what was left. */
async function greeted(now: number): Promise<void> {
  const before = process;
  process = now;
  if (before === now) return sayUnheard();
  if (before !== 0 && (latest?.dirty || anythingUnkept())) {
    givingBack = true;
    await giveBack();
    givingBack = false;
    return;
  }
  const known = state.peek()?.document;
  if (before === 0) begunWith = known;
  const [last] = (await keptDocuments()).filter(({ settled }) => !settled);
  // what the server has itself, or offers itself, needs no second offer
  if (before === 0 && last && !known?.dirty && !state.peek()?.left_behind) leftInBrowser.value = last;
}

async function giveBack(): Promise<void> {
  const document = latest;
  try {
    await sayAgain(() => openAgain(document));
    await giveMeshesAgain();
    notify('The simulation was started anew. Your unsaved changes are back.');
  } catch (error) {
    if (document) leftInBrowser.value = { ...document, when: Date.now(), settled: false };
    notify(`The simulation was started anew, and your unsaved changes could not be brought back: ${messageOf(error)}`, 'error');
  }
}

/** Opens the document that this page had. The server's own journal of it, which is older or the same, has the meshes that were dropped. */
async function openAgain(document: typeof latest): Promise<void> {
  // its first words, among them what was left behind, have come before this is answered
  await ask('text');
  const name = document?.name ?? begunWith?.name;
  if (state.peek()?.left_behind?.name === name) await ask('restore');
  if (document) await openKept(document);
  else if (begunWith?.path) await ask('open', { path: begunWith.path });
}

/** Opens a kept version as unsaved changes of its file. */
export async function openKept({ name, path, text }: { name: string; path: string; text: string }): Promise<void> {
  await ask('open', { text, name, ...(path && { path }) });
  leftInBrowser.value = undefined;
}

export async function forgetLeft(): Promise<void> {
  const left = leftInBrowser.peek();
  leftInBrowser.value = undefined;
  if (left) await settleDocument(left.name, left.path);
}

/** The document as this page knows it last, for who cannot ask the server. */
export function latestText(): { name: string; text: string } | undefined {
  return latest;
}

/** From here on the document is kept. */
export function startKeeping(): void {
  whenAnswered(() => void follow());
  whenLeft(() => {
    if (!givingBack) latest = undefined;
  });
  effect(() => {
    const greeting = hello.value;
    const known = state.value;
    if (connectionStatus.value !== 'open' || !greeting || !known) return;
    if (greeting !== greetedBy) void greeted((greetedBy = greeting).process).then(follow);
    else void follow();
  });
}
