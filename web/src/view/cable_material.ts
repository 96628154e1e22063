// What cables are made of to the eye: a plain colour or a ramp over a value, and a stripe along d1 that shows twist.
import { Color, MeshStandardMaterial, type DataTexture, type WebGLProgramParametersWithUniforms } from 'three';
import { rampTexture, type RampName } from './ramp';
import { LOOK } from './stillness';

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
    const ramp = name ? rampTexture(name) : this.ramp.value;
    if (this.rampShare.value !== (name ? 1 : 0) || this.ramp.value !== ramp) this.looksOtherwise();
    this.rampShare.value = name ? 1 : 0;
    this.ramp.value = ramp;
  }

  setStripe(colour: string, shown: boolean): void {
    const width = shown ? 0.055 : 0;
    const before = this.stripe.value.getHex();
    if (this.stripe.value.set(colour).getHex() !== before || this.stripeWidth.value !== width) this.looksOtherwise();
    this.stripeWidth.value = width;
  }

  /** The cable's own radius, m: seen from afar it is drawn thicker, so that it never vanishes. */
  setGirth(radius: number): void {
    if (this.girth.value !== radius) this.looksOtherwise();
    this.girth.value = radius;
  }

  /** Its uniforms have changed: counted for those who want to know whether it is drawn as before. */
  private looksOtherwise(): void {
    this.userData[LOOK] = Number(this.userData[LOOK] ?? 0) + 1;
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
