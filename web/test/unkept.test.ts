// Changes that are in no kept text yet: what of them a server that was started anew is asked for again.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NotConnected, Refused } from '../src/protocol/connection';

vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
vi.stubGlobal('matchMedia', () => ({ matches: false }));
vi.stubGlobal('document', { documentElement: { dataset: {} } });
const unkept = await import('../src/model/unkept');

/** A command whose answer is given by hand, and what was said again. */
function command(name: Parameters<typeof unkept.noted>[0], gesture?: string) {
  let answer: (error?: Error) => void = () => undefined;
  const waiting = new Promise<void>((resolve, reject) => (answer = (error) => (error ? reject(error) : resolve())));
  const again = vi.fn(() => Promise.resolve());
  const done = unkept.noted(name, gesture, waiting, again).catch(() => undefined);
  return { again, answer: async (error?: Error) => (answer(error), await done) };
}

beforeEach(() => unkept.allKept());

describe('what is in no kept text', () => {
  it('is said again in order, answered or not, once the document of then is open', async () => {
    const order: string[] = [];
    const [first, second] = [command('set'), command('place_hold')];
    first.again.mockImplementation(async () => void order.push('set'));
    second.again.mockImplementation(async () => void order.push('place_hold'));
    await first.answer();
    await second.answer(new Error('the connection to the server broke'));
    await unkept.sayAgain(async () => void order.push('open'));
    expect(order).toEqual(['open', 'set', 'place_hold']);
  });

  it('has nothing that was refused, only looked at, kept, or of another document', async () => {
    const refused = command('set');
    await refused.answer(new Refused('no', false, false));
    const looked = command('check');
    await looked.answer();
    expect(unkept.anythingUnkept()).toBe(false);
    const kept = command('set');
    await kept.answer();
    unkept.allKept();
    expect(unkept.anythingUnkept()).toBe(false);
  });

  it('begins with the opening of another document, until its text is kept', async () => {
    const left = command('set');
    await left.answer();
    const open = command('open');
    await open.answer();
    const then = command('set');
    await then.answer();
    await unkept.sayAgain(() => Promise.resolve());
    expect([left, open, then].map(({ again }) => again.mock.calls.length)).toEqual([0, 1, 1]);
  });

  it('has of one gesture the last, but for what adds up', async () => {
    for (const name of ['set_length', 'change_length'] as const) {
      unkept.allKept();
      const some = [command(name, 'slider 1')];
      await some[0]!.answer();
      some.push(command(name, 'slider 1'));
      await some[1]!.answer();
      await unkept.sayAgain(() => Promise.resolve());
      expect(some.map(({ again }) => again.mock.calls.length)).toEqual(name === 'set_length' ? [0, 1] : [1, 1]);
    }
  });

  it('is still there if the connection breaks in the midst of it', async () => {
    const [first, second] = [command('set'), command('set')];
    await first.answer();
    await second.answer();
    first.again.mockImplementation(() => Promise.reject(new Error('broke')));
    await expect(unkept.sayAgain(() => Promise.resolve())).rejects.toThrow('broke');
    first.again.mockImplementation(() => Promise.resolve());
    await unkept.sayAgain(() => Promise.resolve());
    expect([first, second].map(({ again }) => again.mock.calls.length)).toEqual([2, 1]);
  });

  it('forgets what the same server did not answer, and says what it did not hear', async () => {
    const [unanswered, unheard] = [command('set'), command('set')];
    await unanswered.answer(new Error('broke'));
    await unheard.answer(new NotConnected());
    await unkept.sayUnheard();
    expect([unanswered, unheard].map(({ again }) => again.mock.calls.length)).toEqual([0, 1]);
  });
});
