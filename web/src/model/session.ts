// The one session of this page: the connection, and what its messages do to the store.
import { socketAddress } from '../protocol/api';
import type { Answer, Args, BareCommand, CommandName } from '../protocol/commands';
import { Connection, type ConnectionHandlers } from '../protocol/connection';
import { FrameError } from '../protocol/frame';
import type { SceneMessage } from '../protocol/scene';
import { History, sameColumns } from './history';
import { goLive, lookedAt, record } from './recording';
import { addEvents, busy, connectionStatus, frame, frameNumber, live, hello, scene, slowFrame, state } from './store';
import { messageOf, notify, trouble } from './trouble';
import { noted } from './unkept';

export const history = new History();

const SLOW = 120;
let slowTimer: ReturnType<typeof setTimeout> | undefined;

const connection = new Connection(socketAddress(), {
  message: take,
  frame: takeFrame,
  status: (status) => {
    connectionStatus.value = status;
  },
  unread: (error) => notify(messageOf(error), 'error'),
});

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

/** What is asked is noted, in case that the server breaks off or is away; `done` also when it is said again. */
async function send<C extends CommandName>(cmd: C, args?: Args<C>, done?: () => void): Promise<Answer<C>> {
  const answer = await noted(cmd, args?.gesture, connection.command(cmd, args), () => send(cmd, args, done));
  done?.();
  return answer;
}

/** Sends a command; an error is shown next to `where`, or as a notice. Its answer if it was done. */
export function tell<C extends BareCommand>(cmd: C): Promise<Answer<C> | undefined>;
export function tell<C extends CommandName>(cmd: C, args: Args<C>, where?: string): Promise<Answer<C> | undefined>;
export async function tell<C extends CommandName>(cmd: C, args?: Args<C>, where?: string): Promise<Answer<C> | undefined> {
  try {
    return await send(cmd, args, () => where && trouble.clear(where));
  } catch (error) {
    trouble.report(where, messageOf(error));
    return undefined;
  }
}

function take(message: Parameters<ConnectionHandlers['message']>[0]): void {
  switch (message.type) {
    case 'hello':
      hello.value = message;
      busy.value = undefined;
      void loadHistory();
      break;
    case 'scene':
      takeScene(message);
      break;
    case 'state':
      state.value = message;
      break;
    case 'events':
      addEvents(message.events);
      break;
    case 'busy':
      busy.value = message.cmd === null ? undefined : message;
      break;
    case 'bye':
      break;
  }
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
