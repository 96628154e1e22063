import { describe, expect, it } from 'vitest';
import { detailOf, nextDetail } from '../src/view/detail';

describe('the detail of a cable', () => {
  it('is all there is from near, and little from afar', () => {
    expect(detailOf(60)).toEqual({ sides: 14, between: 3 });
    expect(detailOf(16, 20, 40)).toEqual({ sides: 14, between: 6 });
    expect(detailOf(60, 2.2, 5)).toEqual({ sides: 6, between: 1 });
  });

  it('is one of several points where a cable is nearly straight', () => {
    expect(detailOf(60, 2.2, 6, 0)).toEqual({ sides: 6, between: 1 / 8 });
    expect(detailOf(60, 2.2, 6, 0.02).between).toBe(1 / 4);
    expect(detailOf(60, 2.2, 6, 0.5).between).toBe(2);
    for (let turn = 0.001; turn < 0.5; turn *= 1.3) {
      const { between } = detailOf(60, 2.2, 6, turn);
      if (between <= 1) expect((6 * turn) / between / between / 8).toBeLessThanOrEqual(0.25);
    }
  });

  it('is off the round skin by less than half a pixel', () => {
    for (let radius = 0.5; radius < 14; radius += 0.1) expect(radius * (1 - Math.cos(Math.PI / detailOf(60, radius).sides))).toBeLessThan(0.5);
  });

  it('stays as it is for a little nearer or farther', () => {
    const near = nextDetail(undefined, 60, 7.1, 20);
    expect(near.sides).toBe(14);
    expect(nextDetail(near, 60, 6, 20)).toBe(near);
    expect(nextDetail(near, 60, 4, 20).sides).toBe(10);
    const far = nextDetail(undefined, 60, 6.9, 20);
    expect(nextDetail(far, 60, 7.1, 20).sides).toBe(14);
  });
});
