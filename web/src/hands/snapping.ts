// Where a click of a tool means to be: on a cable, a hold or a body, on a vertex or a face of scenery, or in space on a grid.
import { Mesh, Plane, Vector3, type Intersection } from 'three';
import * as prefs from '../model/prefs';
import { rodFrame } from '../model/store';
import type { Hit } from '../view/pick';
import type { Place } from '../view/place';
import { toScreen } from '../view/screen';
import type { View } from '../view/view';

/** Shares of a cable from its ends within which a pick means the end. */
const END = 0.04;
/** Pixels within which a vertex of a mesh is meant. */
const NEAR_VERTEX = 12;

export interface Aim {
  place: Place;
  /** what was found there, in words */
  what: string;
}

export function aimAt(view: View, x: number, y: number, hit: Hit | undefined): Aim {
  if (hit?.thing.kind === 'rod') {
    const s = snapped(hit.thing.name, hit.thing.s ?? 0);
    return { place: { on: 'rod', rod: hit.thing.name, s }, what: s === hit.thing.s ? `on ${hit.thing.name}` : `end of ${hit.thing.name}` };
  }
  if (hit?.thing.kind === 'hold') return { place: { on: 'hold', hold: hit.thing.name }, what: hit.thing.name };
  if (hit?.thing.kind === 'body') {
    const body = view.bodyPose(hit.thing.name);
    if (body) return { place: { on: 'body', body: hit.thing.name, local: hit.point.clone().sub(body.position).applyQuaternion(body.turn.clone().invert()) }, what: `on ${hit.thing.name}` };
  }
  if (hit?.thing.kind === 'scenery') return onScenery(view, x, y, hit.thing.name, hit.point);
  if (hit) return { place: { on: 'space', point: hit.point }, what: '' };
  return { place: { on: 'space', point: inSpace(view, x, y) }, what: prefs.snapping.peek() ? 'grid' : '' };
}

/** An arc length, moved to the cable's end if it is near. */
function snapped(rod: string, s: number): number {
  const length = rodFrame(rod)?.s.at(-1) ?? 0;
  if (s < END * length) return 0;
  return s > (1 - END) * length ? length : s;
}

/** On a face of a mesh; near one of its corners, on that. */
function onScenery(view: View, x: number, y: number, name: string, point: Vector3): Aim {
  const holder = view.sceneryHolder(name);
  const found = holder && view.picker.rayAt(x, y).intersectObject(holder, true)[0];
  if (!found || !prefs.snapping.peek()) return { place: { on: 'space', point }, what: `on ${name}` };
  const corner = nearestCorner(view, found, x, y);
  return corner ? { place: { on: 'space', point: corner }, what: `vertex of ${name}` } : { place: { on: 'space', point }, what: `face of ${name}` };
}

function nearestCorner(view: View, { object, face }: Intersection, x: number, y: number): Vector3 | undefined {
  if (!face || !(object instanceof Mesh)) return undefined;
  const positions = object.geometry.getAttribute('position');
  const box = view.stage.renderer.domElement.getBoundingClientRect();
  const corners = [face.a, face.b, face.c].map((vertex) => {
    const point = new Vector3().fromBufferAttribute(positions, vertex).applyMatrix4(object.matrixWorld);
    const at = toScreen(point, view.stage.camera, box, new Vector3());
    return { point, off: Math.hypot(at.x - x, at.y - y) };
  });
  const nearest = corners.sort((a, b) => a.off - b.off)[0]!;
  return nearest.off < NEAR_VERTEX ? nearest.point : undefined;
}

/** On a level plane at the height of what is looked at, or facing the viewer where that is seen from the side; on tenths of the grid. */
function inSpace(view: View, x: number, y: number): Vector3 {
  const { camera, controls, grid } = view.stage;
  const sight = camera.getWorldDirection(new Vector3());
  const level = Math.abs(sight.z) > 0.2;
  const ray = view.picker.rayAt(x, y).ray;
  const plane = new Plane().setFromNormalAndCoplanarPoint(level ? new Vector3(0, 0, 1) : sight, controls.target);
  const point = ray.intersectPlane(plane, new Vector3()) ?? controls.target.clone();
  if (!prefs.snapping.peek()) return point;
  const step = grid.step / 10;
  const tidy = (c: number): number => Number((Math.round(c / step) * step).toPrecision(12));
  return point.set(tidy(point.x), tidy(point.y), tidy(point.z));
}
