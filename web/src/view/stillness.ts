// Which of the things in a scene have changed since they were looked at last, whatever changed them: place, shape or paint.
import { BufferAttribute, Color, type BufferGeometry, type Material, type Matrix4, type Object3D, type Scene } from 'three';

/** Looks for which a thing that has changed counts as moving. */
const PATIENCE = 30;

/** A thing with this mark never counts as moving: it is made of what is still, and made anew when some of that moves. */
export const MADE_OF_STILL = 'madeOfStill';
/** A material with uniforms of its own counts here how often they have changed. */
export const LOOK = 'look';

interface Drawn extends Object3D {
  geometry: BufferGeometry;
  material: Material | Material[];
  count?: number;
  instanceMatrix?: { version: number };
}

interface Known {
  place: Matrix4;
  paint: number[];
  /** number of the look that found it changed */
  changed: number;
}

const isDrawn = (object: Object3D): object is Drawn => 'geometry' in object && 'material' in object;

export class Stillness {
  /** what is shown and moves, and what is shown and stands */
  readonly moving: Object3D[] = [];
  readonly still: Object3D[] = [];
  /** something that stands has just changed */
  stirred = false;
  /** anything has changed since the look before */
  changed = false;
  private looks = 0;
  /** look up to which changes are forgotten */
  private forgotten = 0;
  /** of what was there at the last look */
  private there = 0;
  private readonly known = new WeakMap<Object3D, Known>();
  private readonly paint: number[] = [];

  look(scene: Scene): void {
    this.looks += 1;
    this.moving.length = this.still.length = 0;
    this.stirred = this.changed = false;
    let there = 0;
    scene.updateMatrixWorld();
    scene.traverseVisible((object) => {
      if (!isDrawn(object)) return;
      there += object.id;
      const stands = object.userData[MADE_OF_STILL] === true;
      const change = this.lastChange(object);
      if (change === this.looks) this.changed = true;
      if (change === this.looks && stands) this.stirred = true;
      const moves = !stands && change > this.forgotten && this.looks - change < PATIENCE;
      (moves ? this.moving : this.still).push(object);
    });
    if (there !== this.there) this.changed = true;
    this.there = there;
  }

  /** What has changed so far counts as still from now on. */
  calm(): void {
    this.forgotten = this.looks;
  }

  /** Number of the look that found it changed. */
  private lastChange(object: Drawn): number {
    const { paint, looks } = this;
    describe(object, paint);
    const known = this.known.get(object);
    if (!known) {
      this.known.set(object, { place: object.matrixWorld.clone(), paint: [...paint], changed: looks });
      return looks;
    }
    if (known.paint.length === paint.length && paint.every((value, k) => value === known.paint[k]) && known.place.equals(object.matrixWorld)) return known.changed;
    known.place.copy(object.matrixWorld);
    known.paint = [...paint];
    known.changed = looks;
    return looks;
  }
}

/** Numbers of which at least one is another whenever it looks otherwise from the same place. */
function describe({ geometry, material, count = 1, instanceMatrix }: Drawn, out: number[]): void {
  out.length = 0;
  out.push(geometry.id, geometry.drawRange.start, geometry.drawRange.count, geometry.index?.version ?? 0, count, instanceMatrix?.version ?? 0);
  for (const attribute of Object.values(geometry.attributes)) out.push(attribute instanceof BufferAttribute ? attribute.version : 0);
  for (const one of Array.isArray(material) ? material : [material]) {
    out.push(one.id, one.version, one.opacity, Number(one.userData[LOOK] ?? 0));
    if ('color' in one && one.color instanceof Color) out.push(one.color.getHex());
    if ('emissive' in one && one.emissive instanceof Color) out.push(one.emissive.getHex());
  }
}
