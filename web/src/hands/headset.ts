// The scene in a headset (WebXR), as large as a table top before the viewer, and its controllers as hands: the trigger takes what the ray points at,
// which follows the controller in place and, where it has a direction, in turn. Squeezing plays and pauses.
import { signal } from '@preact/signals';
import { BufferGeometry, Group, Line, LineBasicMaterial, Matrix4, PerspectiveCamera, Vector3 } from 'three';
import { togglePlay } from '../model/actions';
import { hovered, selection } from '../model/selection';
import { messageOf, notify } from '../model/trouble';
import { Picker } from '../view/pick';
import type { View } from '../view/view';
import { Carried } from './carried';
import { grabbed, positionOf } from './grabbed';

/** m, as the headset has them: the radius that the scene is shown with, and where its middle is seen from the first look on */
const SHOWN = 0.5;
const MIDDLE = new Vector3(0, -0.25, -0.9);
/** m: of the rays that are drawn */
const RAY = 1.5;
/** Pixels of the picture that a controller picks in, whose middle is where it points: a finger's reach is a degree and a half. */
const PICTURE = 1000;
/** A hand is near what it takes: a hold is meant though some of its cable is nearer by a quarter. */
const HOLDS_FIRST = 1.25;

type Space = ReturnType<View['stage']['renderer']['xr']['getController']>;

/** whether there is one, and whether it is worn */
export const headset = signal<'none' | 'there' | 'worn'>('none');

/** the room of the headset while it is worn */
let room: Group | undefined;

/** A point of the scene as the headset has it, m. */
export function toHeadset(point: Vector3): Vector3 | undefined {
  return room?.worldToLocal(point.clone());
}

export async function lookForHeadset(): Promise<void> {
  if (await navigator.xr?.isSessionSupported('immersive-vr').catch(() => false)) headset.value = 'there';
}

/** Shows the scene in the headset until it is taken off. */
export async function wearHeadset(view: View): Promise<void> {
  try {
    const session = await navigator.xr!.requestSession('immersive-vr', { optionalFeatures: ['local'] });
    const rig = (room = rigFor(view));
    const camera = new PerspectiveCamera(60, 1, 0.02, 100);
    rig.add(camera);
    view.stage.scene.add(rig);
    const hands = [0, 1].map((index) => new Controller(index, view, view.stage.renderer.xr.getController(index)));
    for (const hand of hands) rig.add(hand.space);
    session.addEventListener('end', () => {
      for (const hand of hands) hand.end();
      view.stage.scene.remove(rig);
      room = undefined;
      headset.value = 'there';
    });
    await view.stage.wear(session, camera, () => hands.forEach((hand) => hand.follow()));
    headset.value = 'worn';
  } catch (error) {
    notify(`the headset cannot be used: ${messageOf(error)}`, 'error');
  }
}

/** The room of the headset in the scene: y up becomes z up, looking the way that the camera does, everything as large as a table top. */
function rigFor({ stage }: View): Group {
  const rig = new Group();
  const ahead = stage.camera.getWorldDirection(new Vector3()).setZ(0);
  if (ahead.lengthSq() < 1e-6) ahead.set(0, 1, 0);
  ahead.normalize();
  const up = new Vector3(0, 0, 1);
  rig.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(ahead.clone().cross(up), up, ahead.clone().negate()));
  rig.scale.setScalar(stage.radius / SHOWN);
  rig.position.copy(stage.centre).sub(MIDDLE.clone().applyQuaternion(rig.quaternion).multiply(rig.scale));
  rig.updateMatrixWorld(true);
  return rig;
}

const squeeze = (): void => void togglePlay();

class Controller {
  /** what a controller points with: looks along −z, as a camera does */
  private readonly eye = new PerspectiveCamera(90, 1, 0.01, 1e4);
  private readonly picker: Picker;
  private readonly ray: Line;
  private held: { carried: Carried; position: Vector3; from: Matrix4 } | undefined;
  private readonly take = (): void => this.grab();
  private readonly drop = (): void => this.letGo();

  constructor(private readonly index: number, private readonly view: View, readonly space: Space) {
    this.picker = new Picker(this.eye, { getBoundingClientRect: () => new DOMRect(0, 0, PICTURE, PICTURE) }, HOLDS_FIRST);
    this.ray = new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -RAY)]), new LineBasicMaterial({ color: '#ffc14d' }));
    space.addEventListener('selectstart', this.take);
    space.addEventListener('selectend', this.drop);
    space.addEventListener('squeezestart', squeeze);
    space.add(this.ray);
  }

  /** Once a picture: what is held comes along, what could be taken lights up. */
  follow(): void {
    if (!this.space.visible) return;
    this.aim();
    if (!this.held) {
      if (this.index === 0) hovered.value = this.hit()?.thing;
      return;
    }
    const { carried, position, from } = this.held;
    // from how it was taken to how it is now
    const by = this.space.matrixWorld.clone().multiply(from);
    carried.position.copy(position).applyMatrix4(by);
    by.decompose(new Vector3(), carried.turn, new Vector3());
    carried.send();
  }

  end(): void {
    this.letGo();
    this.space.removeEventListener('selectstart', this.take);
    this.space.removeEventListener('selectend', this.drop);
    this.space.removeEventListener('squeezestart', squeeze);
    this.space.remove(this.ray);
    this.ray.geometry.dispose();
  }

  private grab(): void {
    this.aim();
    const hit = this.hit();
    const what = hit && grabbed(hit);
    if (!hit || !what) return;
    selection.value = hit.thing;
    const position = positionOf(hit);
    this.held = { carried: new Carried(`controller ${this.index}`, hit.thing, what, position), position, from: this.space.matrixWorld.clone().invert() };
  }

  private letGo(): void {
    this.held?.carried.drop(this.view.bodyAt(PICTURE / 2, PICTURE / 2, this.picker));
    this.held = undefined;
  }

  private hit(): ReturnType<View['pick']> {
    return this.view.pick(PICTURE / 2, PICTURE / 2, true, this.picker);
  }

  /** The eye looks along the ray. */
  private aim(): void {
    this.space.updateWorldMatrix(true, false);
    this.space.matrixWorld.decompose(this.eye.position, this.eye.quaternion, new Vector3());
    this.eye.updateMatrixWorld(true);
    this.eye.updateProjectionMatrix();
  }
}
