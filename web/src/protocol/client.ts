// The line to the server: commands out, messages and frames in. It connects again by itself when it breaks.
import type { Reply, ServerMessage } from './messages';

export type LineStatus = 'connecting' | 'open' | 'lost' | 'ended';

export interface LineHandlers {
  message: (message: ServerMessage) => void;
  frame: (buffer: ArrayBuffer) => void;
  status: (status: LineStatus) => void;
}

/** Milliseconds until the next try, by how many have failed. */
const RETRY = [250, 500, 1000, 2000, 4000];

export class CommandError extends Error {
  constructor(readonly reply: Reply) {
    super(reply.error ?? 'the server gave no reason');
  }
}

export class Line {
  private socket: WebSocket | undefined;
  private nextId = 1;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private readonly waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();

  constructor(
    private readonly address: string,
    private readonly handlers: LineHandlers,
  ) {}

  connect(): void {
    clearTimeout(this.retry);
    this.ended = false;
    this.handlers.status(this.failures === 0 ? 'connecting' : 'lost');
    const socket = new WebSocket(this.address);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.failures = 0;
      this.handlers.status('open');
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === 'string') this.take(JSON.parse(event.data) as ServerMessage);
      else this.handlers.frame(event.data);
    };
    socket.onclose = () => this.closed();
    this.socket = socket;
  }

  /** Tries at once instead of waiting for the next try. */
  hurry(): void {
    if (this.socket?.readyState === WebSocket.CLOSED) this.connect();
  }

  /** Sends a command; resolves with the server's reply, rejects with a CommandError if it refused. */
  command(cmd: string, fields: object = {}): Promise<Reply> {
    const id = this.nextId++;
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error('not connected to the server'));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, cmd, ...fields }));
    });
  }

  /** Bytes that wait to be sent: a hand sends no more moves than the line takes. */
  get backlog(): number {
    return this.socket?.bufferedAmount ?? 0;
  }

  private take(message: ServerMessage): void {
    if (message.type === 'bye') this.ended = true;
    if (message.type !== 'reply') {
      this.handlers.message(message);
      return;
    }
    const waiting = message.id === null ? undefined : this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id!);
    if (message.ok) waiting.resolve(message);
    else waiting.reject(new CommandError(message));
  }

  private closed(): void {
    for (const { reject } of this.waiting.values()) reject(new Error('the connection to the server broke'));
    this.waiting.clear();
    this.handlers.status(this.ended ? 'ended' : 'lost');
    const wait = RETRY[Math.min(this.failures, RETRY.length - 1)]!;
    this.failures += 1;
    this.retry = setTimeout(() => this.connect(), wait);
  }
}
