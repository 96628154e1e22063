// Numbers of vertices and of instances that are written anew with every frame.
import { BufferAttribute, DynamicDrawUsage, type InstancedMesh } from 'three';

/** An attribute of `size` numbers a vertex over an array that is written in place. */
export function dynamic(array: Float32Array, size: number): BufferAttribute {
  return new BufferAttribute(array, size).setUsage(DynamicDrawUsage);
}

/** Draws the first so many of them, of which the matrices were written: no more is given to the graphics card than is drawn. */
export function drawFirst(mesh: InstancedMesh, count: number): void {
  mesh.count = count;
  mesh.visible = count > 0;
  if (count === 0) return;
  mesh.instanceMatrix.clearUpdateRanges();
  mesh.instanceMatrix.addUpdateRange(0, 16 * count);
  mesh.instanceMatrix.needsUpdate = true;
}
