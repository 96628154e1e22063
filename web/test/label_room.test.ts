// Words that do not lie on one another.
import { expect, it } from 'vitest';
import { LabelRoom } from '../src/view/label_room';

it('lets words stand where they belong, and moves those that would lie on others by whole lines', () => {
  const room = new LabelRoom();
  expect(room.take(100, 50, 80, 20)).toBe(0);
  // beside, and below
  expect(room.take(180, 50, 80, 20)).toBe(0);
  expect(room.take(100, 70, 80, 20)).toBe(0);
  // over the first and the third: the next free line
  expect(room.take(110, 55, 60, 20)).toBe(40);
  // upwards
  expect(room.take(110, 55, 60, -20)).toBe(-40);
  room.clear();
  expect(room.take(110, 55, 60, 20)).toBe(0);
});

it('leaves words where they belong when there is no room near by', () => {
  const room = new LabelRoom();
  const rows = Array.from({ length: 7 }, () => room.take(0, 0, 50, 20));
  expect(rows).toEqual([0, 20, 40, 60, 80, 0, 0]);
});
