import { Ray, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { nearestOnLine, unwrap } from '../src/hands/pointing';

describe('nearestOnLine', () => {
  it('is where the ray crosses the line', () => {
    const ray = new Ray(new Vector3(3, -5, 0), new Vector3(0, 1, 0));
    expect(nearestOnLine(ray, new Vector3(0, 0, 0), new Vector3(1, 0, 0))!.toArray()).toEqual([3, 0, 0]);
  });

  it('is the foot of the common perpendicular of skew lines', () => {
    const ray = new Ray(new Vector3(2, -5, 7), new Vector3(0, 1, 0));
    expect(nearestOnLine(ray, new Vector3(0, 0, 0), new Vector3(1, 0, 0))!.toArray()).toEqual([2, 0, 0]);
  });

  it('says nothing when the line points at the eye', () => {
    const ray = new Ray(new Vector3(0, -5, 0), new Vector3(0, 1, 0));
    expect(nearestOnLine(ray, new Vector3(), new Vector3(0, 1, 0))).toBeUndefined();
  });
});

describe('unwrap', () => {
  it('counts on beyond full turns', () => {
    let last = 0;
    for (const degrees of [100, 170, -170, -100, 0, 100]) last = unwrap((degrees * Math.PI) / 180, last);
    expect(last).toBeCloseTo((460 * Math.PI) / 180, 9);
  });
});
