// The floor: a grid that adapts its step to the distance, and the shadow of what stands above it.
import {
  Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial, type Object3D, Group, Vector3,
} from 'three';

const vertex = /* glsl */ `
  varying vec3 place;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = world.xyz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

const fragment = /* glsl */ `
  uniform vec3 line, xAxis, yAxis, centre;
  uniform float size, reach, strength;
  varying vec3 place;

  float lines(float cell) {
    vec2 at = place.xy / cell;
    vec2 width = fwidth(at);
    vec2 near = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
    // lines closer than three pixels fade away instead of flickering
    vec2 fade = 1.0 - smoothstep(0.15, 0.45, width);
    vec2 mark = (1.0 - min(near, 1.0)) * fade;
    return max(mark.x, mark.y);
  }

  float axis(float value, float width) { return 1.0 - min(abs(value) / max(width, 1e-9), 1.0); }

  void main() {
    float fine = lines(size) * 0.35;
    float coarse = lines(size * 10.0) * 0.8;
    float far = 1.0 - smoothstep(0.25, 1.0, distance(place.xy, centre.xy) / reach);
    float alpha = max(fine, coarse) * strength;
    vec3 colour = line;
    vec2 width = fwidth(place.xy) * 1.4;
    float x = axis(place.y, width.y), y = axis(place.x, width.x);
    colour = mix(colour, xAxis, x);
    colour = mix(colour, yAxis, y);
    alpha = max(alpha, max(x, y) * 0.75);
    gl_FragColor = vec4(colour, alpha * far);
    if (gl_FragColor.a < 0.004) discard;
    #include <colorspace_fragment>
  }`;

export class Grid {
  readonly object: Object3D;
  /** distance between lines, m */
  step = 0.1;
  private readonly lines: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly shade: Mesh<PlaneGeometry, ShadowMaterial>;

  constructor() {
    const plane = new PlaneGeometry(2, 2);
    const uniforms = {
      line: { value: new Color() },
      xAxis: { value: new Color('#d0504c') },
      yAxis: { value: new Color('#5aa84f') },
      centre: { value: new Vector3() },
      size: { value: 0.1 },
      reach: { value: 1 },
      strength: { value: 0.5 },
    };
    this.lines = new Mesh(plane, new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, uniforms, transparent: true, depthWrite: false, side: DoubleSide,
    }));
    this.shade = new Mesh(plane, new ShadowMaterial({ opacity: 0.3, depthWrite: false }));
    this.shade.receiveShadow = true;
    this.shade.renderOrder = -1;
    this.object = new Group().add(this.lines, this.shade);
  }

  /** Lies at height `z` under `centre` and reaches as far as a camera at this distance cares. */
  place(centre: Vector3, z: number, distance: number): void {
    this.step = 10 ** Math.round(Math.log10(distance / 12));
    const reach = distance * 6;
    this.object.position.set(centre.x, centre.y, z);
    this.object.scale.set(reach, reach, 1);
    const u = this.lines.material.uniforms;
    u['size']!.value = this.step;
    u['reach']!.value = reach;
    u['centre']!.value.copy(centre);
  }

  setTheme(line: string, strength: number, shadow: number): void {
    this.lines.material.uniforms['line']!.value.set(line);
    this.lines.material.uniforms['strength']!.value = strength;
    this.shade.material.opacity = shadow;
  }

  set shown(shown: boolean) {
    this.lines.visible = shown;
  }
}
