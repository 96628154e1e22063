// Tools that work by clicks: a new cable, a hold, a junction, a distance. Each takes one or two picked places.
import { effect, signal } from '@preact/signals';
import { Quaternion, Vector3 } from 'three';
import * as act from '../model/actions';
import { hideTubes, makeFlexible } from '../model/flexible';
import * as modes from '../model/modes';
import * as prefs from '../model/prefs';
import { quaternionOf, quatFrom } from '../model/quaternions';
import { selection } from '../model/selection';
import { tell } from '../model/session';
import { frameNumber, holdFrame, inScene, rodNamed, scene } from '../model/store';
import { notify } from '../model/trouble';
import { asOne } from '../model/undo';
import type { CableEnd, RodPlace } from '../protocol/commands';
import type { Vec3 } from '../protocol/vectors';
import type { Hit } from '../view/pick';
import { placeNow, type Place } from '../view/place';
import type { View } from '../view/view';
import { aimAt } from './snapping';

/** the first of two places, while the second is awaited */
export const firstPlace = signal<Place | undefined>(undefined);

/** A click of the present tool. True: the tool took it. */
export function clickTool(view: View, x: number, y: number, hit: Hit | undefined): boolean {
  switch (modes.tool.peek()) {
    case 'select':
      return false;
    case 'hold':
      if (hit?.thing.kind === 'rod') void act.addHold(hit.thing.name, hit.thing.s ?? 0).then(backToSelect);
      return true;
    case 'measure':
      return two(aimAt(view, x, y, hit).place, (from, to) => view.measures.add(from, to));
    case 'cable':
      return two(aimAt(view, x, y, hit).place, (from, to) => void newCable(from, to));
    case 'flexible': {
      const place = onTube(view, x, y, hit);
      if (place) two(place, (from, to) => void makeFlexible({ from: worldOf(from), to: worldOf(to) }), () => {});
      return true;
    }
    case 'join': {
      const place = aimAt(view, x, y, hit).place;
      if (onRod(place)) two(place, (from, to) => void join(from, to));
      return true;
    }
  }
}

/** Shows what a click here would mean. */
export function aimTool(view: View, x: number, y: number, hit: Hit | undefined): void {
  const tool = modes.tool.peek();
  if (tool === 'select' || tool === 'hold') return view.draft.show(undefined);
  const place = tool === 'flexible' ? onTube(view, x, y, hit) : aimAt(view, x, y, hit).place;
  const what = tool === 'flexible' ? '' : aimAt(view, x, y, hit).what;
  if (!place) return view.draft.show(undefined);
  const [point, from] = [new Vector3(), new Vector3()];
  const first = firstPlace.peek();
  if (placeNow(place, point)) view.draft.show(point, what, first && placeNow(first, from) ? from : undefined);
  view.stage.invalidate();
}

/** Gives up what a tool has begun, then the tool. */
export function cancelTool(): void {
  if (firstPlace.peek()) firstPlace.value = undefined;
  else if (modes.tool.peek() === 'flexible') hideTubes();
  else modes.tool.value = 'select';
}

/** A place of a mesh whose tubes are shown: one of their ends or joints, or what is under the pointer. */
function onTube(view: View, x: number, y: number, hit: Hit | undefined): Place | undefined {
  const box = view.stage.renderer.domElement.getBoundingClientRect();
  const point = view.tubeMarks.nodeAt(x, y, view.stage.camera, box) ?? (hit?.thing.kind === 'scenery' ? hit.point : undefined);
  return point && { on: 'space', point };
}

function backToSelect(): void {
  modes.tool.value = 'select';
}

/** Of the second place on, `after` puts the tool away. */
function two(place: Place, done: (from: Place, to: Place) => void, after = backToSelect): true {
  const first = firstPlace.peek();
  firstPlace.value = first ? undefined : place;
  if (first) {
    done(first, place);
    after();
  }
  return true;
}

/** A place along a rod, if it is one. */
function onRod(place: Place): RodPlace | undefined {
  if (place.on === 'rod') return { rod: place.rod, at: inScene(place.rod, place.s) };
  if (place.on === 'junction') {
    const [member] = scene.peek()?.junctions.find(({ name }) => name === place.junction)?.rods ?? [];
    return member && { rod: member.rod, at: member.s };
  }
  if (place.on !== 'hold') return undefined;
  const hold = scene.peek()?.holds.find((candidate) => candidate.name === place.hold);
  return hold && { rod: hold.rod, at: hold.s };
}

async function newCable(from: Place, to: Place): Promise<void> {
  const end = (place: Place): CableEnd => {
    if (place.on === 'space') return place.point.toArray();
    if (place.on === 'body') return { body: place.body, position: worldOf(place) };
    return onRod(place) ?? [0, 0, 0];
  };
  const clamped = prefs.newEnds.peek() === 'clamped';
  await asOne('new cable', async (gesture) => {
    const answer = await tell('new_cable', { from: end(from), to: end(to), pose: clamped, gesture });
    if (!answer) return;
    selection.value = { kind: 'rod', name: answer.rod };
    if (!clamped) return;
    await frameShown(answer.frame);
    for (const [place, s, out] of [[from, 0, 1], [to, rodNamed(answer.rod)?.length ?? 0, -1]] as const) if (place.on === 'space' && place.normal) await standOn(answer.rod, s, place.normal.clone().multiplyScalar(out), gesture);
  });
}

/** Directs the end of a cable that is held there along `tangent`, by the shortest turn. */
async function standOn(rod: string, s: number, tangent: Vector3, gesture: string): Promise<void> {
  const hold = scene.peek()?.holds.find((one) => one.rod === rod && one.s === s)?.name;
  const now = hold && holdFrame(hold);
  if (!now) return;
  const frame = quaternionOf(now.orientation);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1).applyQuaternion(frame), tangent);
  await tell('place_hold', { hold, orientation: quatFrom(turn.multiply(frame)), gesture });
}

/** Once this frame, or a later one, has come. */
function frameShown(number: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (frameNumber.value < number) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}

async function join(from: Place, to: Place): Promise<void> {
  const [first, second] = [onRod(from), onRod(to)];
  if (!first || !second) return notify('expected two places on cables', 'error');
  const answer = await tell('join', { rods: [first, second] });
  if (answer) selection.value = { kind: 'junction', name: answer.junction };
}

function worldOf(place: Place): Vec3 {
  const point = new Vector3();
  placeNow(place, point);
  return point.toArray();
}
