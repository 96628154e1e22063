// What of a picture some things cover: many small boxes, which together are hardly larger than the things themselves (a cable that
// lies across the picture is in a chain of them), and one around all.
import { BufferGeometry, InstancedMesh, Matrix4, Vector4, type Box3, type Object3D, type PerspectiveCamera } from 'three';
import { ScreenBox } from './screen_box';

/** Pixels around what is covered: cables that are seen from afar are drawn thicker than they are. */
const MARGIN = 8;
/** Boxes of one thing, before those that lie side by side are made one. */
const PARTS = 16;
/** Pixels that cost as much as to begin with another box. */
const EACH = 4000;
/** Of more vertices than these the box does: it is not worth it to look at each. */
const MANY = 20_000;

const around = new ScreenBox();

export class Covered {
  readonly boxes: ScreenBox[] = [];
  /** around all of them */
  readonly whole = new ScreenBox();
  private readonly toScreen = new Matrix4();
  private readonly place = new Matrix4();
  private readonly corner = new Vector4();
  private seen = new Float32Array(0);
  /** something of it is beside or behind the viewer */
  private astray = false;

  /** Looks where things are drawn in a picture of this size: anywhere, if they are at the viewer's eye. */
  look(things: readonly Object3D[], camera: PerspectiveCamera, width: number, height: number): void {
    this.boxes.length = 0;
    this.astray = false;
    this.toScreen.set(width / 2, 0, 0, width / 2, 0, height / 2, 0, height / 2, 0, 0, 1, 0, 0, 0, 0, 1);
    this.toScreen.multiply(camera.projectionMatrix).multiply(camera.matrixWorldInverse);
    for (const thing of things) this.addThing(thing, camera.near);
    if (this.astray) this.boxes.splice(0, Infinity, new ScreenBox().fill(width, height));
    this.whole.clear();
    const found = this.boxes.splice(0);
    for (const box of found) {
      this.whole.add(box.clip(width, height));
      // with one that is there, if that is no larger than a box of its own would cost
      const other = this.boxes.find((one) => around.copy(one).add(box).area <= one.area + box.area + EACH);
      if (other) other.add(box);
      else if (box.area > 0) this.boxes.push(box);
    }
  }

  private addThing(thing: Object3D, near: number): void {
    this.place.multiplyMatrices(this.toScreen, thing.matrixWorld);
    const geometry = 'geometry' in thing && thing.geometry instanceof BufferGeometry ? thing.geometry : undefined;
    const points = geometry?.getAttribute('position');
    if (!geometry || !points) this.astray = true;
    else if (thing instanceof InstancedMesh) this.addInstances(thing, boxOf(geometry), near);
    else if (points.count > MANY) this.addBox(boxOf(geometry), this.place, near);
    else this.addTriangles(points.array, points.count, geometry.index?.array, near);
  }

  private addInstances(thing: InstancedMesh, box: Box3, near: number): void {
    const own = new Matrix4();
    for (let k = 0; k < thing.count; ++k) {
      thing.getMatrixAt(k, own);
      this.addBox(box, own.premultiply(this.place), near);
    }
  }

  private addBox(box: Box3, place: Matrix4, near: number): void {
    const made = new ScreenBox().clear();
    for (let k = 0; k < 8; ++k) {
      const { x, y, w } = this.corner.set(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z, 1).applyMatrix4(place);
      this.astray ||= !(w > near);
      made.addPoint(x / w, y / w, MARGIN);
    }
    this.boxes.push(made);
  }

  /** One box for some triangles at a time, in their order: of a cable they are near each other. */
  private addTriangles(points: ArrayLike<number>, count: number, index: ArrayLike<number> | undefined, near: number): void {
    this.project(points, count, near);
    const corners = index?.length ?? count;
    const each = Math.max(Math.ceil(corners / PARTS), 3);
    for (let from = 0; from < corners; from += each) {
      const made = new ScreenBox().clear();
      for (let k = from; k < Math.min(from + each, corners); ++k) {
        const at = 2 * (index ? index[k]! : k);
        made.addPoint(this.seen[at]!, this.seen[at + 1]!, MARGIN);
      }
      this.boxes.push(made);
    }
  }

  private project(points: ArrayLike<number>, count: number, near: number): void {
    if (this.seen.length < 2 * count) this.seen = new Float32Array(2 * count);
    const m = this.place.elements;
    for (let k = 0; k < count; ++k) {
      const [x, y, z] = [points[3 * k]!, points[3 * k + 1]!, points[3 * k + 2]!];
      const w = m[3]! * x + m[7]! * y + m[11]! * z + m[15]!;
      this.astray ||= !(w > near);
      this.seen[2 * k] = (m[0]! * x + m[4]! * y + m[8]! * z + m[12]!) / w;
      this.seen[2 * k + 1] = (m[1]! * x + m[5]! * y + m[9]! * z + m[13]!) / w;
    }
  }
}

function boxOf(geometry: BufferGeometry): Box3 {
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  return geometry.boundingBox!;
}
