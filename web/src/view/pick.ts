// What is under the pointer. Cables and holds are found on the screen, so that thin ones can be grabbed; bodies and
// meshes by rays.
import { Raycaster, Vector2, Vector3, type Object3D, type PerspectiveCamera } from 'three';
import type { Thing } from '../model/selection';
import type { FrameStore } from '../protocol/frame';
import type { SceneMessage } from '../protocol/scene';
import type { Cables } from './cables';
import { SAMPLE_SIZE } from './curve';
import type { Holds } from './holds';
import { pixelSize, toScreen } from './screen';
import type { Tube } from './tube';

export interface Hit {
  thing: Thing;
  point: Vector3;
  /** distance from the camera, m */
  depth: number;
}

/** How near the pointer must come, pixels. */
const NEAR = { mouse: 7, touch: 18 };

export class Picker {
  private readonly ray = new Raycaster();
  private readonly pointer = new Vector2();
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly place = new Vector3();
  private box = new DOMRect();

  constructor(
    private readonly camera: PerspectiveCamera,
    private readonly canvas: { getBoundingClientRect: () => DOMRect },
    /** a hold is found before a cable that is nearer by less than this factor */
    private readonly holdsFirst = 1.02,
  ) {}

  /** The nearest thing: holds before cables, cables before bodies, unless those are well in front. */
  pick(x: number, y: number, touch: boolean, parts: Pickable): Hit | undefined {
    this.measure();
    const near = touch ? NEAR.touch : NEAR.mouse;
    const marker = this.pickMarker(x, y, near, parts);
    const cable = this.pickCable(x, y, near, parts);
    const solid = this.pickSolid(x, y, parts);
    const slender = marker && (!cable || marker.depth < cable.depth * this.holdsFirst) ? marker : (cable ?? marker);
    if (slender && solid && solid.depth < slender.depth * 0.97) return solid;
    return slender ?? solid;
  }

  /** The pointer's ray into the world. */
  rayAt(x: number, y: number): Raycaster {
    this.measure();
    const box = this.box;
    this.pointer.set(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
    this.ray.setFromCamera(this.pointer, this.camera);
    return this.ray;
  }

  private pickMarker(x: number, y: number, near: number, { holds, skip }: Pickable): Hit | undefined {
    let best: Hit | undefined;
    let bestOff = Infinity;
    for (const marker of holds.markers) {
      if (!marker.visible || !marker.grips || skip({ kind: marker.kind, name: marker.name })) continue;
      const at = this.toScreen(marker.place.position, this.a);
      if (at.z > 1) continue;
      const radius = marker.place.scale.x / this.worldPerPixel(marker.place.position);
      const off = Math.hypot(at.x - x, at.y - y) - radius;
      if (off > near || off >= bestOff) continue;
      bestOff = off;
      best = {
        thing: { kind: marker.kind, name: marker.name },
        point: marker.place.position.clone(),
        depth: this.camera.position.distanceTo(marker.place.position),
      };
    }
    return best;
  }

  private pickCable(x: number, y: number, near: number, { cables, frame, scene, skip }: Pickable): Hit | undefined {
    let best: Hit | undefined;
    let bestScore = Infinity;
    frame.rods.forEach((rod, index) => {
      const tube = cables.tube(index);
      const described = scene.rods[index];
      if (!tube || !described || rod.count < 2 || skip({ kind: 'rod', name: described.name })) return;
      if (!this.mayMeet(x, y, near, tube)) return;
      for (let k = 0; k + 1 < tube.sampleCount; ++k) {
        this.toScreen(this.place.fromArray(tube.samples, k * SAMPLE_SIZE), this.a);
        this.toScreen(this.place.fromArray(tube.samples, (k + 1) * SAMPLE_SIZE), this.b);
        if (this.a.z > 1 || this.b.z > 1) continue;
        const dx = this.b.x - this.a.x;
        const dy = this.b.y - this.a.y;
        const u = Math.min(Math.max(((x - this.a.x) * dx + (y - this.a.y) * dy) / (dx * dx + dy * dy || 1), 0), 1);
        const off = Math.hypot(this.a.x + u * dx - x, this.a.y + u * dy - y);
        if (off > near + 60) continue;
        const point = this.place.fromArray(tube.samples, k * SAMPLE_SIZE);
        const place = tube.pointOf(k) + u * (tube.pointOf(k + 1) - tube.pointOf(k));
        const i = Math.min(Math.floor(place), rod.count - 2);
        const radius = Math.max(rod.outline[2 * i]!, rod.outline[2 * i + 1]!) / this.worldPerPixel(point);
        if (off > radius + near) continue;
        const depth = this.camera.position.distanceTo(point);
        // within the skin the nearer cable wins, beside it the closer one
        const score = Math.max(off - radius, 0) * 1e3 + depth;
        if (score >= bestScore) continue;
        bestScore = score;
        const s = rod.s[i]! + (place - i) * (rod.s[i + 1]! - rod.s[i]!);
        const to = new Vector3().fromArray(tube.samples, (k + 1) * SAMPLE_SIZE);
        best = { thing: { kind: 'rod', name: described.name, s }, point: point.clone().lerp(to, u), depth };
      }
    });
    return best;
  }

  /** Whether the pointer is near enough to all of a cable that looking at its parts is worth it. */
  private mayMeet(x: number, y: number, near: number, tube: Tube): boolean {
    const sphere = tube.geometry.boundingSphere;
    if (!sphere) return true;
    const at = this.toScreen(sphere.center, this.a);
    const depth = this.camera.position.distanceTo(sphere.center);
    // beside or behind the camera a projection says nothing
    if (at.z > 1 || depth < 2 * sphere.radius) return true;
    return Math.hypot(at.x - x, at.y - y) < near + (1.3 * sphere.radius) / this.worldPerPixel(sphere.center);
  }

  private pickSolid(x: number, y: number, { solids, skip }: Pickable): Hit | undefined {
    const ray = this.rayAt(x, y);
    let best: Hit | undefined;
    for (const { object, thing } of solids) {
      if (skip(thing)) continue;
      const hit = ray.intersectObject(object, true)[0];
      if (hit && (!best || hit.distance < best.depth)) best = { thing, point: hit.point, depth: hit.distance };
    }
    return best;
  }

  private toScreen(point: Vector3, out: Vector3): Vector3 {
    return toScreen(point, this.camera, this.box, out);
  }

  private worldPerPixel(point: Vector3): number {
    return pixelSize(this.camera, this.box.height) * this.camera.position.distanceTo(point);
  }

  private measure(): void {
    this.box = this.canvas.getBoundingClientRect();
  }
}

interface Solid {
  object: Object3D;
  thing: Thing;
}

interface Pickable {
  frame: FrameStore;
  scene: SceneMessage;
  cables: Cables;
  holds: Holds;
  solids: readonly Solid[];
  /** what the pointer does not find */
  skip: (thing: Thing) => boolean;
}
