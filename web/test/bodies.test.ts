import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { bodyGeometry } from '../src/view/bodies';

const nothing = { box: [0, 0, 0] as const, sphere: 0, round: [0, 0] as const };

/** Its edges along x, y, z. */
function size(body: Parameters<typeof bodyGeometry>[0]): number[] {
  const geometry = bodyGeometry(body, 0.02);
  geometry.computeBoundingBox();
  return geometry.boundingBox!.getSize(new Vector3()).toArray();
}

test.each([
  ['box', { ...nothing, kind: 'box' as const, box: [1, 2, 3] as const }, [1, 2, 3]],
  ['point', { ...nothing, kind: 'box' as const }, [0.04, 0.04, 0.04]],
  ['ball', { ...nothing, kind: 'sphere' as const, sphere: 0.5 }, [1, 1, 1]],
  ['cylinder', { ...nothing, kind: 'cylinder' as const, round: [0.25, 2] as const }, [0.5, 0.5, 2]],
  ['capsule', { ...nothing, kind: 'capsule' as const, round: [0.25, 2] as const }, [0.5, 0.5, 2.5]],
])('a %s is as large as the scene says, along its own axes', (_, body, edges) => {
  size(body as Parameters<typeof bodyGeometry>[0]).forEach((edge, k) => expect(edge).toBeCloseTo(edges[k]!, 2));
});
