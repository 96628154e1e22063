// A thing in a hand that knows its whole pose, a cap or a controller: moved and, where it has a direction, turned.
import { Quaternion, Vector3 } from 'three';
import { quatFrom, quaternionOf } from '../model/quaternions';
import { poseOf, type Thing } from '../model/selection';
import { scene } from '../model/store';
import type { Grabbable } from '../protocol/commands';
import { prefersAttached } from './drag';
import { Mover } from './mover';

/** Whether a hand can turn it: a hold of the direction, or a body. */
function turns(thing: Thing): boolean {
  if (thing.kind === 'body') return true;
  const hold = thing.kind === 'hold' ? scene.peek()?.holds.find(({ name }) => name === thing.name) : undefined;
  return hold !== undefined && hold.body === '' && hold.fix.orientation.every(Boolean);
}

export class Carried {
  readonly position = new Vector3();
  readonly turn = new Quaternion();
  private readonly start: Quaternion | undefined;
  private readonly mover: Mover;

  constructor(hand: string, private readonly thing: Thing, what: Grabbable, from: Vector3) {
    const pose = poseOf(thing);
    this.position.copy(from);
    this.start = pose && turns(thing) ? quaternionOf(pose.orientation) : undefined;
    this.mover = new Mover(hand, what, 'body' in what ? { reach: true } : {});
  }

  /** Sends where it is to be: `position`, and turned by `turn` against how it was taken. */
  send(): void {
    this.mover.move({ position: this.position.toArray(), ...(this.start && { orientation: quatFrom(this.turn.clone().multiply(this.start)) }) });
  }

  /** Lets go; a point of a cable stays attached as is preferred, to a body if there is one. */
  drop(body?: string): void {
    void this.mover.drop(this.thing.kind === 'rod' && prefersAttached(), body);
  }
}
