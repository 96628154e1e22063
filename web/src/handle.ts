// `window.filum`: what scripts and tests may read of the page, and commands to the server.
import { Vector3 } from 'three';
import { gizmoHandles } from './hands/hands';
import { toHeadset } from './hands/headset';
import { latencies } from './model/latency';
import { selection } from './model/selection';
import { idle } from './model/undo';
import { ask, history, outbox } from './model/session';
import { bodyFrame, connectionStatus, frame, holdFrame, rodFrame, scene, state } from './model/store';
import { view } from './ui/canvas';
import { toScreen } from './view/screen';

interface Handle {
  /** number of the last frame that came, and of the last that was drawn */
  frame: () => { received: number; drawn: number; hash: string; time: number };
  connected: () => boolean;
  scene: () => unknown;
  state: () => unknown;
  selection: () => unknown;
  /** where a hold is, m */
  hold: (name: string) => number[] | undefined;
  /** where a body is, m */
  body: (name: string) => number[] | undefined;
  /** points of a rod, m */
  rod: (name: string) => number[][];
  /** points of a massless rope, m */
  rope: (name: string) => number[][];
  /** unstretched length of a rod now, m */
  length: (name: string) => number | undefined;
  /** turns, smallest bend radius and largest tension of a rod */
  figures: (name: string) => { turns: number; minBendRadius: number; maxTension: number } | undefined;
  /** whether nothing is under way that takes several commands */
  idle: () => boolean;
  /** whether the camera is at rest */
  resting: () => boolean;
  /** a point of the world in pixels of the window */
  toScreen: (point: [number, number, number]) => { x: number; y: number } | undefined;
  /** a point of the world as a headset that is worn has it, m */
  toHeadset: (point: [number, number, number]) => number[] | undefined;
  /** by axis: where a handle at the selected thing is taken, and the way it is pulled, in pixels of the window */
  handles: () => Record<string, { x: number; y: number; dx: number; dy: number }>;
  /** ms from a movement of the pointer to the picture that shows it, of the last drags */
  latencies: () => readonly number[];
  /** times of the rows that the plots have, s */
  rows: () => readonly (number | null)[];
  /** height of the floor, m */
  floor: () => number;
  /** forces of all holds, hands included, N */
  forces: () => number[];
  /** where cables touch something, m */
  contacts: () => number[][];
  /** the document as this page would bring it back */
  kept: () => string | undefined;
  /** the middle of the box of all ghosts, m */
  ghost: () => number[] | undefined;
  command: typeof ask;
}

declare global {
  interface Window {
    filum?: Handle;
  }
}

export function exposeHandle(): void {
  window.filum = {
    frame: () => ({ received: frame.number, drawn: view()?.shownFrame ?? 0, hash: frame.hash, time: frame.time }),
    connected: () => connectionStatus.peek() === 'open',
    scene: () => scene.peek(),
    state: () => state.peek(),
    selection: () => selection.peek(),
    hold: (name) => {
      const hold = holdFrame(name);
      return hold && [...hold.position];
    },
    body: (name) => {
      const body = bodyFrame(name);
      return body && [...body.position];
    },
    rod: (name) => {
      const rod = rodFrame(name);
      return rod ? Array.from({ length: rod.count }, (_, k) => [...rod.positions.subarray(3 * k, 3 * k + 3)]) : [];
    },
    rope: (name) => {
      const path = frame.ropes[scene.peek()?.ropes.findIndex((candidate) => candidate.name === name) ?? -1]?.path ?? [];
      return Array.from({ length: path.length / 3 }, (_, k) => [...path.slice(3 * k, 3 * k + 3)]);
    },
    length: (name) => rodFrame(name)?.s.at(-1),
    figures: (name) => {
      const rod = rodFrame(name);
      return rod && { turns: rod.turns, minBendRadius: rod.minBendRadius, maxTension: rod.maxTension };
    },
    idle,
    resting: () => view()?.stage.resting ?? false,
    toScreen: (point) => {
      const stage = view()?.stage;
      if (!stage) return undefined;
      const { x, y } = toScreen(new Vector3(...point), stage.camera, stage.renderer.domElement.getBoundingClientRect(), new Vector3());
      return { x, y };
    },
    toHeadset: (point) => toHeadset(new Vector3(...point))?.toArray(),
    handles: () => {
      const onScreen = (point: Vector3) => window.filum!.toScreen(point.toArray())!;
      return Object.fromEntries(
        Object.entries(gizmoHandles()).map(([axis, { at, along }]) => {
          const from = onScreen(at);
          const to = onScreen(at.clone().addScaledVector(along, (view()?.stage.radius ?? 1) * 0.01));
          const size = Math.hypot(to.x - from.x, to.y - from.y) || 1;
          return [axis, { ...from, dx: (to.x - from.x) / size, dy: (to.y - from.y) / size }];
        }),
      );
    },
    latencies,
    rows: () => history.column('t') ?? [],
    floor: () => view()?.stage.floor ?? 0,
    forces: () => frame.holds.map(({ force }) => Math.hypot(...force)),
    ghost: () => view()?.ghosts.middle(),
    contacts: () => Array.from({ length: frame.contacts.length / 6 }, (_, k) => [...frame.contacts.slice(6 * k, 6 * k + 3)]),
    kept: () => outbox.base?.text,
    command: ask,
  };
}
