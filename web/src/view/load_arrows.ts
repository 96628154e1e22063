// Arrows for forces and moments of holds, of what rods touch, and for the scene's loads. So long is 1, 2 or 5 times a power of ten, just above the
// largest of its kind, so that the others keep their lengths while one of them changes.
import { Group, Vector3 } from 'three';
import { inSteps, roundAbove } from '../model/numbers';
import { showForces, showMoments } from '../model/prefs';
import { bodyFrame, rodFrame } from '../model/store';
import type { FrameStore, HoldFrame } from '../protocol/frame';
import type { SceneMessage } from '../protocol/scene';
import { pointAlong } from './along';
import { Arrows } from './arrows';

/** At most, and of all, over the size of the scene. */
const LENGTH = 0.32;
const THICKNESS = 0.006;
/** Of contacts, of which there may be many side by side. */
const TOUCH = { length: 0.12, thickness: 0.003 };
/** Share of the largest below which an arrow is not worth a word. */
const SMALL = 0.02;

export class LoadArrows {
  readonly group = new Group();
  private readonly forces = new Arrows('#ff6b5e', false);
  private readonly moments = new Arrows('#b98cff', true);
  private readonly loads = new Arrows('#f4d35e', false);
  private readonly touches = new Arrows('#4dd0c4', false);
  private readonly at = new Vector3();
  private readonly vector = new Vector3();
  /** what is as long as the longest: N, N m, N */
  private readonly full = { force: 0, moment: 0, touch: 0 };
  /** m of arrow per N and per N m */
  private scale = { force: 0, moment: 0 };
  private size = 0;

  constructor() {
    this.group.add(this.forces.group, this.moments.group, this.loads.group, this.touches.group);
  }

  /** Takes a new frame. `extent` is that of the whole scene, m. While something is `held` in a hand lengths can be compared from one picture to the next. `busy`: things move. */
  update(frame: FrameStore, scene: SceneMessage, extent: number, held: boolean, busy: boolean): void {
    if (!held || this.size === 0) this.size = inSteps(extent);
    const { size, full } = this;
    let [force, moment] = [1e-9, 1e-12];
    for (const hold of frame.holds) {
      force = Math.max(force, this.vector.fromArray(hold.force).length());
      moment = Math.max(moment, this.vector.fromArray(hold.moment).length());
    }
    full.force = fullFor(force, full.force, held);
    full.moment = fullFor(moment, full.moment, held);
    this.scale = { force: (LENGTH * size) / full.force, moment: (LENGTH * size) / full.moment };
    this.forces.begin(busy);
    this.moments.begin(busy);
    for (const hold of frame.holds) {
      this.at.fromArray(hold.position);
      if (showForces.peek()) this.forces.add(this.at, this.vector.fromArray(hold.force).multiplyScalar(this.scale.force), THICKNESS * size);
      if (showMoments.peek()) this.moments.add(this.at, this.vector.fromArray(hold.moment).multiplyScalar(this.scale.moment), THICKNESS * size);
    }
    this.forces.end();
    this.moments.end();

    this.touches.begin(busy);
    if (showForces.peek()) this.addTouches(frame.contacts, size, held);
    this.touches.end();

    const perNewton = (LENGTH * size) / scene.forces.reduce((most, load) => Math.max(most, load.force ? this.vector.fromArray(load.force).length() : 0), 1e-9);
    this.loads.begin(busy);
    for (const { rod, s, body, force } of scene.forces) {
      if (force && this.placeOf(rod, s, body)) this.loads.add(this.at, this.vector.fromArray(force).multiplyScalar(perNewton), THICKNESS * size);
    }
    this.loads.end();
  }

  /** Where the arrow of a hold ends. False: it is not shown, or too small to be worth a word. */
  tip(hold: HoldFrame, what: 'force' | 'moment', out: Vector3): boolean {
    if (!(what === 'force' ? showForces : showMoments).peek()) return false;
    const length = out.fromArray(hold[what]).multiplyScalar(this.scale[what]).length();
    out.x += hold.position[0]!;
    out.y += hold.position[1]!;
    out.z += hold.position[2]!;
    return length > SMALL * LENGTH * this.size;
  }

  private addTouches(contacts: Float32Array, size: number, held: boolean): void {
    let hardest = 1e-9;
    for (let k = 0; k < contacts.length; k += 6) hardest = Math.max(hardest, this.vector.fromArray(contacts, k + 3).length());
    this.full.touch = fullFor(hardest, this.full.touch, held);
    for (let k = 0; k < contacts.length; k += 6) {
      this.vector.fromArray(contacts, k + 3).multiplyScalar((TOUCH.length * size) / this.full.touch);
      this.touches.add(this.at.fromArray(contacts, k), this.vector, TOUCH.thickness * size);
    }
  }

  private placeOf(rod: string, s: number, body: string): boolean {
    const [bent, carried] = [rodFrame(rod), bodyFrame(body)];
    if (bent && bent.count > 1) pointAlong(bent, s, this.at);
    else if (carried) this.at.fromArray(carried.position);
    else return false;
    return true;
  }
}

/** What the longest arrow stands for, with this as the largest value; in a hand it stays until arrows are twice as long. */
function fullFor(most: number, before: number, held: boolean): number {
  if (!held || before === 0) return roundAbove(most);
  let full = before;
  while (most > 2 * full) full *= 10;
  return full;
}
