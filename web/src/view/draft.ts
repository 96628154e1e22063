// What a tool is about to do: a marker where the pointer aims, its coordinates, and a rubber band from the first place.
import { BufferGeometry, Group, Line, LineDashedMaterial, Mesh, MeshBasicMaterial, SphereGeometry, Vector3, type PerspectiveCamera } from 'three';
import { show, showAll } from '../model/units';
import type { Labels } from './labels';
import { pixelSize } from './screen';

const COLOUR = '#ffc14d';

export class Draft {
  readonly group = new Group();
  private readonly marker = new Mesh(new SphereGeometry(1, 20, 14), new MeshBasicMaterial({ color: COLOUR, depthTest: false, transparent: true, opacity: 0.85 }));
  private readonly band = new Line(new BufferGeometry(), new LineDashedMaterial({ color: COLOUR, depthTest: false }));
  private aim: { point: Vector3; what: string; from: Vector3 | undefined } | undefined;

  constructor() {
    this.marker.renderOrder = this.band.renderOrder = 10;
    this.band.frustumCulled = false;
    this.group.add(this.marker, this.band);
    this.group.visible = false;
  }

  /** Aims at a point; `from` is where a rubber band begins. Without a point nothing is shown. */
  show(point: Vector3 | undefined, what = '', from?: Vector3): void {
    this.aim = point && { point: point.clone(), what, from: from?.clone() };
    this.group.visible = point !== undefined;
    this.band.visible = from !== undefined;
    if (point && from) {
      this.band.geometry.setFromPoints([from, point]);
      this.band.computeLineDistances();
    }
  }

  /** Before every picture. */
  update(camera: PerspectiveCamera, height: number): void {
    if (!this.aim) return;
    const pixel = pixelSize(camera, height) * camera.position.distanceTo(this.aim.point);
    this.marker.position.copy(this.aim.point);
    this.marker.scale.setScalar(5 * pixel);
    const material = this.band.material;
    material.dashSize = material.gapSize = 6 * pixel;
  }

  label(labels: Labels, camera: PerspectiveCamera): void {
    if (!this.aim) return;
    const { point, what, from } = this.aim;
    const way = from ? ` · ${show(from.distanceTo(point), 'length', 4)}` : '';
    labels.add(point, `${showAll(point.toArray(), 'length')}${way}${what ? ` · ${what}` : ''}`, 'measure', camera);
  }
}
