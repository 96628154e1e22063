// The edge of a panel at the side, to make it wider: by the pointer or by the arrow keys.
import type { Signal } from '@preact/signals';

const LEAST = 10;
const MOST = 40;

/** `side` is 1 where the panel grows to the right. */
export function Edge({ width, side, label }: { width: Signal<number>; side: 1 | -1; label: string }) {
  const change = (to: number): void => void (width.value = Math.min(Math.max(Math.round(10 * to) / 10, LEAST), MOST));
  return (
    <div
      class={side > 0 ? 'edge right' : 'edge left'} role="separator" aria-orientation="vertical" aria-label={label} aria-valuenow={width.value} aria-valuemin={LEAST} aria-valuemax={MOST} tabIndex={0}
      onPointerDown={(event) => {
        const handle = event.currentTarget;
        const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
        const [from, at] = [width.peek(), event.clientX];
        handle.setPointerCapture(event.pointerId);
        handle.onpointermove = (move) => change(from + (side * (move.clientX - at)) / rem);
        handle.onpointerup = handle.onpointercancel = () => (handle.onpointermove = null);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        event.preventDefault();
        event.stopPropagation();
        change(width.peek() + side * (event.key === 'ArrowRight' ? 1 : -1));
      }}
    />
  );
}
