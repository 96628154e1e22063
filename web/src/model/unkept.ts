// What was asked of the server and is in no kept text of the document yet. A server that was started anew is asked for it again.
import { NotConnected, Refused } from '../protocol/connection';
import type { CommandName } from '../protocol/commands';
import { messageOf, notify } from './trouble';

/** Commands that change the document by themselves: to say them again to the document of then comes to the same. */
const CHANGING: ReadonlySet<CommandName> = new Set<CommandName>([
  'set', 'add', 'remove', 'rename', 'remove_body', 'place_hold', 'place_body', 'add_hold', 'fix_hold', 'move_hold_along', 'remove_hold', 'release', 'spread_holds',
  'join', 'connect', 'separate', 'move_junction', 'set_length', 'change_length', 'find_length', 'prolong', 'lengthen_between', 'new_cable', 'remove_rod', 'split',
  'place_scenery', 'remove_scenery', 'formulation',
]);

/** Of these the last of a gesture has all that those before it asked for. */
const WHOLE: ReadonlySet<CommandName> = new Set<CommandName>(['set', 'place_hold', 'place_body', 'set_length', 'place_scenery']);
/** After these it is another document, of which nothing was asked yet. */
const LEAVING: ReadonlySet<CommandName> = new Set<CommandName>(['open', 'new', 'restore']);

interface Asked {
  again: () => Promise<unknown>;
  answered: boolean;
  /** asked while there was no server: nobody has heard it yet */
  unheard: boolean;
  /** the same as the one before it but for its number: only the last counts */
  like: string;
}

let asked: Asked[] = [];
let count = 0;
let onAnswer: () => void = () => undefined;
let onLeaving: () => void = () => undefined;

/** Who is to know that an answer came. */
export function whenAnswered(act: () => void): void {
  onAnswer = act;
}

/** Who is to know that it is another document now, whose text is not kept yet. */
export function whenLeft(act: () => void): void {
  onLeaving = act;
}

/** How much was asked so far: whether something came in between. */
export const askedSoFar = (): number => count;
/** Whether all that was asked is answered. */
export const allAnswered = (): boolean => asked.every(({ answered }) => answered);
/** Whether something is in no kept text. */
export const anythingUnkept = (): boolean => asked.length > 0;

/** All that was asked is in a text that is kept now. */
export function allKept(): void {
  asked = [];
}

/** Something that changed the document without being a command by itself, such as a drag: `again` does the same. */
export function noteDone(again: () => Promise<unknown>): void {
  asked = [...asked, { again, answered: true, unheard: false, like: '' }];
  count += 1;
}

/** Another document was opened: until its text is kept it is opened again by `again`. */
export function noteLeft(again: () => Promise<unknown>): void {
  asked = [{ again, answered: true, unheard: false, like: '' }];
  count += 1;
  onLeaving();
}

/** Notes a command for as long as it may have to be said again. */
export async function noted<T>(cmd: CommandName, gesture: string | undefined, answer: Promise<T>, again: () => Promise<unknown>): Promise<T> {
  if (LEAVING.has(cmd)) void answer.then(() => noteLeft(again), () => undefined);
  if (!CHANGING.has(cmd)) return answer;
  const one: Asked = { again, answered: false, unheard: false, like: gesture === undefined || !WHOLE.has(cmd) ? '' : `${cmd} ${gesture}` };
  const last = asked.at(-1);
  const replaced = last?.answered && last.like !== '' && last.like === one.like;
  asked = [...(replaced ? asked.slice(0, -1) : asked), one];
  count += 1;
  try {
    const said = await answer;
    one.answered = true;
    return said;
  } catch (error) {
    // what the server would not do is not asked again; what broke off with it is
    if (error instanceof Refused) asked = asked.filter((other) => other !== one);
    one.unheard = error instanceof NotConnected;
    throw one.unheard ? new Error('The simulation is away: this is done as soon as it is back') : error;
  } finally {
    onAnswer();
  }
}

/** The server is the same as before: what it did not answer was done or was not, and is told; what it has not heard is said now. */
export async function sayUnheard(): Promise<void> {
  const list = asked.filter(({ unheard }) => unheard);
  asked = asked.filter(({ answered }) => answered);
  await sayAll(list);
}

/** Opens the document of then by `open`, and says all of it again, in order. Throws if the connection breaks again: what was not said is still to be said then. */
export async function sayAgain(open: () => Promise<void>): Promise<void> {
  const list = asked;
  await open();
  asked = [];
  await sayAll(list);
}

async function sayAll(list: readonly Asked[]): Promise<void> {
  for (let k = 0; k < list.length; ++k) {
    const before = asked;
    try {
      await list[k]!.again();
    } catch (error) {
      if (!(error instanceof Refused)) {
        asked = [...before, ...list.slice(k)];
        throw error;
      }
      notify(`a change could not be made again: ${messageOf(error)}`, 'error');
    }
  }
}
