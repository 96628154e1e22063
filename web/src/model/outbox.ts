// Changes on their way: each is said to the server until the document that this page keeps has it.
//
// The page keeps the document that the server told it last, the base, and in their order the changes that may not be in it yet. The server tells the document
// whenever that changes, with the number of this page's last change that is in it: that alone makes the list shorter. If the connection broke, what has no answer is
// said again under its number, and the server does nothing twice. A server that was started anew is given the base, and then the whole list. Whatever breaks
// in the midst of it, it begins again from there.
import { Away, Refused } from '../protocol/connection';

/** A document as it can be given back. */
export interface Base {
  name: string;
  /** of its file, or empty */
  path: string;
  dirty: boolean;
  text: string;
  /** files that were dropped on it, by name */
  meshes: readonly string[];
}

/** Says a change under a number. */
type Say<T> = (number: number) => Promise<T>;

interface Change {
  /** its answer, as what hands it to who asked */
  say: Say<() => void>;
  /** whether nothing else may be under way with it: it does not go by the WebSocket, which keeps the order, or takes several words */
  alone: () => boolean;
  /** as this server knows it */
  number: number | undefined;
  state: 'waits' | 'said' | 'answered';
  /** whether any server has answered it */
  done: boolean;
  /** whether the base has it */
  inBase: boolean;
  reject: (error: unknown) => void;
}

/** What goes wrong or well meanwhile. */
export interface OutboxNews {
  /** the base is another */
  base: (base: Base) => void;
  /** a server that was started anew has all of it */
  back: () => void;
  /** it would not take the base */
  lost: (base: Base, error: unknown) => void;
  /** it would not take a change that another had taken */
  refused: (error: unknown) => void;
}

/** Milliseconds that an upload which broke off may wait for the connection to break too. */
const PATIENCE = 2000;

export class Outbox {
  base: Base | undefined;
  news: OutboxNews | undefined;
  private changes: Change[] = [];
  private numbers = 0;
  private server: number | undefined;
  private connected = false;
  /** counts greetings: an answer from before one is not heard, and no hand holds what it held then */
  greetings = 0;
  /** gives the base to a server that was started anew */
  private opening: Change | undefined;
  /** while a server that was started anew does not have everything */
  private recovery: { over: Promise<void>; end: () => void } | undefined;

  /** `give` gives a document to a server that has done nothing yet. */
  constructor(private readonly give: (base: Base, number: number) => Promise<unknown>) {}

  /** A change, said now or as soon as there is a server. Resolves with the answer, and rejects if it is refused. */
  add<T>(say: Say<T>, alone: Change['alone'] = never): Promise<T> {
    return new Promise((resolve, reject) => {
      const answered = async (number: number): Promise<() => void> => {
        const answer = await say(number);
        return () => resolve(answer);
      };
      this.changes.push(change(answered, alone, reject));
      this.go();
    });
  }

  /** While a server that was started anew does not have everything: until when. */
  get givingBack(): Promise<void> | undefined {
    return this.connected ? this.recovery?.over : undefined;
  }

  /** Whether there is something that only this page knows. */
  get pending(): boolean {
    return this.changes.some(({ inBase }) => !inBase);
  }

  /** The connection is gone. */
  broke(): void {
    this.connected = false;
  }

  /** A server says hello, by the number of its start. */
  greeted(server: number): void {
    const anew = this.server !== undefined && this.server !== server;
    this.server = server;
    this.connected = true;
    this.greetings += 1;
    for (const one of this.changes) if (one.state === 'said') one.state = 'waits';
    if (anew) this.beginAgain();
    this.go();
  }

  /** The server tells how much of what this page has said is in the document, and the document if it is another than it told before. */
  document(done: number, base?: Base): void {
    // what a server that was started anew has of its own is not what this page had
    if (this.opening && !(this.opening.number !== undefined && this.opening.number <= done)) return;
    if (base) this.base = base;
    for (const one of this.changes) if (one.number !== undefined && one.number <= done) one.inBase = true;
    this.changes = this.changes.filter(({ inBase, state }) => !inBase || state !== 'answered');
    if (base) this.news?.base(base);
  }

  /** Another server: the base, then the list. */
  private beginAgain(): void {
    for (const one of this.changes) if (one.inBase) one.reject(new Away('the connection to the server broke'));
    this.changes = this.changes.filter((one) => one !== this.opening && !one.inBase);
    for (const one of this.changes) Object.assign(one, { number: undefined, state: 'waits' });
    const { base } = this;
    this.opening = undefined;
    if (!base || !(base.dirty || this.changes.length > 0)) return;
    this.opening = change((number) => this.give(base, number).then(() => nobody), always);
    this.changes.unshift(this.opening);
    this.recovery ??= deferred();
  }

  /** Says what waits, in order. */
  private go(): void {
    if (!this.connected) return;
    let underWay = false;
    for (const one of [...this.changes]) {
      if (one.state === 'answered') continue;
      const alone = one.alone();
      if (alone && underWay) return;
      if (one.state === 'waits') void this.say(one);
      if (alone) return;
      underWay = true;
    }
    if (!underWay && this.recovery) this.recovered();
  }

  private async say(one: Change): Promise<void> {
    const { greetings } = this;
    one.state = 'said';
    one.number ??= ++this.numbers;
    try {
      const hand = await one.say(one.number);
      if (greetings !== this.greetings) return;
      one.state = 'answered';
      one.done = true;
      hand();
      if (one.inBase) this.drop(one);
    } catch (error) {
      if (greetings !== this.greetings) return;
      if (error instanceof Away) return this.waitForGreeting(one, error);
      this.refused(one, error);
    }
    this.go();
  }

  /** The next greeting says it again. An upload may break off alone: then it is given up. */
  private waitForGreeting(one: Change, error: unknown): void {
    const { greetings } = this;
    one.state = 'waits';
    if (!one.alone()) return;
    // nothing of it is said before that
    one.state = 'said';
    setTimeout(() => {
      if (greetings !== this.greetings || !this.connected) return;
      this.refused(one, error);
      this.go();
    }, PATIENCE);
  }

  private refused(one: Change, error: unknown): void {
    this.drop(one);
    if (one === this.opening) return this.notOpened(error);
    one.reject(error);
    if (one.done) this.news?.refused(error);
  }

  /** The base was not taken. If another page has given its own, what was answered is in that. Otherwise the list is of no use. */
  private notOpened(error: unknown): void {
    this.opening = undefined;
    const touched = error instanceof Refused && error.touched;
    const stay = touched ? this.changes.filter(({ done }) => !done) : [];
    for (const one of this.changes) if (!stay.includes(one)) one.reject(error);
    this.changes = stay;
    if (!touched && this.base) this.news?.lost(this.base, error);
    if (!touched) this.endRecovery();
  }

  private recovered(): void {
    const opened = this.opening !== undefined;
    this.endRecovery();
    if (opened) this.news?.back();
  }

  private endRecovery(): void {
    this.recovery?.end();
    this.recovery = undefined;
  }

  private drop(one: Change): void {
    this.changes = this.changes.filter((other) => other !== one);
  }
}

const nobody = (): void => undefined;
const never = (): boolean => false;
/** Of changes that go alone. */
export const always = (): boolean => true;

function change(say: Change['say'], alone: Change['alone'], reject: Change['reject'] = nobody): Change {
  return { say, alone, number: undefined, state: 'waits', done: false, inBase: false, reject };
}

function deferred(): { over: Promise<void>; end: () => void } {
  let end = nobody;
  const over = new Promise<void>((resolve) => (end = resolve));
  return { over, end };
}
