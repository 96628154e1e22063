// The page's part of undo: when it asks, and what it makes one thing to undo.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HoldFrame } from '../src/protocol/frame';
import { FakeSocket, sceneWith, settled, stateWith, stubBrowser } from './support/server';
import { holdWith } from './support/things';

// modules of the page look at it as they load
stubBrowser();

const { connect, tell } = await import('../src/model/session');
const { asOne, idle, undo, redo, newGesture } = await import('../src/model/undo');
const { Live } = await import('../src/model/live');
const { Nudge } = await import('../src/hands/nudge');
const { frame, scene, state } = await import('../src/model/store');
const { selection } = await import('../src/model/selection');
const { notices, problems } = await import('../src/model/trouble');

let socket: FakeSocket;
beforeEach(async () => {
  vi.useFakeTimers();
  socket?.break();
  connect();
  socket = FakeSocket.last;
  await socket.greet();
  state.value = undefined;
  notices.value = [];
  problems.value = {};
});
afterEach(() => vi.useRealTimers());

describe('undo and redo', () => {
  it('ask for nothing where there is nothing', async () => {
    await undo();
    await redo();
    socket.say(stateWith({ undo: { depth: 0, label: '' } }));
    await undo();
    await redo();
    expect(socket.sent).toEqual([]);
  });

  it('ask the server, each for its own', async () => {
    socket.say(stateWith({ undo: { depth: 2, label: 'move' } }));
    void undo();
    void redo();
    expect(socket.commands()).toEqual([{ cmd: 'undo' }]);
    socket.say(stateWith({ redo: { depth: 1, label: 'move' } }));
    void undo();
    void redo();
    expect(socket.commands()).toEqual([{ cmd: 'undo' }, { cmd: 'redo' }]);
  });

  it('tell when the server refuses', async () => {
    socket.say(stateWith({ undo: { depth: 1, label: '' } }));
    const done = undo();
    await socket.refuse('there is nothing to undo');
    await done;
    expect(notices.value.map(({ text }) => text)).toEqual(['there is nothing to undo']);
  });
});

describe('what takes several commands', () => {
  it('is undone once all of it is done', async () => {
    socket.say(stateWith({ undo: { depth: 1, label: 'move' } }));
    const copied = asOne('paste', async (gesture) => {
      await tell('set_length', { rod: 'a', length: 1, gesture });
      await tell('set_length', { rod: 'b', length: 1, gesture });
    });
    expect(idle()).toBe(false);
    void undo();
    await settled();
    expect(socket.sent.map(({ cmd, rod }) => [cmd, rod])).toEqual([['set_length', 'a']]);
    await socket.answer();
    await socket.answer();
    await copied;
    await settled();
    expect(socket.sent.map(({ cmd, rod }) => [cmd, rod])).toEqual([['set_length', 'a'], ['set_length', 'b'], ['undo', undefined]]);
    expect(new Set(socket.sent.slice(0, 2).map(({ gesture }) => gesture)).size).toBe(1);
    expect(idle()).toBe(true);
  });

  it('is undone also where a part of it was refused', async () => {
    socket.say(stateWith({ undo: { depth: 1, label: 'move' } }));
    const slider = new Live('set_length', 'rods.a.length');
    slider.send({ rod: 'a', length: 1 });
    slider.send({ rod: 'a', length: 2 });
    void undo();
    await socket.refuse('no');
    await socket.refuse('no');
    expect(socket.sent.map(({ cmd, length }) => [cmd, length])).toEqual([['set_length', 1], ['set_length', 2], ['undo', undefined]]);
  });
});

describe('a slider', () => {
  it('is one gesture from the first to the last, and sends only what is latest', async () => {
    const slider = new Live('set_length', 'rods.hose.length');
    for (const length of [1, 2, 3, 4]) slider.send({ rod: 'hose', length });
    expect(socket.sent.map(({ length }) => length)).toEqual([1]);
    await socket.answer();
    expect(socket.sent.map(({ length }) => length)).toEqual([1, 4]);
    await socket.answer();
    slider.send({ rod: 'hose', length: 5 });
    expect(socket.sent.map(({ length }) => length)).toEqual([1, 4, 5]);
    expect(new Set(socket.sent.map(({ gesture }) => gesture)).size).toBe(1);
  });

  it('is another gesture when it is pulled again', () => {
    new Live('set_length', '').send({ rod: 'hose', length: 1 });
    new Live('set_length', '').send({ rod: 'hose', length: 1 });
    const [first, second] = socket.sent.map(({ gesture }) => gesture);
    expect(first).not.toBe(second);
    expect(newGesture('slider')).not.toBe(newGesture('slider'));
  });

  it('goes on after a refusal, which stands beside its field until it is mended', async () => {
    const slider = new Live('set_length', 'rods.hose.length');
    slider.send({ rod: 'hose', length: -1 });
    slider.send({ rod: 'hose', length: 1 });
    await socket.refuse('too short');
    expect(problems.value).toEqual({ 'rods.hose.length': 'too short' });
    expect(socket.sent.map(({ length }) => length)).toEqual([-1, 1]);
    await socket.answer();
    expect(problems.value).toEqual({});
  });

  it('is not stuck when the connection breaks', async () => {
    const slider = new Live('set_length', 'rods.hose.length');
    slider.send({ rod: 'hose', length: 1 });
    socket.break();
    await settled();
    slider.send({ rod: 'hose', length: 2 });
    slider.send({ rod: 'hose', length: 3 });
    connect();
    socket = FakeSocket.last;
    socket.onopen?.();
    // the same server: what it did not answer is said again under its number, then the latest
    const before = socket.sent.length;
    socket.say({ type: 'hello', version: '0', process: 1, file_folder: '/', channels: [], formulations: [], materials: [] });
    const changes = () => socket.sent.slice(before).filter(({ cmd }) => cmd === 'set_length');
    expect(changes().map(({ length }) => length)).toEqual([1]);
    socket.say({ type: 'reply', id: changes()[0]!.id, ok: true });
    await settled();
    expect(changes().map(({ length }) => length)).toEqual([1, 3]);
    expect(changes()[1]!['change']).toBe(Number(changes()[0]!['change']) + 1);
  });
});

describe('keys that move a hold', () => {
  const taken = { kind: 'hold', name: 'end', position: [0, 0, 0], orientation: [1, 0, 0, 0], turns: 0.5 };
  const view = { stage: { grid: { step: 0.2 }, camera: {} } };

  /** Keys up, down and twist ask nothing of the camera. */
  function nudge(): InstanceType<typeof Nudge> {
    return new Nudge(view as never);
  }
  const press = (keys: InstanceType<typeof Nudge>, key: string, more: object = {}): boolean => keys.key({ key, shiftKey: false, altKey: false, ...more } as KeyboardEvent);

  beforeEach(() => {
    scene.value = sceneWith({ holds: [holdWith({})] });
    frame.holds = [Object.assign(new HoldFrame(), { turns: 0.5 })];
    selection.value = { kind: 'hold', name: 'end' };
  });

  it('are one grab and one drop, however many there are', async () => {
    const keys = nudge();
    for (let k = 0; k < 3; ++k) {
      expect(press(keys, 'ArrowUp')).toBe(true);
      vi.advanceTimersByTime(500);
    }
    expect(socket.sent.map(({ cmd }) => cmd)).toEqual(['grab', 'move', 'move']);
    await socket.answer(taken, 2);
    await socket.answer({}, 1);
    // the third, which waited, is where all three lead
    expect(socket.commands(3)).toEqual([{ cmd: 'move', hand: 'keys', position: [0, 0, expect.closeTo(0.03, 9)] }]);
    vi.advanceTimersByTime(600);
    expect(socket.commands(4)).toEqual([{ cmd: 'drop', hand: 'keys', attach: false }]);
  });

  it('leave nothing out that waits', async () => {
    const keys = nudge();
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', ']']) press(keys, key);
    // the first goes at once; the others wait for the next picture and go together
    expect(socket.sent.map(({ cmd }) => cmd)).toEqual(['grab', 'move']);
    vi.advanceTimersByTime(20);
    expect(socket.commands(2)).toEqual([{ cmd: 'move', hand: 'keys', position: [0, 0, expect.closeTo(0.03, 9)], turns: 0.5 + 1 / 24 }]);
    keys.end();
  });

  it('begin anew after a pause, and before something else is done', () => {
    const keys = nudge();
    press(keys, ']');
    vi.advanceTimersByTime(601);
    press(keys, '[', { shiftKey: true });
    keys.end();
    expect(socket.sent.map(({ cmd }) => cmd)).toEqual(['grab', 'move', 'drop', 'grab', 'move', 'drop']);
    expect(socket.sent.filter(({ cmd }) => cmd === 'move').map(({ turns }) => turns)).toEqual([0.5 + 1 / 24, 0.5 - 10 / 24]);
  });

  it('are left alone where nothing is selected that moves', () => {
    selection.value = { kind: 'scene' };
    expect(press(nudge(), 'ArrowUp')).toBe(false);
    selection.value = { kind: 'hold', name: 'gone' };
    expect(press(nudge(), 'ArrowUp')).toBe(false);
    selection.value = { kind: 'hold', name: 'end' };
    expect(press(nudge(), 'q')).toBe(false);
    expect(socket.sent).toEqual([]);
  });
});

describe('answers', () => {
  it('go to those who asked, in whatever order they come', async () => {
    const first = tell('text');
    const second = tell('find_length', { rod: 'hose' });
    await socket.answer({ length: 0.5 });
    await socket.answer({ text: 'rods: {}' }, 1);
    expect((await first)?.text).toBe('rods: {}');
    expect((await second)?.length).toBe(0.5);
  });

  it('that are not understood are errors of the command', async () => {
    const asked = tell('find_length', { rod: 'hose' }, 'here');
    await socket.answer({ length: null });
    expect(await asked).toBeUndefined();
    expect(problems.value['here']).toBe("the server's answer to «find_length» is not understood at 'length'");
  });

  it('and messages that cannot be read are told, and change nothing', () => {
    socket.say(stateWith({ clients: 3 }));
    socket.say({ type: 'state', playing: 'yes' });
    expect(state.value?.clients).toBe(3);
    expect(notices.value.map(({ text }) => text)).toEqual(["the server's state is not understood at 'playing'"]);
  });
});
