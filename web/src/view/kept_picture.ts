// Where the processor draws, for want of a graphics card, most of its work is on what has not changed. So what stands is kept as a
// picture with its depths, and only what moves is drawn over it: it throws no shadow then, and its edges are not smoothed. The same
// holds for all of it while the camera moves. As soon as everything rests, all is drawn as well as can be.
import { Color, DepthTexture, Light, Material, NearestFilter, SRGBColorSpace, Vector2, WebGLRenderTarget, type Object3D, type PerspectiveCamera, type Scene, type WebGLRenderer } from 'three';
import { Covered } from './covered';
import { Patch } from './patch';
import { ScreenBox } from './screen_box';
import { Stillness } from './stillness';

/** Layers beside the one that all things are in. */
const STILL = 1;
const MOVING = 2;
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
  /** whether all that is seen has to be in the renderer's own canvas */
  inOne = false;
  readonly patch: Patch;
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
  /** what the canvas shows */
  private seen: 'still' | 'all' = 'all';
  /** what things that move cover, and all */
  private readonly covered = new Covered();
  private readonly whole = new ScreenBox();
  /** of what the shadows are */
  private shadowsOf: 'all' | 'still' | undefined;

  constructor(private readonly renderer: WebGLRenderer) {
    renderer.shadowMap.autoUpdate = false;
    const gl = renderer.getContext();
    if (!(gl instanceof WebGL2RenderingContext)) throw new Error('the picture needs WebGL 2');
    this.gl = gl;
    this.patch = new Patch(gl);
  }

  /** What was drawn before is gone. */
  forget(): void {
    this.kept.clear();
    this.patch.hide();
  }

  /** Draws the scene; `best`: as well as can be. */
  draw(scene: Scene, camera: PerspectiveCamera, best: boolean): void {
    this.fit();
    const { stillness } = this;
    stillness.look(scene);
    const steady = this.isSteady(scene, camera);
    if (stillness.changed) this.shadowsOf = this.shadowsOf === 'still' && !stillness.stirred ? 'still' : undefined;
    if (best || !steady) return this.drawAll(scene, camera, best);
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
    this.copy(target, null, this.whole);
    this.seen = 'all';
    this.patch.hide();
    this.coarse = target !== this.best;
  }

  /** Draws what stands, to be kept. */
  private keep(scene: Scene, camera: PerspectiveCamera): void {
    this.kept.clear();
    for (const object of this.stillness.still) this.kept.add(object);
    this.shadowsOf = undefined;
    this.render(scene, camera, this.still, STILL, 'still');
    this.seen = 'all';
  }

  /** Draws what moves over what stands: of that the depths alone are copied, where it is covered, and only that part is fetched and shown anew. */
  private drawOver(scene: Scene, camera: PerspectiveCamera): void {
    const { renderer, gl, still, front, covered, patch } = this;
    const { moving } = this.stillness;
    this.coarse = true;
    renderer.initRenderTarget(front);
    if (this.inOne) return this.drawInOne(scene, camera);
    covered.look(moving, camera, front.width, front.height);
    if (this.seen !== 'still') this.copy(still, null, this.whole);
    this.seen = 'still';
    if (covered.whole.area === 0) return patch.hide();
    const part = patch.cover(covered.whole, front.width, front.height);
    for (const box of covered.boxes) this.copy(still, front, box, gl.DEPTH_BUFFER_BIT);
    this.renderOver(scene, camera, part, true);
    this.readFrom(front);
    patch.show(front.height, 1 / renderer.getPixelRatio(), moving.some(isBlended));
  }

  /** The same, all of it into the canvas. */
  private drawInOne(scene: Scene, camera: PerspectiveCamera): void {
    const { gl, still, front, whole } = this;
    this.copy(still, front, whole, gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.renderOver(scene, camera, whole, false);
    this.copy(front, null, whole);
    this.seen = 'all';
    this.patch.hide();
  }

  /** What moves, into a part of the picture: over what is there, or over nothing. */
  private renderOver(scene: Scene, camera: PerspectiveCamera, { left, bottom, right, top }: ScreenBox, alone: boolean): void {
    const { renderer, front } = this;
    const { background } = scene;
    front.scissorTest = true;
    front.scissor.set(left, bottom, right - left, top - bottom);
    scene.background = null;
    renderer.autoClear = false;
    if (alone) {
      renderer.setRenderTarget(front);
      renderer.setClearColor(0, 0);
      renderer.clear(true, false, false);
    }
    this.render(scene, camera, front, MOVING);
    renderer.autoClear = true;
    scene.background = background;
    front.scissorTest = false;
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

  /** Copies a part of one picture to another, or to the screen: its colours, unless something else is asked for. */
  private copy(from: WebGLRenderTarget, to: WebGLRenderTarget | null, { left, bottom, right, top }: ScreenBox, what: number = this.gl.COLOR_BUFFER_BIT): void {
    const { renderer, gl } = this;
    this.readFrom(from);
    renderer.state.bindFramebuffer(gl.DRAW_FRAMEBUFFER, to && framebufferOf(renderer, to));
    gl.blitFramebuffer(left, bottom, right, top, left, bottom, right, top, what, gl.NEAREST);
  }

  private readFrom(picture: WebGLRenderTarget): void {
    const { renderer, gl } = this;
    // the renderer's own record of what is read from misses what it binds for both: so that it is bound in any case
    renderer.state.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
    renderer.state.bindFramebuffer(gl.READ_FRAMEBUFFER, framebufferOf(renderer, picture));
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
    this.whole.fill(x, y);
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

const isBlended = (thing: Object3D): boolean => 'material' in thing && thing.material instanceof Material && thing.material.transparent;

function framebufferOf(renderer: WebGLRenderer, target: WebGLRenderTarget): WebGLFramebuffer | null {
  const kept: unknown = renderer.properties.get(target);
  const known = typeof kept === 'object' && kept !== null && '__webglFramebuffer' in kept ? kept.__webglFramebuffer : null;
  return known instanceof WebGLFramebuffer ? known : null;
}
