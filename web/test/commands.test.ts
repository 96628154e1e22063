// The list of commands: it can be read as its head says, the protocol's document knows the same, and it binds its users.
import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { answerGuards, type Answer, type Args, type BareCommand, type CommandName } from '../src/protocol/commands';
import { checked, type Guard } from '../src/protocol/guard';

const list = readFileSync(new URL('../src/protocol/commands.ts', import.meta.url), 'utf8');
const document = readFileSync(new URL('../../docs/workbench-protocol.md', import.meta.url), 'utf8');

/** By command: its fields, «?» behind those that may be left out. */
function listed(): Map<string, string[]> {
  const lines = list.split('export interface Commands {\n')[1]!.split('\n}\n')[0]!.split('\n').filter((line) => !line.trim().startsWith('//'));
  return new Map(
    lines.map((line) => {
      const match = /^ {2}(\w+): \{ args: \{(.*)\}; answer: (\w+) \};$/.exec(line);
      expect(match, line).not.toBeNull();
      return [match![1]!, [...match![2]!.matchAll(/(\w+)(\??): ([^;]+)/g)].map((field) => field[1]! + field[2]!)];
    }),
  );
}

/** By command: the words in code that stand in the tables beside it. */
function documented(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, names, fields] of document.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| (.*?) \|/gm)) {
    for (const [, name] of names!.matchAll(/`(\w+)`/g)) found.set(name!, [...fields!.matchAll(/`(\w+\??)`/g)].map((field) => field[1]!));
  }
  // the heads of the tables
  found.delete('cmd');
  return found;
}

describe('the list of commands', () => {
  it('is written as its head says, each command once', () => {
    const names = [...listed().keys()];
    expect(names.length).toBeGreaterThan(40);
    expect(names.sort()).toEqual(Object.keys(answerGuards).sort());
  });

  it('has the commands that the document has', () => {
    const known = new Set(listed().keys());
    expect([...documented().keys()].filter((name) => !known.has(name))).toEqual([]);
    expect([...known].filter((name) => !documented().has(name))).toEqual([]);
  });

  it('has the fields that the document has', () => {
    for (const [name, fields] of listed()) {
      const told = documented().get(name) ?? [];
      // of several that exclude each other none is marked
      for (const field of fields) expect([field, field.replace('?', '')].some((word) => told.includes(word)), `${name}: ${field}`).toBe(true);
    }
  });
});

describe('types of commands', () => {
  it('know what must be there', () => {
    expectTypeOf<{ rod: string; length: number }>().toMatchTypeOf<Args<'set_length'>>();
    expectTypeOf<{ rod: string }>().not.toMatchTypeOf<Args<'set_length'>>();
    expectTypeOf<{ rod: string; length: string }>().not.toMatchTypeOf<Args<'set_length'>>();
    expectTypeOf<{ hand: string }>().not.toMatchTypeOf<Args<'grab'>>();
    expectTypeOf<{ hand: string; body: string; reach: true }>().toMatchTypeOf<Args<'grab'>>();
    expectTypeOf<{ hand: string; rod: string }>().not.toMatchTypeOf<Args<'grab'>>();
    expectTypeOf<'lift'>().not.toMatchTypeOf<CommandName>();
    expectTypeOf<'undo'>().toMatchTypeOf<BareCommand>();
    expectTypeOf<'set'>().not.toMatchTypeOf<BareCommand>();
    expectTypeOf<'open'>().not.toMatchTypeOf<BareCommand>();
  });

  it('know what comes back', () => {
    expectTypeOf<Answer<'split'>['second']>().toEqualTypeOf<string>();
    expectTypeOf<Answer<'move'>['stopped']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Answer<'history'>['rows']>().toEqualTypeOf<(number | null)[][]>();
    expectTypeOf<Answer<'pause'>>().not.toHaveProperty('rod');
  });
});

describe('answers', () => {
  const taken = { frame: 7, kind: 'hold', name: 'end', position: [0, 0, 1], orientation: [1, 0, 0, 0], turns: 0.5 };

  it('come through as they are, whatever else they have', () => {
    const answer = { ...taken, type: 'reply', ok: true, newer: {} };
    expect(checked(answer, answerGuards.grab, 'answer')).toBe(answer);
  });

  it.each([
    ['frame', undefined],
    ['kind', 'rope'],
    ['name', 3],
    ['position', [0, 0]],
    ['position', [0, null, 1]],
    ['orientation', null],
    ['turns', '0.5'],
  ])('are refused with the place that is wrong: %s as %j', (key, value) => {
    expect(() => checked({ ...taken, [key]: value }, answerGuards.grab, 'answer')).toThrow(`'${key}'`);
  });

  it('say the whole way to what is wrong', () => {
    const guard: Guard<unknown> = answerGuards.compare;
    const answer = { frame: 1, converged: true, why: '', rods: [{ name: 'a', positions: [[0, 0, 0], [0, 0, null]], distance: 0 }] };
    expect(() => checked(answer, guard, 'answer to «compare»')).toThrow("the server's answer to «compare» is not understood at 'rods.0.positions.1'");
  });
});
