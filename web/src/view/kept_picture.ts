// Where the processor draws, for want of a graphics card, most of its work is on what has not changed. So what stands is kept as a
// picture with its depths, and only what moves is drawn over it: it throws no shadow then, and its edges are not smoothed. The same
// holds for all of it while the camera moves. As soon as everything rests, all is drawn as well as can be.
import { Color, DepthTexture, Light, NearestFilter, SRGBColorSpace, Vector2, WebGLRenderTarget, type PerspectiveCamera, type Scene, type WebGLRenderer } from 'three';
import { ScreenBox } from './screen_box';
import { Stillness } from './stillness';

/** Layers beside the one that all things are in. */
const STILL = 1;
const MOVING = 2;
/** Share of the triangles from which on keeping the rest is not worth it. */
const MUCH = 0.3;
/** Samples a pixel where edges are smoothed. */
const SAMPLES = 4;

/** Whether a browser's WebGL is a program of the processor. */
export function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const told = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl?.getParameter(told ? told.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class KeptPicture {
  /** whether the last picture is less than could be */
  coarse = false;
  smooth = true;
  private readonly gl: WebGL2RenderingContext;
  private readonly stillness = new Stillness();
  /** all as well as can be; what stands; and what is shown while something moves */
  private best = makeTarget(0);
  private readonly still = makeTarget(0);
  private readonly front = makeTarget(0);
  private readonly size = new Vector2();
  /** what the picture of what stands shows; nothing: there is none */
  private readonly kept = new Set<object>();
  /** from where, and what else all of it depends on */
  private outlook: number[] = [];
  /** where things that move are drawn: in the last picture, and in this or the last one */
  private readonly moved = new ScreenBox();
  private readonly touched = new ScreenBox();
  /** of what the shadows are */
  private shadowsOf: 'all' | 'still' | undefined;

  constructor(private readonly renderer: WebGLRenderer) {
    renderer.shadowMap.autoUpdate = false;
    const gl = renderer.getContext();
    if (!(gl instanceof WebGL2RenderingContext)) throw new Error('the picture needs WebGL 2');
    this.gl = gl;
  }

  /** What was drawn before is gone. */
  forget(): void {
    this.kept.clear();
  }

  /** Draws the scene; `best`: as well as can be. */
  draw(scene: Scene, camera: PerspectiveCamera, best: boolean): void {
    this.fit();
    const { stillness } = this;
    stillness.look(scene);
    const steady = this.isSteady(scene, camera);
    if (stillness.changed) this.shadowsOf = this.shadowsOf === 'still' && !stillness.stirred ? 'still' : undefined;
    if (best || !steady || stillness.share > MUCH) return this.drawAll(scene, camera, best);
    for (const object of stillness.still) object.layers.mask = 1 | (1 << STILL);
    for (const object of stillness.moving) object.layers.mask = 1 | (1 << MOVING);
    if (!this.holds()) this.keep(scene, camera);
    this.drawOver(scene, camera);
  }

  private drawAll(scene: Scene, camera: PerspectiveCamera, best: boolean): void {
    const target = best || !this.smooth ? this.best : this.front;
    this.kept.clear();
    this.stillness.calm();
    this.render(scene, camera, target, 0, 'all');
    this.touched.fill(target.width, target.height);
    this.copy(target, null, this.gl.COLOR_BUFFER_BIT);
    this.coarse = target !== this.best;
  }

  /** Draws what stands, to be kept. */
  private keep(scene: Scene, camera: PerspectiveCamera): void {
    this.kept.clear();
    for (const object of this.stillness.still) this.kept.add(object);
    this.shadowsOf = undefined;
    this.render(scene, camera, this.still, STILL, 'still');
    // all of it is to be seen
    this.moved.fill(this.front.width, this.front.height);
  }

  /** Draws what moves over what stands. */
  private drawOver(scene: Scene, camera: PerspectiveCamera): void {
    const { renderer, gl } = this;
    const { background } = scene;
    const { width, height } = this.front;
    this.touched.clear().add(this.moved);
    this.touched.add(this.moved.clear().addThings(this.stillness.moving, camera, width, height));
    this.copy(this.still, this.front, gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    scene.background = null;
    renderer.autoClear = false;
    this.render(scene, camera, this.front, MOVING);
    renderer.autoClear = true;
    scene.background = background;
    this.copy(this.front, null, gl.COLOR_BUFFER_BIT);
    this.coarse = true;
  }

  /** Whether the picture of what stands shows just that, as it is now. */
  private holds(): boolean {
    const { still, stirred } = this.stillness;
    return !stirred && still.length === this.kept.size && still.every((object) => this.kept.has(object));
  }

  /** One layer of the scene, with shadows of that: those of before are taken if they are the same. */
  private render(scene: Scene, camera: PerspectiveCamera, target: WebGLRenderTarget, layer: number, shadows = this.shadowsOf): void {
    const { renderer } = this;
    renderer.shadowMap.needsUpdate = this.shadowsOf !== shadows;
    this.shadowsOf = shadows;
    camera.layers.set(layer);
    renderer.setRenderTarget(target);
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    camera.layers.set(0);
  }

  /** Copies what was touched of one picture to another, or to the screen. */
  private copy(from: WebGLRenderTarget, to: WebGLRenderTarget | null, what: number): void {
    const { renderer, gl } = this;
    const { left, bottom, right, top, empty } = this.touched;
    if (empty) return;
    if (to) renderer.initRenderTarget(to);
    // the renderer's own record of what is read from misses what it binds for both: so that it is bound in any case
    renderer.state.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
    renderer.state.bindFramebuffer(gl.READ_FRAMEBUFFER, framebufferOf(renderer, from));
    renderer.state.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to && framebufferOf(renderer, to));
    gl.blitFramebuffer(left, bottom, right, top, left, bottom, right, top, what, gl.NEAREST);
  }

  /** Makes the pictures as large as the canvas. */
  private fit(): void {
    const { x, y } = this.renderer.getDrawingBufferSize(this.size);
    const samples = this.smooth ? SAMPLES : 0;
    if (this.front.width === x && this.front.height === y && this.best.samples === samples) return;
    if (this.best.samples !== samples) {
      this.best.dispose();
      this.best = makeTarget(samples);
    }
    for (const target of [this.best, this.still, this.front]) target.setSize(x, y);
    this.kept.clear();
  }

  /** Whether all that the whole picture depends on is as it was at the last one. */
  private isSteady(scene: Scene, camera: PerspectiveCamera): boolean {
    const lights: number[] = [];
    scene.traverse((object) => {
      if (!(object instanceof Light)) return;
      object.layers.mask = 1 | (1 << STILL) | (1 << MOVING);
      lights.push(Number(object.castShadow), object.intensity);
    });
    const planes = this.renderer.clippingPlanes.flatMap(({ normal, constant }) => [...normal.toArray(), constant]);
    const colour = scene.background instanceof Color ? scene.background.getHex() : 0;
    const before = this.outlook;
    camera.updateMatrixWorld();
    this.outlook = [...camera.matrixWorld.elements, ...camera.projectionMatrix.elements, this.front.width, this.front.height, colour, this.renderer.toneMappingExposure, ...lights, ...planes];
    const steady = before.length === this.outlook.length && before.every((value, k) => value === this.outlook[k]);
    if (!steady) this.kept.clear();
    return steady;
  }
}

/** A picture with its depths, in the colours of the screen. */
function makeTarget(samples: number): WebGLRenderTarget {
  const target = new WebGLRenderTarget(1, 1, { samples, depthTexture: new DepthTexture(1, 1), colorSpace: SRGBColorSpace, internalFormat: 'RGBA8', minFilter: NearestFilter, magFilter: NearestFilter, generateMipmaps: false });
  // by this the renderer maps tones and colours as for the screen
  return Object.assign(target, { isXRRenderTarget: true });
}

function framebufferOf(renderer: WebGLRenderer, target: WebGLRenderTarget): WebGLFramebuffer | null {
  const kept: unknown = renderer.properties.get(target);
  const known = typeof kept === 'object' && kept !== null && '__webglFramebuffer' in kept ? kept.__webglFramebuffer : null;
  return known instanceof WebGLFramebuffer ? known : null;
}
