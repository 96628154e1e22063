// One hand of the server: grabs a thing, sends where it is to be as fast as the line takes it, drops it.
import { signal } from '@preact/signals';
import { awaitFrame } from '../model/latency';
import { ask } from '../model/session';
import { notify } from '../model/trouble';
import type { Quat, Reply, Vec3 } from '../protocol/messages';

export type Grabbed = { hold: string } | { body: string } | { rod: string; s: number };

export interface Target {
  position?: Vec3;
  orientation?: Quat;
  turns?: number;
  /** m/s, at most, while it plays; without it: at once */
  speed?: number;
}

/** why the last move did not come all the way */
export const stopped = signal('');

/** Moves on their way at most; a newer one replaces what still waits here. */
const IN_FLIGHT = 2;

export class Mover {
  /** what the server took, once it said so */
  readonly taken: Promise<Reply | undefined>;
  private waiting: Target | undefined;
  /** when the pointer did what still waits */
  private began = 0;
  private flying = 0;
  private failed = false;

  constructor(
    private readonly hand: string,
    what: Grabbed,
    options: { pull?: boolean; reach?: boolean } = {},
  ) {
    this.taken = ask('grab', { hand, ...what, ...options }).catch((error: Error) => {
      this.failed = true;
      notify(`grab: ${error.message}`, 'error');
      return undefined;
    });
  }

  /** Where it is to be. What a target leaves out stays as the last one had it. */
  move(target: Target, began = performance.now()): void {
    this.waiting = { ...this.waiting, ...target };
    this.began = began;
    this.send();
  }

  /** Lets go once the last move is on its way. Resolves with the name of what stays. */
  async drop(attach: boolean): Promise<string | undefined> {
    if (this.failed) return undefined;
    if (this.waiting) this.sendNow(this.waiting);
    try {
      return (await ask('drop', { hand: this.hand, attach }))['name'] as string | undefined;
    } catch (error) {
      if (!this.failed) notify(`drop: ${(error as Error).message}`, 'error');
      return undefined;
    }
  }

  private send(): void {
    if (!this.waiting || this.flying >= IN_FLIGHT || this.failed) return;
    this.sendNow(this.waiting);
  }

  private sendNow(target: Target): void {
    this.waiting = undefined;
    this.flying += 1;
    const { began } = this;
    ask('move', { hand: this.hand, ...target })
      .then((reply) => {
        stopped.value = (reply['stopped'] as string | undefined) ?? '';
        if (reply.frame) awaitFrame(reply.frame, began);
      })
      .catch((error: Error) => {
        if (!this.failed) notify(`move: ${error.message}`, 'error');
        this.failed = true;
      })
      .finally(() => {
        this.flying -= 1;
        this.send();
      });
  }
}
