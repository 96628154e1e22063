// The page's part of undo. The server keeps what was done; the page asks for it back, and says which commands are one thing
// to undo: those that follow each other with the same gesture.
import { tell } from './session';
import { state } from './store';

/** Undoes the last thing; without one, nothing is asked. */
export async function undo(): Promise<void> {
  if (state.peek()?.undo.depth) await tell('undo');
}

/** Does again what was undone last. */
export async function redo(): Promise<void> {
  if (state.peek()?.redo.depth) await tell('redo');
}

let gestures = 0;

/** The name of a gesture that is like no other of this page. */
export function newGesture(what: string): string {
  gestures += 1;
  return `${what} ${gestures}`;
}
