// Many things of one shape and paint, drawn at once: by one call those that stand, by another those that move, of which there are
// mostly few. Nothing is given to the graphics card that it has already.
import { Group, InstancedMesh, type BufferGeometry, type Material, type Matrix4 } from 'three';
import { MADE_OF_STILL } from './stillness';

/** Pictures after which one that has moved stands. */
const CALM = 30;
const LEAST_ROOM = 16;

export class Instances {
  readonly group = new Group();
  private readonly standing: Some;
  private readonly moving: Some;
  /** by their numbers: where they are, and for how many pictures */
  private places = new Float32Array(0);
  private readonly calm: number[] = [];
  /** those of this picture, and which were in the last one */
  private readonly shown: number[] = [];
  private last = new Set<number>();
  private busy = false;

  constructor(geometry: BufferGeometry, material: Material, castShadow: boolean) {
    this.standing = new Some(this.group, geometry, material, castShadow, true);
    this.moving = new Some(this.group, geometry, material, castShadow, false);
  }

  /** `busy`: things move, so that what comes now does. */
  begin(busy: boolean): void {
    this.shown.length = 0;
    this.busy = busy;
  }

  /** The one of this number is shown, here. */
  add(number: number, { elements }: Matrix4): void {
    const from = 16 * number;
    if (this.places.length < from + 16) {
      const roomier = new Float32Array(2 * (from + 16));
      roomier.set(this.places);
      this.places = roomier;
    }
    let same = true;
    for (let j = 0; j < 16; ++j) {
      const value = Math.fround(elements[j]!);
      same &&= this.places[from + j] === value;
      this.places[from + j] = value;
    }
    const comes = !this.last.has(number);
    this.calm[number] = comes && !this.busy ? CALM : same && !comes ? this.calm[number]! + 1 : 0;
    this.shown.push(number);
  }

  end(): void {
    this.last = new Set(this.shown);
    const stands = (number: number): boolean => this.calm[number]! >= CALM;
    this.standing.draw(this.shown.filter(stands), this.places);
    this.moving.draw(this.shown.filter((number) => !stands(number)), this.places);
  }
}

/** Some of them, by one call. */
class Some {
  private mesh: InstancedMesh;

  constructor(private readonly group: Group, private readonly geometry: BufferGeometry, private readonly material: Material, private readonly castShadow: boolean, private readonly still: boolean) {
    this.mesh = this.make(LEAST_ROOM);
  }

  draw(numbers: readonly number[], places: Float32Array): void {
    const { length } = numbers;
    if (length > this.mesh.instanceMatrix.count) {
      this.group.remove(this.mesh);
      this.mesh.dispose();
      this.mesh = this.make(2 * length);
    }
    const { mesh } = this;
    const { array } = mesh.instanceMatrix;
    let changed = false;
    numbers.forEach((number, k) => {
      for (let j = 0; j < 16; ++j) {
        const value = places[16 * number + j]!;
        if (array[16 * k + j] === value) continue;
        array[16 * k + j] = value;
        changed = true;
      }
    });
    if (changed || mesh.count !== length) mesh.boundingBox = null;
    mesh.count = length;
    mesh.visible = length > 0;
    if (!changed) return;
    mesh.instanceMatrix.clearUpdateRanges();
    mesh.instanceMatrix.addUpdateRange(0, 16 * length);
    mesh.instanceMatrix.needsUpdate = true;
  }

  private make(room: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, room);
    mesh.count = 0;
    mesh.visible = false;
    mesh.castShadow = this.castShadow;
    mesh.frustumCulled = false;
    mesh.userData[MADE_OF_STILL] = this.still;
    this.group.add(mesh);
    return mesh;
  }
}
