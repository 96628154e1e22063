// Meshes that were dropped onto the page: scenery, in the world or carried by a body. Readers are loaded when needed.
import { Box3, BufferGeometry, Color, Group, Mesh, MeshStandardMaterial, type Material, type Object3D } from 'three';
import { address } from '../protocol/api';
import type { SceneryMesh } from '../protocol/messages';

interface Shown {
  id: number;
  holder: Group;
  body: string;
}

const paint = new MeshStandardMaterial({ color: '#8b93a1', roughness: 0.75, metalness: 0.1 });

export class Scenery {
  readonly group = new Group();
  private readonly shown = new Map<number, Shown>();

  constructor(
    private readonly changed: () => void,
    private readonly failed: (name: string, why: string) => void,
  ) {}

  /** Loads what is new, moves what moved, takes away what is gone. `carrier` gives the group of a body. */
  update(meshes: readonly SceneryMesh[], carrier: (body: string) => Group | undefined, selected: number): void {
    for (const [id, shown] of this.shown) {
      if (meshes.some((mesh) => mesh.id === id)) continue;
      shown.holder.removeFromParent();
      this.shown.delete(id);
    }
    for (const mesh of meshes) {
      const shown = this.shown.get(mesh.id) ?? this.load(mesh);
      const parent = (mesh.body && carrier(mesh.body)) || this.group;
      if (shown.holder.parent !== parent) parent.add(shown.holder);
      shown.body = mesh.body;
      const [w, x, y, z] = mesh.orientation;
      shown.holder.position.fromArray(mesh.position);
      shown.holder.quaternion.set(x, y, z, w);
      shown.holder.scale.setScalar(mesh.scale);
      shown.holder.visible = mesh.visible;
      tint(shown.holder, mesh.id === selected);
    }
  }

  /** Bodies that have a mesh of their own. */
  covered(): Set<string> {
    return new Set([...this.shown.values()].filter((shown) => shown.holder.children.length > 0).map((shown) => shown.body));
  }

  objects(): { object: Object3D; id: number }[] {
    return [...this.shown.values()].map(({ holder, id }) => ({ object: holder, id }));
  }

  extend(box: Box3): void {
    for (const { holder } of this.shown.values()) if (holder.visible) box.expandByObject(holder);
  }

  private load(mesh: SceneryMesh): Shown {
    const shown = { id: mesh.id, holder: new Group(), body: mesh.body };
    this.shown.set(mesh.id, shown);
    readMesh(mesh)
      .then((object) => {
        object.traverse((part) => {
          part.castShadow = part.receiveShadow = true;
        });
        shown.holder.add(object);
        this.changed();
      })
      .catch((error: unknown) => this.failed(mesh.name, error instanceof Error ? error.message : String(error)));
    return shown;
  }
}

async function readMesh(mesh: SceneryMesh): Promise<Object3D> {
  const answer = await fetch(address(mesh.address));
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  switch (mesh.name.toLowerCase().split('.').pop()) {
    case 'obj': {
      const { OBJLoader } = await import('three/addons/loaders/OBJLoader.js');
      return repaint(new OBJLoader().parse(new TextDecoder().decode(bytes)));
    }
    case 'stl': {
      const { STLLoader } = await import('three/addons/loaders/STLLoader.js');
      return solid(new STLLoader().parse(bytes));
    }
    case 'ply': {
      const { PLYLoader } = await import('three/addons/loaders/PLYLoader.js');
      return solid(new PLYLoader().parse(bytes));
    }
    case 'gltf':
    case 'glb': {
      const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
      const { scene } = await new GLTFLoader().parseAsync(bytes, '');
      // glTF has y up, a scene of Filum z
      scene.rotation.x = Math.PI / 2;
      return new Group().add(scene);
    }
    default:
      throw new Error('not a mesh that the page can draw');
  }
}

function solid(geometry: BufferGeometry): Mesh {
  if (!geometry.getAttribute('normal')) geometry.computeVertexNormals();
  return new Mesh(geometry, paint.clone());
}

function repaint(object: Object3D): Object3D {
  object.traverse((part) => {
    if (part instanceof Mesh) part.material = paint.clone();
  });
  return object;
}

function tint(holder: Group, selected: boolean): void {
  holder.traverse((part) => {
    const material = (part as Mesh).material as Material | undefined;
    if (material instanceof MeshStandardMaterial) material.emissive.copy(selected ? SELECTED : NONE);
  });
}

const NONE = new Color(0);
const SELECTED = new Color('#1c2a3e');
