// A part of a picture, in its pixels from the lower left.

export class ScreenBox {
  left = 0;
  bottom = 0;
  right = 0;
  top = 0;

  /** Covers nothing. */
  clear(): this {
    [this.left, this.bottom, this.right, this.top] = [Infinity, Infinity, -Infinity, -Infinity];
    return this;
  }

  /** Covers a whole picture. */
  fill(width: number, height: number): this {
    [this.left, this.bottom, this.right, this.top] = [0, 0, width, height];
    return this;
  }

  copy({ left, bottom, right, top }: ScreenBox): this {
    [this.left, this.bottom, this.right, this.top] = [left, bottom, right, top];
    return this;
  }

  add({ left, bottom, right, top }: ScreenBox): this {
    this.left = Math.min(this.left, left);
    this.bottom = Math.min(this.bottom, bottom);
    this.right = Math.max(this.right, right);
    this.top = Math.max(this.top, top);
    return this;
  }

  /** Covers a point too, and so much around it. */
  addPoint(x: number, y: number, margin: number): void {
    this.left = Math.min(this.left, x - margin);
    this.bottom = Math.min(this.bottom, y - margin);
    this.right = Math.max(this.right, x + margin);
    this.top = Math.max(this.top, y + margin);
  }

  /** To whole pixels that are there. */
  clip(width: number, height: number): this {
    this.left = Math.max(Math.floor(this.left), 0);
    this.bottom = Math.max(Math.floor(this.bottom), 0);
    this.right = Math.min(Math.ceil(this.right), width);
    this.top = Math.min(Math.ceil(this.top), height);
    return this;
  }

  /** Pixels. */
  get area(): number {
    return Math.max(this.right - this.left, 0) * Math.max(this.top - this.bottom, 0);
  }
}
