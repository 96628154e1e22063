// Where a click of a tool means to be: on a cable, a hold, a junction or a body, on a vertex, an edge or a face of scenery, or in space on a grid.
import { Line3, Mesh, Plane, Vector3, type Intersection } from 'three';
import * as prefs from '../model/prefs';
import { rodFrame, scene } from '../model/store';
import type { Hit } from '../view/pick';
import type { Place } from '../view/place';
import { toScreen } from '../view/screen';
import type { View } from '../view/view';

/** Shares of a cable from its ends within which a pick means the end. */
const END = 0.04;
/** Pixels within which a vertex or an edge of a mesh is meant. */
const NEAR_VERTEX = 12;
const NEAR_EDGE = 8;

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
  if (hit?.thing.kind === 'junction') {
    const { name } = hit.thing;
    if (scene.peek()?.junctions.some((junction) => junction.name === name)) return { place: { on: 'junction', junction: name, point: hit.point }, what: name };
  }
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

/** On a face of a mesh; near one of its corners or edges, on that. What is clamped there stands upright on the face. */
function onScenery(view: View, x: number, y: number, name: string, point: Vector3): Aim {
  const holder = view.drawnAs({ kind: 'scenery', name });
  const found = holder && view.picker.rayAt(x, y).intersectObject(holder, true)[0];
  if (!found || !prefs.snapping.peek()) return { place: { on: 'space', point }, what: `on ${name}` };
  const normal = found.face?.normal.clone().transformDirection(found.object.matrixWorld);
  // the side that is seen
  if (normal && normal.dot(view.picker.rayAt(x, y).ray.direction) > 0) normal.negate();
  const near = nearestOfFace(view, found, x, y);
  return { place: { on: 'space', point: near?.point ?? point, ...(normal && { normal }) }, what: `${near?.what ?? 'face'} of ${name}` };
}

/** The corner or the edge of the face that is meant. Edges between faces of one plane are none that anybody sees. */
function nearestOfFace(view: View, { object, face, point }: Intersection, x: number, y: number): { point: Vector3; what: string } | undefined {
  if (!face || !(object instanceof Mesh)) return undefined;
  const positions = object.geometry.getAttribute('position');
  const box = view.stage.renderer.domElement.getBoundingClientRect();
  const off = (place: Vector3): number => {
    const at = toScreen(place, view.stage.camera, box, new Vector3());
    return Math.hypot(at.x - x, at.y - y);
  };
  const corners = [face.a, face.b, face.c].map((vertex) => new Vector3().fromBufferAttribute(positions, vertex).applyMatrix4(object.matrixWorld));
  const nearest = (places: Vector3[]): Vector3 => places.reduce((best, place) => (off(place) < off(best) ? place : best));
  const corner = nearest(corners);
  if (off(corner) < NEAR_VERTEX) return { point: corner, what: 'vertex' };
  const edge = nearest(corners.map((from, k) => new Line3(from, corners[(k + 1) % 3]!).closestPointToPoint(point, true, new Vector3())));
  return off(edge) < NEAR_EDGE ? { point: edge, what: 'edge' } : undefined;
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
