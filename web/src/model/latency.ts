// How long a movement of the hand takes to be seen: from the pointer's event to the picture that shows it.

/** Figures kept. */
const KEPT = 500;

const awaited: { frame: number; began: number }[] = [];
const seen: number[] = [];

/** A move that began then will be shown by this frame. */
export function awaitFrame(frame: number, began: number): void {
  awaited.push({ frame, began });
}

/** A picture of this frame is done. */
export function frameSeen(frame: number): void {
  const now = performance.now();
  while (awaited.length > 0 && awaited[0]!.frame <= frame) seen.push(now - awaited.shift()!.began);
  if (seen.length > KEPT) seen.splice(0, seen.length - KEPT);
}

/** Milliseconds, the latest last. */
export function latencies(): readonly number[] {
  return seen;
}

/** The middle one, or undefined if there is none yet. */
export function medianLatency(): number | undefined {
  return [...seen].sort((a, b) => a - b)[seen.length >> 1];
}
