// Tubes found in a mesh, drawn over it: their centre lines, a green ball at every free end, an amber one where they meet.
import { BufferGeometry, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, SphereGeometry, Vector3, type PerspectiveCamera } from 'three';
import type { Tubes } from '../protocol/answers';
import { pixelSize, toScreen } from './screen';

const ball = new SphereGeometry(1, 20, 14);
const paint = (color: string): MeshBasicMaterial => new MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.9 });
const END = paint('#3ddc84');
const JOINT = paint('#ffc14d');
const LINE = new LineBasicMaterial({ color: '#3ddc84', depthTest: false, transparent: true, opacity: 0.8 });
/** Pixels: of a ball, and within which a click means it. */
const RADIUS = 6;
const NEAR = 14;

export class TubeMarks {
  readonly group = new Group();
  private balls: Mesh[] = [];

  show(tubes: Tubes | undefined): void {
    for (const part of this.group.children) if (part instanceof Line) part.geometry.dispose();
    this.group.clear();
    this.balls = (tubes?.nodes ?? []).filter(({ degree }) => degree !== 2).map(({ position, degree }) => {
      const mesh = new Mesh(ball, degree === 1 ? END : JOINT);
      mesh.position.fromArray(position);
      mesh.renderOrder = 11;
      return mesh;
    });
    const lines = (tubes?.branches ?? []).map(({ points }) => {
      const line = new Line(new BufferGeometry().setFromPoints(points.map((point) => new Vector3(...point))), LINE);
      line.renderOrder = 10;
      return line;
    });
    for (const mark of [...lines, ...this.balls]) this.group.add(mark);
  }

  /** Before every picture. */
  update(camera: PerspectiveCamera, height: number): void {
    for (const mark of this.balls) mark.scale.setScalar(RADIUS * pixelSize(camera, height) * camera.position.distanceTo(mark.position));
  }

  /** The end or meeting point under the pointer. */
  nodeAt(x: number, y: number, camera: PerspectiveCamera, box: DOMRect): Vector3 | undefined {
    const at = new Vector3();
    const off = (mark: Mesh): number => (toScreen(mark.position, camera, box, at).z > 1 ? Infinity : Math.hypot(at.x - x, at.y - y));
    const near = this.balls.map((mark) => ({ mark, off: off(mark) })).sort((a, b) => a.off - b.off)[0];
    return near && near.off < NEAR ? near.mark.position.clone() : undefined;
  }
}
