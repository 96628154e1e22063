// Massless ropes where they run: tubes along the path that a frame gives. They have no diameter of their own, so all are as thick as can be
// seen well. A slack rope hangs somewhere between its points, which nobody knows: it is drawn as a dashed line.
import { BufferAttribute, BufferGeometry, type Box3, Group, Line, LineDashedMaterial, Mesh, Vector3 } from 'three';
import { RopeFlag, type RopeFrame } from '../protocol/frame';
import { dynamic } from './buffers';
import { CableMaterial } from './cable_material';
import type { Legend } from './colouring';

const AROUND = 10;
const THICKNESS = 0.0022; // radius over the size of the scene
const COLOUR = '#e3c48a';

export class Ropes {
  readonly group = new Group();
  private ropes: DrawnRope[] = [];
  private frames: readonly RopeFrame[] = [];

  /** `legend`: coloured by tension. */
  update(frames: readonly RopeFrame[], legend: Legend | undefined, size: number): void {
    while (this.ropes.length > frames.length) this.group.remove(...this.ropes.pop()!.dispose());
    while (this.ropes.length < frames.length) {
      this.ropes.push(new DrawnRope());
      this.group.add(...this.ropes.at(-1)!.parts);
    }
    frames.forEach((frame, k) => this.ropes[k]!.update(frame, legend, THICKNESS * size, size));
    this.frames = frames;
  }

  extend(box: Box3): void {
    const point = new Vector3();
    for (const { path } of this.frames) for (let o = 0; o < path.length; o += 3) box.expandByPoint(point.fromArray(path, o));
  }
}

/** What is written anew with every frame, a vertex each. */
interface Skin {
  positions: BufferAttribute;
  normals: BufferAttribute;
  values: BufferAttribute;
}

function newSkin(vertices: number): Skin {
  const room = (size: number): BufferAttribute => dynamic(new Float32Array(vertices * size), size);
  return { positions: room(3), normals: room(3), values: room(1) };
}

class DrawnRope {
  private readonly material = new CableMaterial(COLOUR);
  private readonly dashes = new LineDashedMaterial({ color: COLOUR, transparent: true, opacity: 0.8 });
  private readonly tube = new Mesh(new BufferGeometry(), this.material);
  private readonly line = new Line(new BufferGeometry(), this.dashes);
  readonly parts = [this.tube, this.line];
  private points = 0;
  private skin = newSkin(0);
  /** the points of the dashed line */
  private course = dynamic(new Float32Array(0), 3);

  constructor() {
    for (const part of this.parts) part.frustumCulled = false;
    this.tube.castShadow = true;
    this.material.setStripe(COLOUR, false);
  }

  update(frame: RopeFrame, legend: Legend | undefined, radius: number, size: number): void {
    const points = frame.path.length / 3;
    if (points !== this.points) this.allocate(points);
    const taut = (frame.flags & (RopeFlag.Slack | RopeFlag.Broken)) === 0;
    this.tube.visible = taut && points > 1;
    this.line.visible = !taut && points > 1;
    if (points < 2) return;
    if (taut) {
      writeTube(frame.path, radius, this.skin);
      this.material.setGirth(radius);
      this.material.useRamp(legend?.ramp);
      if (legend) this.colour((frame.tension - legend.low) / (legend.high - legend.low));
    } else {
      this.course.copyArray(frame.path);
      this.course.needsUpdate = true;
      this.line.computeLineDistances();
      this.dashes.dashSize = 0.02 * size;
      this.dashes.gapSize = (frame.flags & RopeFlag.Broken ? 0.04 : 0.012) * size;
    }
  }

  dispose(): typeof this.parts {
    for (const part of this.parts) part.geometry.dispose();
    this.material.dispose();
    this.dashes.dispose();
    return this.parts;
  }

  private colour(value: number): void {
    const { values } = this.skin;
    if (values.getX(0) === Math.fround(value)) return;
    for (let k = 0; k < values.count; ++k) values.setX(k, value);
    values.needsUpdate = true;
  }

  private allocate(points: number): void {
    this.points = points;
    this.skin = newSkin(points * AROUND);
    this.course = dynamic(new Float32Array(3 * points), 3);
    const tube = this.tube.geometry;
    tube.setAttribute('position', this.skin.positions);
    tube.setAttribute('normal', this.skin.normals);
    tube.setAttribute('value', this.skin.values);
    // in the middle between stripes
    tube.setAttribute('around', new BufferAttribute(new Float32Array(points * AROUND).fill(0.5), 1));
    const triangles: number[] = [];
    for (let k = 0; k + 1 < points; ++k)
      for (let j = 0; j < AROUND; ++j) {
        const [a, b] = [k * AROUND + j, k * AROUND + ((j + 1) % AROUND)];
        triangles.push(a, b, a + AROUND, b, b + AROUND, a + AROUND);
      }
    tube.setIndex(triangles);
    this.line.geometry.setAttribute('position', this.course);
  }
}

/** Rings of AROUND vertices across a path; each ring's normal follows from the last by the least turn. */
function writeTube(path: Float32Array, radius: number, { positions, normals }: Skin): void {
  const points = path.length / 3;
  const at = (k: number, out: Vector3): Vector3 => out.fromArray(path, 3 * k);
  const [here, before, after, tangent] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const [u, v, normal] = [new Vector3(), new Vector3(), new Vector3()];
  for (let k = 0; k < points; ++k) {
    at(k, here);
    tangent.subVectors(at(Math.min(k + 1, points - 1), after), at(Math.max(k - 1, 0), before)).normalize();
    if (k === 0) u.set(tangent.z, tangent.x, tangent.y);
    u.addScaledVector(tangent, -u.dot(tangent));
    if (!(u.lengthSq() > 1e-12)) u.set(tangent.y, tangent.z, -tangent.x).cross(tangent);
    u.normalize();
    v.crossVectors(tangent, u);
    for (let j = 0; j < AROUND; ++j) {
      const angle = (2 * Math.PI * j) / AROUND;
      normal.copy(u).multiplyScalar(Math.cos(angle)).addScaledVector(v, Math.sin(angle));
      normals.setXYZ(k * AROUND + j, normal.x, normal.y, normal.z);
      positions.setXYZ(k * AROUND + j, here.x + radius * normal.x, here.y + radius * normal.y, here.z + radius * normal.z);
    }
  }
  positions.needsUpdate = normals.needsUpdate = true;
}
