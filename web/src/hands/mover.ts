// One hand of the server: grabs a thing, sends where it is to be at most once a picture and as fast as the server takes it, drops it.
import { signal } from '@preact/signals';
import { awaitFrame } from '../model/latency';
import { ask, dropAt, outbox } from '../model/session';
import { playing } from '../model/store';
import { messageOf, notify } from '../model/trouble';
import type { Grabbed } from '../protocol/answers';
import type { Args, Grabbable } from '../protocol/commands';
import { Away } from '../protocol/connection';

/** Where it is to be. `speed`: m/s, at most, while it plays; without it at once. */
type Target = Omit<Args<'move'>, 'hand' | 'gesture'>;

/** why the last move did not come all the way */
export const stopped = signal('');

/** Moves on their way at most; a newer one replaces what still waits here. */
const MOST_UNDER_WAY = 2;

export class Mover {
  /** what the server took, once it said so */
  readonly taken: Promise<Grabbed | undefined>;
  private waiting: Target | undefined;
  /** all that was asked of it */
  private asked: Target = {};
  /** when the pointer did what still waits */
  private began = 0;
  private underWay = 0;
  /** one has gone since the last picture */
  private gone = false;
  private failed = false;
  /** it failed because the server broke off: another may take it where it is left */
  private away = false;
  /** by which the server knows this hand */
  private readonly greeting = outbox.greetings;
  /** nothing was taken, so that there is nothing to drop */
  private empty = false;

  constructor(
    private readonly hand: string,
    private readonly what: Grabbable,
    private readonly options: { pull?: boolean; reach?: boolean } = {},
  ) {
    this.taken = ask('grab', { hand, ...what, ...options }).catch((error: unknown) => {
      this.failed = true;
      this.away = error instanceof Away;
      this.empty = !this.away;
      notify(messageOf(error), 'error');
      return undefined;
    });
  }

  /** Where it is to be. What a target leaves out stays as the last one had it. */
  move(target: Target, began = performance.now()): void {
    this.waiting = { ...this.waiting, ...target };
    this.asked = { ...this.asked, ...target };
    this.began = began;
    this.send();
  }

  /** Lets go once the last move is on its way; what is attached is so to a body, or to the world. Resolves with the name of what stays. */
  async drop(attach: boolean, body?: string): Promise<string | undefined> {
    if (this.empty) return undefined;
    // what could not be moved is let go of all the same
    if (this.waiting && !this.failed) this.sendNow(this.waiting);
    const { hand } = this;
    const drop = { hand, attach: attach && (!this.failed || this.away), ...(attach && body !== undefined && { body }) };
    try {
      // in a run it is where it is by its motion
      if (playing.peek() || (this.failed && !this.away)) return (await ask('drop', drop)).name;
      return (await dropAt({ hand, ...this.what, ...this.options }, { hand, ...this.asked }, drop, this.greeting)).name;
    } catch (error) {
      if (!this.failed) notify(messageOf(error), 'error');
      return undefined;
    }
  }

  /** At once, but once a picture: a mouse may tell of itself a thousand times a second. */
  private send(): void {
    if (!this.waiting || this.gone || this.underWay >= MOST_UNDER_WAY || this.failed) return;
    this.gone = true;
    this.sendNow(this.waiting);
    requestAnimationFrame(() => {
      this.gone = false;
      this.send();
    });
  }

  private sendNow(target: Target): void {
    this.waiting = undefined;
    this.underWay += 1;
    const { began } = this;
    ask('move', { hand: this.hand, ...target })
      .then((answer) => {
        stopped.value = answer.stopped ?? '';
        awaitFrame(answer.frame, began);
      })
      .catch((error: unknown) => {
        if (!this.failed) notify(messageOf(error), 'error');
        this.failed = true;
        this.away ||= error instanceof Away;
      })
      .finally(() => {
        this.underWay -= 1;
        this.send();
      });
  }
}
