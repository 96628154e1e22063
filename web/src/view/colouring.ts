// Colour by a quantity: what it is called, its range over all cables, and the value of every point in 0..1.
import { roundAbove } from '../model/numbers';
import type { Quantity } from '../model/units';
import type { FrameStore, RodFrame } from '../protocol/frame';
import type { Rod } from '../protocol/scene';
import type { RampName } from './ramp';

export interface Legend {
  title: string;
  ramp: RampName;
  quantity: Quantity;
  low: number;
  high: number;
  /** shown as a bend radius: the inverse, so that low and high are radii */
  inverse: boolean;
  /** high is the scene's limit */
  limited: boolean;
}

interface Kind {
  title: string;
  quantity: Quantity;
}

const kinds: Record<string, Kind> = {
  curvature: { title: 'Bend radius', quantity: 'length' },
  tension: { title: 'Tension', quantity: 'force' },
  twist: { title: 'Torsion', quantity: 'twist rate' },
  torque: { title: 'Torque', quantity: 'moment' },
  yield: { title: 'Strain over first yield', quantity: 'number' },
};

/** What a channel is called; one that this page does not know yet goes by its own name. */
export function channelTitle(channel: string): string {
  return kinds[channel]?.title ?? channel.charAt(0).toUpperCase() + channel.slice(1).replaceAll('_', ' ');
}

export function channelQuantity(channel: string): Quantity {
  return channel === 'curvature' ? 'curvature' : (kinds[channel]?.quantity ?? 'number');
}

/** The legend of a channel for what a frame shows. */
export function legendOf(channel: string, index: number, frame: FrameStore, rods: readonly Rod[]): Legend {
  const kind = kinds[channel];
  const quantity = kind?.quantity ?? 'number';
  const title = channelTitle(channel);
  let low = 0;
  let high = 0;
  for (const rod of frame.rods) {
    for (const value of rod.channels[index] ?? []) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (channel === 'tension') for (const rope of frame.ropes) high = Math.max(high, rope.tension);
  if (channel === 'curvature') {
    const limited = rods.some((rod) => rod.bend_radius_limit !== null);
    // a limit of each rod: the ramp shows the share of it
    if (limited) return { title, ramp: 'limit', quantity, low: 0, high: 1, inverse: true, limited };
    return { title, ramp: 'sequential', quantity, low: 0, high: roundAbove(high), inverse: true, limited };
  }
  if (low < -1e-9 * Math.max(high, 1e-12) && low < 0) {
    const most = roundAbove(Math.max(high, -low));
    return { title, ramp: 'diverging', quantity, low: -most, high: most, inverse: false, limited: false };
  }
  return { title, ramp: 'sequential', quantity, low: 0, high: roundAbove(high), inverse: false, limited: false };
}

/** Writes the ramp's value of every point of a rod. False: this rod has nothing to be measured against. */
export function rampValues(legend: Legend, index: number, rod: RodFrame, described: Rod, out: Float32Array): boolean {
  const channel = rod.channels[index];
  if (!channel) return false;
  let scale = 1 / (legend.high - legend.low);
  if (legend.limited) {
    const limit = described.bend_radius_limit;
    if (limit === null) return false;
    scale = limit;
  }
  for (let k = 0; k < rod.count; ++k) out[k] = (channel[k]! - legend.low) * scale;
  return true;
}
