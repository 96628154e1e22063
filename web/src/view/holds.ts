// Holds and junctions: a sphere where a rod is held, a collar where its direction is held too, a ring where it slides.
// Clips have a ring as well; one that stands open is a ring alone, where it waits for its cable.
import {
  CylinderGeometry, Group, MeshStandardMaterial, Object3D, SphereGeometry, TorusGeometry, Vector3, type PerspectiveCamera,
} from 'three';
import { setQuaternion } from '../model/quaternions';
import { HoldFlag, type FrameStore, type RodFrame } from '../protocol/frame';
import type { SceneMessage } from '../protocol/scene';
import { pointAlong, radiusAlong } from './along';
import { Instances } from './instances';
import { pixelSize } from './screen';

/** Smallest radius on the screen, pixels. */
const LEAST_PIXELS = 6;

/** Below so many pixels a mark is drawn coarsely. */
const SMALL_PIXELS = 10;

const shapesOf = (around: number) => ({
  ball: new SphereGeometry(1, around, Math.round(0.64 * around)),
  collar: new CylinderGeometry(1.12, 1.12, 1.5, around).rotateX(Math.PI / 2),
  ring: new TorusGeometry(1.28, 0.24, around / 2, Math.round(1.3 * around)),
});
const shapes = { fine: shapesOf(28), coarse: shapesOf(12) };
type Shape = keyof typeof shapes.fine;

/** A colour, plain and lit up. */
function paints(color: string): { plain: MeshStandardMaterial; lit: MeshStandardMaterial } {
  return {
    plain: new MeshStandardMaterial({ color, roughness: 0.38, metalness: 0.05 }),
    lit: new MeshStandardMaterial({ color, roughness: 0.38, emissive: color, emissiveIntensity: 0.55 }),
  };
}
const looks = {
  space: paints('#3cc4b0'),
  body: paints('#6f8ff0'),
  slide: paints('#b78cf2'),
  hand: paints('#ffc14d'),
  junction: paints('#9aa6b8'),
  popped: paints('#e05656'),
  clip: paints('#d9a441'),
};
type Look = keyof typeof looks;

interface Marker {
  /** where it is, turned and scaled; in no scene: all markers of a kind are drawn at once */
  place: Object3D;
  shapes: Shape[];
  look: Look;
  lit: boolean;
  /** true size, m */
  size: number;
  kind: 'hold' | 'junction';
  name: string;
  visible: boolean;
  /** whether it holds anything now: one that has let go is passed through */
  grips: boolean;
}

export class Holds {
  readonly group = new Group();
  markers: Marker[] = [];
  /** by shape, paint and detail */
  private readonly drawn = new Map<string, Instances>();
  private readonly point = new Vector3();

  update(frame: FrameStore, scene: SceneMessage, thicken: number, lit: readonly string[], shown: (hold: string, rod: string) => boolean): void {
    const names = [...scene.holds.map((hold) => hold.name), ...scene.hands.map((hand) => hand.name)];
    const rods = new Map(scene.rods.map(({ name }, k) => [name, frame.rods[k]]));
    const bright = new Set(lit);
    this.resize(frame.holds.length + scene.junctions.length);
    frame.holds.forEach((hold, k) => {
      const marker = this.markers[k]!;
      const described = scene.holds[k];
      const hand = (hold.flags & HoldFlag.Hand) !== 0;
      const rodName = described?.rod ?? scene.hands[k - scene.holds.length]?.rod;
      const rod = rods.get(rodName ?? '');
      const slide = described?.slide ?? false;
      const clip = (described?.clip ?? null) !== null;
      const open = (hold.flags & HoldFlag.OpenClip) !== 0;
      marker.look = hold.flags & HoldFlag.Popped ? 'popped' : hand ? 'hand' : clip ? 'clip' : slide ? 'slide' : described?.body ? 'body' : 'space';
      marker.kind = 'hold';
      marker.grips = open || (hold.flags & (HoldFlag.Position | HoldFlag.Orientation)) !== 0;
      marker.name = names[k] ?? '';
      marker.size = (rod && rod.count > 1 ? radiusAlong(rod, hold.s) : 0.005) * thicken;
      const directed = (hold.flags & HoldFlag.Orientation) !== 0;
      marker.shapes = [];
      if (!slide && directed) marker.shapes.push('collar');
      else if (!slide && !open) marker.shapes.push('ball');
      if (slide || clip) marker.shapes.push('ring');
      marker.lit = bright.has(marker.name) || hand;
      marker.visible = shown(marker.name, rodName ?? '');
      marker.place.position.fromArray(hold.position);
      setQuaternion(marker.place.quaternion, hold.orientation);
    });
    this.updateJunctions(frame, scene, thicken, bright, rods);
  }

  /** Keeps markers large enough to be seen and grabbed, and writes down where they are drawn. `busy`: things move. */
  scale(camera: PerspectiveCamera, height: number, busy: boolean): void {
    const perPixel = pixelSize(camera, height);
    for (const some of this.drawn.values()) some.begin(busy);
    this.markers.forEach(({ place, size, visible, shapes: parts, look, lit }, k) => {
      const pixel = perPixel * camera.position.distanceTo(place.position);
      const radius = Math.max(size * 1.45, LEAST_PIXELS * pixel);
      place.scale.setScalar(radius);
      if (!visible) return;
      place.updateMatrix();
      const detail = radius < SMALL_PIXELS * pixel ? 'coarse' : 'fine';
      for (const shape of parts) this.instances(shape, look, lit, detail).add(k, place.matrix);
    });
    for (const some of this.drawn.values()) some.end();
  }

  /** Those of one shape, paint and detail. */
  private instances(shape: Shape, look: Look, lit: boolean, detail: keyof typeof shapes): Instances {
    const key = `${shape} ${look} ${lit} ${detail}`;
    const there = this.drawn.get(key);
    if (there) return there;
    const made = new Instances(shapes[detail][shape], looks[look][lit ? 'lit' : 'plain'], true);
    this.group.add(made.group);
    this.drawn.set(key, made);
    return made;
  }

  private updateJunctions(frame: FrameStore, scene: SceneMessage, thicken: number, bright: ReadonlySet<string>, rods: ReadonlyMap<string, RodFrame | undefined>): void {
    scene.junctions.forEach((junction, k) => {
      const marker = this.markers[frame.holds.length + k]!;
      const first = junction.rods[0];
      const rod = rods.get(first?.rod ?? '');
      marker.kind = 'junction';
      marker.grips = true;
      marker.name = junction.name;
      marker.visible = rod !== undefined && rod.count > 1;
      if (!rod || rod.count < 2 || !first) return;
      marker.place.position.copy(pointAlong(rod, first.s, this.point));
      marker.size = radiusAlong(rod, first.s) * thicken * 0.95;
      marker.shapes = ['ball'];
      marker.look = 'junction';
      marker.lit = bright.has(marker.name);
    });
  }

  private resize(count: number): void {
    while (this.markers.length < count) this.markers.push({ place: new Object3D(), shapes: [], look: 'space', lit: false, size: 0.01, kind: 'hold', name: '', visible: true, grips: true });
    this.markers.length = count;
  }
}
