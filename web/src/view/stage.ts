// The stage: renderer, camera, lights and floor. It draws when something changed and rests otherwise.
import { ACESFilmicToneMapping, Box3, Color, Object3D, PCFShadowMap, PerspectiveCamera, Quaternion, Scene, Sphere, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { CameraFlight } from './flight';
import { Grid } from './grid';
import { KeptPicture, drawsInSoftware } from './kept_picture';
import { Lights } from './lights';
import type { StageTheme } from './themes';

Object3D.DEFAULT_UP.set(0, 0, 1);

/** Angles of view, degrees. */
const WIDE = 38;
const NARROW = 0.33;

/** Milliseconds without a new picture after which the last one is drawn as well as can be. */
const REST = 250;
/** Of the camera's place, over its distance from what it looks at. */
const ROUND_OFF = 1e-9;

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(WIDE, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly grid = new Grid();
  /** smoothed time between pictures that follow one another, ms */
  frameTime = 16;
  /** height of the floor, m */
  floor = 0;
  /** of the picture in the page, pixels of CSS: known without asking for a layout */
  readonly size = { width: 1, height: 1 };
  /** called before each drawn frame */
  beforeDraw: (() => void)[] = [];
  afterDraw: (() => void)[] = [];
  /** whether there is time for the best picture */
  unhurried = (): boolean => true;
  private readonly lights = new Lights();
  private readonly flight: CameraFlight;
  private readonly bounds = new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5));
  private readonly sphere = new Sphere();
  /** where the processor draws */
  private readonly kept: KeptPicture | undefined;
  /** where the camera was */
  private readonly before = { position: new Vector3(), quaternion: new Quaternion() };
  private detail = 1;
  private dirty = true;
  /** the turn before had a new picture too */
  private running = false;
  private lastDraw = 0;

  constructor(private readonly host: HTMLElement, smooth: boolean) {
    const software = drawsInSoftware();
    this.renderer = new WebGLRenderer({ antialias: smooth && !software, powerPreference: 'high-performance' });
    if (software) this.kept = new KeptPicture(this.renderer);
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    host.append(this.renderer.domElement);
    if (this.kept) host.append(this.kept.patch.canvas);
    this.camera.position.set(1.2, -1.6, 0.9);
    this.scene.add(this.lights.group, this.grid.object);

    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.16;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener('change', () => this.invalidate());
    this.flight = new CameraFlight(this.camera, this.controls, () => this.invalidate());

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
    return !this.flight.underWay && !this.dirty;
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
    if (this.kept) this.kept.smooth = on;
    this.resize();
  }

  set shadows(on: boolean) {
    this.lights.shadows = on;
    this.invalidate();
  }

  /** Tells what there is to see: places the lights. */
  setBounds(box: Box3): void {
    this.bounds.copy(box);
    box.getBoundingSphere(this.sphere);
    this.lights.aim(this.centre, this.radius);
    const far = this.farness;
    this.controls.minDistance = this.radius * 0.02 * far;
    this.controls.maxDistance = this.radius * 60 * far;
  }

  get radius(): number {
    return Math.max(this.sphere.radius, 1e-4);
  }

  get centre(): Vector3 {
    return this.sphere.center;
  }

  /** Sees lines that are parallel as such, nearly: from so far that the angle of view is a third of a degree. */
  setParallel(on: boolean): void {
    const fov = on ? NARROW : WIDE;
    if (fov === this.camera.fov) return;
    const away = this.camera.position.clone().sub(this.controls.target);
    const farther = Math.tan((this.camera.fov * Math.PI) / 360) / Math.tan((fov * Math.PI) / 360);
    this.camera.fov = fov;
    this.camera.position.copy(this.controls.target).addScaledVector(away, farther);
    this.setBounds(this.bounds.clone());
    this.controls.update();
    this.invalidate();
  }

  /** Where the camera is, to come back to. */
  get viewpoint(): { position: Vector3; target: Vector3 } {
    return { position: this.camera.position.clone(), target: this.controls.target.clone() };
  }

  goTo({ position, target }: { position: Vector3; target: Vector3 }): void {
    this.flight.to(target, position);
  }

  /** Frames everything; `direction` points from the target to the camera. */
  fit(direction?: Vector3, instant = false): void {
    this.flight.toBox(this.bounds, direction, instant);
  }

  /** Frames a part of it, from where it is looked at. */
  fitTo(box: Box3): void {
    this.flight.toBox(box, undefined, false);
  }

  /** Flies to a point so that its surroundings can be seen. */
  flyTo(point: Vector3): void {
    this.flight.toSphere(point, this.radius * 0.3);
  }

  /** A picture of what is shown, as PNG; of any size, in pixels. */
  async picture(size?: { width: number; height: number }): Promise<Blob> {
    if (size) {
      this.renderer.setPixelRatio(1);
      this.renderer.setSize(size.width, size.height, false);
      this.camera.aspect = size.width / size.height;
      this.camera.updateProjectionMatrix();
    }
    this.draw(true);
    const made = this.toPng();
    // what is seen goes on as it was
    if (size) this.resize();
    return made;
  }

  /** What is shown from now on, as a stream of so many pictures a second. */
  film(rate: number): MediaStream {
    if (this.kept) this.kept.inOne = true;
    return this.renderer.domElement.captureStream(rate);
  }

  endFilm(): void {
    if (this.kept) this.kept.inOne = false;
  }

  private toPng(): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.renderer.domElement.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be made'))), 'image/png');
    });
  }

  /** How many times as far as usual the camera is for the same picture. */
  private get farness(): number {
    return Math.tan((WIDE * Math.PI) / 360) / Math.tan((this.camera.fov * Math.PI) / 360);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0 || this.renderer.xr.isPresenting) return;
    Object.assign(this.size, { width, height });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * this.detail);
    this.renderer.setSize(width, height, false);
    this.kept?.forget();
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  /** Draws for a headset, as often as it asks, until its session ends; what is on the screen rests. */
  async wear(session: XRSession, camera: PerspectiveCamera, each: () => void): Promise<void> {
    const { renderer } = this;
    renderer.xr.enabled = true;
    renderer.xr.setReferenceSpaceType('local');
    await renderer.xr.setSession(session);
    // after the renderer's own
    session.addEventListener('end', () => {
      renderer.setAnimationLoop(null);
      renderer.xr.enabled = false;
      this.resize();
    });
    renderer.setAnimationLoop(() => {
      each();
      this.grid.place(this.centre, this.floor, this.radius);
      for (const before of this.beforeDraw) before();
      renderer.shadowMap.needsUpdate = true;
      renderer.render(this.scene, camera);
      for (const after of this.afterDraw) after();
    });
  }

  /** Lets the controls move the camera; by round-off alone it does not move. */
  private steer(): void {
    const { position, quaternion } = this.camera;
    this.before.position.copy(position);
    this.before.quaternion.copy(quaternion);
    this.controls.update();
    if (position.distanceTo(this.before.position) > ROUND_OFF * position.distanceTo(this.controls.target)) return;
    position.copy(this.before.position);
    quaternion.copy(this.before.quaternion);
  }

  private tick(now: number): void {
    if (this.renderer.xr.isPresenting) return;
    this.flight.advance(now);
    if (!this.flight.underWay) this.steer();
    if (!this.dirty) {
      this.running = false;
      if (this.kept?.coarse && now - this.lastDraw > REST && this.unhurried()) this.draw(true);
      return;
    }
    this.dirty = false;
    this.draw(false);
    const since = now - this.lastDraw;
    if (this.running) this.frameTime += 0.1 * (since - this.frameTime);
    this.running = true;
    this.lastDraw = now;
    for (const after of this.afterDraw) after();
  }

  /** Draws a picture; `best`: as well as can be, however long it takes. */
  private draw(best: boolean): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    // as far as it would be with the usual angle of view
    const reach = Math.max(distance / this.farness, this.radius);
    this.camera.near = this.farness > 1 ? Math.max(distance - 10 * reach, distance / 200) : Math.max(distance, this.radius * 0.05) / 200;
    this.camera.far = distance + reach * 40;
    this.camera.updateProjectionMatrix();
    this.grid.place(this.controls.target, this.floor, reach);
    for (const before of this.beforeDraw) before();
    if (this.kept) this.kept.draw(this.scene, this.camera, best);
    else this.renderer.render(this.scene, this.camera);
  }
}
