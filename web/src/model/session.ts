// The one session of this page: the connection, and what its messages do to the store.
import { openScene, socketAddress } from '../protocol/api';
import type { Answer, Args, BareCommand, CommandName } from '../protocol/commands';
import { Connection, type ConnectionHandlers } from '../protocol/connection';
import { FrameError } from '../protocol/frame';
import type { DocumentMessage, ServerEvent } from '../protocol/messages';
import type { SceneMessage } from '../protocol/scene';
import { giveMeshes } from './given_meshes';
import { History, sameColumns } from './history';
import { Outbox, type Base } from './outbox';
import { goLive, lookedAt, record } from './recording';
import { addEvents, busy, connectionStatus, frame, frameNumber, live, hello, scene, slowFrame, state } from './store';
import { messageOf, notify, trouble } from './trouble';

export const history = new History();

const SLOW = 120;
let slowTimer: ReturnType<typeof setTimeout> | undefined;

const connection = new Connection(socketAddress(), {
  message: take,
  frame: takeFrame,
  status: (status) => {
    if (status !== 'open') outbox.broke();
    connectionStatus.value = status;
  },
  unread: (error) => notify(messageOf(error), 'error'),
});

/** All that changes the document goes this way. */
export const outbox = new Outbox(giveBack);

/** Commands that change the document, and can be said again to another server that has the same document. */
const CHANGES: ReadonlySet<CommandName> = new Set<CommandName>([
  'set', 'add', 'remove', 'rename', 'remove_body', 'place_hold', 'place_body', 'add_hold', 'fix_hold', 'move_hold_along', 'remove_hold', 'release', 'spread_holds',
  'join', 'connect', 'separate', 'move_junction', 'set_length', 'change_length', 'find_length', 'prolong', 'lengthen_between', 'new_cable', 'remove_rod', 'split',
  'place_scenery', 'remove_scenery', 'make_flexible', 'formulation', 'open', 'new',
]);
/** Commands that look and touch nothing. */
const LOOKS: ReadonlySet<CommandName> = new Set<CommandName>(['text', 'check', 'history', 'harness', 'list', 'channels', 'channel', 'cancel']);

const AWAY = 'The simulation is away: this is done as soon as it is back';

/** Gives a server that has done nothing yet the document with its meshes. */
async function giveBack({ name, path, dirty, text, meshes }: Base, change: number): Promise<void> {
  await giveMeshes(meshes);
  await openScene(name, text, { change, untouched: true, unsaved: dirty, ...(path && { path }) });
}

export function connect(): void {
  connection.connect();
}

export function reconnectNow(): void {
  connection.hurry();
}

/** Sends a command and leaves its errors to the caller. */
export function ask<C extends BareCommand>(cmd: C): Promise<Answer<C>>;
export function ask<C extends CommandName>(cmd: C, args: Args<C>): Promise<Answer<C>>;
export function ask<C extends CommandName>(cmd: C, args?: Args<C>): Promise<Answer<C>> {
  return send(cmd, args);
}

async function send<C extends CommandName>(cmd: C, args?: Args<C>): Promise<Answer<C>> {
  if (CHANGES.has(cmd)) return outbox.add((change) => connection.command(cmd, args, change));
  // what is done to the document waits until it is back
  if (!LOOKS.has(cmd) && outbox.givingBack) await outbox.givingBack;
  return connection.command(cmd, args);
}

/** Lets go of what a hand has held since a greeting. If the server broke off since then, the hand takes it again, brings it to where it was, and lets go there. */
export function dropAt(grab: Args<'grab'>, move: Args<'move'>, drop: Args<'drop'>, greeting: number): Promise<Answer<'drop'>> {
  return outbox.add(async (change) => {
    if (outbox.greetings !== greeting) {
      await connection.command('grab', grab);
      await connection.command('move', move);
    }
    return connection.command('drop', drop, change);
  }, () => outbox.greetings !== greeting);
}

/** Sends a command; an error is shown next to `where`, or as a notice. Its answer if it was done. */
export function tell<C extends BareCommand>(cmd: C): Promise<Answer<C> | undefined>;
export function tell<C extends CommandName>(cmd: C, args: Args<C>, where?: string): Promise<Answer<C> | undefined>;
export async function tell<C extends CommandName>(cmd: C, args?: Args<C>, where?: string): Promise<Answer<C> | undefined> {
  if (CHANGES.has(cmd) && connectionStatus.peek() !== 'open') trouble.report(where, AWAY);
  try {
    const answer = await send(cmd, args);
    if (where) trouble.clear(where);
    return answer;
  } catch (error) {
    trouble.report(where, messageOf(error));
    return undefined;
  }
}

/** whether what is told happens now: on joining, the events so far come before the first state */
let watching = false;

/** What a hand does without meaning to is said aloud: a clip that opens or closes, a cable that breaks. */
const SAID_ALOUD = ['caught', 'popped', 'broke'];
function announce(fresh: readonly ServerEvent[]): void {
  if (watching) fresh.filter(({ event }) => SAID_ALOUD.includes(event)).forEach(({ what }) => notify(what));
}

function take(message: Parameters<ConnectionHandlers['message']>[0]): void {
  switch (message.type) {
    case 'hello':
      hello.value = message;
      watching = false;
      busy.value = undefined;
      outbox.greeted(message.process);
      void loadHistory();
      break;
    case 'scene':
      takeScene(message);
      break;
    case 'state':
      state.value = message;
      watching = true;
      break;
    case 'events':
      announce(addEvents(message.events));
      break;
    case 'busy':
      busy.value = message.cmd === null ? undefined : message;
      break;
    case 'document':
      takeDocument(message);
      break;
    case 'bye':
      break;
  }
}

function takeDocument({ done, name = '', path = '', dirty = false, text, meshes = [] }: DocumentMessage): void {
  outbox.document(done, text === undefined ? undefined : { name, path, dirty, text, meshes });
}

function takeScene(message: SceneMessage): void {
  const another = message.document !== scene.peek()?.document;
  scene.value = message;
  // whoever changes something wants to see it
  goLive();
  if (another || !sameColumns(history, message)) history.begin(message);
}

/** Takes all that the server recorded. */
export async function loadHistory(): Promise<void> {
  try {
    const { columns, rows } = await ask('history', { since: 0 });
    history.load(columns, rows);
  } catch {
    // plots begin empty then
  }
}

function takeFrame(buffer: ArrayBuffer): void {
  try {
    live.read(buffer);
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    return notify(error.message, 'error');
  }
  const known = scene.peek();
  if (known) history.add(live, known);
  record();
  // a past that is looked at stays
  if (lookedAt.peek() !== undefined) return;
  frame.show(live);
  frameNumber.value = frame.number;
  slowTimer ??= setTimeout(() => {
    slowTimer = undefined;
    slowFrame.value = frame.number;
  }, SLOW);
}
