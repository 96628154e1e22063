// Keys of the whole page. What is typed into a field never comes here.
import { Vector3 } from 'three';
import * as act from '../model/actions';
import { copySelected, paste } from '../model/clipboard';
import * as downloads from '../model/downloads';
import * as files from '../model/files';
import * as modes from '../model/modes';
import { roundBelow } from '../model/numbers';
import * as prefs from '../model/prefs';
import { goLive, lookedAt } from '../model/recording';
import { selectAll, selected, selection, type Thing } from '../model/selection';
import { tell } from '../model/session';
import { busy, rodNamed, scene } from '../model/store';
import { redo, undo } from '../model/undo';
import type { Rod } from '../protocol/scene';
import type { Vec3 } from '../protocol/vectors';
import { CORNER } from '../view/framing';
import type { View } from '../view/view';
import { cancelTool } from './click_tools';
import { leverKey, letGoOfLevers } from './levers/lever_keys';
import type { Nudge } from './nudge';

const toggle = (signal: { value: boolean }): void => {
  signal.value = !signal.value;
};
const choose = (tool: modes.Tool): void => {
  modes.tool.value = tool;
};

/** Keys with Ctrl (or ⌘). */
const commands: Record<string, (shift: boolean) => void> = {
  z: (shift) => void (shift ? redo() : undo()),
  y: () => void redo(),
  s: (shift) => (shift ? (modes.dialog.value = 'save as') : void files.save()),
  c: () => void copySelected(),
  v: () => void paste({ by: aside() }),
  d: () => void (copySelected() && paste({ by: aside() })),
  a: () => selectEverything(),
  o: (shift) => (shift ? files.chooseFiles() : void files.showGallery()),
};

function plainKeys(view: View): Record<string, () => void> {
  return {
    ' ': () => void act.togglePlay(),
    '.': () => void act.step(1),
    '>': () => void act.step(10),
    ':': () => void act.step(10),
    e: () => void act.settle(),
    Home: () => void act.reset(),
    v: () => choose('select'),
    c: () => choose('cable'),
    h: () => choose('hold'),
    j: () => choose('join'),
    m: () => choose('measure'),
    g: () => modes.toggleGrip('move'),
    r: () => modes.toggleGrip('turn'),
    t: () => modes.toggleGrip('twist'),
    y: () => modes.toggleGrip('scale'),
    f: () => view.fit(),
    '0': () => view.fit(CORNER),
    '1': () => view.fit(new Vector3(0, -1, 0)),
    '3': () => view.fit(new Vector3(1, 0, 0)),
    '7': () => view.fit(new Vector3(0, -1e-3, 1)),
    l: () => release(),
    Delete: () => void act.removeThings(selected.peek()),
    Backspace: () => void act.removeThings(selected.peek()),
    '?': () => (modes.dialog.value = 'help'),
    F1: () => (modes.dialog.value = 'help'),
    F2: modes.renameSelected,
    F6: () => toggle(prefs.showTree),
    F3: () => toggle(prefs.showTimeline),
    F4: () => toggle(prefs.showInspector),
    F12: () => void view.stage.picture().then(downloads.downloadPicture),
    Escape: escape,
  };
}

/** What is pasted lies beside what was copied: a tenth of the longest cable away. */
function aside(): Vec3 {
  return [0, roundBelow(0.1 * Math.max(...(scene.peek()?.rods.map(({ length }) => length) ?? []), 0.1)), 0];
}

function selectEverything(): void {
  const known = scene.peek();
  if (known) selectAll([...known.rods.map(({ name }): Thing => ({ kind: 'rod', name })), ...known.bodies.map(({ name }): Thing => ({ kind: 'body', name }))]);
}

function release(): void {
  const thing = selection.peek();
  if (thing.kind === 'hold') void tell('release', { hold: thing.name });
}

function escape(): void {
  if (busy.peek()) void tell('cancel');
  else if (lookedAt.peek() !== undefined) goLive();
  else if (modes.tool.peek() !== 'select') cancelTool();
  else if (modes.grip.peek()) modes.grip.value = undefined;
  else selection.value = { kind: 'scene' };
}

/** The cable that is selected, or that of the selected hold. */
function selectedRod(): Rod | undefined {
  const thing = selection.peek();
  const hold = thing.kind === 'hold' ? scene.peek()?.holds.find(({ name }) => name === thing.name) : undefined;
  const name = thing.kind === 'rod' ? thing.name : hold?.rod;
  return name === undefined ? undefined : rodNamed(name);
}

/** Whether keys belong to what has the focus. */
function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
}

export function listenToKeys(view: View, nudge: Nudge, dragKey: (event: KeyboardEvent, down: boolean) => boolean): void {
  const keys = plainKeys(view);
  let clicked: Element | null = null;
  addEventListener('pointerdown', (event) => (clicked = event.target instanceof Element ? event.target.closest('button') : null), true);
  addEventListener('keydown', (event) => {
    if (typing(event.target) && !(event.ctrlKey || event.metaKey) && !/^F\d+$/.test(event.key)) return;
    // an open dialog has the keys; nothing behind it changes, nor does the browser do its own
    if (modes.dialog.peek()) {
      if ((event.ctrlKey || event.metaKey) && 'so'.includes(event.key.toLowerCase())) event.preventDefault();
      return;
    }
    if (dragKey(event, true)) return event.preventDefault();
    if (event.key === 'Tab') clicked = null;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      const command = commands[name];
      if (!command || (typing(event.target) && 'zycva'.includes(name)) || (name === 'c' && getSelection()?.toString())) return;
      event.preventDefault();
      nudge.end();
      return command(event.shiftKey);
    }
    // a focused button takes its own presses; one that was only clicked does not keep them
    if ((name === ' ' || name === 'Enter') && event.target instanceof HTMLButtonElement && event.target !== clicked) return;
    if (leverKey(event, true, selectedRod)) return event.preventDefault();
    if (nudge.key(event)) return event.preventDefault();
    const key = keys[name];
    if (!key) return;
    event.preventDefault();
    key();
  });
  addEventListener('keyup', (event) => {
    if (!dragKey(event, false)) leverKey(event, false, selectedRod);
  });
  addEventListener('blur', letGoOfLevers);
}
