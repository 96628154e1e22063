// The part of a picture that some things cover, in its pixels from the lower left.
import { BufferGeometry, InstancedMesh, Matrix4, Vector4, type Box3, type Object3D, type PerspectiveCamera } from 'three';

/** Pixels around what is covered: cables that are seen from afar are drawn thicker than they are. */
const MARGIN = 8;

export class ScreenBox {
  left = 0;
  bottom = 0;
  right = 0;
  top = 0;
  private readonly matrix = new Matrix4();
  private readonly corner = new Vector4();

  /** Covers nothing. */
  clear(): this {
    [this.left, this.bottom, this.right, this.top] = [Infinity, Infinity, -Infinity, -Infinity];
    return this;
  }

  /** Covers a whole picture. */
  fill(width: number, height: number): this {
    [this.left, this.bottom, this.right, this.top] = [0, 0, width, height];
    return this;
  }

  add(other: ScreenBox): this {
    this.left = Math.min(this.left, other.left);
    this.bottom = Math.min(this.bottom, other.bottom);
    this.right = Math.max(this.right, other.right);
    this.top = Math.max(this.top, other.top);
    return this;
  }

  /** Adds where things are drawn; the whole picture if that is not known. */
  addThings(things: readonly Object3D[], camera: PerspectiveCamera, width: number, height: number): this {
    for (const thing of things) {
      const box = boxOf(thing);
      if (!box) return this.fill(width, height);
      this.matrix.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).multiply(thing.matrixWorld);
      for (let k = 0; k < 8; ++k) {
        const { x, y, w } = this.corner.set(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z, 1).applyMatrix4(this.matrix);
        if (w <= camera.near) return this.fill(width, height);
        this.addPoint(((x / w + 1) / 2) * width, ((y / w + 1) / 2) * height);
      }
    }
    // whole pixels that are there
    this.left = Math.max(Math.floor(this.left), 0);
    this.bottom = Math.max(Math.floor(this.bottom), 0);
    this.right = Math.min(Math.ceil(this.right), width);
    this.top = Math.min(Math.ceil(this.top), height);
    return this;
  }

  get empty(): boolean {
    return this.left >= this.right || this.bottom >= this.top;
  }

  private addPoint(x: number, y: number): void {
    this.left = Math.min(this.left, x - MARGIN);
    this.bottom = Math.min(this.bottom, y - MARGIN);
    this.right = Math.max(this.right, x + MARGIN);
    this.top = Math.max(this.top, y + MARGIN);
  }
}

/** The box of a thing in its own coordinates. One that the renderer is told never to leave out may be anywhere. */
function boxOf(thing: Object3D): Box3 | undefined {
  if (thing instanceof InstancedMesh) {
    if (!thing.boundingBox) thing.computeBoundingBox();
    return thing.boundingBox ?? undefined;
  }
  if (!thing.frustumCulled || !('geometry' in thing) || !(thing.geometry instanceof BufferGeometry)) return undefined;
  const { geometry } = thing;
  if (!geometry.boundingBox) geometry.computeBoundingBox();
  return geometry.boundingBox ?? undefined;
}
