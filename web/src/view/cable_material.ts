// What cables are made of to the eye: a plain colour or a ramp over a value, and a stripe along d1 that shows twist.
import { Color, MeshStandardMaterial, type DataTexture, type WebGLProgramParametersWithUniforms } from 'three';
import { rampTexture, type RampName } from './ramp';

/** Least drawn radius over the distance from the camera, shared by all cables. */
const leastRadius = { value: 0 };

/** Takes the world's size of a pixel at distance one: no cable is thinner than about three of them. */
export function setPixelSize(size: number): void {
  leastRadius.value = 1.4 * size;
}

export class CableMaterial extends MeshStandardMaterial {
  private readonly ramp: { value: DataTexture } = { value: rampTexture('limit') };
  private readonly rampShare = { value: 0 };
  private readonly stripe = { value: new Color('#f4f1ea') };
  private readonly stripeWidth = { value: 0.055 };
  private readonly girth = { value: 1 };

  /** Of one cable; or of many at once, whose colours and radii are those of their vertices (`tint`). */
  constructor(colour: string, many = false) {
    super({ color: new Color(colour), roughness: 0.52, metalness: 0.0 });
    if (many) this.defines = { ...this.defines, TINTED: '' };
    this.onBeforeCompile = (shader) => this.extend(shader);
    this.customProgramCacheKey = () => 'cable';
  }

  get girthNow(): number {
    return this.girth.value;
  }

  /** Colours by value from now on; without a name by the plain colour. */
  useRamp(name: RampName | undefined): void {
    this.rampShare.value = name ? 1 : 0;
    if (name) this.ramp.value = rampTexture(name);
  }

  setStripe(colour: string, shown: boolean): void {
    this.stripe.value.set(colour);
    this.stripeWidth.value = shown ? 0.055 : 0;
  }

  /** The cable's own radius, m: seen from afar it is drawn thicker, so that it never vanishes. */
  setGirth(radius: number): void {
    this.girth.value = radius;
  }

  private extend(shader: WebGLProgramParametersWithUniforms): void {
    Object.assign(shader.uniforms, {
      ramp: this.ramp,
      rampShare: this.rampShare,
      stripe: this.stripe,
      stripeWidth: this.stripeWidth,
      girth: this.girth,
      least: leastRadius,
    });
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute float value;\nattribute float around;\n#ifdef TINTED\nattribute vec4 tint;\nvarying vec3 vTint;\n#endif\nuniform float girth;\nuniform float least;\nvarying float vValue;\nvarying float vAround;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvValue = value;\nvAround = around;\nfloat own = girth;\n#ifdef TINTED\nown = tint.a;\nvTint = tint.rgb;\n#endif\ntransformed += objectNormal * max(0.0, least * -(modelViewMatrix * vec4(position, 1.0)).z - own);');
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        '#include <common>\nuniform sampler2D ramp;\nuniform float rampShare;\nuniform vec3 stripe;\nuniform float stripeWidth;\nvarying float vValue;\nvarying float vAround;\n#ifdef TINTED\nvarying vec3 vTint;\n#endif',
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        #ifdef TINTED
        diffuseColor.rgb = vTint;
        #endif
        diffuseColor.rgb = mix(diffuseColor.rgb, texture2D(ramp, vec2(clamp(vValue, 0.0, 1.0), 0.5)).rgb, rampShare);
        float off = min(vAround, 1.0 - vAround);
        float soft = clamp(fwidth(vAround), 1e-5, 0.03);
        float mark = stripeWidth > 0.0 ? 1.0 - smoothstep(stripeWidth - soft, stripeWidth + soft, off) : 0.0;
        diffuseColor.rgb = mix(diffuseColor.rgb, stripe, mark * 0.92);`,
      );
  }
}
