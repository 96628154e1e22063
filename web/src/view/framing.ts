// What there is to see: its bounds, the floor below it, and the first look at a new scene.
import { Box3, Vector3 } from 'three';
import type { Stage } from './stage';

/** Looks from a corner, from the target to the camera. */
export const CORNER = new Vector3(0.55, -1, 0.48);

interface Extended {
  extend: (box: Box3) => void;
}

export class Framing {
  private readonly box = new Box3();
  private readonly size = new Vector3();
  private seen = 0;

  constructor(private readonly stage: Stage) {}

  /** Takes the bounds of all parts; another document is looked at from a corner. */
  update(parts: readonly Extended[], document: number): void {
    this.box.makeEmpty();
    for (const part of parts) part.extend(this.box);
    if (this.box.isEmpty()) this.box.set(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 0.5));
    this.stage.setBounds(this.box);
    if (document === this.seen) return;
    this.seen = document;
    this.fit(CORNER, true);
  }

  /** Frames the whole scene. */
  fit(direction?: Vector3, instant = false): void {
    this.lowerFloor();
    this.stage.fit(direction, instant);
  }

  /** Puts the floor below all there is, at a height that is easy to read. It stays there while things move. */
  private lowerFloor(): void {
    const size = this.box.getSize(this.size).length() || 1;
    const step = 10 ** (Math.floor(Math.log10(size)) - 1);
    this.stage.floor = Math.floor((this.box.min.z - size * 0.04) / step) * step;
  }
}
