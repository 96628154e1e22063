// The one session of this page: the line, and what its messages do to the store.
import { signal } from '@preact/signals';
import { socketAddress } from '../protocol/api';
import { FrameError } from '../protocol/frame';
import { CommandError, Line } from '../protocol/client';
import type { Reply, SceneMessage, ServerMessage } from '../protocol/messages';
import { History, sameColumns } from './history';
import { addEvents, frame, frameNumber, hello, line, scene, slowFrame, state } from './store';
import { trouble } from './trouble';

export const history = new History();
/** frames that could not be read */
export const badFrames = signal(0);

const SLOW = 120;
let slowTimer: ReturnType<typeof setTimeout> | undefined;

const connection = new Line(socketAddress(), {
  message: take,
  frame: takeFrame,
  status: (status) => {
    line.value = status;
  },
});

export function connect(): void {
  connection.connect();
}

export function reconnectNow(): void {
  connection.hurry();
}

/** Sends a command and leaves its errors to the caller. */
export function ask(cmd: string, fields: object = {}): Promise<Reply> {
  return connection.command(cmd, fields);
}

/** Sends a command; an error is shown next to `where`, or as a notice. True if it was done. */
export async function tell(cmd: string, fields: object = {}, where?: string): Promise<Reply | undefined> {
  try {
    const reply = await connection.command(cmd, fields);
    if (where) trouble.clear(where);
    return reply;
  } catch (error) {
    trouble.report(where, error instanceof CommandError ? error.message : String((error as Error).message), cmd);
    return undefined;
  }
}

export function lineBacklog(): number {
  return connection.backlog;
}

function take(message: ServerMessage): void {
  switch (message.type) {
    case 'hello':
      hello.value = message;
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
    default:
      // a newer server may say more
      break;
  }
}

function takeScene(message: SceneMessage): void {
  scene.value = message;
  if (!sameColumns(history, message)) history.begin(message);
}

/** Takes all that the server recorded. */
export async function loadHistory(): Promise<void> {
  try {
    const reply = await connection.command('history', { since: 0 });
    history.load(reply['columns'] as string[], reply['rows'] as (number | null)[][]);
  } catch {
    // plots begin empty then
  }
}

function takeFrame(buffer: ArrayBuffer): void {
  try {
    frame.read(buffer);
  } catch (error) {
    if (!(error instanceof FrameError)) throw error;
    badFrames.value += 1;
    return;
  }
  const known = scene.peek();
  if (known) history.add(frame, known);
  frameNumber.value = frame.number;
  slowTimer ??= setTimeout(() => {
    slowTimer = undefined;
    slowFrame.value = frame.number;
  }, SLOW);
}
