// Winches, sheaves and wheels of ropes: drawn from the scene, carried by the bodies they sit on.
import { CylinderGeometry, Group, Mesh, MeshStandardMaterial, Quaternion, TorusGeometry, Vector3 } from 'three';
import type { SceneMessage, Wheel } from '../protocol/scene';
import type { Vec3 } from '../protocol/vectors';

const metal = new MeshStandardMaterial({ color: '#9aa3b0', roughness: 0.45, metalness: 0.5 });
const drum = new MeshStandardMaterial({ color: '#c98f4a', roughness: 0.55, metalness: 0.3 });
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
    const wanted = JSON.stringify([scene.winches, scene.sheaves, scene.ropes, size.toPrecision(1)]);
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
    this.group.traverse((part) => {
      part.castShadow = part instanceof Mesh;
    });
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
