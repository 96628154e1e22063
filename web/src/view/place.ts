// Places that stay on what they were put on, and where they are now.
import { Quaternion, type Vector3 } from 'three';
import { setQuaternion } from '../model/quaternions';
import { bodyFrame, holdFrame, rodFrame } from '../model/store';
import { pointAlong } from './along';

/** A place that moves with a cable, a hold or a body, or rests in space or where a junction was. */
export type Place =
  | { on: 'rod'; rod: string; s: number }
  | { on: 'hold'; hold: string }
  | { on: 'junction'; junction: string; point: Vector3 }
  | { on: 'body'; body: string; local: Vector3 }
  /** `normal`: of the face of a mesh that it lies on, of length 1 */
  | { on: 'space'; point: Vector3; normal?: Vector3 };

const turn = new Quaternion();

/** Where a place is now; false: what it was on is gone. */
export function placeNow(place: Place, out: Vector3): boolean {
  switch (place.on) {
    case 'junction':
    case 'space':
      out.copy(place.point);
      return true;
    case 'rod': {
      const rod = rodFrame(place.rod);
      if (!rod || rod.count < 2) return false;
      pointAlong(rod, place.s, out);
      return true;
    }
    case 'hold': {
      const hold = holdFrame(place.hold);
      if (!hold) return false;
      out.fromArray(hold.position);
      return true;
    }
    case 'body': {
      const body = bodyFrame(place.body);
      if (!body) return false;
      out.copy(place.local).applyQuaternion(setQuaternion(turn, body.orientation));
      out.x += body.position[0]!;
      out.y += body.position[1]!;
      out.z += body.position[2]!;
      return true;
    }
  }
}
