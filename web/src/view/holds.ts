// Holds and junctions: a sphere where a rod is held, a collar where its direction is held too, a ring where it slides.
// Clips have a ring as well; one that stands open is a ring alone, where it waits for its cable.
import {
  CylinderGeometry, Group, Mesh, MeshStandardMaterial, SphereGeometry, TorusGeometry, Vector3, type PerspectiveCamera,
} from 'three';
import { setQuaternion } from '../model/quaternions';
import { HoldFlag, type FrameStore } from '../protocol/frame';
import type { SceneMessage } from '../protocol/scene';
import { pointAlong, radiusAlong } from './along';
import { pixelSize } from './screen';

/** Smallest radius on the screen, pixels. */
const LEAST_PIXELS = 6;

const sphere = new SphereGeometry(1, 28, 18);
const collar = new CylinderGeometry(1.12, 1.12, 1.5, 28).rotateX(Math.PI / 2);
const ring = new TorusGeometry(1.28, 0.24, 14, 36);

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
  group: Group;
  ball: Mesh;
  collar: Mesh;
  ring: Mesh;
  /** true size, m */
  size: number;
  kind: 'hold' | 'junction';
  name: string;
  /** whether it holds anything now: one that has let go is passed through */
  grips: boolean;
}

export class Holds {
  readonly group = new Group();
  markers: Marker[] = [];
  private readonly place = new Vector3();

  update(frame: FrameStore, scene: SceneMessage, thicken: number, lit: readonly string[], shown: (hold: string, rod: string) => boolean): void {
    const names = [...scene.holds.map((hold) => hold.name), ...scene.hands.map((hand) => hand.name)];
    this.resize(frame.holds.length + scene.junctions.length);
    frame.holds.forEach((hold, k) => {
      const marker = this.markers[k]!;
      const described = scene.holds[k];
      const hand = (hold.flags & HoldFlag.Hand) !== 0;
      const rodName = described?.rod ?? scene.hands[k - scene.holds.length]?.rod;
      const rod = frame.rods[scene.rods.findIndex((candidate) => candidate.name === rodName)];
      const slide = described?.slide ?? false;
      const clip = (described?.clip ?? null) !== null;
      const open = (hold.flags & HoldFlag.OpenClip) !== 0;
      const look: Look = hold.flags & HoldFlag.Popped ? 'popped' : hand ? 'hand' : clip ? 'clip' : slide ? 'slide' : described?.body ? 'body' : 'space';
      marker.kind = 'hold';
      marker.grips = open || (hold.flags & (HoldFlag.Position | HoldFlag.Orientation)) !== 0;
      marker.name = names[k] ?? '';
      marker.size = (rod && rod.count > 1 ? radiusAlong(rod, hold.s) : 0.005) * thicken;
      marker.ball.visible = !slide && !open && (hold.flags & HoldFlag.Orientation) === 0;
      marker.collar.visible = !slide && (hold.flags & HoldFlag.Orientation) !== 0;
      marker.ring.visible = slide || clip;
      this.paint(marker, look, lit.includes(marker.name) || hand);
      marker.group.visible = shown(marker.name, rodName ?? '');
      marker.group.position.fromArray(hold.position);
      setQuaternion(marker.group.quaternion, hold.orientation);
    });
    this.updateJunctions(frame, scene, thicken, lit);
  }

  /** Keeps markers large enough to be seen and grabbed. */
  scale(camera: PerspectiveCamera, height: number): void {
    const perPixel = pixelSize(camera, height);
    for (const marker of this.markers) {
      const pixel = perPixel * camera.position.distanceTo(marker.group.position);
      const size = Math.max(marker.size * 1.45, LEAST_PIXELS * pixel);
      marker.group.scale.setScalar(size);
    }
  }

  private updateJunctions(frame: FrameStore, scene: SceneMessage, thicken: number, lit: readonly string[]): void {
    scene.junctions.forEach((junction, k) => {
      const marker = this.markers[frame.holds.length + k]!;
      const first = junction.rods[0];
      const rod = frame.rods[scene.rods.findIndex((candidate) => candidate.name === first?.rod)];
      marker.kind = 'junction';
      marker.grips = true;
      marker.name = junction.name;
      marker.group.visible = rod !== undefined && rod.count > 1;
      if (!rod || rod.count < 2 || !first) return;
      marker.group.position.copy(pointAlong(rod, first.s, this.place));
      marker.size = radiusAlong(rod, first.s) * thicken * 0.95;
      marker.ball.visible = true;
      marker.collar.visible = marker.ring.visible = false;
      this.paint(marker, 'junction', lit.includes(marker.name));
    });
  }

  private paint(marker: Marker, look: Look, bright: boolean): void {
    marker.ball.material = marker.collar.material = marker.ring.material = looks[look][bright ? 'lit' : 'plain'];
  }

  private resize(count: number): void {
    while (this.markers.length < count) {
      const make = (geometry: SphereGeometry | CylinderGeometry | TorusGeometry): Mesh => {
        const mesh = new Mesh(geometry, looks.space.plain);
        mesh.castShadow = true;
        return mesh;
      };
      const marker: Marker = { group: new Group(), ball: make(sphere), collar: make(collar), ring: make(ring), size: 0.01, kind: 'hold', name: '', grips: true };
      marker.group.add(marker.ball, marker.collar, marker.ring);
      this.group.add(marker.group);
      this.markers.push(marker);
    }
    for (const gone of this.markers.splice(count)) this.group.remove(gone.group);
    for (const marker of this.markers) marker.group.visible = true;
  }
}
