// What the plots over time are drawn from: rows of frames, and those that the server recorded.
import { beforeEach, describe, expect, it } from 'vitest';
import { History, sameColumns } from '../src/model/history';
import { FrameStore, HoldFrame, RodFrame } from '../src/protocol/frame';
import { sceneWith } from './support/server';
import { holdWith, rodWith } from './support/things';

const rod = rodWith({});
const hold = holdWith({ fix: { position: [true, true, true], orientation: [false, false, false] } });
const scene = sceneWith({ rods: [rod], holds: [hold] });

function frameOf(number: number, parts: Partial<RodFrame> = {}): FrameStore {
  const frame = new FrameStore();
  Object.assign(frame, { number, revision: 1, time: number / 10 });
  frame.rods = [Object.assign(new RodFrame(), { turns: 0.5, maxTension: 12, minBendRadius: 0.2, ...parts })];
  const held = new HoldFrame();
  held.force.set([3, 4, 0]);
  frame.holds = [held];
  return frame;
}

let history: History;
beforeEach(() => {
  history = new History();
  history.begin(scene);
});

describe('History', () => {
  it('has a column for everything of the scene', () => {
    expect(history.columns.slice(8)).toEqual(['turns hose', 'tension hose', 'bend radius hose', 'force end', 'moment end']);
    history.add(frameOf(3), scene);
    expect(['frame', 't', 'turns hose', 'tension hose', 'bend radius hose', 'force end'].map((name) => history.column(name)?.[0])).toEqual([3, 0.3, 0.5, 12, 0.2, 5]);
    expect(history.column('force of nobody')).toBeUndefined();
  });

  it('takes each frame once, and none of another scene', () => {
    for (const number of [3, 3, 2, 4]) history.add(frameOf(number), scene);
    history.add(Object.assign(frameOf(5), { revision: 2 }), scene);
    expect(history.column('frame')).toEqual([3, 4]);
  });

  it('has null for what is no number', () => {
    history.add(frameOf(1, { minBendRadius: Infinity, maxTension: NaN }), scene);
    expect([history.column('bend radius hose'), history.column('tension hose'), history.column('turns hose')]).toEqual([[null], [null], [0.5]]);
  });

  it('goes on from what the server recorded', () => {
    const rows = [[7, 0.7], [8, 0.8]].map((row) => [...row, ...Array.from({ length: 11 }, () => 0)]);
    history.load(history.columns, rows);
    for (const number of [8, 9]) history.add(frameOf(number), scene);
    expect(history.column('frame')).toEqual([7, 8, 9]);
    history.load([], []);
    expect(history.column('frame')).toEqual([7, 8, 9]);
  });

  it('thins what is old and keeps what is new', () => {
    for (let number = 1; number <= 4001; ++number) history.add(frameOf(number), scene);
    const frames = history.column('frame')!;
    expect(frames.length).toBe(3001);
    expect(frames.slice(0, 3)).toEqual([1, 3, 5]);
    expect(frames.slice(-3)).toEqual([3999, 4000, 4001]);
    expect(new Set(history.data.map((column) => column.length)).size).toBe(1);
  });

  it('begins anew when rods or holds come or go', () => {
    expect(sameColumns(history, { ...scene, revision: 9, title: 'other' })).toBe(true);
    expect(sameColumns(history, sceneWith({ rods: [rod] }))).toBe(false);
  });
});
