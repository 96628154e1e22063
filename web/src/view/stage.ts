// The stage: renderer, camera, lights and floor. It draws when something changed and rests otherwise.
import {
  ACESFilmicToneMapping, Box3, Color, DirectionalLight, HemisphereLight, Object3D, PCFShadowMap, PerspectiveCamera,
  Scene, Sphere, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Grid } from './grid';

Object3D.DEFAULT_UP.set(0, 0, 1);

export interface StageTheme {
  top: string;
  line: string;
  lineStrength: number;
  shadow: number;
  exposure: number;
}

/** Milliseconds a flight of the camera takes. */
const FLIGHT = 420;
/** Room around what is framed. */
const MARGIN = 1.35;

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(38, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly grid = new Grid();
  /** frames drawn so far */
  drawn = 0;
  /** smoothed time between drawn frames, ms */
  frameTime = 16;
  /** height of the floor, m */
  floor = 0;
  /** called before each drawn frame */
  beforeDraw: (() => void)[] = [];
  afterDraw: (() => void)[] = [];
  private readonly sun = new DirectionalLight('#fff4e2', 2.6);
  private readonly fill = new DirectionalLight('#bcd4ff', 0.7);
  private readonly sky = new HemisphereLight('#e6eefa', '#4a443c', 1.25);
  private readonly bounds = new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  private readonly sphere = new Sphere();
  private detail = 1;
  private dirty = true;
  private lastDraw = 0;
  private flight: { start: number; from: Vector3; to: Vector3; fromTarget: Vector3; toTarget: Vector3 } | undefined;

  constructor(private readonly host: HTMLElement, smooth: boolean) {
    this.renderer = new WebGLRenderer({ antialias: smooth, powerPreference: 'high-performance' });
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    host.append(this.renderer.domElement);
    this.camera.position.set(1.2, -1.6, 0.9);

    // a sun for shape and shadow, a cool light from the other side, and the sky
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.01;
    this.sun.shadow.radius = 5;
    this.fill.position.set(-1, 0.7, 0.25);
    this.scene.add(this.sun, this.sun.target, this.fill, this.sky, this.grid.object);

    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.16;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.invalidate());

    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    const loop = (now: number): void => {
      requestAnimationFrame(loop);
      this.tick(now);
    };
    requestAnimationFrame(loop);
  }

  /** Whether the camera is where it was sent and the last picture shows it. */
  get resting(): boolean {
    return !this.flight && !this.dirty;
  }

  /** Asks for a new picture. */
  invalidate(): void {
    this.dirty = true;
  }

  setTheme(theme: StageTheme): void {
    this.scene.background = new Color(theme.top);
    this.renderer.toneMappingExposure = theme.exposure;
    this.grid.setTheme(theme.line, theme.lineStrength, theme.shadow);
    this.invalidate();
  }

  set fine(on: boolean) {
    this.detail = on ? 1 : 0.5;
    this.resize();
  }

  set shadows(on: boolean) {
    this.sun.castShadow = on;
    this.invalidate();
  }

  /** Tells what there is to see: places the lights. */
  setBounds(box: Box3): void {
    this.bounds.copy(box);
    box.getBoundingSphere(this.sphere);
    const radius = Math.max(this.sphere.radius, 1e-4);
    const c = this.sphere.center;
    this.sun.position.set(c.x + radius * 0.9, c.y - radius * 1.3, c.z + radius * 3.2);
    this.sun.target.position.copy(c);
    this.sun.target.updateMatrixWorld();
    const shadow = this.sun.shadow.camera;
    const side = radius * 1.7;
    shadow.left = shadow.bottom = -side;
    shadow.right = shadow.top = side;
    shadow.near = radius * 0.1;
    shadow.far = radius * 8;
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = radius * 0.004;
    this.controls.minDistance = radius * 0.02;
    this.controls.maxDistance = radius * 60;
  }

  get radius(): number {
    return Math.max(this.sphere.radius, 1e-4);
  }

  get centre(): Vector3 {
    return this.sphere.center;
  }

  /** Frames everything; `direction` points from the target to the camera. */
  fit(direction?: Vector3, instant = false): void {
    const away = (direction ?? this.camera.position.clone().sub(this.controls.target)).clone().normalize();
    const centre = this.bounds.getCenter(new Vector3());
    this.fly(centre, centre.clone().addScaledVector(away, this.fittingDistance(centre, away)), instant);
  }

  /** Flies to a sphere, looking from where the camera looks from now. */
  flyTo(centre: Vector3, radius: number): void {
    const away = this.camera.position.clone().sub(this.controls.target).normalize();
    const distance = radius / Math.sin((this.camera.fov * Math.PI) / 360);
    this.fly(centre, centre.clone().addScaledVector(away, distance), false);
  }

  /** How far the camera must be for every corner of the bounds to be in the picture. */
  private fittingDistance(centre: Vector3, away: Vector3): number {
    const right = new Vector3(0, 0, 1).cross(away).normalize();
    const up = new Vector3().crossVectors(away, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) / MARGIN;
    const wide = tall * this.camera.aspect;
    const corner = new Vector3();
    let distance = this.radius * 0.2;
    for (let k = 0; k < 8; ++k) {
      const { min, max } = this.bounds;
      corner.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).sub(centre);
      distance = Math.max(distance, corner.dot(away) + Math.abs(corner.dot(right)) / wide, corner.dot(away) + Math.abs(corner.dot(up)) / tall);
    }
    return distance;
  }

  private fly(target: Vector3, to: Vector3, instant: boolean): void {
    this.flight = { start: instant ? -Infinity : performance.now(), from: this.camera.position.clone(), to, fromTarget: this.controls.target.clone(), toTarget: target.clone() };
    this.invalidate();
  }

  /** A picture of what is shown, as PNG. */
  picture(): Promise<Blob> {
    this.draw();
    return new Promise((resolve, reject) => {
      this.renderer.domElement.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))), 'image/png');
    });
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * this.detail);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  private tick(now: number): void {
    this.advanceFlight(now);
    if (!this.flight) this.controls.update();
    if (!this.dirty) return;
    this.dirty = false;
    this.draw();
    const since = now - this.lastDraw;
    if (since < 500) this.frameTime += 0.1 * (since - this.frameTime);
    this.lastDraw = now;
    this.drawn += 1;
    for (const after of this.afterDraw) after();
  }

  private draw(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const reach = Math.max(distance, this.radius);
    this.camera.near = Math.max(distance, this.radius * 0.05) / 200;
    this.camera.far = reach * 40;
    this.camera.updateProjectionMatrix();
    this.grid.place(this.controls.target, this.floor, reach);
    for (const before of this.beforeDraw) before();
    this.renderer.render(this.scene, this.camera);
  }

  private advanceFlight(now: number): void {
    const f = this.flight;
    if (!f) return;
    const u = Math.min((now - f.start) / FLIGHT, 1);
    const ease = u * u * (3 - 2 * u);
    this.controls.target.lerpVectors(f.fromTarget, f.toTarget, ease);
    // on an arc around the moving target, not through it
    const from = f.from.clone().sub(f.fromTarget);
    const to = f.to.clone().sub(f.toTarget);
    const length = from.length() + ease * (to.length() - from.length());
    const offset = from.normalize().lerp(to.normalize(), ease);
    if (offset.lengthSq() < 1e-6) offset.copy(to);
    this.camera.position.copy(this.controls.target).addScaledVector(offset.normalize(), length);
    this.camera.lookAt(this.controls.target);
    this.invalidate();
    if (u === 1) {
      this.flight = undefined;
      this.controls.update();
    }
  }
}
