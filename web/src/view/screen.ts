// Between the world and the screen.
import type { PerspectiveCamera, Vector3 } from 'three';

/** What a pixel of a picture that is `height` pixels tall covers of the world at distance one. */
export function pixelSize(camera: PerspectiveCamera, height: number): number {
  return (2 * Math.tan((camera.fov * Math.PI) / 360)) / height;
}

/** A point of the world in pixels of the window, the picture being in `box`; z above 1 is behind the camera or beyond what it sees. */
export function toScreen(point: Vector3, camera: PerspectiveCamera, box: DOMRect, out: Vector3): Vector3 {
  out.copy(point).project(camera);
  return out.set(box.left + ((out.x + 1) / 2) * box.width, box.top + ((1 - out.y) / 2) * box.height, out.z);
}
