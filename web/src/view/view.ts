// The picture of the simulation: takes frames and preferences, keeps everything in its place.
import { effect, signal } from '@preact/signals';
import { Box3, Vector3, type Object3D, type Quaternion } from 'three';
import { clearance } from '../model/clearance';
import { shownTubes } from '../model/flexible';
import { frameSeen } from '../model/latency';
import { meshRead } from '../model/mesh_units';
import * as prefs from '../model/prefs';
import { hovered, selected, type Thing } from '../model/selection';
import { frame, frameFitsScene, frameNumber, hello, rodFrame, rodIndex, scene, state, whenDocumentChanges } from '../model/store';
import { notify } from '../model/trouble';
import { hidden, isHidden, isLocked } from '../model/visibility';
import type { SceneMessage } from '../protocol/scene';
import { Annotations } from './annotations';
import { Bodies } from './bodies';
import { setPixelSize } from './cable_material';
import { Cables, type PixelsPerMetre } from './cables';
import { legendOf, type Legend } from './colouring';
import { Draft } from './draft';
import { Framing } from './framing';
import { Ghosts } from './ghosts';
import { Holds } from './holds';
import { LoadArrows } from './load_arrows';
import { Measures } from './measures';
import { Obstacles } from './obstacles';
import { Picker, type Hit } from './pick';
import { Rigging } from './rigging';
import { Ropes } from './ropes';
import { Scenery } from './scenery';
import { pixelSize } from './screen';
import { startSectionPlane } from './section_plane';
import { Stage } from './stage';
import { themes } from './themes';
import { TubeMarks } from './tube_marks';

export const legend = signal<Legend | undefined>(undefined);

export class View {
  readonly stage: Stage;
  readonly picker: Picker;
  readonly ghosts = new Ghosts();
  readonly measures = new Measures();
  readonly draft = new Draft();
  readonly tubeMarks = new TubeMarks();
  /** number of the last frame that was drawn */
  shownFrame = 0;
  private readonly framing: Framing;
  private readonly cables = new Cables();
  private readonly holds = new Holds();
  private readonly bodies = new Bodies();
  private readonly scenery: Scenery;
  private readonly obstacles: Obstacles;
  private readonly rigging = new Rigging();
  private readonly ropes = new Ropes();
  private readonly arrows = new LoadArrows();
  private readonly annotations: Annotations;
  private stale = true;

  constructor(host: HTMLElement) {
    this.stage = new Stage(host, prefs.finePicture.peek());
    this.framing = new Framing(this.stage);
    this.picker = new Picker(this.stage.camera, this.stage.renderer.domElement);
    const failed = (name: string, why: string): void => notify(`${name}: ${why}`, 'error');
    this.scenery = new Scenery(() => this.refresh(), failed, meshRead);
    this.obstacles = new Obstacles(() => this.refresh(), failed);
    this.annotations = new Annotations(this.stage.camera, this.arrows, this.measures, this.draft);
    startSectionPlane(this.stage);
    effect(() => this.stage.setParallel(prefs.parallel.value));
    host.append(this.annotations.layer);
    const content = [this.cables, this.holds, this.bodies, this.scenery, this.obstacles, this.rigging, this.ropes, this.arrows, this.ghosts, this.measures, this.draft, this.tubeMarks];
    this.stage.scene.add(...content.map((part) => part.group), this.annotations.spot, this.annotations.line);
    this.stage.unhurried = () => !held();
    this.stage.beforeDraw.push(() => this.prepare());
    this.stage.afterDraw.push(() => frameSeen(this.shownFrame));

    effect(() => {
      this.stage.setTheme(themes[prefs.theme.value]);
      this.stage.grid.shown = prefs.showGrid.value;
      this.stage.shadows = prefs.showShadows.value;
      this.stage.fine = prefs.finePicture.value;
    });
    whenDocumentChanges(() => this.measures.clear());
    effect(() => {
      const tubes = shownTubes.value?.tubes;
      this.tubeMarks.show(tubes);
      // all that can be clicked is in the picture
      if (tubes) this.stage.fitTo(new Box3().setFromPoints(tubes.branches.flatMap(({ points }) => points.map(([x, y, z]) => new Vector3(x, y, z)))));
      this.stage.invalidate();
    });
    // whatever these read makes the picture stale
    effect(() => {
      void [frameNumber.value, scene.value, hidden.value, selected.value, hovered.value, this.measures.list.value];
      void [prefs.colourBy.value, prefs.showForces.value, prefs.showMoments.value, prefs.showLabels.value, prefs.showStripe.value];
      void [prefs.thicken.value, prefs.theme.value, clearance.value];
      this.refresh();
    });
  }

  /** Asks for a picture with everything up to date. */
  refresh(): void {
    this.stale = true;
    this.stage.invalidate();
  }

  pick(x: number, y: number, touch: boolean, picker = this.picker): Hit | undefined {
    const known = scene.peek();
    if (!known || !frameFitsScene()) return undefined;
    const solids = [
      ...this.bodies.meshes().map(({ mesh, name }) => ({ object: mesh, thing: { kind: 'body', name } satisfies Thing })),
      ...this.scenery.objects().map(({ object, name }) => ({ object, thing: { kind: 'scenery', name } satisfies Thing })),
      ...this.obstacles.objects().map(({ object, path }) => ({ object, thing: { kind: 'obstacle', path } satisfies Thing })),
    ];
    return picker.pick(x, y, touch, { frame, scene: known, cables: this.cables, holds: this.holds, solids, skip: isLocked });
  }

  /** The body under the pointer, whatever is before it. */
  bodyAt(x: number, y: number, picker = this.picker): string | undefined {
    const ray = picker.rayAt(x, y);
    const hits = this.bodies.meshes().flatMap(({ mesh, name }) => ray.intersectObject(mesh, true).map(({ distance }) => ({ name, distance })));
    return hits.sort((a, b) => a.distance - b.distance)[0]?.name;
  }

  /** Flies to a point so that its surroundings can be seen. */
  flyTo(point: Vector3): void {
    this.stage.flyTo(point);
  }

  /** Frames the whole scene. */
  fit(direction?: Vector3): void {
    this.framing.fit(direction);
  }

  /** Where a body is now. */
  bodyPose(name: string): { position: Vector3; turn: Quaternion } | undefined {
    const carrier = this.bodies.carrier(name);
    return carrier && { position: carrier.position, turn: carrier.quaternion };
  }

  /** What is drawn of a mesh of the scenery or of an obstacle. */
  drawnAs(thing: Thing): Object3D | undefined {
    if (thing.kind === 'obstacle') return this.obstacles.holder(thing.path);
    return thing.kind === 'scenery' ? this.scenery.holder(thing.name) : undefined;
  }

  /** Of the picture that is drawn, where the sphere is nearest. */
  private readonly pixels: PixelsPerMetre = ({ center, radius }) => {
    const { camera, renderer } = this.stage;
    const distance = Math.max(camera.position.distanceTo(center) - radius, camera.near);
    return 1 / (distance * pixelSize(camera, renderer.domElement.height || 1));
  };

  /** What depends on the camera, before every picture; all the rest if it is stale. */
  private prepare(): void {
    if (this.stale || (frameFitsScene() && this.cables.stale(frame, prefs.thicken.peek(), this.pixels))) this.update();
    this.cables.gatherStill();
    const { height } = this.stage.size;
    setPixelSize(pixelSize(this.stage.camera, height));
    this.holds.scale(this.stage.camera, height, busy());
    this.measures.update(this.stage.camera, height);
    this.draft.update(this.stage.camera, height);
    this.tubeMarks.update(this.stage.camera, height);
    this.annotations.write(this.stage.size);
  }

  private update(): void {
    const known = scene.peek();
    const fits = known !== undefined && frameFitsScene();
    this.stale = false;
    for (const part of [this.cables, this.holds, this.bodies, this.ropes]) part.group.visible = fits;
    if (!fits) return;
    this.shownFrame = frame.number;
    this.updateCables(known);
    this.updateSolids(known);
    this.framing.update([this.cables, this.bodies, this.ropes, this.scenery, this.obstacles], known.document);
    this.arrows.update(frame, known, this.stage.radius, held(), busy());
  }

  /** Cables and ropes, coloured by a channel. */
  private updateCables(known: SceneMessage): void {
    const colourBy = prefs.colourBy.peek();
    const channel = hello.peek()?.channels.indexOf(colourBy) ?? -1;
    const key = channel < 0 ? undefined : legendOf(colourBy, channel, frame, known.rods);
    legend.value = key;
    this.cables.update(frame, known, prefs.thicken.peek(), key, channel, (name) => !isHidden({ kind: 'rod', name }), this.pixels);
    this.cables.setStripe(themes[prefs.theme.peek()].stripe, prefs.showStripe.peek());
    this.cables.highlight(named(selected.peek(), 'rod').map(rodIndex), named([hovered.peek()], 'rod').map(rodIndex));
    this.ropes.update(frame.ropes, colourBy === 'tension' ? key : undefined, this.stage.radius);
  }

  /** Bodies, and what is held to them or drawn with them. */
  private updateSolids(known: SceneMessage): void {
    const [chosen, over] = [selected.peek(), [hovered.peek()]];
    const seen = (kind: 'hold' | 'body' | 'junction' | 'scenery') => (name: string) => !isHidden({ kind, name });
    const carrier = (body: string) => this.bodies.carrier(body);
    this.bodies.update(frame, known, this.stage.radius * 0.03, this.scenery.covered(), named(chosen, 'body'), named(over, 'body'), seen('body'));
    this.holds.update(frame, known, prefs.thicken.peek(), [...named(chosen, 'hold', 'junction'), ...named(over, 'hold', 'junction')], (hold, rod) => !isHidden({ kind: 'hold', name: hold }) && !isHidden({ kind: 'rod', name: rod }));
    this.scenery.update(known.scenery, carrier, seen('scenery'), named(chosen, 'scenery'), named(over, 'scenery'));
    const paths = (things: readonly (Thing | undefined)[]): string[] => things.flatMap((thing) => (thing?.kind === 'obstacle' ? [thing.path] : []));
    this.obstacles.update(known.obstacles, carrier, this.stage.radius, (path) => !isHidden({ kind: 'obstacle', path }), paths(chosen), paths(over));
    this.rigging.update(known, carrier, endOfRod, this.stage.radius);
  }
}

/** Whether a hand holds something. */
function held(): boolean {
  return (state.peek()?.grabbed.length ?? 0) > 0;
}

/** Whether things move, by a hand or by themselves. */
function busy(): boolean {
  return held() || (state.peek()?.playing ?? false);
}

/** The names of those things that are of one of these kinds. */
function named(things: readonly (Thing | undefined)[], ...kinds: Thing['kind'][]): string[] {
  return things.flatMap((thing) => (thing && 'name' in thing && kinds.includes(thing.kind) ? [thing.name] : []));
}

/** Where a rod begins or ends. */
function endOfRod(name: string, end: boolean, out: Vector3): boolean {
  const rod = rodFrame(name);
  if (!rod || rod.count === 0) return false;
  out.fromArray(rod.positions, end ? 3 * (rod.count - 1) : 0);
  return true;
}
