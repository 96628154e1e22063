// The page's part of undo. The server keeps what was done; the page asks for it back, and says which commands are one thing
// to undo: those that follow each other with the same gesture.
import { tell } from './session';
import { state } from './store';

/** what takes several commands, each of which waits for the one before */
const underWay = new Set<Promise<unknown>>();

/** Several commands that are one thing to undo. What is undone waits for them: else a part of them would be undone, and the rest come after it. */
export async function asOne<T>(what: string, work: (gesture: string) => Promise<T>): Promise<T> {
  return finish(work(newGesture(what)));
}

/** What is undone waits for this. */
export async function finish<T>(work: Promise<T>): Promise<T> {
  underWay.add(work);
  try {
    return await work;
  } finally {
    underWay.delete(work);
  }
}

/** Whether nothing is under way that takes several commands. */
export const idle = (): boolean => underWay.size === 0;

async function finished(): Promise<void> {
  while (!idle()) await Promise.allSettled([...underWay]);
}

/** Undoes the last thing; without one, nothing is asked. */
export async function undo(): Promise<void> {
  if (!idle()) await finished();
  if (state.peek()?.undo.depth) await tell('undo');
}

/** Does again what was undone last. */
export async function redo(): Promise<void> {
  if (!idle()) await finished();
  if (state.peek()?.redo.depth) await tell('redo');
}

let gestures = 0;

/** The name of a gesture that is like no other of this page. */
export function newGesture(what: string): string {
  gestures += 1;
  return `${what} ${gestures}`;
}
