// The picture of the simulation: takes frames and preferences, keeps everything in its place.
import { effect, signal } from '@preact/signals';
import { Box3, Mesh, MeshBasicMaterial, SphereGeometry, Vector3, type Object3D, type PerspectiveCamera, type Quaternion } from 'three';
import { frameSeen } from '../model/latency';
import * as prefs from '../model/prefs';
import { hovered, selection, type Thing } from '../model/selection';
import { frame, frameFitsScene, frameNumber, hello, rodIndex, scene, state } from '../model/store';
import { notify } from '../model/trouble';
import { show } from '../model/units';
import { Arrows } from './arrows';
import { Bodies } from './bodies';
import { setPixelSize } from './cable_material';
import { Cables } from './cables';
import { legendOf, type Legend } from './colouring';
import { Ghosts } from './ghosts';
import { Holds } from './holds';
import { Labels } from './labels';
import { Measures } from './measures';
import { Picker, type Hit } from './pick';
import { Rigging } from './rigging';
import { Ropes } from './ropes';
import { Scenery } from './scenery';
import { Stage, type StageTheme } from './stage';
import { pointAlong, radiusAlong, valueAlong } from './along';

const themes: Record<prefs.Theme, StageTheme> = {
  dark: { top: '#171b21', line: '#8895a8', lineStrength: 0.42, shadow: 0.42, exposure: 1.0 },
  light: { top: '#eef1f5', line: '#64748b', lineStrength: 0.5, shadow: 0.22, exposure: 1.12 },
};

export const legend = signal<Legend | undefined>(undefined);

/** Where a rod begins or ends. */
function endOfRod(name: string, end: boolean, out: Vector3): boolean {
  const rod = frame.rods[rodIndex(name)];
  if (!rod || rod.count === 0) return false;
  out.fromArray(rod.positions, end ? 3 * (rod.count - 1) : 0);
  return true;
}

/** Directions from which a new scene is looked at. */
const FIRST_LOOK = new Vector3(0.55, -1, 0.48);

export class View {
  readonly stage: Stage;
  readonly labels = new Labels();
  readonly picker: Picker;
  readonly ghosts = new Ghosts();
  readonly measures = new Measures();
  /** number of the last frame that was drawn */
  shownFrame = 0;
  private readonly cables = new Cables();
  private readonly holds = new Holds();
  private readonly bodies = new Bodies();
  private readonly scenery: Scenery;
  private readonly rigging = new Rigging();
  private readonly ropes = new Ropes();
  private readonly forces = new Arrows('#ff6b5e', false);
  private readonly moments = new Arrows('#b98cff', true);
  private readonly loads = new Arrows('#f4d35e', false);
  /** where the pointer is on a cable */
  private readonly spot = new Mesh(new SphereGeometry(1, 24, 16), new MeshBasicMaterial({ color: '#ffffff', transparent: true, opacity: 0.45, depthWrite: false }));
  private readonly box = new Box3();
  private readonly at = new Vector3();
  private readonly vector = new Vector3();
  private stale = true;
  private framed = '';
  private largestForce = 0;
  private largestMoment = 0;

  constructor(host: HTMLElement) {
    this.stage = new Stage(host, prefs.finePicture.peek());
    host.append(this.labels.layer);
    this.picker = new Picker(this.stage.camera, this.stage.renderer.domElement);
    this.scenery = new Scenery(() => this.refresh(), (name, why) => notify(`${name}: ${why}`, 'error'));
    const content = [this.cables, this.holds, this.bodies, this.scenery, this.rigging, this.ropes, this.forces, this.moments, this.loads, this.ghosts, this.measures];
    this.stage.scene.add(...content.map((part) => part.group));
    this.spot.visible = false;
    this.stage.scene.add(this.spot);
    this.stage.beforeDraw.push(() => this.prepare());
    this.stage.afterDraw.push(() => frameSeen(this.shownFrame));

    effect(() => {
      this.stage.setTheme(themes[prefs.theme.value]);
      this.stage.grid.shown = prefs.showGrid.value;
      this.stage.shadows = prefs.showShadows.value;
      this.stage.fine = prefs.finePicture.value;
    });
    // whatever these read makes the picture stale
    effect(() => {
      void [frameNumber.value, scene.value, prefs.hiddenScenery.value, selection.value, hovered.value, this.measures.list.value];
      void [prefs.colourBy.value, prefs.showForces.value, prefs.showMoments.value, prefs.showLabels.value, prefs.showStripe.value];
      void [prefs.thicken.value, prefs.theme.value];
      this.refresh();
    });
  }

  /** Asks for a picture with everything up to date. */
  refresh(): void {
    this.stale = true;
    this.stage.invalidate();
  }

  pick(x: number, y: number, touch: boolean): Hit | undefined {
    const known = scene.peek();
    if (!known || !frameFitsScene()) return undefined;
    const solids = [
      ...this.bodies.meshes().map(({ mesh, name }) => ({ object: mesh, thing: { kind: 'body', name } satisfies Thing })),
      ...this.scenery.objects().map(({ object, name }) => ({ object, thing: { kind: 'scenery', name } satisfies Thing })),
    ];
    return this.picker.pick(x, y, touch, { frame, scene: known, cables: this.cables, holds: this.holds, solids });
  }

  /** Flies to a point so that its surroundings can be seen. */
  flyTo(point: Vector3): void {
    this.stage.flyTo(point, this.stage.radius * 0.3);
  }

  /** Where a body is now. */
  bodyPose(name: string): { position: Vector3; turn: Quaternion } | undefined {
    const carrier = this.bodies.carrier(name);
    return carrier && { position: carrier.position, turn: carrier.quaternion };
  }

  /** What is drawn of a mesh of the scenery. */
  sceneryHolder(name: string): Object3D | undefined {
    return this.scenery.holder(name);
  }

  /** Frames the whole scene. */
  fit(direction?: Vector3, instant = false): void {
    this.lowerFloor();
    this.stage.fit(direction, instant);
  }

  private prepare(): void {
    if (this.stale) this.update();
    const height = this.labels.layer.clientHeight || 1;
    setPixelSize((2 * Math.tan((this.stage.camera.fov * Math.PI) / 360)) / height);
    this.holds.scale(this.stage.camera, height);
    this.measures.update(this.stage.camera, height);
    this.writeLabels();
  }

  private update(): void {
    const known = scene.peek();
    const fits = known !== undefined && frameFitsScene();
    this.stale = false;
    for (const part of [this.cables, this.holds, this.bodies, this.ropes]) part.group.visible = fits;
    if (!fits) return;
    this.shownFrame = frame.number;
    const selected = selection.peek();
    const over = hovered.peek();
    const nameOf = (thing: Thing | undefined, kinds: string): string =>
      thing && 'name' in thing && kinds.includes(thing.kind) ? thing.name : '';

    // cables, coloured by a channel
    const channel = hello.peek()?.channels.indexOf(prefs.colourBy.peek()) ?? -1;
    const key = channel < 0 ? undefined : legendOf(prefs.colourBy.peek(), channel, frame, known.rods);
    legend.value = key;
    this.cables.update(frame, known, prefs.thicken.peek(), key, channel);
    this.cables.setStripe(prefs.theme.peek() === 'dark' ? '#12151a' : '#1b2027', prefs.showStripe.peek());
    this.cables.highlight(rodIndex(nameOf(selected, 'rod')), rodIndex(nameOf(over, 'rod')));

    // bodies and what is held
    const covered = this.scenery.covered();
    this.bodies.update(frame, known, this.stage.radius * 0.03, covered, nameOf(selected, 'body'), nameOf(over, 'body'));
    this.holds.update(frame, known, prefs.thicken.peek(), nameOf(selected, 'hold junction'), nameOf(over, 'hold junction'));
    this.scenery.update(known.scenery, (body) => this.bodies.carrier(body), prefs.hiddenScenery.peek(), nameOf(selected, 'scenery'), nameOf(over, 'scenery'));
    this.rigging.update(known, (body) => this.bodies.carrier(body), endOfRod, this.stage.radius);
    this.ropes.update(frame.ropes, prefs.colourBy.peek() === 'tension' ? key : undefined, this.stage.radius);
    this.settleBounds();
    this.updateArrows();
  }

  /** Lights and, for a new scene, floor and camera. */
  private settleBounds(): void {
    this.box.makeEmpty();
    this.cables.extend(this.box);
    this.bodies.extend(this.box);
    this.scenery.extend(this.box);
    if (this.box.isEmpty()) this.box.set(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 0.5));
    this.stage.setBounds(this.box);
    const title = `${state.peek()?.document.name ?? ''} ${scene.peek()?.title ?? ''}`;
    if (title === this.framed) return;
    this.framed = title;
    this.lowerFloor();
    this.stage.fit(FIRST_LOOK, true);
  }

  /** Puts the floor below all there is, at a height that is easy to read. It stays there while things move. */
  private lowerFloor(): void {
    const size = this.box.getSize(this.vector).length() || 1;
    const step = 10 ** (Math.floor(Math.log10(size)) - 1);
    this.stage.floor = Math.floor((this.box.min.z - size * 0.04) / step) * step;
  }

  private updateArrows(): void {
    const known = scene.peek()!;
    const reach = this.stage.radius * 0.32;
    const thickness = this.stage.radius * 0.006;
    this.largestForce = Math.max(...frame.holds.map((hold) => Math.hypot(...hold.force)), 1e-9);
    this.largestMoment = Math.max(...frame.holds.map((hold) => Math.hypot(...hold.moment)), 1e-12);
    this.forces.begin();
    this.moments.begin();
    this.loads.begin();
    for (const hold of frame.holds) {
      this.at.fromArray(hold.position);
      if (prefs.showForces.peek()) this.forces.add(this.at, this.vector.fromArray(hold.force).multiplyScalar(reach / this.largestForce), thickness);
      if (prefs.showMoments.peek()) this.moments.add(this.at, this.vector.fromArray(hold.moment).multiplyScalar(reach / this.largestMoment), thickness);
    }
    const largestLoad = Math.max(...known.forces.map((load) => Math.hypot(...(load.force ?? [0]))), 1e-9);
    for (const load of known.forces) {
      const rod = frame.rods[rodIndex(load.rod)];
      const body = frame.bodies[known.bodies.findIndex((candidate) => candidate.name === load.body)];
      if (rod && rod.count > 1) pointAlong(rod, load.s, this.at);
      else if (body) this.at.fromArray(body.position);
      else continue;
      this.vector.fromArray(load.force ?? [0, 0, 0]).multiplyScalar(reach / largestLoad);
      this.loads.add(this.at, this.vector, thickness);
    }
    this.forces.end();
    this.moments.end();
    this.loads.end();
  }

  private writeLabels(): void {
    const known = scene.peek();
    const camera = this.stage.camera;
    this.labels.begin();
    if (known && frameFitsScene()) {
      const selected = selection.peek();
      const over = hovered.peek();
      const reach = this.stage.radius * 0.32;
      known.holds.forEach((hold, k) => {
        const shown = frame.holds[k];
        if (!shown) return;
        const wanted = [selected, over].some((thing) => thing?.kind === 'hold' && thing.name === hold.name);
        this.at.fromArray(shown.position);
        if (wanted || (prefs.showLabels.peek() && known.holds.length <= 12)) this.labels.add(this.at, hold.name, 'name', camera);
        const force = Math.hypot(...shown.force);
        if (prefs.showForces.peek() && force > 0.02 * this.largestForce && (wanted || known.holds.length <= 12)) {
          this.vector.fromArray(shown.force).multiplyScalar(reach / this.largestForce).add(this.at);
          this.labels.add(this.vector, show(force, 'force', 3), 'force', camera);
        }
        const moment = Math.hypot(...shown.moment);
        if (prefs.showMoments.peek() && moment > 0.02 * this.largestMoment && (wanted || known.holds.length <= 12)) {
          this.vector.fromArray(shown.moment).multiplyScalar(reach / this.largestMoment).add(this.at);
          this.labels.add(this.vector, show(moment, 'moment', 3), 'moment', camera);
        }
      });
      for (const alarm of state.peek()?.alarms ?? []) {
        if (alarm.violated && alarm.position) this.labels.add(this.at.fromArray(alarm.position), `⚠ ${alarm.name}`, 'alarm', camera);
      }
      this.measures.label(this.labels, camera);
      this.labelPoint(over?.kind === 'rod' ? over : selected, camera);
    }
    this.labels.end();
  }

  /** What a cable carries where the pointer is, or where it was picked. */
  private labelPoint(thing: Thing | undefined, camera: PerspectiveCamera): void {
    const rod = thing?.kind === 'rod' && thing.s !== undefined ? frame.rods[rodIndex(thing.name)] : undefined;
    this.spot.visible = rod !== undefined && rod.count > 1;
    if (!rod || rod.count < 2 || thing?.kind !== 'rod' || thing.s === undefined) return;
    pointAlong(rod, thing.s, this.spot.position);
    this.spot.scale.setScalar(radiusAlong(rod, thing.s) * prefs.thicken.peek() * 1.22);
    const channels = hello.peek()?.channels ?? [];
    const value = (name: string): number => {
      const channel = rod.channels[channels.indexOf(name)];
      return channel ? valueAlong(rod, channel, thing.s!) : NaN;
    };
    const radius = show(1 / Math.abs(value('curvature')), 'length', 3);
    this.labels.add(this.spot.position, `${thing.name} at ${show(thing.s, 'length', 3)} · radius ${radius} · ${show(value('tension'), 'force', 3)}`, 'name', camera);
  }
}
