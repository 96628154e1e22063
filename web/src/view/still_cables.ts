// Cables that have not changed for a while, drawn together: one call instead of one each. Each of them keeps its own mesh, which
// is drawn instead as soon as it changes; its triangles here are then blotted out until all are gathered anew.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, Mesh, type Color } from 'three';
import { CableMaterial } from './cable_material';
import { MADE_OF_STILL } from './stillness';

/** One that may be drawn with others. */
export interface Still {
  mesh: Mesh<BufferGeometry, CableMaterial>;
  /** another object whenever it looks different */
  look: object;
  /** whether it is to be seen, and not lit up */
  plain: boolean;
  /** how it looked in the picture before, and in how many pictures it has looked so */
  before: object | undefined;
  still: number;
}

/** Pictures that a cable stays as it is before it is gathered with others. */
const PATIENCE = 4;
/** Fewer are not worth it. */
const FEW = 4;

const ready = ({ plain, still }: Still): boolean => plain && still >= PATIENCE;

interface Place {
  look: object;
  /** its part of the index */
  start: number;
  count: number;
}

export class StillCables {
  readonly group = new Group();
  private readonly material = new CableMaterial('#ffffff', true);
  private readonly mesh = new Mesh<BufferGeometry, CableMaterial>(new BufferGeometry(), this.material);
  private readonly places = new Map<Still, Place>();

  constructor() {
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.userData[MADE_OF_STILL] = true;
    this.group.add(this.mesh);
  }

  /** Whether it was gathered as it looks now. */
  has(cable: Still): boolean {
    return cable.plain && this.places.get(cable)?.look === cable.look;
  }

  setStripe(colour: string, shown: boolean): void {
    this.material.setStripe(colour, shown);
  }

  /** Looks at all cables before a picture: drops those that have changed, gathers anew once enough others have come to rest. */
  update(cables: readonly Still[]): void {
    const there = new Set(cables);
    for (const [cable, place] of this.places) if (!this.has(cable) || !there.has(cable)) this.blot(cable, place);
    let waiting = 0;
    for (const cable of cables) {
      cable.still = cable.look === cable.before ? cable.still + 1 : 0;
      cable.before = cable.look;
      if (ready(cable) && !this.places.has(cable)) waiting += 1;
    }
    if (waiting >= FEW) this.gather(cables.filter(ready));
    this.mesh.visible = this.places.size > 0;
  }

  /** Makes its triangles points, which are not drawn. */
  private blot(cable: Still, { start, count }: Place): void {
    const index = this.mesh.geometry.getIndex()!;
    index.array.fill(0, start, start + count);
    index.addUpdateRange(start, count);
    index.needsUpdate = true;
    this.places.delete(cable);
  }

  /** Writes all of them into one geometry. */
  private gather(cables: readonly Still[]): void {
    const geometries = cables.map(({ mesh }) => mesh.geometry);
    const size = (of: (geometry: BufferGeometry) => number): number => geometries.reduce((sum, geometry) => sum + of(geometry), 0);
    const vertices = size((geometry) => geometry.getAttribute('position').count);
    const made = new BufferGeometry();
    const list = { position: new Float32Array(3 * vertices), normal: new Float32Array(3 * vertices), around: new Float32Array(vertices), value: new Float32Array(vertices) };
    const tint = new Float32Array(4 * vertices);
    const index = new Uint32Array(size((geometry) => geometry.getIndex()!.count));
    this.places.clear();
    let [vertex, at] = [0, 0];
    cables.forEach((cable, k) => {
      const geometry = geometries[k]!;
      const own = geometry.getIndex()!.array;
      const { count } = geometry.getAttribute('position');
      for (const name of ['position', 'normal', 'around', 'value'] as const) {
        const { array, itemSize } = geometry.getAttribute(name);
        list[name].set(array, itemSize * vertex);
      }
      paint(tint, vertex, count, cable.mesh.material.color, cable.mesh.material.girthNow);
      for (let j = 0; j < own.length; ++j) index[at + j] = own[j]! + vertex;
      this.places.set(cable, { look: cable.look, start: at, count: own.length });
      vertex += count;
      at += own.length;
    });
    for (const [name, array] of Object.entries(list)) made.setAttribute(name, new BufferAttribute(array, array.length / vertices));
    made.setAttribute('tint', new BufferAttribute(tint, 4));
    made.setIndex(new BufferAttribute(index, 1).setUsage(DynamicDrawUsage));
    this.mesh.geometry.dispose();
    this.mesh.geometry = made;
  }
}

/** Colour and girth of so many vertices. */
function paint(tint: Float32Array, from: number, count: number, { r, g, b }: Color, girth: number): void {
  for (let o = 4 * from; o < 4 * (from + count); o += 4) {
    tint[o] = r;
    tint[o + 1] = g;
    tint[o + 2] = b;
    tint[o + 3] = girth;
  }
}
