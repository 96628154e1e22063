// Colour ramps: a table for the legend, a texture for the cables.
import { DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace } from 'three';

export type RampName = 'limit' | 'sequential' | 'diverging';

/** Colours at equal distances, low to high. */
const stops: Record<RampName, readonly string[]> = {
  // calm below the limit, amber near it, red at and above
  limit: ['#2b6fb3', '#2f8fb8', '#35ad9f', '#69c06a', '#c6c84a', '#f2a93b', '#ee6b3b', '#dc2f4b'],
  sequential: ['#30285e', '#3d4fa1', '#3a7fb8', '#36a9a4', '#68c77e', '#bfdc65', '#fbe36a'],
  diverging: ['#2166c4', '#5b9bd8', '#a5c9e6', '#d7dbe0', '#f0bf93', '#e5853f', '#c4431c'],
};

const textures = new Map<RampName, DataTexture>();

/** As a CSS gradient from left to right. */
export function rampGradient(name: RampName): string {
  return `linear-gradient(to right, ${stops[name].join(', ')})`;
}

/** As a texture of 256 texels. */
export function rampTexture(name: RampName): DataTexture {
  const known = textures.get(name);
  if (known) return known;
  const data = new Uint8Array(4 * 256);
  const colours = stops[name].map((hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
  for (let k = 0; k < 256; ++k) {
    const x = (k / 255) * (colours.length - 1);
    const i = Math.min(Math.floor(x), colours.length - 2);
    for (let c = 0; c < 3; ++c) {
      const low = colours[i]![c]!;
      data[4 * k + c] = Math.round(low + (x - i) * (colours[i + 1]![c]! - low));
    }
    data[4 * k + 3] = 255;
  }
  const texture = new DataTexture(data, 256, 1, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  textures.set(name, texture);
  return texture;
}
