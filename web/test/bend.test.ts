import { expect, it } from 'vitest';
import { smallestBend } from '../src/model/bend';

it('is the radius of a circle, and infinite on a line', () => {
  const circle = Array.from({ length: 9 }, (_, k) => [0.3 * Math.cos(0.2 * k), 0.3 * Math.sin(0.2 * k), 1]).flat();
  expect(smallestBend(circle)).toBeCloseTo(0.3, 9);
  expect(smallestBend([0, 0, 0, 1, 0, 0, 3, 0, 0])).toBe(Infinity);
  expect(smallestBend([])).toBe(Infinity);
});
