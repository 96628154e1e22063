// Lights: a sun for shape and shadow, a cool light from the other side, and the sky.
import { DirectionalLight, Group, HemisphereLight, type Vector3 } from 'three';

export class Lights {
  readonly group = new Group();
  private readonly sun = new DirectionalLight('#fff4e2', 2.6);

  constructor() {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.01;
    this.sun.shadow.radius = 5;
    const fill = new DirectionalLight('#bcd4ff', 0.7);
    fill.position.set(-1, 0.7, 0.25);
    this.group.add(this.sun, this.sun.target, fill, new HemisphereLight('#e6eefa', '#4a443c', 1.25));
  }

  set shadows(on: boolean) {
    this.sun.castShadow = on;
  }

  /** Shines on a sphere; what is beyond it throws no shadow. */
  aim(centre: Vector3, radius: number): void {
    this.sun.position.set(centre.x + radius * 0.9, centre.y - radius * 1.3, centre.z + radius * 3.2);
    this.sun.target.position.copy(centre);
    this.sun.target.updateMatrixWorld();
    const shadow = this.sun.shadow.camera;
    const side = radius * 1.7;
    shadow.left = shadow.bottom = -side;
    shadow.right = shadow.top = side;
    shadow.near = radius * 0.1;
    shadow.far = radius * 8;
    shadow.updateProjectionMatrix();
    this.sun.shadow.normalBias = radius * 0.004;
  }
}
