// Rigid bodies: rounded boxes, balls, cylinders and capsules, or small balls where the scene gives a body no extent. One of a mesh is drawn by the scenery that shows its file.
import { Box3, CapsuleGeometry, Color, CylinderGeometry, Group, Mesh, MeshStandardMaterial, SphereGeometry, type BufferGeometry } from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { setQuaternion } from '../model/quaternions';
import type { FrameStore } from '../protocol/frame';
import type { Body, SceneMessage } from '../protocol/scene';

const colours = { fixed: '#7c8694', driven: '#5f84b8', free: '#b08d63' };

interface Shown {
  group: Group;
  mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  shape: string;
  name: string;
}

export class Bodies {
  readonly group = new Group();
  private shown: Shown[] = [];

  /** `plain` is the radius of bodies without extent, m. Names in `covered` are drawn by a mesh of their own. */
  update(frame: FrameStore, scene: SceneMessage, plain: number, covered: ReadonlySet<string>, selected: readonly string[], hovered: readonly string[], seen: (body: string) => boolean): void {
    while (this.shown.length < frame.bodies.length) this.shown.push(this.make());
    for (const gone of this.shown.splice(frame.bodies.length)) this.group.remove(gone.group);
    frame.bodies.forEach((body, k) => {
      const shown = this.shown[k]!;
      const described = scene.bodies[k]!;
      this.reshape(shown, described, plain);
      shown.name = described.name;
      shown.mesh.visible = !covered.has(described.name);
      shown.group.visible = seen(described.name);
      shown.mesh.material.color.set(colours[described.motion]);
      shown.mesh.material.emissive.copy(selected.includes(described.name) ? SELECTED : hovered.includes(described.name) ? HOVERED : NONE);
      shown.group.position.fromArray(body.position);
      setQuaternion(shown.group.quaternion, body.orientation);
    });
  }

  meshes(): { mesh: Mesh; name: string }[] {
    return this.shown.filter(({ group }) => group.visible).map(({ mesh, name }) => ({ mesh, name }));
  }

  /** The group that moves with a body, to hang its mesh into. */
  carrier(name: string): Group | undefined {
    return this.shown.find((shown) => shown.name === name)?.group;
  }

  extend(box: Box3): void {
    // where they are now, not where they were drawn last
    this.group.updateMatrixWorld(true);
    for (const { mesh, group } of this.shown) if (group.visible) box.expandByObject(mesh);
  }

  private make(): Shown {
    const mesh = new Mesh<BufferGeometry, MeshStandardMaterial>(
      new SphereGeometry(1, 28, 18),
      new MeshStandardMaterial({ roughness: 0.6, metalness: 0.15 }),
    );
    mesh.castShadow = mesh.receiveShadow = true;
    const group = new Group().add(mesh);
    this.group.add(group);
    return { group, mesh, shape: '', name: '' };
  }

  private reshape(shown: Shown, body: Body, plain: number): void {
    const shape = `${body.kind} ${body.box.join(' ')} ${body.sphere} ${body.round.join(' ')} ${plain.toPrecision(1)}`;
    if (shape === shown.shape) return;
    shown.shape = shape;
    shown.mesh.geometry.dispose();
    shown.mesh.geometry = bodyGeometry(body, plain);
  }
}

/** About its own axes, as the scene has them: what is round lies along z. */
export function bodyGeometry({ kind, box, sphere, round: [radius, length] }: Pick<Body, 'kind' | 'box' | 'sphere' | 'round'>, plain: number): BufferGeometry {
  if (kind === 'sphere') return new SphereGeometry(sphere, 48, 32);
  if (kind === 'cylinder') return new CylinderGeometry(radius, radius, length, 64).rotateX(Math.PI / 2);
  if (kind === 'capsule') return new CapsuleGeometry(radius, length, 16, 48).rotateX(Math.PI / 2);
  const least = Math.min(...box);
  return least > 0 ? new RoundedBoxGeometry(box[0], box[1], box[2], 3, Math.min(least * 0.09, plain)) : new SphereGeometry(plain, 28, 18);
}

const NONE = new Color(0);
const SELECTED = new Color('#243650');
const HOVERED = new Color('#182536');
