// What holds things off: planes, balls, blocks, posts and meshes, in the world or carried by a body.
import { Box3, BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, DoubleSide, Group, Mesh, MeshStandardMaterial, PlaneGeometry, SphereGeometry, Vector3, type BufferGeometry, type Object3D } from 'three';
import { placeOf } from '../model/obstacles';
import type { Obstacle } from '../protocol/scene';
import { Scenery } from './scenery';

const colours = { ground: '#6b7686', solid: '#8a93a3' };
const GLOW = { selected: new Color('#1c2a3e'), hovered: new Color('#121b28'), none: new Color(0) };

interface Shown {
  holder: Group;
  mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  obstacle: Obstacle;
}

export class Obstacles {
  readonly group = new Group();
  private shown: Shown[] = [];
  private made = '';
  private readonly meshes: Scenery;

  constructor(changed: () => void, failed: (name: string, why: string) => void) {
    this.meshes = new Scenery(changed, failed);
    this.group.add(this.meshes.group);
  }

  /** `carrier` gives the group of a body, `size` is that of the whole scene; paths of what is not seen, selected, pointed at. */
  update(obstacles: readonly Obstacle[], carrier: (body: string) => Group | undefined, size: number, seen: (path: string) => boolean, selected: readonly string[], over: readonly string[]): void {
    const shapes = obstacles.filter(({ kind }) => kind !== 'mesh');
    const wanted = JSON.stringify([shapes, size.toPrecision(1)]);
    if (wanted !== this.made) {
      this.made = wanted;
      this.make(shapes, size);
    }
    for (const { holder, mesh, obstacle } of this.shown) {
      const parent = (obstacle.body && carrier(obstacle.body)) || this.group;
      if (holder.parent !== parent) parent.add(holder);
      holder.visible = seen(obstacle.path);
      mesh.material.emissive.copy(selected.includes(obstacle.path) ? GLOW.selected : over.includes(obstacle.path) ? GLOW.hovered : GLOW.none);
    }
    // they are told apart by their paths
    this.meshes.update(obstacles.filter(({ kind }) => kind === 'mesh').map((one) => ({ ...one, name: one.path })), carrier, seen, selected, over);
  }

  /** What the pointer may find. A plane is everywhere: it is found in the tree. */
  objects(): { object: Object3D; path: string }[] {
    const shapes = this.shown.filter(({ holder, obstacle }) => holder.visible && obstacle.kind !== 'plane');
    return [...shapes.map(({ holder, obstacle }) => ({ object: holder, path: obstacle.path })), ...this.meshes.objects().map(({ object, name }) => ({ object, path: name }))];
  }

  /** What is drawn of one, to take it by handles. */
  holder(path: string): Object3D | undefined {
    return this.shown.find(({ obstacle }) => obstacle.path === path)?.holder ?? this.meshes.holder(path);
  }

  extend(box: Box3): void {
    for (const { holder, obstacle } of this.shown) if (holder.visible && obstacle.kind !== 'plane') box.expandByObject(holder);
    this.meshes.extend(box);
  }

  private make(obstacles: readonly Obstacle[], size: number): void {
    for (const { holder, mesh } of this.shown) {
      holder.removeFromParent();
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.shown = obstacles.map((obstacle) => {
      const mesh = new Mesh(geometryOf(obstacle, size), paintOf(obstacle));
      mesh.receiveShadow = true;
      mesh.castShadow = obstacle.kind !== 'plane';
      const holder = new Group().add(mesh);
      const { position, turn } = placeOf(obstacle);
      holder.position.copy(position);
      holder.quaternion.copy(turn);
      return { holder, mesh, obstacle };
    });
  }
}

function geometryOf({ kind, radius, size: edges, from, to }: Obstacle, size: number): BufferGeometry {
  const length = new Vector3(...from).distanceTo(new Vector3(...to));
  switch (kind) {
    case 'sphere':
      return new SphereGeometry(radius, 48, 32);
    case 'capsule':
      return new CapsuleGeometry(radius, length, 16, 48);
    case 'cylinder':
      return new CylinderGeometry(radius, radius, length, 64);
    case 'box':
      return new BoxGeometry(...edges);
    default:
      return new PlaneGeometry(6 * size, 6 * size);
  }
}

function paintOf({ kind }: Obstacle): MeshStandardMaterial {
  if (kind !== 'plane') return new MeshStandardMaterial({ color: colours.solid, roughness: 0.85 });
  return new MeshStandardMaterial({ color: colours.ground, roughness: 1, transparent: true, opacity: 0.22, side: DoubleSide, forceSinglePass: true, depthWrite: false });
}
