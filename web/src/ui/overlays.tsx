// What floats over the view: the invitation of an empty scene, hints, the reconnect banner, notices, the context menu.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { firstPlace } from '../hands/click_tools';
import { context, dragging } from '../hands/hands';
import { stopped } from '../hands/mover';
import * as act from '../model/actions';
import * as files from '../model/files';
import { showTubes } from '../model/flexible';
import * as modes from '../model/modes';
import { isSelected, selected, selection, type Thing } from '../model/selection';
import { reconnectNow, tell } from '../model/session';
import { connectionStatus, hello, playing, scene } from '../model/store';
import { dismiss, notices } from '../model/trouble';
import { show } from '../model/units';
import { hidden, isHidden, isLocked, isolate, showEverything, toggleHidden, toggleLocked } from '../model/visibility';
import { view, viewTrouble } from './canvas';
import { Icon } from './icons';
import { Item } from './menu';
import { focusable, menuKey } from './roving';

export function Invitation() {
  if (viewTrouble.value) {
    return (
      <div class="invite"><div>
        <h1>No 3-D view</h1>
        <p>This browser could not open WebGL 2: {viewTrouble.value}</p>
      </div></div>
    );
  }
  // a mesh that was dropped into an empty scene is to be seen and clicked
  if (!scene.value?.empty || scene.value.scenery.length > 0 || modes.tool.value === 'cable' || modes.dialog.value) return null;
  return (
    <div class="invite">
      <div>
        <h1>Take a cable in the hand</h1>
        <p>Begin with an example, draw a cable between two points, or drop a scene, harness data or a mesh onto this page.</p>
        <div class="choices">
          <button class="button primary" onClick={() => void files.showGallery()}><Icon name="gallery" />Examples</button>
          <button class="button framed" onClick={() => (modes.tool.value = 'cable')}><Icon name="cable" />New cable</button>
          <button class="button framed" onClick={files.chooseFiles}><Icon name="open" />Open a file</button>
          <button class="button framed" onClick={() => (modes.dialog.value = 'help')}><Icon name="help" />Mouse and keys</button>
        </div>
      </div>
    </div>
  );
}

const toolHints: Record<modes.Tool, [string, string]> = {
  select: ['', ''],
  cable: ['Click where the cable begins: in space, on a body or on a cable', 'Now click where it ends'],
  hold: ['Click on a cable to hold it there', ''],
  join: ['Click on the first cable; near an end means its end', 'Now click on the second cable'],
  measure: ['Click on the first place', 'Click on the second place'],
  flexible: ['Click where the flexible part begins: on a tube, or on a green or amber ball', 'Now click where it ends'],
};

export function Hint() {
  const drag = dragging.value;
  const tool = modes.tool.value;
  if (drag) {
    return (
      <div class="hint">
        <b>{drag.name}</b>
        <span>{drag.constraint === 'free' ? 'X Y Z along an axis · R turn · T twist · wheel: depth' : `along ${drag.constraint} only`}</span>
        {stopped.value && <span class="problem">{stopped.value}</span>}
        {drag.kind === 'rod' && <span>{playing.value ? 'Shift at the drop attaches' : 'Shift at the drop lets go'}</span>}
      </div>
    );
  }
  if (tool === 'select') return null;
  return (
    <div class="hint">
      <span>{toolHints[tool][firstPlace.value ? 1 : 0]}</span>
      {tool === 'cable' && <button class="button small framed" onClick={() => ((modes.tool.value = 'select'), (modes.dialog.value = 'new cable'))}>By numbers…</button>}
      <kbd>Esc</kbd>
    </div>
  );
}

export function Banner() {
  const [late, setLate] = useState(false);
  const status = connectionStatus.value;
  // a connection that comes back at once is not worth a word
  useEffect(() => {
    setLate(false);
    if (status === 'open') return;
    const timer = setTimeout(() => setLate(true), hello.peek() ? 300 : 1500);
    return () => clearTimeout(timer);
  }, [status]);
  if (status === 'open' || !late) return null;
  return (
    <div class="banner" role="alert">
      <Icon name="link" />
      {status === 'ended' ? 'The server has ended. Start «filum serve» again and open the address it prints.' : hello.value ? 'The connection to the simulation broke. Trying again…' : 'Waiting for the simulation…'}
      <button class="button small" onClick={reconnectNow}>Try now</button>
    </div>
  );
}

export function Notices() {
  return (
    <div class="notices" aria-live="polite">
      {notices.value.map((notice) => (
        <div key={notice.id} class={`notice ${notice.level}`} role={notice.level === 'error' ? 'alert' : 'status'}>
          <p>{notice.text}</p>
          {notice.choices.map(({ label, act: choose }) => (
            <button
              key={label} class="button small framed"
              onClick={() => {
                dismiss(notice.id);
                choose();
              }}
            >
              {label}
            </button>
          ))}
          <button class="button small square" aria-label="Dismiss" onClick={() => dismiss(notice.id)}><Icon name="close" /></button>
        </div>
      ))}
    </div>
  );
}

export function ContextMenu() {
  const open = context.value;
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    const close = (event: Event): void => {
      if (!(event.target instanceof Element && event.target.closest('.context'))) context.value = undefined;
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      context.value = undefined;
    };
    addEventListener('pointerdown', close, true);
    addEventListener('keydown', escape, true);
    focusable(menu.current!)[0]?.focus();
    return () => {
      removeEventListener('pointerdown', close, true);
      removeEventListener('keydown', escape, true);
    };
  }, [open]);
  if (!open) return null;
  const { thing, point } = open;
  const left = Math.min(open.x, innerWidth - 230);
  const top = Math.min(open.y, innerHeight - 300);
  return (
    <div class="menu context" role="menu" ref={menu} style={{ left: `${left}px`, top: `${top}px` }} onKeyDown={(event) => menuKey(event, event.currentTarget)} onClick={() => (context.value = undefined)}>
      {thing?.kind === 'rod' && thing.s !== undefined && <RodItems name={thing.name} s={thing.s} />}
      {thing?.kind === 'hold' && <HoldItems name={thing.name} />}
      {thing?.kind === 'scenery' && <Item icon="cable" hint="Shows the tubes in it; all of them, or the way between two places, become cables" act={() => void showTubes(thing.name)}>Make flexible…</Item>}
      {thing && thing.kind !== 'scene' && thing.kind !== 'hold' && !(thing.kind === 'rod' && thing.s !== undefined) && (
        <Item icon="trash" danger keys="Del" act={() => void act.removeThings(isSelected(thing) ? selected.peek() : [thing])}>{thing.kind === 'junction' ? 'Take apart' : 'Remove'}</Item>
      )}
      {thing && <ManyItems thing={thing} />}
      {point && <Item icon="target" act={() => view()?.flyTo(point)}>Go there</Item>}
      {!thing && <Item icon="cable" keys="C" act={() => (modes.tool.value = 'cable')}>New cable…</Item>}
      <Item icon="measure" keys="M" act={() => (modes.tool.value = 'measure')}>Measure…</Item>
      <Item icon="fit" keys="F" act={() => view()?.fit()}>Show all</Item>
    </div>
  );
}

/** What can be done to any thing, and to all that is selected if it is among them. */
function ManyItems({ thing }: { thing: Thing }) {
  const things = isSelected(thing) ? selected.value : [thing];
  const seen = ['rod', 'hold', 'body', 'scenery'].includes(thing.kind);
  return (
    <>
      {['rod', 'hold', 'body', 'junction', 'scenery', 'material', 'section'].includes(thing.kind) && <Item keys="F2" act={() => rename(thing)}>Rename</Item>}
      {seen && <Item icon="eye" keys="H" act={() => toggleHidden(things)}>{things.every(isHidden) ? 'Show' : 'Hide'}</Item>}
      {seen && <Item icon="target" act={() => isolate(things, scene.peek()!)}>Show nothing else</Item>}
      {hidden.value.size > 0 && <Item icon="eye" act={showEverything}>Show everything</Item>}
      {seen && <Item icon="lock" hint="What is locked is passed through by the pointer" act={() => toggleLocked(things)}>{things.every(isLocked) ? 'Unlock' : 'Lock'}</Item>}
      <hr />
    </>
  );
}

function rename(thing: Thing): void {
  selection.value = thing;
  modes.renameSelected();
}

function RodItems({ name, s }: { name: string; s: number }) {
  return (
    <>
      <div class="title">{name} at {show(s, 'length')}</div>
      <Item icon="hold" act={() => void act.addHold(name, s)}>Hold here</Item>
      <Item icon="check" act={() => void act.addHold(name, s, { fix: ['position', 'orientation'] })}>Clamp here</Item>
      <Item icon="scissors" act={() => void act.split(name, s)}>Split here</Item>
      <Item icon="trash" danger act={() => void act.removeThing({ kind: 'rod', name })}>Remove the cable</Item>
      <hr />
    </>
  );
}

function HoldItems({ name }: { name: string }) {
  const grip = (wanted: modes.Grip): void => {
    selection.value = { kind: 'hold', name };
    modes.grip.value = wanted;
  };
  return (
    <>
      <div class="title">{name}</div>
      <Item icon="move" keys="G" act={() => grip('move')}>Move along axes</Item>
      <Item icon="rotate" keys="R" act={() => grip('turn')}>Turn</Item>
      <Item icon="twist" keys="T" act={() => grip('twist')}>Twist</Item>
      <Item icon="minus" keys="L" act={() => void tell('release', { hold: name })}>Let go</Item>
      <hr />
    </>
  );
}
