// A server for tests of the page's own parts: a socket that keeps what was sent and says what it is told to.
import { vi } from 'vitest';
import type { SceneMessage } from '../../src/protocol/scene';
import type { StateMessage } from '../../src/protocol/state';
import { simulation } from './things';

interface Sent {
  id: number;
  cmd: string;
  [field: string]: unknown;
}

export class FakeSocket {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static last: FakeSocket;
  readyState = FakeSocket.OPEN;
  binaryType = '';
  onopen: (() => void) | undefined;
  onmessage: ((event: { data: string }) => void) | undefined;
  onclose: (() => void) | undefined;
  readonly sent: Sent[] = [];

  constructor() {
    FakeSocket.last = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  /** What was sent but for ids and numbers of changes, from some command on. */
  commands(from = 0): object[] {
    return this.sent.slice(from).map(({ id: _, change: _number, ...rest }) => rest);
  }

  /** Opens, says hello, and will not have what the page still wants from before. */
  async greet(): Promise<void> {
    this.onopen?.();
    this.say({ type: 'hello', version: '0', process: 1, file_folder: '/', channels: [], formulations: [], materials: [] });
    await settled();
    while (this.sent.length > 0) {
      for (const { id } of this.sent.splice(0)) this.say({ type: 'reply', id, ok: false, error: 'over' });
      await settled();
    }
  }

  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** Answers the last command, or the one that many before it; `answer` says more than that it is done. */
  async answer(answer: object = {}, before = 0): Promise<void> {
    this.say({ type: 'reply', id: this.sent.at(-1 - before)?.id, ok: true, frame: 1, ...answer });
    await settled();
  }

  async refuse(error: string): Promise<void> {
    await this.answer({ ok: false, error });
  }

  break(): void {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.();
  }
}

/** Lets all that waits for promises run. */
export async function settled(): Promise<void> {
  for (let k = 0; k < 10; ++k) await Promise.resolve();
}

/** What modules of the page want to find of a browser when they are loaded. */
export function stubBrowser(): void {
  vi.stubGlobal('location', new URL('http://127.0.0.1:8420/?token=0123'));
  vi.stubGlobal('WebSocket', FakeSocket);
  // pictures are drawn at once
  vi.stubGlobal('requestAnimationFrame', (draw: (now: number) => void) => (draw(0), 0));
}

export function sceneWith(parts: Partial<SceneMessage>): SceneMessage {
  return {
    type: 'scene', revision: 1, document: 1, empty: false, title: '', gravity: [0, 0, -9.81], materials: [], sections: [], rods: [], bodies: [], holds: [], junctions: [], joints: [],
    forces: [], torques: [], distributed: [], drivers: [], routing: [], wires: [], winches: [], sheaves: [], ropes: [], obstacles: [], contact: { obstacles: true, rods: false, friction: 0, pairs: [] }, scenery: [], probes: [],
    simulation, record: { every: 0, probes: [] }, refusals: {}, hands: [], warnings: [], ...parts,
  };
}

export function stateWith(parts: Partial<StateMessage>): StateMessage {
  return {
    type: 'state', playing: false, speed: 1, real_time: 1, left_behind: null, document: { name: '', path: '', dirty: false }, undo: { depth: 0, label: '' }, redo: { depth: 0, label: '' },
    clients: 1, solve: { kind: 'none', converged: true, stable: null, why: '', iterations: 0, residual: null },
    loop: { rate: 60, jitter_ms: { median: 0, p99: 0, max: 0 } }, alarms: [], lengths: [], grabbed: [], turns: [], reels: [], winches: [], ropes: [], ...parts,
  };
}
