// The part of a picture that changes, as a small canvas over the large one that stays: what the browser has to fetch and to put
// together anew is no larger than that, which is what takes the time where all of it is done by the processor.
import { ScreenBox } from './screen_box';

/** Sizes are multiples of so many pixels, so that they change seldom. */
const STEP = 64;

export class Patch {
  readonly canvas = document.createElement('canvas');
  // not opaque: what is below an opaque one Chromium leaves out, upside down where it draws a flipped picture by the processor
  private readonly context = this.canvas.getContext('2d', { willReadFrequently: true })!;
  private readonly box = new ScreenBox();
  private rows = new Uint8Array(0);
  private image = new ImageData(1, 1);
  /** by which the pixels come: at once, and the browser does not warn of waiting for them */
  private readonly buffer: WebGLBuffer;

  constructor(private readonly gl: WebGL2RenderingContext) {
    this.buffer = gl.createBuffer();
    this.canvas.className = 'patch';
    this.canvas.setAttribute('aria-hidden', 'true');
    this.hide();
  }

  /** The part that is shown next: all of what is touched and little more, within a picture of this size. */
  cover({ left, bottom, right, top }: ScreenBox, width: number, height: number): ScreenBox {
    const { box } = this;
    [box.left, box.right] = interval(left, right, box.right - box.left, width);
    [box.bottom, box.top] = interval(bottom, top, box.top - box.bottom, height);
    return box;
  }

  /** Shows that part of the picture that is read from, which is so high and of which a pixel is so many of CSS; `blended`: some of its colours are those of glass over nothing. */
  show(height: number, pixel: number, blended: boolean): void {
    const { gl, canvas, box, image } = this.resized();
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.buffer);
    gl.readPixels(box.left, box.bottom, image.width, image.height, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, this.rows);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
    if (blended) unmultiply(this.rows);
    // the lowest row came first
    const row = 4 * image.width;
    for (let from = 0, to = image.data.length - row; to >= 0; from += row, to -= row) image.data.set(this.rows.subarray(from, from + row), to);
    this.context.putImageData(image, 0, 0);
    canvas.style.width = `${image.width * pixel}px`;
    canvas.style.height = `${image.height * pixel}px`;
    canvas.style.transform = `translate(${box.left * pixel}px, ${(height - box.top) * pixel}px)`;
    canvas.style.display = '';
  }

  hide(): void {
    this.canvas.style.display = 'none';
  }

  private resized(): this {
    const { gl, canvas, box, image } = this;
    const [width, height] = [box.right - box.left, box.top - box.bottom];
    if (image.width === width && image.height === height) return this;
    [canvas.width, canvas.height] = [width, height];
    this.image = new ImageData(width, height);
    this.rows = new Uint8Array(this.image.data.length);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, this.buffer);
    gl.bufferData(gl.PIXEL_PACK_BUFFER, this.rows.length, gl.STREAM_COPY);
    return this;
  }
}

/** Colours as they are, that were mixed with black by their opacity. */
function unmultiply(pixels: Uint8Array): void {
  for (let o = 0; o < pixels.length; o += 4) {
    const opacity = pixels[o + 3]!;
    if (opacity === 0 || opacity === 255) continue;
    for (let k = 0; k < 3; ++k) pixels[o + k] = Math.min((255 * pixels[o + k]!) / opacity, 255);
  }
}

/** Around these pixels, as long as it was if that does and is not far too much, and not beyond the picture. */
function interval(from: number, to: number, before: number, size: number): [number, number] {
  const least = Math.ceil((to - from) / STEP) * STEP;
  const length = Math.min(before >= least && before <= 2 * least ? before : least, size);
  const begin = Math.min(Math.max(Math.round((from + to - length) / 2), 0), size - length);
  return [begin, begin + length];
}
