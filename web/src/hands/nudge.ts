// Keys that move the selected hold or body. A burst of them is one gesture, and so one thing to undo.
import { Vector3 } from 'three';
import { exactOf } from '../model/numbers';
import { selection } from '../model/selection';
import { bodyFrame, holdFrame, scene } from '../model/store';
import { vec3Of } from '../protocol/vectors';
import type { View } from '../view/view';
import { Mover } from './mover';

/** Milliseconds without a key after which it is dropped. */
const PAUSE = 600;

const directions: Record<string, 'right' | 'left' | 'up' | 'down' | 'near' | 'far'> = {
  ArrowRight: 'right', ArrowLeft: 'left', ArrowUp: 'up', ArrowDown: 'down', PageDown: 'near', PageUp: 'far',
};

export class Nudge {
  private mover: Mover | undefined;
  private readonly target = new Vector3();
  private turns = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly view: View) {}

  /** Takes a key if it moves what is selected. */
  key(event: KeyboardEvent): boolean {
    const twist = event.key === '[' ? -1 : event.key === ']' ? 1 : 0;
    const direction = directions[event.key];
    if ((!direction && !twist) || !this.begin()) return false;
    const size = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
    if (twist) {
      this.turns += (twist * size) / 24;
      this.mover!.move({ turns: this.turns });
    } else {
      // a pixel or so of the view, rounded to what people can read
      const step = this.view.stage.grid.step / 20;
      this.target.addScaledVector(this.axis(direction!), step * size);
      this.mover!.move({ position: vec3Of(this.target.toArray().map((c) => Number(c.toPrecision(12)))) });
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), PAUSE);
    return true;
  }

  /** Ends the gesture at once, before something else is done. */
  end(): void {
    clearTimeout(this.timer);
    void this.mover?.drop(false);
    this.mover = undefined;
  }

  private begin(): boolean {
    if (this.mover) return true;
    const thing = selection.peek();
    if (thing.kind === 'hold') {
      const hold = holdFrame(thing.name);
      if (!hold) return false;
      this.target.fromArray(exactOf(hold.position, scene.peek()?.holds.find(({ name }) => name === thing.name)?.position));
      this.turns = hold.turns;
      this.mover = new Mover('keys', { hold: thing.name });
      return true;
    }
    if (thing.kind === 'body') {
      const body = bodyFrame(thing.name);
      if (!body) return false;
      this.target.fromArray(exactOf(body.position, scene.peek()?.bodies.find(({ name }) => name === thing.name)?.position));
      this.mover = new Mover('keys', { body: thing.name });
      return true;
    }
    return false;
  }

  /** The world axis that lies nearest to a direction on the screen: keys move along axes. */
  private axis(direction: NonNullable<(typeof directions)[string]>): Vector3 {
    if (direction === 'up' || direction === 'down') return new Vector3(0, 0, direction === 'up' ? 1 : -1);
    const matrix = this.view.stage.camera.matrixWorld;
    const sideways = direction === 'left' || direction === 'right';
    const wanted = new Vector3().setFromMatrixColumn(matrix, sideways ? 0 : 2);
    if (direction === 'left' || direction === 'far') wanted.negate();
    return Math.abs(wanted.x) >= Math.abs(wanted.y) ? new Vector3(Math.sign(wanted.x) || 1, 0, 0) : new Vector3(0, Math.sign(wanted.y), 0);
  }
}
