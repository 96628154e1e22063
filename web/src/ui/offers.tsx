// Offers over the view: to cancel a command that takes long, to take back unsaved work of a server that was not ended properly.
import { chooseFiles } from '../model/files';
import { countNodes, hideTubes, makeFlexible, shownTubes } from '../model/flexible';
import { forgetLeft, leftInBrowser, openKept } from '../model/keeping';
import { tell } from '../model/session';
import { busy, scene, state } from '../model/store';
import { messageOf, notify } from '../model/trouble';

export function Busy() {
  const at = busy.value;
  if (!at) return null;
  return (
    <div class="banner" role="status">
      <progress max={at.limit} value={at.seconds} aria-label="Time of its limit" />
      «{at.cmd?.replaceAll('_', ' ')}» takes {at.seconds.toFixed(0)} s so far
      <button class="button small" title="Everything is then as it was before (Esc)" onClick={() => void tell('cancel')}>Stop</button>
    </div>
  );
}

/** What this browser kept of a page or server that broke off. */
export function LeftInBrowser() {
  const left = leftInBrowser.value;
  if (!left) return null;
  return (
    <div class="banner" role="alert">
      This browser kept unsaved changes of «{left.name}» from {new Date(left.when).toLocaleString()}.
      <button class="button small" onClick={() => openKept(left).catch((error: unknown) => notify(messageOf(error), 'error'))}>Restore</button>
      <button class="button small" onClick={() => void forgetLeft()}>Forget</button>
    </div>
  );
}

/** Meshes of the scene that were not found, and a way to give them. */
export function MissingMeshes() {
  const missing = scene.value?.scenery.filter((item) => item.address === '') ?? [];
  if (missing.length === 0) return null;
  return (
    <div class="banner bad" role="alert">
      Not found: {missing.map((item) => item.mesh).join(', ')}. {missing.length === 1 ? 'This mesh is' : 'These meshes are'} not drawn.
      <button class="button small" onClick={chooseFiles}>Give the file…</button>
    </div>
  );
}

const several = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Tubes that were found in a mesh: all of them at once, or the way between two clicks, or not at all. */
export function TubesFound() {
  const shown = shownTubes.value;
  if (!shown) return null;
  const { ends, joints } = countNodes(shown.tubes);
  const pieces = shown.tubes.pieces;
  return (
    <div class="banner" role="status">
      {shown.scenery}: {several(shown.tubes.branches.length, 'tube')}, {several(ends, 'end')}, {several(joints, 'bifurcation')}{pieces > 0 ? `, ${several(pieces, 'other piece')}` : ''}. Click two places for the way between them, or
      <button class="button small primary" onClick={() => void makeFlexible()}>Make all of it flexible</button>
      <button class="button small" onClick={hideTubes}>Leave it a mesh</button>
    </div>
  );
}

export function LeftBehind() {
  const left = state.value?.left_behind;
  if (!left) return null;
  return (
    <div class="banner" role="alert">
      There are unsaved changes of «{left.name}» from {left.when}.
      <button class="button small" onClick={() => void tell('restore')}>Restore</button>
      <button class="button small" onClick={() => void tell('discard')}>Discard</button>
    </div>
  );
}
