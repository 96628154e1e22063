// Messages of the server as they come in.
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../src/protocol/guard';
import { readMessage } from '../src/protocol/messages';

const state = {
  type: 'state', revision: 12, frame: 812, time: 1.25, playing: false, speed: 1, real_time: 1,
  document: { name: 'hose', path: '', dirty: true }, undo: { depth: 3, label: 'move' }, redo: { depth: 0, label: '' }, clients: 1,
  solve: { kind: 'settle', converged: true, stable: null, why: '', iterations: 4, residual: null, ms: 0.8 },
  loop: { rate: 60, jitter_ms: { median: 0.1, p99: 0.6, max: 2 }, late: 0 },
  alarms: [{ name: 'tension', object: "rope 'a'", kind: 'rope', target: 'a', value: null, limit: 1, bound: 'most', unit: 'N', s: 0, position: null, violated: false }],
  left_behind: { name: 'hose', when: '2026-11-17 03:58' }, lengths: [], grabbed: [], turns: [], reels: [{ rope: 'a', speed: 0.1 }], winches: [], ropes: [{ name: 'a', length: 1, tension: null, broken: false }],
};

const read = (message: unknown): unknown => readMessage(JSON.stringify(message));

describe('readMessage', () => {
  it('takes a state with all that may be null', () => {
    expect(read(state)).toEqual(state);
  });

  it.each([
    ['undo.depth', { ...state, undo: { depth: '3', label: '' } }],
    ['solve.kind', { ...state, solve: { ...state.solve, kind: 'guess' } }],
    ['loop.jitter_ms.max', { ...state, loop: { rate: 60, jitter_ms: { median: 0, p99: 0 } } }],
    ['alarms.0.position', { ...state, alarms: [{ ...state.alarms[0], position: [0, 0] }] }],
    ['reels.0.rope', { ...state, reels: [{ rope: 3, speed: 0.1 }] }],
  ])('refuses a state that is wrong at %s, and says so', (where, message) => {
    expect(() => read(message)).toThrow(`the server's state is not understood at '${where}'`);
  });

  it('knows replies, and those to nobody', () => {
    expect(read({ type: 'reply', id: null, cmd: null, ok: false, error: 'this is not JSON' })).toMatchObject({ id: null, ok: false });
    expect(() => read({ type: 'reply', id: 'seven', ok: true })).toThrow("'id'");
    expect(read({ type: 'reply', id: 7, ok: false, error: 'there is such a file already', exists: true })).toMatchObject({ exists: true });
    expect(() => read({ type: 'reply', id: 7, ok: false, exists: 'yes' })).toThrow("'exists'");
  });

  it('passes over kinds of a newer server', () => {
    expect(read({ type: 'weather', wind: 3 })).toBeUndefined();
  });

  it.each(['3', 'null', '[]', '{}', '{"type": 4}'])('refuses %s', (said) => {
    expect(() => readMessage(said)).toThrow(ProtocolError);
  });

  it('refuses what is no JSON', () => {
    expect(() => readMessage('{"type"')).toThrow(SyntaxError);
  });
});
