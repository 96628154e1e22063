// Handles at the selected hold, body, obstacle or mesh: moves along axes, turns, twist about the cable, the size of a mesh.
import { effect } from '@preact/signals';
import { Object3D, Quaternion, Vector3 } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { Live } from '../model/live';
import { grip } from '../model/modes';
import { placed } from '../model/obstacles';
import { quatFrom, quaternionOf, setQuaternion } from '../model/quaternions';
import { poseOf, selection } from '../model/selection';
import { frameNumber, scene } from '../model/store';
import type { Grabbable } from '../protocol/commands';
import type { Obstacle } from '../protocol/scene';
import { toScreen } from '../view/screen';
import type { View } from '../view/view';
import { Mover } from './mover';
import { unwrap } from './pointing';

/** Pixels from their middle that the handles reach. */
const REACH = 110;

/** A mesh, and how large it was when the drag began. */
interface MovedMesh {
  live: Live<'place_scenery'>;
  scale: number;
}

/** An obstacle: where it was when the drag began is where its numbers start from. */
interface MovedObstacle {
  live: Live<'set'>;
  obstacle: Obstacle;
}

export class Gizmo {
  private readonly controls: TransformControls;
  private readonly proxy = new Object3D();
  private mover: Mover | undefined;
  /** a mesh is led by the scene's own numbers */
  private item: MovedMesh | undefined;
  /** and so is an obstacle */
  private obstacle: MovedObstacle | undefined;
  /** rotation of the proxy and what the server had, when the drag began */
  private readonly firstTurn = new Quaternion();
  private orientation: Quaternion | undefined;
  private turns = 0;
  private lastAngle = 0;

  constructor(private readonly view: View) {
    const { stage } = view;
    this.controls = new TransformControls(stage.camera, stage.renderer.domElement);
    this.controls.setSize(0.85);
    this.controls.enabled = false;
    stage.scene.add(this.proxy, this.controls.getHelper());
    this.controls.addEventListener('change', () => stage.invalidate());
    this.controls.addEventListener('dragging-changed', (event) => {
      stage.controls.enabled = !event.value;
      if (event.value) this.begin();
      else this.end();
    });
    this.controls.addEventListener('objectChange', () => this.send());
    effect(() => {
      void [selection.value, grip.value, scene.value];
      this.attach();
    });
    // a mesh may come later than its name, and what is drawn is moved only now
    stage.beforeDraw.push(() => {
      if (grip.peek() && this.controls.object === undefined) this.attach();
      else if (!this.mover && !this.item && !this.obstacle) this.place();
    });
    // the handles follow what they belong to, unless they lead it
    effect(() => {
      void frameNumber.value;
      if (!this.mover && !this.item && !this.obstacle) this.place();
    });
  }

  /** Whether a press here is for the handles. A finger does not hover, so that near them is near enough. */
  takes(event: PointerEvent): boolean {
    if (this.controls.object === undefined) return false;
    if (event.pointerType !== 'touch') return this.controls.axis !== null || this.controls.dragging;
    const { renderer, camera } = this.view.stage;
    const at = toScreen(this.proxy.position, camera, renderer.domElement.getBoundingClientRect(), new Vector3());
    return Math.hypot(at.x - event.clientX, at.y - event.clientY) < REACH;
  }

  /** By axis: a point of its handle and the direction that it is pulled in, in the world; empty without handles. */
  handles(): Record<string, { at: Vector3; along: Vector3 }> {
    const mode = grip.peek();
    if (!mode || this.controls.object === undefined) return {};
    const { camera } = this.view.stage;
    const eye = camera.position.clone().sub(this.proxy.position);
    // as three.js sizes its handles, whose rings have a radius of one half
    const reach = 0.5 * eye.length() * Math.min(1.9 * Math.tan((camera.fov * Math.PI) / 360), 7) * (this.controls.size / 4);
    const found: Record<string, { at: Vector3; along: Vector3 }> = {};
    for (const [k, name] of ['x', 'y', 'z'].entries()) {
      if (mode === 'twist' && name !== 'z') continue;
      const axis = new Vector3().setComponent(k, 1);
      if (mode !== 'move') axis.applyQuaternion(this.proxy.quaternion);
      const turning = mode === 'turn' || mode === 'twist';
      const out = turning ? eye.clone().addScaledVector(axis, -eye.dot(axis)).normalize() : axis;
      found[name] = { at: this.proxy.position.clone().addScaledVector(out, reach), along: turning ? axis.clone().cross(out) : axis };
    }
    return found;
  }

  private attach(): void {
    this.attachTo(grip.peek());
    // without handles the pointer is none of their business
    this.controls.enabled = this.controls.object !== undefined;
  }

  private attachTo(mode: typeof grip.value): void {
    if (!mode || !this.place()) {
      this.controls.detach();
      return;
    }
    const twist = mode === 'twist';
    const mesh = selection.peek().kind === 'scenery';
    if (mesh ? twist : mode === 'scale' || (twist && selection.peek().kind === 'obstacle')) {
      this.controls.detach();
      return;
    }
    this.controls.setMode(mode === 'move' ? 'translate' : mode === 'scale' ? 'scale' : 'rotate');
    this.controls.setSpace(mode === 'move' ? 'world' : 'local');
    this.controls.showX = this.controls.showY = !twist;
    this.controls.showE = this.controls.showXYZE = !twist;
    this.controls.attach(this.proxy);
    this.view.stage.invalidate();
  }

  /** Puts the proxy where the selected thing is. */
  private place(): boolean {
    const thing = selection.peek();
    this.proxy.scale.setScalar(1);
    if (thing.kind === 'scenery' || thing.kind === 'obstacle') {
      const holder = this.view.drawnAs(thing);
      if (!holder) return false;
      holder.updateWorldMatrix(true, false);
      holder.getWorldPosition(this.proxy.position);
      holder.getWorldQuaternion(this.proxy.quaternion);
      return true;
    }
    const pose = poseOf(thing);
    if (!pose) return false;
    this.proxy.position.fromArray(pose.position);
    setQuaternion(this.proxy.quaternion, pose.orientation);
    return true;
  }

  private begin(): void {
    const thing = selection.peek();
    if (thing.kind === 'scenery') {
      const item = scene.peek()?.scenery.find(({ name }) => name === thing.name);
      if (item) this.item = { live: new Live('place_scenery', item.path), scale: item.scale };
      return;
    }
    if (thing.kind === 'obstacle') {
      const obstacle = scene.peek()?.obstacles.find(({ path }) => path === thing.path);
      if (obstacle) this.obstacle = { live: new Live('set', obstacle.path), obstacle };
      return;
    }
    if (thing.kind !== 'hold' && thing.kind !== 'body') return;
    const what: Grabbable = thing.kind === 'hold' ? { hold: thing.name } : { body: thing.name };
    const mover = new Mover('gizmo', what);
    this.mover = mover;
    this.orientation = undefined;
    this.firstTurn.copy(this.proxy.quaternion);
    void mover.taken.then((taken) => {
      this.orientation = taken ? quaternionOf(taken.orientation) : this.firstTurn.clone();
      this.turns = taken?.turns ?? 0;
      this.send();
    });
  }

  /** The mesh to where the handles are, seen from what carries it. */
  private sendItem(item: MovedMesh): void {
    const thing = selection.peek();
    const known = thing.kind === 'scenery' ? scene.peek()?.scenery.find(({ name }) => name === thing.name) : undefined;
    if (!known) return;
    const { at, turn } = this.seenFrom(known.body);
    const tidy = (value: number): number => Number(value.toPrecision(6));
    const [x, y, z] = this.proxy.scale.toArray();
    // whichever handle was pulled scales it evenly
    const scale = [x, y, z].reduce((most, factor) => (Math.abs(factor - 1) > Math.abs(most - 1) ? factor : most), 1);
    item.live.send(
      grip.peek() === 'move' ? { name: known.name, position: [tidy(at.x), tidy(at.y), tidy(at.z)] }
      : grip.peek() === 'turn' ? { name: known.name, orientation: quatFrom(turn) }
      : { name: known.name, scale: tidy(item.scale * Math.max(scale, 0.01)) },
    );
  }

  /** Where the handles are, seen from a body or the world. */
  private seenFrom(carrier: string): { at: Vector3; turn: Quaternion } {
    const body = carrier ? this.view.bodyPose(carrier) : undefined;
    const back = body ? body.turn.clone().invert() : new Quaternion();
    const at = this.proxy.position.clone().sub(body?.position ?? new Vector3()).applyQuaternion(back);
    return { at, turn: back.multiply(this.proxy.quaternion) };
  }

  private sendObstacle({ live, obstacle }: MovedObstacle): void {
    const { at, turn } = this.seenFrom(obstacle.body);
    live.send(placed(obstacle, grip.peek() === 'turn' ? { turn } : { position: at }));
  }

  private send(): void {
    if (this.obstacle && this.controls.dragging) return this.sendObstacle(this.obstacle);
    if (this.item && this.controls.dragging) return this.sendItem(this.item);
    if (!this.mover || !this.controls.dragging) return;
    if (grip.peek() === 'move') {
      this.mover.move({ position: this.proxy.position.toArray() });
      return;
    }
    // turns are told on top of what the server has, so its word is awaited
    if (!this.orientation) return;
    const by = this.proxy.quaternion.clone().multiply(this.firstTurn.clone().invert());
    if (grip.peek() === 'twist') {
      const axis = new Vector3(0, 0, 1).applyQuaternion(this.firstTurn);
      const angle = 2 * Math.atan2(axis.dot(new Vector3(by.x, by.y, by.z)), by.w);
      this.lastAngle = unwrap(angle, this.lastAngle);
      this.mover.move({ turns: this.turns + this.lastAngle / (2 * Math.PI) });
      return;
    }
    this.mover.move({ orientation: quatFrom(by.multiply(this.orientation)) });
  }

  private end(): void {
    void this.mover?.drop(false);
    this.mover = undefined;
    this.item = undefined;
    this.obstacle = undefined;
    this.proxy.scale.setScalar(1);
    this.lastAngle = 0;
  }
}
