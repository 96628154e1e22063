// The page: toolbar, tree and limits, view, inspector, timeline.
import { useEffect } from 'preact/hooks';
import { comparison, keepComparing } from '../model/comparison';
import * as prefs from '../model/prefs';
import { dirty, scene, slowFrame } from '../model/store';
import { Alarms } from './alarms';
import { Canvas, view } from './canvas';
import { Dialogs } from './dialogs';
import { DropZone } from './drop_zone';
import { Figures, LegendBox } from './figures';
import { Inspector } from './inspector/inspector';
import { Levers } from './levers';
import { Busy, LeftBehind } from './offers';
import { Banner, ContextMenu, Hint, Invitation, Notices } from './overlays';
import { TimePanel } from './time_panel';
import { Toolbar } from './toolbar';
import { Tree } from './tree';
import { ViewCube } from './view_cube';

export function App() {
  useEffect(() => {
    const guard = (event: BeforeUnloadEvent): void => {
      if (dirty.peek()) event.preventDefault();
    };
    addEventListener('beforeunload', guard);
    return () => removeEventListener('beforeunload', guard);
  }, []);
  // the title of the window is the scene's
  useEffect(() => {
    document.title = `${dirty.value ? '• ' : ''}${scene.value?.title || 'Filum'}`;
  }, [dirty.value, scene.value?.title]);
  // a comparison follows what is laid
  useEffect(() => void keepComparing(), [slowFrame.value]);
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
  return (
    <div class="workbench">
      <Toolbar />
      {prefs.showTree.value && (
        <aside class="side left">
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
        <Invitation />
        <Banner />
        <Busy />
        <LeftBehind />
        <DropZone />
      </main>
      {prefs.showInspector.value && (
        <aside class="side right">
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
