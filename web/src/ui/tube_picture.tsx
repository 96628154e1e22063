// A tube in space as a drawing, seen from afar and turned by dragging: its lumen, its centreline and the beam in it.
import { useRef, useState } from 'preact/hooks';
import type { TubeSolved } from '../protocol/answers';
import type { Vec3 } from '../protocol/vectors';

/** Radians a pixel. */
const RATE = 0.01;
/** As the view of a scene begins: from the right, in front, above. */
const CORNER = { around: -0.6, up: 0.45 };

export function TubePicture({ tube }: { tube: TubeSolved }) {
  const [seen, setSeen] = useState(CORNER);
  const from = useRef<{ x: number; y: number } | undefined>(undefined);
  const [ca, sa, cu, su] = [Math.cos(seen.around), Math.sin(seen.around), Math.cos(seen.up), Math.sin(seen.up)];
  // to the right, and downwards as the screen counts
  const flat = ([x, y, z]: Vec3): [number, number] => [ca * x + sa * y, -(cu * z + su * (ca * y - sa * x))];
  const line = (points: readonly Vec3[]): string => points.map((point) => flat(point).join(',')).join(' ');
  const all = tube.centreline.map(flat);
  const middle = [0, 1].map((k) => 0.5 * (Math.min(...all.map((p) => p[k]!)) + Math.max(...all.map((p) => p[k]!))));
  // so large that turning it never cuts it off
  const reach = 1.1 * (tube.radius + 0.5 * Math.max(...tube.centreline.map((p) => Math.hypot(...p.map((c, k) => c - tube.centreline[0]![k]!)))));
  return (
    <svg
      class="channel-picture turned" viewBox={`${middle[0]! - reach} ${middle[1]! - 0.7 * reach} ${2 * reach} ${1.4 * reach}`} role="img" aria-label="The tube and the beam in it; drag to turn" tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={(event) => {
        if (!from.current) return;
        const [dx, dy] = [event.clientX - from.current.x, event.clientY - from.current.y];
        from.current = { x: event.clientX, y: event.clientY };
        setSeen(({ around, up }) => ({ around: around - RATE * dx, up: Math.min(Math.max(up + RATE * dy, -1.5), 1.5) }));
      }}
      onPointerUp={() => (from.current = undefined)}
      onKeyDown={(event) => {
        const turn = { ArrowLeft: 0.1, ArrowRight: -0.1 }[event.key];
        if (turn === undefined) return;
        event.stopPropagation();
        setSeen(({ around, up }) => ({ around: around + turn, up }));
      }}
    >
      <polyline class="tube-wall" points={line(tube.centreline)} style={{ strokeWidth: 2 * tube.radius }} />
      <polyline class="tube-lumen" points={line(tube.centreline)} style={{ strokeWidth: 1.9 * tube.radius }} />
      <polyline class="centre" points={line(tube.centreline)} />
      {tube.shapes.map((shape, k) => <polyline key={k} class="shape chosen" points={line(shape.positions)} data-points={shape.positions.length} />)}
    </svg>
  );
}
