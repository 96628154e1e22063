// What was seen while time went on: kept frame by frame, to be looked at again, played back, compared with another run and given away.
import { computed, signal } from '@preact/signals';
import { FrameStore } from '../protocol/frame';
import { frame, frameNumber, live, scene, slowFrame, whenDocumentChanges } from './store';

/** Bytes that are kept at most; beyond them every second frame of the older half goes. */
const MOST_BYTES = 1 << 27;

export class Recording {
  frames: FrameStore[] = [];
  /** states of a movement, not what was seen */
  follows = false;
  private bytes = 0;

  get first(): number {
    return this.frames[0]?.time ?? 0;
  }

  get last(): number {
    return this.frames.at(-1)?.time ?? 0;
  }

  /** Takes a frame. What is later than it was gone back beyond; of one instant the latest counts. */
  add(now: FrameStore): void {
    if (this.follows) this.follow([]);
    this.follows = false;
    const before = this.frames.at(-1);
    while (this.frames.length > 0 && this.last >= now.time) this.bytes -= sizeOf(this.frames.pop()!);
    const copy = now.copy(before);
    this.frames.push(copy);
    this.bytes += sizeOf(copy);
    if (this.bytes > MOST_BYTES) this.thin();
  }

  /** Has the states of a movement instead, until something new is seen. */
  follow(states: FrameStore[]): void {
    this.frames = states;
    this.bytes = states.reduce((sum, one) => sum + sizeOf(one), 0);
    this.follows = true;
  }

  /** The last frame at or before a time. */
  at(time: number): FrameStore | undefined {
    let low = 0;
    let high = this.frames.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.frames[middle]!.time <= time + 1e-9) low = middle;
      else high = middle;
    }
    return this.frames[low];
  }

  copy(): Recording {
    const other = new Recording();
    other.frames = [...this.frames];
    other.bytes = this.bytes;
    return other;
  }

  private thin(): void {
    const half = this.frames.length >> 1;
    this.frames = this.frames.filter((_, k) => k >= half || k % 2 === 0);
    this.bytes = this.frames.reduce((sum, one) => sum + sizeOf(one), 0);
  }
}

function sizeOf(one: FrameStore): number {
  return one.rods.reduce((sum, rod) => sum + 4 * rod.count * (10 + rod.channels.length), 200 * (1 + one.bodies.length + one.holds.length + one.ropes.length));
}

export const recording = new Recording();
/** the time that is looked at; undefined: what is now */
export const lookedAt = signal<number | undefined>(undefined);
/** a run that was put aside to compare others with */
export const otherRun = signal<Recording | undefined>(undefined);
/** what the recording has, for those who show it */
export const recorded = computed(() => {
  void [slowFrame.value, lookedAt.value];
  return { follows: recording.follows, count: recording.frames.length, first: recording.first, last: recording.last };
});

whenDocumentChanges(() => {
  goLive();
  recording.frames = [];
  otherRun.value = undefined;
});

/** A frame of what is now came. */
export function record(): void {
  recording.add(live);
}

/** Shows the recorded frame of this time. */
export function lookAt(time: number): void {
  const then = recording.at(time);
  const known = scene.peek();
  if (!then || !known) return;
  lookedAt.value = then.time;
  frame.show(then);
  // hands may have come and gone since: what the scene still has is shown
  if (then.rods.length === known.rods.length && then.bodies.length === known.bodies.length && then.holds.length >= known.holds.length) frame.revision = known.revision;
  frameNumber.value = -frameNumber.peek() - 1;
  slowFrame.value -= 1;
}

/** Shows what is now. */
export function goLive(): void {
  stopPlayback();
  if (lookedAt.peek() === undefined) return;
  lookedAt.value = undefined;
  frame.show(live);
  frameNumber.value = live.number;
  slowFrame.value = live.number;
}

/** seconds of the recording per second; undefined: it stands still */
export const playback = signal<number | undefined>(undefined);
export const playbackSpeed = signal(1);

export function togglePlayback(): void {
  if (playback.peek() !== undefined) return stopPlayback();
  const from = lookedAt.peek() ?? recording.first;
  lookAt(from >= recording.last ? recording.first : from);
  playback.value = playbackSpeed.peek();
  let before = performance.now();
  let time = lookedAt.peek() ?? 0;
  const loop = (now: number): void => {
    if (playback.peek() === undefined) return;
    time += (playbackSpeed.peek() * Math.max(now - before, 0)) / 1000;
    before = now;
    lookAt(time);
    if (time >= recording.last) return stopPlayback();
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
}

function stopPlayback(): void {
  playback.value = undefined;
}

/** How far the rods shown are from those of the other run at the same time, m. */
export function apartFromOther(): number | undefined {
  const other = otherRun.value?.at(frame.time);
  if (!other) return undefined;
  let most = 0;
  frame.rods.forEach((rod, k) => {
    const then = other.rods[k];
    if (!then || then.count !== rod.count) return;
    for (let o = 0; o < rod.positions.length; o += 3)
      most = Math.max(most, Math.hypot(...[0, 1, 2].map((c) => rod.positions[o + c]! - then.positions[o + c]!)));
  });
  return most;
}
