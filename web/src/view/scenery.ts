// Meshes that are looked at: in the world or carried by a body. Readers are loaded when needed.
import { Box3, BufferGeometry, Color, Group, Mesh, MeshStandardMaterial, Vector3, type Object3D } from 'three';
import { setQuaternion } from '../model/quaternions';
import { messageOf } from '../model/trouble';
import { address } from '../protocol/api';
import type { SceneryItem } from '../protocol/scene';
import { quickenRays } from './mesh_runs';

/** What is to be known of a mesh to show it. */
type ShownMesh = Pick<SceneryItem, 'name' | 'mesh' | 'address' | 'body' | 'position' | 'orientation' | 'scale'>;

interface Shown {
  holder: Group;
  address: string;
  body: string;
}

const paint = new MeshStandardMaterial({ color: '#8b93a1', roughness: 0.75, metalness: 0.1 });

export class Scenery {
  readonly group = new Group();
  private readonly shown = new Map<string, Shown>();

  constructor(
    private readonly changed: () => void,
    private readonly failed: (name: string, why: string) => void,
    /** told the size of each in the numbers of its file, once it is read */
    private readonly measured: (name: string, size: number) => void = () => {},
  ) {}

  /** Loads what is new, moves what moved, takes away what is gone. `carrier` gives the group of a body. */
  update(items: readonly ShownMesh[], carrier: (body: string) => Group | undefined, seen: (name: string) => boolean, selected: readonly string[], over: readonly string[]): void {
    for (const [name, shown] of this.shown) {
      if (items.some((item) => item.name === name && item.address === shown.address)) continue;
      shown.holder.removeFromParent();
      this.shown.delete(name);
    }
    for (const item of items) {
      const shown = this.shown.get(item.name) ?? this.load(item);
      const parent = (item.body && carrier(item.body)) || this.group;
      if (shown.holder.parent !== parent) parent.add(shown.holder);
      shown.body = item.body;
      shown.holder.position.fromArray(item.position);
      setQuaternion(shown.holder.quaternion, item.orientation);
      shown.holder.scale.setScalar(item.scale);
      shown.holder.visible = seen(item.name);
      tint(shown.holder, selected.includes(item.name) ? SELECTED : over.includes(item.name) ? HOVERED : NONE);
    }
  }

  /** Bodies that have a mesh of their own. */
  covered(): Set<string> {
    return new Set([...this.shown.values()].filter((shown) => shown.holder.visible && shown.holder.children.length > 0).map((shown) => shown.body));
  }

  objects(): { object: Object3D; name: string }[] {
    return [...this.shown].filter(([, { holder }]) => holder.visible).map(([name, { holder }]) => ({ object: holder, name }));
  }

  /** What is drawn of an item, to take it by handles. */
  holder(name: string): Group | undefined {
    return this.shown.get(name)?.holder;
  }

  extend(box: Box3): void {
    this.group.updateMatrixWorld(true);
    for (const { holder } of this.shown.values()) if (holder.visible) box.expandByObject(holder);
  }

  private load(item: ShownMesh): Shown {
    const shown = { holder: new Group(), address: item.address, body: item.body };
    this.shown.set(item.name, shown);
    if (item.address === '') return shown;
    readMesh(item)
      .then((object) => {
        object.traverse((part) => {
          part.castShadow = part.receiveShadow = true;
          if (part instanceof Mesh) quickenRays(part);
        });
        shown.holder.add(object);
        const size = new Box3().setFromObject(object).getSize(new Vector3());
        this.measured(item.name, Math.max(size.x, size.y, size.z) / shown.holder.scale.x);
        this.changed();
      })
      .catch((error: unknown) => this.failed(item.mesh, messageOf(error)));
    return shown;
  }
}

async function readMesh(item: ShownMesh): Promise<Object3D> {
  const answer = await fetch(address(item.address));
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  const bytes = await answer.arrayBuffer();
  switch (item.mesh.toLowerCase().split('.').pop()) {
    // these come as OBJ from the server
    case 'iv':
    case 'step':
    case 'stp':
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

function tint(holder: Group, colour: Color): void {
  holder.traverse((part) => {
    if (part instanceof Mesh && part.material instanceof MeshStandardMaterial) part.material.emissive.copy(colour);
  });
}

const NONE = new Color(0);
const SELECTED = new Color('#1c2a3e');
const HOVERED = new Color('#121b28');
