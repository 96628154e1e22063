// Measured distances: a line between two places that stay on what they were put on, with its length beside it.
import { signal } from '@preact/signals';
import { Group, Mesh, MeshBasicMaterial, CylinderGeometry, SphereGeometry, Vector3, type PerspectiveCamera } from 'three';
import { show } from '../model/units';
import type { Labels } from './labels';
import { placeNow, type Place } from './place';
import { pixelSize } from './screen';

interface Measure {
  id: number;
  from: Place;
  to: Place;
}

const UP = new Vector3(0, 1, 0);
const shape = new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0);
const dot = new SphereGeometry(1, 14, 10);
const ink = new MeshBasicMaterial({ color: '#5ec8ff', depthTest: false, transparent: true, opacity: 0.95 });

interface Drawn {
  shaft: Mesh;
  start: Mesh;
  end: Mesh;
}

export class Measures {
  readonly group = new Group();
  readonly list = signal<readonly Measure[]>([]);
  private readonly drawn: Drawn[] = [];
  private nextId = 1;
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly along = new Vector3();

  add(from: Place, to: Place): void {
    this.list.value = [...this.list.peek(), { id: this.nextId++, from, to }];
  }

  remove(id: number): void {
    this.list.value = this.list.peek().filter((measure) => measure.id !== id);
  }

  clear(): void {
    this.list.value = [];
  }

  length(measure: Measure): number | undefined {
    return placeNow(measure.from, this.a) && placeNow(measure.to, this.b) ? this.a.distanceTo(this.b) : undefined;
  }

  update(camera: PerspectiveCamera, height: number): void {
    const list = this.list.peek();
    while (this.drawn.length < list.length) this.drawn.push(this.draw());
    for (const { shaft, start, end } of this.drawn.splice(list.length)) this.group.remove(shaft, start, end);
    this.drawn.forEach(({ shaft, start, end }, k) => {
      const known = this.length(list[k]!);
      shaft.visible = start.visible = end.visible = known !== undefined;
      if (known === undefined) return;
      const pixel = pixelSize(camera, height) * camera.position.distanceTo(this.a);
      this.along.subVectors(this.b, this.a);
      shaft.position.copy(this.a);
      shaft.quaternion.setFromUnitVectors(UP, this.along.normalize());
      shaft.scale.set(pixel, known, pixel);
      start.position.copy(this.a);
      end.position.copy(this.b);
      start.scale.setScalar(3.5 * pixel);
      end.scale.setScalar(3.5 * pixel);
    });
  }

  label(labels: Labels, camera: PerspectiveCamera): void {
    for (const measure of this.list.peek()) {
      const known = this.length(measure);
      if (known !== undefined) labels.add(this.a.lerp(this.b, 0.5), show(known, 'length'), 'measure', camera);
    }
  }

  private draw(): Drawn {
    const drawn = { shaft: new Mesh(shape, ink), start: new Mesh(dot, ink), end: new Mesh(dot, ink) };
    for (const mesh of Object.values(drawn)) {
      mesh.renderOrder = 10;
      this.group.add(mesh);
    }
    return drawn;
  }
}
