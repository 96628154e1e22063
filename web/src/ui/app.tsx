// The page: toolbar, tree and limits, view, inspector, timeline.
import { untracked, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { comparison, keepComparing } from '../model/comparison';
import * as prefs from '../model/prefs';
import { otherRun } from '../model/recording';
import { outbox } from '../model/session';
import { dirty, frame, frameNumber, scene, slowFrame } from '../model/store';
import type { RodFrame } from '../protocol/frame';
import { vec3Of, type Vec3 } from '../protocol/vectors';
import { Alarms } from './alarms';
import { Canvas, view } from './canvas';
import { Dialogs } from './dialogs';
import { DropZone } from './drop_zone';
import { Edge } from './edge';
import { Figures, LegendBox } from './figures';
import { Inspector } from './inspector/inspector';
import { Levers } from './levers';
import { Busy, LeftBehind, LeftInBrowser, MissingMeshes, TubesFound } from './offers';
import { Banner, ContextMenu, Hint, Invitation, Notices } from './overlays';
import { TimePanel } from './time_panel';
import { Toolbar } from './toolbar';
import { TourCard } from './tour_card';
import { Tree } from './tree';
import { ViewCube } from './view_cube';

function pointsOf(rod: RodFrame): Vec3[] {
  return Array.from({ length: rod.count }, (_, k) => vec3Of(rod.positions.subarray(3 * k, 3 * k + 3)));
}

export function App() {
  useEffect(() => {
    const guard = (event: BeforeUnloadEvent): void => {
      if (dirty.peek() || outbox.pending) event.preventDefault();
    };
    addEventListener('beforeunload', guard);
    return () => removeEventListener('beforeunload', guard);
  }, []);
  // the title of the window is the scene's
  useEffect(() => {
    document.title = `${dirty.value ? '• ' : ''}${scene.value?.title || 'Filum'}`;
  }, [dirty.value, scene.value?.title]);
  // a comparison follows what is laid
  useSignalEffect(() => {
    void slowFrame.value;
    untracked(() => void keepComparing());
  });
  // ghosts of a comparison
  useEffect(() => {
    const ghosts = view()?.ghosts;
    const compared = comparison.value;
    const known = scene.peek();
    if (!ghosts) return;
    if (compared) ghosts.show(compared.rods.map((rod) => ({ positions: rod.positions, radius: Math.max(...(known?.rods.find((own) => own.name === rod.name)?.outline ?? [0.003])) * prefs.thicken.peek() * 1.02 })));
    else ghosts.clear();
    view()?.refresh();
  }, [comparison.value]);
  // the other run at the same time; read in an effect, so that a frame renders no panel anew
  useSignalEffect(() => {
    const run = otherRun.value;
    const ghosts = view()?.ghosts;
    if (!ghosts || comparison.value) return;
    if (run) void frameNumber.value;
    const then = run?.at(frame.time);
    if (then) ghosts.show(then.rods.map((rod) => ({ positions: pointsOf(rod), radius: Math.max(...rod.outline) * prefs.thicken.peek() * 1.02 })));
    else ghosts.clear();
    view()?.refresh();
  });
  return (
    <div class="workbench">
      <Toolbar />
      {prefs.showTree.value && (
        <aside class="side left" style={{ width: `${prefs.treeWidth.value}rem` }}>
          <Edge width={prefs.treeWidth} side={1} label="Width of the tree" />
          <div class="panel-title">Scene</div>
          <div class="scroll"><Tree /></div>
          <Alarms />
        </aside>
      )}
      <main class="centre">
        <Canvas />
        <ViewCube />
        <Levers />
        <LegendBox />
        <Figures />
        <Hint />
        <TourCard />
        <Invitation />
        <div class="offers">
          <Banner />
          <Busy />
          <LeftBehind />
          <LeftInBrowser />
          <MissingMeshes />
          <TubesFound />
        </div>
        <DropZone />
      </main>
      {prefs.showInspector.value && (
        <aside class="side right" style={{ width: `${prefs.inspectorWidth.value}rem` }}>
          <Edge width={prefs.inspectorWidth} side={-1} label="Width of the inspector" />
          <div class="panel-title">Inspector</div>
          <div class="scroll"><Inspector /></div>
        </aside>
      )}
      <TimePanel />
      <Dialogs />
      <ContextMenu />
      <Notices />
    </div>
  );
}
