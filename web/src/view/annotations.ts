// What stands in words in the picture: names of holds and what they bear, alarms, measured distances, and what a cable
// carries where the pointer is or where it was picked.
import { BufferGeometry, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, SphereGeometry, Vector3, type PerspectiveCamera } from 'three';
import { clearance } from '../model/clearance';
import * as prefs from '../model/prefs';
import { hovered, selection, type Thing } from '../model/selection';
import { frame, frameFitsScene, hello, rodFrame, scene, state } from '../model/store';
import { show } from '../model/units';
import { isHidden } from '../model/visibility';
import type { HoldFrame } from '../protocol/frame';
import { pointAlong, radiusAlong, valueAlong } from './along';
import type { Draft } from './draft';
import { Labels } from './labels';
import type { LoadArrows } from './load_arrows';
import type { Measures } from './measures';

/** Of more holds than these only the one that is meant has words. */
const MANY_HOLDS = 12;

const isHold = (thing: Thing | undefined, name: string): boolean => thing?.kind === 'hold' && thing.name === name;

export class Annotations {
  /** where the pointer is on a cable */
  readonly spot = new Mesh(new SphereGeometry(1, 24, 16), new MeshBasicMaterial({ color: '#ffffff', transparent: true, opacity: 0.45, depthWrite: false }));
  readonly line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: '#ffffff', depthTest: false }));
  private readonly labels = new Labels();
  private readonly at = new Vector3();

  constructor(
    private readonly camera: PerspectiveCamera,
    private readonly arrows: LoadArrows,
    private readonly measures: Measures,
    private readonly draft: Draft,
  ) {
    this.spot.visible = this.line.visible = false;
    this.line.frustumCulled = false;
    this.line.renderOrder = 10;
  }

  get layer(): HTMLElement {
    return this.labels.layer;
  }

  /** Writes them anew, for the latest frame and the present camera, in a picture of this size in pixels. */
  write(size: { width: number; height: number }): void {
    const known = scene.peek();
    this.labels.begin(size);
    if (known && frameFitsScene()) {
      const [selected, over] = [selection.peek(), hovered.peek()];
      const few = known.holds.length <= MANY_HOLDS;
      known.holds.forEach(({ name, rod }, k) => {
        const meant = isHold(selected, name) || isHold(over, name);
        if (!meant && !few) return;
        const hold = isHidden({ kind: 'hold', name }) || isHidden({ kind: 'rod', name: rod }) ? undefined : frame.holds[k];
        if (hold) this.labelHold(hold, meant || prefs.showLabels.peek() ? name : '');
      });
      for (const { name, position, violated } of state.peek()?.alarms ?? []) {
        if (violated && position) this.labels.add(this.at.fromArray(position), `⚠ ${name}`, 'alarm', this.camera);
      }
      this.measures.label(this.labels, this.camera);
      this.draft.label(this.labels, this.camera);
      this.labelClearance();
      this.labelPoint(over?.kind === 'rod' ? over : selected);
    }
    this.labels.end();
  }

  /** The smallest distance between what is selected and the rest, with a line. */
  private labelClearance(): void {
    const found = clearance.peek();
    this.line.visible = found !== undefined;
    if (!found) return;
    this.line.geometry.setFromPoints([found.from, found.to]);
    this.labels.add(this.at.copy(found.from).lerp(found.to, 0.5), `${show(found.distance, 'length', 3)} to ${found.name}`, found.distance < 0 ? 'alarm' : 'measure', this.camera);
  }

  private labelHold(hold: HoldFrame, name: string): void {
    if (name) this.labels.add(this.at.fromArray(hold.position), name, 'name', this.camera);
    for (const what of ['force', 'moment'] as const) {
      if (this.arrows.tip(hold, what, this.at)) this.labels.add(this.at, show(Math.hypot(...hold[what]), what, 3), what, this.camera);
    }
  }

  /** What a cable carries where the pointer is, or where it was picked. */
  private labelPoint(thing: Thing): void {
    const rod = thing.kind === 'rod' && thing.s !== undefined ? rodFrame(thing.name) : undefined;
    this.spot.visible = rod !== undefined && rod.count > 1;
    if (!rod || rod.count < 2 || thing.kind !== 'rod' || thing.s === undefined) return;
    const { name, s } = thing;
    pointAlong(rod, s, this.spot.position);
    this.spot.scale.setScalar(radiusAlong(rod, s) * prefs.thicken.peek() * 1.22);
    const channels = hello.peek()?.channels ?? [];
    const value = (quantity: string): number => {
      const channel = rod.channels[channels.indexOf(quantity)];
      return channel ? valueAlong(rod, channel, s) : NaN;
    };
    const radius = show(1 / Math.abs(value('curvature')), 'length', 3);
    this.labels.add(this.spot.position, `${name} at ${show(s, 'length', 3)} · radius ${radius} · ${show(value('tension'), 'force', 3)}`, 'name', this.camera);
  }
}
