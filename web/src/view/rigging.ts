// Winches, sheaves and obstacles: drawn from the scene, carried by the bodies they sit on.
import { BoxGeometry, CapsuleGeometry, CylinderGeometry, DoubleSide, Group, Mesh, MeshStandardMaterial, PlaneGeometry, Quaternion, SphereGeometry, TorusGeometry, Vector3 } from 'three';
import type { Obstacle, SceneMessage, Wheel } from '../protocol/scene';
import type { Vec3 } from '../protocol/vectors';

const metal = new MeshStandardMaterial({ color: '#9aa3b0', roughness: 0.45, metalness: 0.5 });
const drum = new MeshStandardMaterial({ color: '#c98f4a', roughness: 0.55, metalness: 0.3 });
const ground = new MeshStandardMaterial({ color: '#6b7686', roughness: 1, transparent: true, opacity: 0.22, side: DoubleSide, depthWrite: false });
const solid = new MeshStandardMaterial({ color: '#8a93a3', roughness: 0.85 });
const disc = new MeshStandardMaterial({ color: '#5d6675', roughness: 0.6, metalness: 0.4 });
const UP = new Vector3(0, 0, 1);
const ALONG = new Vector3(0, 1, 0);

interface Placed {
  object: Group;
  body: string;
  point: Vector3;
  turn: Quaternion;
  /** it is where this rod begins or ends instead */
  rod?: { name: string; end: boolean };
  /** a wheel without an axis stands the way its rope bends there, between these two points */
  between?: [Wheel, Wheel];
}

export class Rigging {
  readonly group = new Group();
  private placed: Placed[] = [];
  private made = '';

  /** `carrier` gives the group of a body, `size` that of the whole scene. */
  update(scene: SceneMessage, carrier: (body: string) => Group | undefined, endOf: (rod: string, end: boolean, out: Vector3) => boolean, size: number): void {
    const wanted = JSON.stringify([scene.winches, scene.sheaves, scene.ropes, scene.obstacles, size.toPrecision(1)]);
    if (wanted !== this.made) {
      this.made = wanted;
      this.make(scene, size);
    }
    const point = new Vector3();
    for (const { object, body, point: at, turn, rod, between } of this.placed) {
      const holder = carrier(body);
      if (!rod || !endOf(rod.name, rod.end, object.position)) object.position.copy(worldOf(holder, at, point));
      object.quaternion.copy(turn);
      if (holder) object.quaternion.premultiply(holder.quaternion);
      if (between) bendAxis(between.map((wheel) => worldOf(carrier(wheel.body), new Vector3(...wheel.point), new Vector3())), object);
    }
  }

  private make(scene: SceneMessage, size: number): void {
    this.group.traverse((part) => {
      if (part instanceof Mesh) part.geometry.dispose();
    });
    this.group.clear();
    this.placed = [];
    for (const winch of scene.winches) {
      const radius = winch.drum_radius || 0.02 * size;
      const object = new Group().add(new Mesh(new CylinderGeometry(radius, radius, 1.6 * radius, 32), drum));
      this.place(object, winch.body, winch.point ?? [0, 0, 0], new Quaternion());
      if (!winch.point) this.placed.at(-1)!.rod = { name: winch.rod, end: winch.s > 0 };
    }
    for (const sheave of scene.sheaves) this.addWheel(sheave, size);
    for (const { through } of scene.ropes)
      through.forEach((wheel, k) => {
        if (!this.addWheel(wheel, size) || wheel.axis || k === 0 || k + 1 === through.length) return;
        this.placed.at(-1)!.between = [through[k - 1]!, through[k + 1]!];
      });
    for (const obstacle of scene.obstacles) this.addObstacle(obstacle, size);
    this.group.traverse((part) => {
      part.castShadow = part instanceof Mesh && part.material !== ground;
    });
  }

  /** One of a mesh is drawn by the scenery that shows the same file, if there is one. */
  private addObstacle({ kind, body, point, normal, from, to, radius, size: edges, position, orientation }: Obstacle, size: number): void {
    const upright = (axis: Vector3, along: Vector3) => new Quaternion().setFromUnitVectors(axis, along.normalize());
    if (kind === 'plane') {
      const object = new Group().add(new Mesh(new PlaneGeometry(6 * size, 6 * size), ground));
      object.children[0]!.receiveShadow = true;
      this.place(object, body, point, upright(UP, new Vector3(...normal)));
    }
    if (kind === 'sphere') this.place(new Group().add(new Mesh(new SphereGeometry(radius, 48, 32), solid)), body, point, new Quaternion());
    if (kind === 'box') {
      const [w, x, y, z] = orientation;
      this.place(new Group().add(new Mesh(new BoxGeometry(...edges), solid)), body, position, new Quaternion(x, y, z, w));
    }
    if (kind === 'capsule' || kind === 'cylinder') {
      const [a, b] = [new Vector3(...from), new Vector3(...to)];
      const along = b.clone().sub(a);
      const shape = kind === 'capsule' ? new CapsuleGeometry(radius, along.length(), 16, 48) : new CylinderGeometry(radius, radius, along.length(), 64);
      const middle = a.add(b).multiplyScalar(0.5).toArray();
      this.place(new Group().add(new Mesh(shape, solid)), body, middle, upright(new Vector3(0, 1, 0), along));
    }
  }

  /** Rim, disc and hub. False: it is an eye and not drawn. */
  private addWheel({ body, point, axis, radius }: Wheel, size: number): boolean {
    if (!(radius > 0)) return false;
    const thick = Math.max(0.12 * radius, 0.004 * size);
    const rim = new Mesh(new TorusGeometry(Math.max(radius - 0.5 * thick, 0.5 * radius), thick, 12, 48), metal);
    const plate = new Mesh(new CylinderGeometry(radius - 0.5 * thick, radius - 0.5 * thick, 0.6 * thick, 40).rotateX(Math.PI / 2), disc);
    const hub = new Mesh(new CylinderGeometry(0.25 * radius, 0.25 * radius, 2.5 * thick, 24).rotateX(Math.PI / 2), metal);
    this.place(new Group().add(rim, plate, hub), body, point, new Quaternion().setFromUnitVectors(UP, new Vector3(...(axis ?? ALONG.toArray())).normalize()));
    return true;
  }

  private place(object: Group, body: string, point: Vec3, turn: Quaternion): void {
    this.group.add(object);
    this.placed.push({ object, body, point: new Vector3(...point), turn });
  }
}

function worldOf(holder: Group | undefined, at: Vector3, out: Vector3): Vector3 {
  out.copy(at);
  return holder ? out.applyQuaternion(holder.quaternion).add(holder.position) : out;
}

/** Turns a wheel's axis square to what comes from one point and goes to the other; as it was where that runs straight. */
function bendAxis([before, after]: Vector3[], object: Group): void {
  const axis = object.position.clone().sub(before!).cross(after!.clone().sub(object.position));
  if (axis.length() > 1e-9) object.quaternion.setFromUnitVectors(UP, axis.normalize());
}
