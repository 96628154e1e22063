// Arrows: forces with one head, moments with two. All of a kind are drawn at once.
import { ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { drawFirst } from './buffers';

const CAPACITY = 512;
const UP = new Vector3(0, 1, 0);

export class Arrows {
  readonly group = new Group();
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly matrix = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly at = new Vector3();
  private readonly direction = new Vector3();
  private count = 0;
  private headCount = 0;

  constructor(colour: string, private readonly heads2: boolean) {
    const material = new MeshStandardMaterial({ color: colour, roughness: 0.5, emissive: colour, emissiveIntensity: 0.25 });
    this.shafts = new InstancedMesh(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), material, CAPACITY);
    this.heads = new InstancedMesh(new ConeGeometry(1, 1, 16).translate(0, 0.5, 0), material, 2 * CAPACITY);
    this.shafts.frustumCulled = this.heads.frustumCulled = false;
    this.end();
    this.group.add(this.shafts, this.heads);
  }

  begin(): void {
    this.count = this.headCount = 0;
  }

  /** An arrow from `from` along `vector` (m), `thickness` m wide. */
  add(from: Vector3, vector: Vector3, thickness: number): void {
    const length = vector.length();
    if (this.count >= CAPACITY || !(length > 0)) return;
    this.direction.copy(vector).divideScalar(length);
    this.turn.setFromUnitVectors(UP, this.direction);
    const head = Math.min(thickness * 5, length * (this.heads2 ? 0.3 : 0.5));
    const shaft = Math.max(length - head, 0);
    this.size.set(thickness, shaft, thickness);
    this.shafts.setMatrixAt(this.count++, this.matrix.compose(from, this.turn, this.size));
    this.size.set(head * 0.42, head, head * 0.42);
    this.at.copy(from).addScaledVector(this.direction, shaft);
    this.heads.setMatrixAt(this.headCount++, this.matrix.compose(this.at, this.turn, this.size));
    if (!this.heads2) return;
    this.at.addScaledVector(this.direction, -head * 0.8);
    this.heads.setMatrixAt(this.headCount++, this.matrix.compose(this.at, this.turn, this.size));
  }

  end(): void {
    drawFirst(this.shafts, this.count);
    drawFirst(this.heads, this.headCount);
  }
}
