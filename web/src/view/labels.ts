// Words in the picture: HTML over the canvas, placed anew with every drawn frame.
import { Vector3, type PerspectiveCamera } from 'three';
import { LabelRoom } from './label_room';

/** Pixels of a line, of a letter and around a word: nearly, for a measured width would cost a layout. */
const LINE = 20;
const LETTER = 6.2;
const AROUND = 10;
/** Forces stand above their places, all else below. */
const ABOVE = -1.5;

export class Labels {
  readonly layer = document.createElement('div');
  private readonly pool: HTMLDivElement[] = [];
  private used = 0;
  private readonly at = new Vector3();
  private width = 1;
  private height = 1;
  private readonly room = new LabelRoom();

  constructor() {
    this.layer.className = 'labels';
  }

  /** Begins anew, in a picture of this size in pixels. */
  begin({ width, height }: { width: number; height: number }): void {
    this.width = width;
    this.height = height;
    this.used = 0;
    this.room.clear();
  }

  /** A label beside a point of the world; behind the camera it is left out. */
  add(point: Vector3, text: string, look: 'name' | 'force' | 'moment' | 'measure' | 'alarm', camera: PerspectiveCamera): void {
    this.at.copy(point).project(camera);
    if (this.at.z > 1 || Math.abs(this.at.x) > 1.1 || Math.abs(this.at.y) > 1.1) return;
    const label = this.next();
    if (label.textContent !== text) label.textContent = text;
    // what stays as it is costs no layout
    if (label.dataset['look'] !== look) label.className = `label label-${(label.dataset['look'] = look)}`;
    const x = ((this.at.x + 1) / 2) * this.width;
    const y = ((1 - this.at.y) / 2) * this.height;
    const above = look === 'force' || look === 'moment';
    const off = this.room.take(x, above ? y + ABOVE * LINE : y, LETTER * text.length + AROUND, above ? -LINE : LINE);
    label.style.transform = `translate(${x.toFixed(1)}px, ${(y + off).toFixed(1)}px)`;
  }

  end(): void {
    for (let k = this.used; k < this.pool.length; ++k) hide(this.pool[k]!, true);
  }

  private next(): HTMLDivElement {
    let label = this.pool[this.used];
    if (!label) {
      label = document.createElement('div');
      this.layer.append(label);
      this.pool.push(label);
    }
    hide(label, false);
    this.used += 1;
    return label;
  }
}

function hide(label: HTMLDivElement, hidden: boolean): void {
  if (label.hidden !== hidden) label.hidden = hidden;
}
