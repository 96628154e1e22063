// Changes on their way: said until the document that the page keeps has them, to whichever server, and by none of them made twice.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { always, Outbox, type Base } from '../src/model/outbox';
import { Away, refusal } from '../src/protocol/connection';
import { settled } from './support/server';

/** A server as far as changes go: it makes each number once, tells its document when it is asked to, and can be killed. */
class Bench {
  static starts = 0;
  readonly start = ++Bench.starts;
  alive = true;
  words: string[] = [];
  private readonly replies = new Map<number, string>();
  private last = 0;

  constructor(private readonly own = 'own') {
    this.words = [own];
  }
  get text(): string {
    return this.words.join(' ');
  }
  /** The reply is lost if it dies with it. */
  async change(number: number, make: () => string): Promise<string> {
    if (!this.alive) throw new Away('broke');
    if (number <= this.last) return this.replies.get(number)!;
    const reply = make();
    this.last = number;
    this.replies.set(number, reply);
    await settled();
    if (!this.alive) throw new Away('broke');
    return reply;
  }
  tell(outbox: Outbox): void {
    outbox.document(this.last, document(this.text, this.text !== this.own));
  }
}

const document = (text: string, dirty = true): Base => ({ name: 'hose', path: '', dirty, text, meshes: [] });

let bench: Bench;
let outbox: Outbox;
const news = { base: vi.fn(), back: vi.fn(), lost: vi.fn(), refused: vi.fn() };

const say = (word: string, alone?: () => boolean) =>
  outbox.add((number) => bench.change(number, () => {
    if (word === 'never') throw refusal({ error: 'no' });
    bench.words.push(word);
    return `${word} done`;
  }), alone);

function start(): void {
  bench = new Bench();
  outbox.greeted(bench.start);
}
function kill(): void {
  bench.alive = false;
  outbox.broke();
}

beforeEach(async () => {
  vi.resetAllMocks();
  outbox = new Outbox((base, number) => bench.change(number, () => {
    bench.words = base.text.split(' ');
    return 'opened';
  }));
  outbox.news = news;
  start();
  bench.tell(outbox);
  await settled();
});

describe('a change', () => {
  it('is said at once, in order, and answered', async () => {
    expect(await Promise.all([say('a'), say('b')])).toEqual(['a done', 'b done']);
    expect(bench.text).toBe('own a b');
  });

  it('that is refused is told and forgotten', async () => {
    await expect(say('never')).rejects.toThrow('no');
    kill();
    start();
    await settled();
    expect(bench.text).toBe('own');
  });

  it('that goes alone waits for those before it, and those after it wait for that', async () => {
    const all = Promise.all([say('a'), say('upload', always), say('b')]);
    expect(bench.text).toBe('own a');
    await all;
    expect(bench.text).toBe('own a upload b');
  });

  it('is made while the server is away, once it is back', async () => {
    kill();
    expect(outbox.pending).toBe(false);
    const answer = say('a');
    expect(outbox.pending).toBe(true);
    start();
    expect(await answer).toBe('a done');
    expect(bench.text).toBe('own a');
    bench.tell(outbox);
    expect(outbox.pending).toBe(false);
  });
});

describe('a server that was started anew', () => {
  it('gets the document of then, and in order what is not in it, answered or not', async () => {
    await say('kept');
    bench.tell(outbox);
    await say('answered');
    const unanswered = say('unanswered');
    kill();
    start();
    expect(await unanswered).toBe('unanswered done');
    expect(bench.text).toBe('own kept answered unanswered');
    expect(news.back).toHaveBeenCalledTimes(1);
  });

  it('does not get twice what the document of then has, though the answer was lost', async () => {
    const lost = say('a');
    bench.tell(outbox);
    kill();
    start();
    await expect(lost).rejects.toThrow('broke');
    await settled();
    expect(bench.text).toBe('own a');
  });

  it('may break off at any moment of it, again and again', async () => {
    await say('kept');
    bench.tell(outbox);
    const answers = [say('a'), say('upload', always), say('b')];
    for (let moments = 0; moments < 30; ++moments) {
      kill();
      start();
      for (let k = 0; k < moments; ++k) await Promise.resolve();
      if (moments % 3 === 0) bench.tell(outbox);
    }
    await Promise.allSettled(answers);
    await settled();
    expect(bench.text).toBe('own kept a upload b');
    kill();
    start();
    await vi.waitFor(() => expect(bench.text).toBe('own kept a upload b'));
  });

  it('is not believed before it has the document', async () => {
    await say('a');
    bench.tell(outbox);
    kill();
    bench = new Bench('fresh');
    outbox.greeted(bench.start);
    outbox.document(0, document('fresh', false));
    expect(outbox.base?.text).toBe('own a');
    await settled();
    bench.tell(outbox);
    expect(outbox.base?.text).toBe('own a');
    expect(bench.text).toBe('own a');
  });

  it('keeps its own document if there was nothing to lose', async () => {
    kill();
    bench = new Bench('fresh');
    outbox.greeted(bench.start);
    outbox.document(0, document('fresh', false));
    expect(outbox.base?.text).toBe('fresh');
    expect(news.back).not.toHaveBeenCalled();
  });

  it('to which another page came first hears only what nobody answered', async () => {
    await say('a');
    bench.tell(outbox);
    await say('answered');
    const unanswered = say('unanswered');
    outbox = Object.assign(outbox, { give: () => Promise.reject(refusal({ error: 'something was done', touched: true })) });
    kill();
    bench = new Bench('theirs');
    outbox.greeted(bench.start);
    await unanswered;
    expect(bench.text).toBe('theirs unanswered');
    expect([news.back, news.lost].map((told) => told.mock.calls.length)).toEqual([0, 0]);
  });

  it('that will not have the document is told of, and gets nothing', async () => {
    await say('a');
    bench.tell(outbox);
    const answer = say('b');
    outbox = Object.assign(outbox, { give: () => Promise.reject(refusal({ error: 'no such folder' })) });
    kill();
    start();
    await expect(answer).rejects.toThrow('no such folder');
    expect(news.lost).toHaveBeenCalledTimes(1);
    expect(bench.text).toBe('own');
    expect(await say('c')).toBe('c done');
  });

  it('that refuses a change which another made is told of, and gets the rest', async () => {
    const known = { never: false };
    const once = (word: string) => outbox.add((number) => bench.change(number, () => {
      if (known.never) throw refusal({ error: 'no' });
      known.never = true;
      bench.words.push(word);
      return word;
    }));
    await say('a');
    bench.tell(outbox);
    await once('b');
    await say('c');
    kill();
    start();
    await vi.waitFor(() => expect(bench.text).toBe('own a c'));
    expect(news.refused).toHaveBeenCalledTimes(1);
  });

  it('is asked for other things only when it has everything', async () => {
    await say('a');
    bench.tell(outbox);
    kill();
    start();
    await outbox.givingBack;
    expect(bench.text).toBe('own a');
  });
});

describe('the same server after the connection broke', () => {
  it('is told again what it has not answered, and does it once', async () => {
    const [first, second] = [say('a'), say('b')];
    // both were heard, neither was answered
    outbox.broke();
    outbox.greeted(bench.start);
    expect(await Promise.all([first, second])).toEqual(['a done', 'b done']);
    expect(bench.text).toBe('own a b');
  });

  it('answers what its document has already', async () => {
    const answer = say('a');
    outbox.broke();
    bench.tell(outbox);
    outbox.greeted(bench.start);
    expect(await answer).toBe('a done');
  });

  it('goes on with giving back', async () => {
    await say('a');
    bench.tell(outbox);
    await say('b');
    kill();
    start();
    outbox.broke();
    outbox.greeted(bench.start);
    await settled();
    await settled();
    expect(bench.text).toBe('own a b');
    expect(news.back).toHaveBeenCalledTimes(1);
  });
});
