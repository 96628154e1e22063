// Flights of the camera: to where a box or a sphere fills the picture, on an arc around what is looked at.
import { Vector3, type Box3, type PerspectiveCamera } from 'three';
import type { OrbitControls } from 'three/addons/controls/OrbitControls.js';

/** Milliseconds a flight takes. */
const DURATION = 420;
/** Room around what is framed. */
const MARGIN = 1.35;

export class CameraFlight {
  private course: { start: number; from: Vector3; to: Vector3; fromTarget: Vector3; toTarget: Vector3 } | undefined;

  constructor(
    private readonly camera: PerspectiveCamera,
    private readonly controls: OrbitControls,
    private readonly changed: () => void,
  ) {}

  get underWay(): boolean {
    return this.course !== undefined;
  }

  /** To where the whole box is in the picture. `direction` points from the target to the camera; without one it stays. */
  toBox(box: Box3, direction: Vector3 | undefined, instant: boolean): void {
    const away = direction ? direction.clone().normalize() : this.away();
    const centre = box.getCenter(new Vector3());
    this.begin(centre, centre.clone().addScaledVector(away, this.fittingDistance(box, centre, away)), instant);
  }

  /** To a place that is known, looking at a point. */
  to(target: Vector3, position: Vector3): void {
    this.begin(target, position, false);
  }

  /** To where a sphere fills the picture, looking from where the camera looks from now. */
  toSphere(centre: Vector3, radius: number): void {
    const distance = radius / Math.sin((this.camera.fov * Math.PI) / 360);
    this.begin(centre, centre.clone().addScaledVector(this.away(), distance), false);
  }

  /** Goes on to where the camera is to be at this time. */
  advance(now: number): void {
    const course = this.course;
    if (!course) return;
    const u = Math.min((now - course.start) / DURATION, 1);
    const ease = u * u * (3 - 2 * u);
    this.controls.target.lerpVectors(course.fromTarget, course.toTarget, ease);
    // on an arc around the moving target, not through it
    const from = course.from.clone().sub(course.fromTarget);
    const to = course.to.clone().sub(course.toTarget);
    const length = from.length() + ease * (to.length() - from.length());
    const offset = from.normalize().lerp(to.normalize(), ease);
    if (offset.lengthSq() < 1e-6) offset.copy(to);
    this.camera.position.copy(this.controls.target).addScaledVector(offset.normalize(), length);
    this.camera.lookAt(this.controls.target);
    this.changed();
    if (u < 1) return;
    this.course = undefined;
    this.controls.update();
  }

  private away(): Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  /** How far the camera must be for every corner of the box to be in the picture. */
  private fittingDistance({ min, max }: Box3, centre: Vector3, away: Vector3): number {
    const right = new Vector3(0, 0, 1).cross(away).normalize();
    const up = new Vector3().crossVectors(away, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) / MARGIN;
    const wide = tall * this.camera.aspect;
    const corner = new Vector3();
    let distance = 0.2 * Math.max(0.5 * min.distanceTo(max), 1e-4);
    for (let k = 0; k < 8; ++k) {
      corner.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).sub(centre);
      distance = Math.max(distance, corner.dot(away) + Math.abs(corner.dot(right)) / wide, corner.dot(away) + Math.abs(corner.dot(up)) / tall);
    }
    return distance;
  }

  private begin(target: Vector3, to: Vector3, instant: boolean): void {
    this.course = { start: instant ? -Infinity : performance.now(), from: this.camera.position.clone(), to, fromTarget: this.controls.target.clone(), toTarget: target.clone() };
    this.changed();
  }
}
