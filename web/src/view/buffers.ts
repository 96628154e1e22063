// Numbers of vertices that are written anew with every frame.
import { BufferAttribute, DynamicDrawUsage } from 'three';

/** An attribute of `size` numbers a vertex over an array that is written in place. */
export function dynamic(array: Float32Array, size: number): BufferAttribute {
  return new BufferAttribute(array, size).setUsage(DynamicDrawUsage);
}
