// Several levers of one kind as one: what it is moved by moves all of them.
import type { Lever, LeverGrip } from './lever';

/** Undefined: there are not several. */
export function commonLever(label: string, levers: readonly Lever[]): Lever | undefined {
  const [first, second] = levers;
  if (!first || !second) return undefined;
  return {
    ...first,
    id: `all ${label}`, label: `all ${label}`, hint: `Moves ${levers.map((lever) => lever.label).join(', ')} together`,
    grip: () => commonGrip(levers, first.value()),
  };
}

function commonGrip(levers: readonly Lever[], from: number): LeverGrip {
  const starts = levers.map((lever) => lever.value());
  const grips = levers.map((lever) => lever.grip());
  return {
    // each by as much as the first
    to: (value) => grips.forEach((grip, k) => grip.to(starts[k]! + value - from)),
    go: (rate) => grips.forEach((grip) => grip.go(rate)),
    end: () => grips.forEach((grip) => grip.end()),
  };
}
