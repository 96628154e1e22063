// What a press on something takes in the hand, and where that is.
import { Vector3 } from 'three';
import { poseOf } from '../model/selection';
import { inScene, scene } from '../model/store';
import type { Grabbable } from '../protocol/commands';
import type { Hit } from '../view/pick';

/** What is taken; undefined: it cannot be. */
export function grabbed(hit: Hit): Grabbable | undefined {
  const { thing } = hit;
  if (thing.kind === 'hold') return { hold: thing.name };
  if (thing.kind === 'rod') return { rod: thing.name, s: inScene(thing.name, thing.s ?? 0) };
  if (thing.kind === 'body') return { body: thing.name };
  if (thing.kind === 'junction') {
    const first = scene.peek()?.junctions.find((junction) => junction.name === thing.name)?.rods[0];
    return first && { rod: first.rod, s: first.s };
  }
  return undefined;
}

/** Where what is taken is; of a cable, the point that was hit. */
export function positionOf(hit: Hit): Vector3 {
  const pose = poseOf(hit.thing);
  return pose ? new Vector3().fromArray(pose.position) : hit.point.clone();
}
