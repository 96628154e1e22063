// Ghosts: cables as another formulation has them, translucent beside the present ones.
import { Box3, Group, Mesh, MeshStandardMaterial, Quaternion, Vector3 } from 'three';
import { quatFrom } from '../model/quaternions';
import type { Vec3 } from '../protocol/vectors';
import { Tube } from './tube';

interface GhostRod {
  positions: readonly Vec3[];
  radius: number;
}

export class Ghosts {
  readonly group = new Group();
  private readonly material = new MeshStandardMaterial({ color: '#cfe3ff', transparent: true, opacity: 0.38, roughness: 0.7, depthWrite: false });

  show(rods: readonly GhostRod[]): void {
    this.clear();
    for (const rod of rods) {
      if (rod.positions.length < 2) continue;
      const tube = new Tube();
      const positions = Float32Array.from(rod.positions.flat());
      const shape = { count: rod.positions.length, positions, frames: carriedFrames(positions) };
      tube.update(shape, [rod.radius, rod.radius], 'round', 1);
      this.group.add(new Mesh(tube.geometry, this.material));
    }
  }

  /** The middle of all of them; undefined: there are none. */
  middle(): Vec3 | undefined {
    const box = new Box3().setFromObject(this.group, true);
    return box.isEmpty() ? undefined : box.getCenter(new Vector3()).toArray();
  }

  clear(): void {
    for (const child of this.group.children) if (child instanceof Mesh) child.geometry.dispose();
    this.group.clear();
  }
}

/** Frames along a polyline without twist: carried from point to point by the shortest rotation. */
function carriedFrames(positions: Float32Array): Float32Array {
  const count = positions.length / 3;
  const frames = new Float32Array(4 * count);
  const before = new Vector3();
  const after = new Vector3();
  const tangent = new Vector3();
  const last = new Vector3(0, 0, 1);
  const turn = new Quaternion();
  const step = new Quaternion();
  for (let k = 0; k < count; ++k) {
    before.fromArray(positions, 3 * Math.max(k - 1, 0));
    after.fromArray(positions, 3 * Math.min(k + 1, count - 1));
    tangent.subVectors(after, before).normalize();
    turn.premultiply(step.setFromUnitVectors(last, tangent));
    last.copy(tangent);
    frames.set(quatFrom(turn), 4 * k);
  }
  return frames;
}
