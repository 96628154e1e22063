import { describe, expect, it } from 'vitest';
import { valuesAt } from '../src/model/drive';
import type { Driver } from '../src/protocol/scene';
import { keyframeWith } from './support/things';

const driver: Driver = {
  path: 'drivers.0', kind: 'hold', target: 'end',
  keys: [keyframeWith({ position: [0, 0, 0] }), keyframeWith({ t: 1, turns: 4 }), keyframeWith({ t: 2, position: [2, 0, -2], turns: 8 })],
};

describe('valuesAt', () => {
  it('is linear between the keys that name a value', () => {
    expect(valuesAt(driver, 1)).toEqual({ position: [1, 0, -1], turns: 4 });
    expect(valuesAt(driver, 1.5).turns).toBe(6);
  });

  it('rests before the first and after the last', () => {
    expect(valuesAt(driver, -1)).toEqual({ position: [0, 0, 0], turns: 4 });
    expect(valuesAt(driver, 9)).toEqual({ position: [2, 0, -2], turns: 8 });
  });

  it('turns by the shortest way', () => {
    const h = Math.SQRT1_2;
    const turning: Driver = { path: '', kind: 'body', target: 'b', keys: [keyframeWith({ orientation: [1, 0, 0, 0] }), keyframeWith({ t: 1, orientation: [-h, 0, 0, -h] })] };
    const [w, x, y, z] = valuesAt(turning, 0.5).orientation!;
    expect(Math.abs(w)).toBeCloseTo(Math.cos(Math.PI / 8), 6);
    expect([x, y]).toEqual([0, 0]);
    expect(w * z).toBeGreaterThan(0);
  });
});
