// The skin of one cable: a tube around its centre line, written in place frame after frame.
import { Box3, BufferAttribute, BufferGeometry, Sphere, Vector3 } from 'three';
import { dynamic } from './buffers';
import { SAMPLE_SIZE, gapsOf, sampleBetween, type RodShape } from './curve';
import { detailOf, type Detail } from './detail';
import { rectangleProfile, roundProfile, type Outline, type Profile } from './profile';

const rounds = new Map<number, Profile>();
const rectangle = rectangleProfile();

/** The circle of so many sides, made once. */
function round(sides: number): Profile {
  const made = rounds.get(sides) ?? roundProfile(sides);
  rounds.set(sides, made);
  return made;
}

export class Tube {
  readonly geometry = new BufferGeometry();
  /** centre-line samples of the last frame, SAMPLE_SIZE numbers each */
  samples = new Float32Array(0);
  sampleCount = 0;
  /** samples from one point to the next; below 1: of so many points one */
  subdivisions = 1;
  private profile: Profile = rectangle;
  private points = 0;
  private gaps = 0;
  private positions = new Float32Array(0);
  private normals = new Float32Array(0);
  private values = new Float32Array(0);
  private readonly lower = new Vector3();
  private readonly upper = new Vector3();
  private readonly place = new Vector3();

  /** Takes the rod's new shape. `extents` are the half-extents along d1 and d2: one pair, or one per point. */
  update(rod: RodShape, extents: ArrayLike<number>, outline: Outline, thicken: number, detail: Detail = detailOf(rod.count - 1)): void {
    const profile = outline === 'rectangle' ? rectangle : round(detail.sides);
    const gaps = gapsOf(rod);
    if (rod.count !== this.points || profile !== this.profile || detail.between !== this.subdivisions || gaps !== this.gaps) {
      this.gaps = gaps;
      this.allocate(rod, profile, detail.between);
    }
    this.sampleCentreLine(rod);
    this.writeSkin(extents, thicken);
  }

  /** Takes one value in 0..1 per point for the colour ramp. */
  colour(values: Float32Array): void {
    const ring = this.profile.count;
    for (let k = 0; k < this.sampleCount; ++k) {
      const place = this.pointOf(k);
      const i = Math.floor(place);
      const u = place - i;
      const here = values[i]!;
      const value = u > 0 ? here + u * (values[i + 1]! - here) : here;
      this.values.fill(value, k * ring, (k + 1) * ring);
    }
    const caps = this.sampleCount * ring;
    this.values.fill(values[0]!, caps, caps + ring);
    this.values.fill(values[this.points - 1]!, caps + ring, caps + 2 * ring);
    this.geometry.getAttribute('value').needsUpdate = true;
  }

  /** Adds its centre line to a box. */
  extend(box: Box3): void {
    if (this.sampleCount > 0) box.expandByPoint(this.lower).expandByPoint(this.upper);
  }

  /** Where a sample is, in points from the first one. */
  pointOf(sample: number): number {
    return Math.min(sample / this.subdivisions, this.points - 1);
  }

  dispose(): void {
    this.geometry.dispose();
  }

  private allocate(rod: RodShape, profile: Profile, between: number): void {
    const points = rod.count;
    const ring = profile.count;
    const segments = Math.max(points - 1, 1);
    this.points = points;
    this.profile = profile;
    this.subdivisions = between;
    this.sampleCount = Math.ceil(segments * this.subdivisions) + 1;
    this.samples = new Float32Array(this.sampleCount * SAMPLE_SIZE);

    // rings of the skin, then one ring for each end face
    const vertices = (this.sampleCount + 2) * ring;
    this.positions = new Float32Array(3 * vertices);
    this.normals = new Float32Array(3 * vertices);
    this.values = new Float32Array(vertices);
    const around = new Float32Array(vertices);
    for (let k = 0; k < this.sampleCount; ++k) around.set(profile.around, k * ring);
    // end faces carry no stripe
    around.fill(0.5, this.sampleCount * ring);

    this.geometry.setAttribute('position', dynamic(this.positions, 3));
    this.geometry.setAttribute('normal', dynamic(this.normals, 3));
    this.geometry.setAttribute('value', dynamic(this.values, 1));
    this.geometry.setAttribute('around', new BufferAttribute(around, 1));
    this.geometry.setIndex(new BufferAttribute(this.triangles(rod, ring), 1));
    this.geometry.boundingSphere = new Sphere();
    this.geometry.boundingBox = new Box3();
  }

  private triangles(rod: RodShape, ring: number): Uint32Array {
    const faces = (this.sampleCount - 1 - this.gaps * this.subdivisions) * (ring - 1) * 2 + 2 * (ring - 3);
    const index = new Uint32Array(3 * faces);
    let at = 0;
    // from one end to the other; fans at both: the start looks backwards, the end forwards
    const start = this.sampleCount * ring;
    const end = start + ring;
    for (let j = 1; j + 2 < ring; ++j) {
      index[at++] = start;
      index[at++] = start + j + 1;
      index[at++] = start + j;
    }
    for (let k = 0; k + 1 < this.sampleCount; ++k) {
      // no skin where the rod has parted
      const i = Math.floor(k / this.subdivisions);
      if (this.gaps > 0 && rod.s![i + 1] === rod.s![i]) continue;
      for (let j = 0; j + 1 < ring; ++j) {
        const a = k * ring + j;
        const b = a + ring;
        index[at++] = a;
        index[at++] = a + 1;
        index[at++] = b;
        index[at++] = b;
        index[at++] = a + 1;
        index[at++] = b + 1;
      }
    }
    for (let j = 1; j + 2 < ring; ++j) {
      index[at++] = end;
      index[at++] = end + j;
      index[at++] = end + j + 1;
    }
    return index;
  }

  private sampleCentreLine(rod: RodShape): void {
    const last = rod.count - 2;
    for (let k = 0; k < this.sampleCount; ++k) {
      const place = this.pointOf(k);
      const i = Math.min(Math.floor(place), last);
      sampleBetween(rod, i, place - i, this.samples, k * SAMPLE_SIZE);
    }
  }

  private writeSkin(extents: ArrayLike<number>, thicken: number): void {
    const ring = this.profile.count;
    const last = this.sampleCount - 1;
    const perPoint = extents.length > 2;
    for (let k = 0; k <= last; ++k) {
      const i = perPoint ? Math.round(this.pointOf(k)) : 0;
      this.writeRing(k, k * ring, extents[2 * i]! * thicken, extents[2 * i + 1]! * thicken, 0);
    }
    const e = perPoint ? 2 * (this.points - 1) : 0;
    this.writeRing(0, (last + 1) * ring, extents[0]! * thicken, extents[1]! * thicken, -1);
    this.writeRing(last, (last + 2) * ring, extents[e]! * thicken, extents[e + 1]! * thicken, 1);
    let most = 0;
    for (let k = 0; k < extents.length; ++k) most = Math.max(most, extents[k]!);
    this.bound(most * thicken);
    this.geometry.getAttribute('position').needsUpdate = true;
    this.geometry.getAttribute('normal').needsUpdate = true;
  }

  /** One ring around sample `k`; `face` −1 or 1: of an end face, whose normal is the tangent. */
  private writeRing(k: number, vertex: number, a: number, b: number, face: number): void {
    const s = this.samples;
    const o = k * SAMPLE_SIZE;
    const { points, normals, count } = this.profile;
    // normals of an ellipse lean towards its shorter axis
    const na = b / Math.max(a, b);
    const nb = a / Math.max(a, b);
    for (let j = 0; j < count; ++j) {
      const at = 3 * (vertex + j);
      const c1 = points[2 * j]! * a;
      const c2 = points[2 * j + 1]! * b;
      this.positions[at] = s[o]! + c1 * s[o + 6]! + c2 * s[o + 9]!;
      this.positions[at + 1] = s[o + 1]! + c1 * s[o + 7]! + c2 * s[o + 10]!;
      this.positions[at + 2] = s[o + 2]! + c1 * s[o + 8]! + c2 * s[o + 11]!;
      if (face !== 0) {
        this.normals[at] = face * s[o + 3]!;
        this.normals[at + 1] = face * s[o + 4]!;
        this.normals[at + 2] = face * s[o + 5]!;
        continue;
      }
      const n1 = normals[2 * j]! * na;
      const n2 = normals[2 * j + 1]! * nb;
      const n = Math.sqrt(n1 * n1 + n2 * n2) || 1;
      this.normals[at] = (n1 * s[o + 6]! + n2 * s[o + 9]!) / n;
      this.normals[at + 1] = (n1 * s[o + 7]! + n2 * s[o + 10]!) / n;
      this.normals[at + 2] = (n1 * s[o + 8]! + n2 * s[o + 11]!) / n;
    }
  }

  /** A sphere around the samples, for culling and shadows; and the box of the skin, which is nowhere farther from them than this. */
  private bound(most: number): void {
    const s = this.samples;
    this.lower.set(Infinity, Infinity, Infinity);
    this.upper.set(-Infinity, -Infinity, -Infinity);
    for (let o = 0; o < s.length; o += SAMPLE_SIZE) {
      this.place.fromArray(s, o);
      this.lower.min(this.place);
      this.upper.max(this.place);
    }
    this.geometry.boundingBox!.set(this.lower, this.upper).expandByScalar(most * Math.SQRT2);
    const sphere = this.geometry.boundingSphere!;
    sphere.center.addVectors(this.lower, this.upper).multiplyScalar(0.5);
    sphere.radius = this.lower.distanceTo(this.upper) * 0.6 + 1e-6;
  }
}
