// The cap of a 3-D mouse (WebHID): it moves and turns the selected hold or body as a hand does, at the pace that it is pushed with; with nothing
// selected that could be taken it moves the view. Its first button shows all, its second plays and pauses.
//
// Reports of 3Dconnexion's devices: 1 has the push along right, towards the user, down, as three 16-bit numbers, in newer ones followed by the
// turns about the same axes, which older ones send as report 2; 3 has the buttons, a bit each. The cap gives about 350 at most.
import { signal } from '@preact/signals';
import { Quaternion, Vector3 } from 'three';
import { togglePlay } from '../model/actions';
import { selection } from '../model/selection';
import { messageOf, notify } from '../model/trouble';
import type { View } from '../view/view';
import { Carried } from './carried';
import { grabbed, positionOf } from './grabbed';

interface HidReport {
  reportId: number;
  data: DataView;
}
interface HidDevice {
  productName: string;
  opened: boolean;
  open: () => Promise<void>;
  addEventListener: (type: 'inputreport', listener: (report: HidReport) => void) => void;
}
interface Hid {
  getDevices: () => Promise<HidDevice[]>;
  requestDevice: (options: { filters: readonly { vendorId: number; usagePage: number; usage: number }[] }) => Promise<HidDevice[]>;
}

declare global {
  interface Navigator {
    /** of browsers that have WebHID */
    readonly hid?: Hid;
  }
}

/** 3Dconnexion, and Logitech, which made them before: multi-axis controllers. */
const FILTERS = [0x256f, 0x046d].map((vendorId) => ({ vendorId, usagePage: 1, usage: 8 }));
const MOST = 350;
/** Of a full push: less is rest. */
const REST = 0.06;
/** Sizes of the scene, and radians, in a second at a full push. */
const PACE = 0.8;
const TURN_PACE = 1.6;
/** Seconds at rest after which it lets go. */
const PAUSE = 0.4;

/** whether this browser can have one, and which is there */
export const canHaveCap = (): boolean => navigator.hid !== undefined;
export const capName = signal('');

class Cap {
  private readonly push = new Vector3();
  private readonly twist = new Vector3();
  private buttons = 0;
  private held: Carried | undefined;
  private last = 0;
  private resting = 0;
  private running = false;

  constructor(private readonly view: View) {}

  async use(device: HidDevice): Promise<void> {
    if (!device.opened) await device.open();
    capName.value = device.productName || '3-D mouse';
    device.addEventListener('inputreport', (report) => this.read(report));
  }

  private read({ reportId, data }: HidReport): void {
    const three = (from: number, out: Vector3): Vector3 => out.set(share(data, from), share(data, from + 2), share(data, from + 4));
    if (reportId === 1 && data.byteLength >= 6) three(0, this.push);
    if (reportId === 1 && data.byteLength >= 12) three(6, this.twist);
    if (reportId === 2 && data.byteLength >= 6) three(0, this.twist);
    if (reportId === 3) this.press(data.getUint8(0));
    if (this.running || this.atRest()) return;
    this.running = true;
    this.last = performance.now();
    this.resting = 0;
    requestAnimationFrame((now) => this.go(now));
  }

  private press(buttons: number): void {
    const fresh = buttons & ~this.buttons;
    this.buttons = buttons;
    if (fresh & 1) this.view.fit();
    if (fresh & 2) void togglePlay();
  }

  private atRest(): boolean {
    return this.push.lengthSq() === 0 && this.twist.lengthSq() === 0;
  }

  private go(now: number): void {
    const dt = Math.min((now - this.last) / 1e3, 0.1);
    this.last = now;
    this.resting = this.atRest() ? this.resting + dt : 0;
    if (this.resting > PAUSE) {
      this.held?.drop();
      this.held = undefined;
      this.running = false;
      return;
    }
    if (!this.atRest()) this.move(dt);
    requestAnimationFrame((next) => this.go(next));
  }

  private move(dt: number): void {
    const camera = this.view.stage.camera.matrixWorld;
    const axis = (column: number): Vector3 => new Vector3().setFromMatrixColumn(camera, column).normalize();
    // right, towards the viewer, down
    const axes = [axis(0), axis(2), axis(1).negate()] as const;
    const along = (of: Vector3): Vector3 => axes.reduce((sum, way, k) => sum.addScaledVector(way, of.getComponent(k)), new Vector3());
    const way = along(this.push).multiplyScalar(PACE * this.view.stage.radius * dt);
    const turn = along(this.twist).multiplyScalar(TURN_PACE * dt);
    this.held ??= this.take();
    if (!this.held) return this.look(way, turn);
    this.held.position.add(way);
    if (turn.length() > 0) this.held.turn.premultiply(new Quaternion().setFromAxisAngle(turn.clone().normalize(), turn.length()));
    this.held.send();
  }

  private take(): Carried | undefined {
    const thing = selection.peek();
    if (thing.kind !== 'hold' && thing.kind !== 'body') return undefined;
    const hit = { thing, point: new Vector3(), depth: 0 };
    const what = grabbed(hit);
    return what && new Carried('cap', thing, what, positionOf(hit));
  }

  /** The scene follows the cap: the camera goes the other way. */
  private look(way: Vector3, turn: Vector3): void {
    const { controls, camera } = this.view.stage;
    const away = camera.position.clone().sub(controls.target);
    const sight = away.clone().normalize();
    const nearer = way.dot(sight);
    controls.target.sub(way).addScaledVector(sight, nearer);
    away.multiplyScalar(Math.exp(-nearer / this.view.stage.radius));
    // about the upright, and up and down short of the poles
    const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    away.applyAxisAngle(new Vector3(0, 0, 1), -turn.z);
    const tilted = away.clone().applyAxisAngle(right, -turn.dot(right));
    if (Math.hypot(tilted.x, tilted.y) > 0.05 * tilted.length()) away.copy(tilted);
    camera.position.copy(controls.target).add(away);
    controls.update();
    this.view.stage.invalidate();
  }
}

/** A 16-bit number of a report as a share of a full push, finer in the middle. */
function share(data: DataView, at: number): number {
  const of = Math.min(Math.max(data.getInt16(at, true) / MOST, -1), 1);
  return Math.abs(of) < REST ? 0 : of * Math.abs(of);
}

let cap: Cap | undefined;

/** Uses those that this page was allowed before. */
export async function listenToCaps(view: View): Promise<void> {
  cap = new Cap(view);
  for (const device of (await navigator.hid?.getDevices().catch(() => [])) ?? []) await use(device);
}

/** Asks the browser, which asks the person, for one. */
export async function askForCap(): Promise<void> {
  try {
    for (const device of (await navigator.hid?.requestDevice({ filters: FILTERS })) ?? []) await use(device);
  } catch (error) {
    notify(messageOf(error), 'error');
  }
}

async function use(device: HidDevice): Promise<void> {
  try {
    await cap?.use(device);
  } catch (error) {
    notify(`the 3-D mouse cannot be used: ${messageOf(error)}`, 'error');
  }
}
