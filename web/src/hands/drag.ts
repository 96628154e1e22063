// Dragging with the pointer: a thing follows it in the plane that faces the camera, along an axis, or in a plane of two;
// with a key it turns or twists instead.
import { Plane, Quaternion, Ray, Vector3, type PerspectiveCamera } from 'three';
import * as prefs from '../model/prefs';
import { quatFrom, quaternionOf } from '../model/quaternions';
import { playing } from '../model/store';
import type { Grabbable } from '../protocol/commands';
import { Mover } from './mover';
import { nearestOnLine } from './pointing';

export type Constraint = 'free' | 'x' | 'y' | 'z' | 'yz' | 'xz' | 'xy';
export type Motion = 'move' | 'turn' | 'twist';

const axes = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };
/** normals of the planes of two axes */
const normals = { yz: axes.x, xz: axes.y, xy: axes.z };
/** radians and turns per pixel */
const TURN_RATE = 0.008;
const TWIST_RATE = 0.004;

/** Whether a point of a cable that is dropped now stays held there, unless Shift says otherwise. */
export function prefersAttached(): boolean {
  return prefs.dropAttaches.peek() && !playing.peek();
}

export class Drag {
  readonly mover: Mover;
  constraint: Constraint = 'free';
  private motion: Motion = 'move';
  /** where thing and pointer were when this movement began */
  private readonly start: Vector3;
  private readonly startRay: Ray;
  private readonly grip: Vector3;
  private readonly target: Vector3;
  private readonly towards = new Vector3();
  private readonly turned = new Quaternion();
  private orientation: Quaternion | undefined;
  private turns = 0;
  private anchorNext = false;
  /** when the pointer was where it is now */
  private began = 0;

  constructor(hand: string, what: Grabbable, position: Vector3, grip: Vector3, private readonly camera: PerspectiveCamera, options: { pull?: boolean; reach?: boolean }) {
    this.mover = new Mover(hand, what, options);
    this.start = position.clone();
    this.target = position.clone();
    this.grip = grip.clone();
    this.startRay = new Ray(camera.position.clone(), grip.clone().sub(camera.position).normalize());
    camera.getWorldDirection(this.towards);
    void this.mover.taken.then((taken) => {
      if (!taken) return;
      this.orientation = quaternionOf(taken.orientation);
      this.turns += taken.turns;
    });
  }

  /** The pointer is at a new place, so many pixels from the last. */
  follow(ray: Ray, dx: number, dy: number, began: number): void {
    this.began = began;
    if (this.motion === 'turn') this.turn(dx, dy);
    else if (this.motion === 'twist') this.twist(dx);
    else this.moveTo(ray);
  }

  /** Along the line of sight by this share of the distance: the wheel while dragging. */
  deepen(share: number): void {
    this.began = performance.now();
    const by = share * this.camera.position.distanceTo(this.grip);
    for (const point of [this.start, this.target, this.grip]) point.addScaledVector(this.towards, by);
    this.send();
  }

  /** Turn or twist while a key is held, then move on from there. */
  set doing(motion: Motion) {
    if (this.motion !== 'move' && motion === 'move') this.anchorNext = true;
    this.motion = motion;
  }

  /** Along an axis or in a plane; the same again frees it. */
  constrain(to: Constraint): void {
    this.constraint = this.constraint === to ? 'free' : to;
  }

  /** A point of a cable stays held where it is dropped, or not: as preferred, the other way with Shift. Over a body it is held to that. */
  drop(shift: boolean, body?: string): Promise<string | undefined> {
    return this.mover.drop(prefersAttached() !== shift, body);
  }

  private moveTo(ray: Ray): void {
    if (this.anchorNext) {
      this.anchorNext = false;
      this.startRay.copy(ray);
      this.start.copy(this.target);
      this.grip.copy(this.target);
    }
    const before = this.under(this.startRay);
    const now = this.under(ray);
    if (!before || !now) return;
    this.target.copy(this.start).add(now).sub(before);
    this.send();
  }

  /** What a ray meets of the line or plane that the thing may move in. */
  private under(ray: Ray): Vector3 | undefined {
    const c = this.constraint;
    if (c === 'x' || c === 'y' || c === 'z') return nearestOnLine(ray, this.start, axes[c]);
    const plane = c === 'free'
      ? new Plane().setFromNormalAndCoplanarPoint(this.towards, this.grip)
      : new Plane().setFromNormalAndCoplanarPoint(normals[c], this.start);
    return ray.intersectPlane(plane, new Vector3()) ?? undefined;
  }

  private turn(dx: number, dy: number): void {
    if (!this.orientation) return;
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    this.turned.premultiply(new Quaternion().setFromAxisAngle(up, dx * TURN_RATE));
    this.turned.premultiply(new Quaternion().setFromAxisAngle(right, dy * TURN_RATE));
    this.mover.move({ orientation: quatFrom(this.turned.clone().multiply(this.orientation)) }, this.began);
  }

  private twist(dx: number): void {
    this.turns += dx * TWIST_RATE;
    this.mover.move({ turns: this.turns }, this.began);
  }

  private send(): void {
    this.mover.move({ position: this.target.toArray() }, this.began);
  }
}
