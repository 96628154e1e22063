// A channel as a drawing: walls, shapes, the forces of the walls, and handles at the points of its centreline.
import type { TargetedPointerEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import * as channel from '../model/channel';
import { show } from '../model/units';
import type { ChannelSolved } from '../protocol/answers';

type Point = readonly number[];

const polyline = (points: readonly Point[]): string => points.map(([x, y]) => `${x},${-y!}`).join(' ');

export function ChannelPicture({ found }: { found: ChannelSolved }) {
  const svg = useRef<SVGSVGElement>(null);
  // while a point is dragged it is where the pointer has it
  const [dragged, setDragged] = useState<{ index: number; point: Point } | undefined>(undefined);
  const { left, right, centreline } = found.outline;
  const all = [...left, ...right];
  const [xs, ys] = [all.map(([x]) => x!), all.map(([, y]) => -y!)];
  const [x0, y0] = [Math.min(...xs), Math.min(...ys)];
  const size = Math.max(Math.max(...xs) - x0, Math.max(...ys) - y0);
  const margin = 0.06 * size;
  const box = [x0 - margin, y0 - margin, Math.max(...xs) - x0 + 2 * margin, Math.max(...ys) - y0 + 2 * margin];
  const state = channel.states.value[channel.looked.value];
  const strongest = Math.max(...channel.states.value.flatMap(({ contacts }) => contacts.map(({ magnitude }) => magnitude)), 1e-12);
  const handles = found.handles.points.map((point, k) => (dragged?.index === k ? dragged.point : point));

  const place = (event: { clientX: number; clientY: number }): Point => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current!.getScreenCTM()!.inverse());
    return [at.x, -at.y];
  };
  const take = (event: TargetedPointerEvent<SVGElement>, index: number): void => {
    const handle = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (move) => setDragged({ index, point: place(move) });
    handle.onpointerup = (up) => {
      handle.onpointermove = handle.onpointerup = null;
      const points = found.handles.points.map((point, k) => (k === index ? place(up) : point));
      void channel.draw(points).then(() => setDragged(undefined));
    };
  };
  return (
    <svg class="channel-picture" ref={svg} viewBox={box.join(' ')} role="img" aria-label="The channel and the beam in it">
      <polygon class="lumen" points={polyline([...left, ...[...right].reverse()])} />
      <polyline class="wall" points={polyline(left)} />
      <polyline class="wall" points={polyline(right)} />
      <polyline class="centre" points={polyline(dragged ? handles : centreline)} />
      {found.path.length === 0 && found.shapes.map((shape, k) => <polyline key={k} class="shape" points={polyline(shape.positions)} onClick={() => (channel.looked.value = k)} />)}
      {state && <polyline class="shape chosen" points={polyline(state.positions)} data-points={state.positions.length} />}
      {state?.contacts.map(({ point, force, magnitude }, k) => {
        const reach = (0.14 * size) / strongest;
        return (
          <line key={k} class="force" x1={point[0]} y1={-point[1]!} x2={point[0]! - reach * force[0]!} y2={-(point[1]! - reach * force[1]!)}>
            <title>{`The wall presses with ${show(magnitude, 'force', 3)}`}</title>
          </line>
        );
      })}
      {handles.map(([x, y], k) => (
        <circle key={k} class="handle" data-handle={k} cx={x} cy={-y!} r={0.011 * size} onPointerDown={(event) => take(event, k)}><title>Drag: the channel goes through here</title></circle>
      ))}
    </svg>
  );
}
