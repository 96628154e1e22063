// The connection to the server: commands out, messages and frames in. It connects again by itself when it breaks.
import { answerGuards, type Answer, type Args, type CommandName } from './commands';
import { checked } from './guard';
import { readMessage, type Reply, type ServerMessage } from './messages';

export type ConnectionStatus = 'connecting' | 'open' | 'lost' | 'ended';

export interface ConnectionHandlers {
  message: (message: Exclude<ServerMessage, Reply>) => void;
  frame: (buffer: ArrayBuffer) => void;
  status: (status: ConnectionStatus) => void;
  /** a message that could not be read */
  unread: (error: unknown) => void;
}

/** Milliseconds until the next try, by how many have failed. */
const RETRY = [250, 500, 1000, 2000, 4000];

interface Waiting {
  resolve: (reply: Reply) => void;
  reject: (error: Error) => void;
}

/** What the server would not do, in its words. */
export class Refused extends Error {
  constructor(
    message: string,
    /** because a file stands in the way that may be replaced */
    readonly exists: boolean,
    /** because somebody else has changed the scene's file */
    readonly changed: boolean,
    /** because something was done since the server started */
    readonly touched: boolean,
    /** because the present scene has unsaved changes */
    readonly dirty: boolean,
  ) {
    super(message);
  }
}

export function refusal({ error, exists = false, changed = false, touched = false, dirty = false }: { error?: string; exists?: boolean; changed?: boolean; touched?: boolean; dirty?: boolean }): Refused {
  return new Refused(error ?? 'the server gave no reason', exists, changed, touched, dirty);
}

/** There was no server to ask, or it broke off before it answered. */
export class Away extends Error {}

export class Connection {
  private socket: WebSocket | undefined;
  private nextId = 1;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private readonly waiting = new Map<number, Waiting>();

  constructor(
    private readonly address: string,
    private readonly handlers: ConnectionHandlers,
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
      if (typeof event.data === 'string') this.read(event.data);
      else this.handlers.frame(event.data);
    };
    socket.onclose = () => this.closed();
    this.socket = socket;
  }

  /** Tries at once instead of waiting for the next try. */
  hurry(): void {
    if (this.socket?.readyState === WebSocket.CLOSED) this.connect();
  }

  /** Sends a command, as a change under its number. Resolves with the server's answer, rejects with `Refused` if it would not, with `Away` if it is not there. */
  async command<C extends CommandName>(cmd: C, args?: Args<C>, change?: number): Promise<Answer<C>> {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) throw new Away('not connected to the simulation');
    const id = this.nextId++;
    const reply = await new Promise<Reply>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, cmd, ...args, ...(change !== undefined && { change }) }));
    });
    if (!reply.ok) throw refusal(reply);
    return checked(reply, answerGuards[cmd], `answer to «${cmd}»`);
  }

  private read(said: string): void {
    let message: ServerMessage | undefined;
    try {
      message = readMessage(said);
    } catch (error) {
      this.handlers.unread(error);
    }
    if (message?.type === 'bye') this.ended = true;
    if (message?.type !== 'reply') {
      if (message) this.handlers.message(message);
      return;
    }
    if (message.id === null) return;
    this.waiting.get(message.id)?.resolve(message);
    this.waiting.delete(message.id);
  }

  private closed(): void {
    for (const { reject } of this.waiting.values()) reject(new Away('the connection to the server broke'));
    this.waiting.clear();
    this.handlers.status(this.ended ? 'ended' : 'lost');
    const wait = RETRY[Math.min(this.failures, RETRY.length - 1)]!;
    this.failures += 1;
    this.retry = setTimeout(() => this.connect(), wait);
  }
}
