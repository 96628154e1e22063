// Arrows: forces with one head, moments with two. All of a kind are drawn at once.
import { ConeGeometry, CylinderGeometry, Group, Matrix4, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { Instances } from './instances';

const CAPACITY = 512;
const UP = new Vector3(0, 1, 0);

export class Arrows {
  readonly group = new Group();
  private readonly shafts: Instances;
  private readonly heads: Instances;
  private readonly matrix = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly size = new Vector3();
  private readonly at = new Vector3();
  private readonly direction = new Vector3();
  private count = 0;

  constructor(colour: string, private readonly heads2: boolean) {
    const material = new MeshStandardMaterial({ color: colour, roughness: 0.5, emissive: colour, emissiveIntensity: 0.25 });
    this.shafts = new Instances(new CylinderGeometry(1, 1, 1, 10, 1, true).translate(0, 0.5, 0), material, false);
    this.heads = new Instances(new ConeGeometry(1, 1, 14).translate(0, 0.5, 0), material, false);
    this.group.add(this.shafts.group, this.heads.group);
  }

  /** `busy`: things move. */
  begin(busy: boolean): void {
    this.count = 0;
    this.shafts.begin(busy);
    this.heads.begin(busy);
  }

  /** An arrow from `from` along `vector` (m), `thickness` m wide; one that is shorter than that is left out. */
  add(from: Vector3, vector: Vector3, thickness: number): void {
    const length = vector.length();
    const number = this.count++;
    if (number >= CAPACITY || !(length > thickness)) return;
    this.direction.copy(vector).divideScalar(length);
    this.turn.setFromUnitVectors(UP, this.direction);
    const head = Math.min(thickness * 5, length * (this.heads2 ? 0.3 : 0.5));
    const shaft = Math.max(length - head, 0);
    this.size.set(thickness, shaft, thickness);
    this.shafts.add(number, this.matrix.compose(from, this.turn, this.size));
    this.size.set(head * 0.42, head, head * 0.42);
    this.at.copy(from).addScaledVector(this.direction, shaft);
    this.heads.add(2 * number, this.matrix.compose(this.at, this.turn, this.size));
    if (!this.heads2) return;
    this.at.addScaledVector(this.direction, -head * 0.8);
    this.heads.add(2 * number + 1, this.matrix.compose(this.at, this.turn, this.size));
  }

  end(): void {
    this.shafts.end();
    this.heads.end();
  }
}
