// One thing of the scene as a row of the tree: what it is, whether it is shown, and what a press on it does.
import { Vector3 } from 'three';
import { context } from '../hands/hands';
import { hovered, isSelected, sameThing, selectAll, selectAlso, selection, type Thing } from '../model/selection';
import { scene } from '../model/store';
import { isHidden, isLocked, toggleHidden, toggleLocked } from '../model/visibility';
import { placeNow } from '../view/place';
import { view } from './canvas';
import { Icon, type IconName } from './icons';

export interface Leaf {
  thing: Thing;
  icon: IconName;
  name: string;
  more?: string;
  colour?: string;
  /** something of it is missing */
  bad?: boolean;
}

const SEEN: readonly Thing['kind'][] = ['rod', 'hold', 'body', 'scenery'];

/** `order` has all things as the tree lists them: Shift selects from one to another. */
export function LeafRow({ leaf, order }: { leaf: Leaf; order: () => readonly Thing[] }) {
  const { thing } = leaf;
  const chosen = isSelected(thing);
  const over = sameThing(hovered.value, thing);
  const hidden = isHidden(thing);
  const locked = isLocked(thing);
  return (
    <div class={`leaf-row${chosen ? ' chosen' : ''}${over ? ' hovered' : ''}${hidden ? ' hidden' : ''}`} onPointerEnter={() => (hovered.value = thing)} onPointerLeave={() => (hovered.value = undefined)}>
      <button
        class="leaf" role="treeitem" aria-selected={chosen} data-leaf={leaf.name} tabIndex={sameThing(selection.value, thing) ? 0 : -1}
        onClick={(event) => {
          press(event, thing, order());
          // where the pointer was used it decides: over the view the keys are the view's
          event.currentTarget.toggleAttribute('data-pointed', event.detail > 0);
        }}
        onDblClick={() => flyTo(thing)}
        onContextMenu={(event) => {
          event.preventDefault();
          if (!chosen) selection.value = thing;
          context.value = { x: event.clientX, y: event.clientY, thing };
        }}
      >
        {leaf.colour ? <span class="swatch" style={{ background: leaf.colour }} /> : <Icon name={leaf.icon} />}
        <span class="name">{leaf.name}</span>
        {leaf.more && <span class={leaf.bad ? 'more bad' : 'more'}>{leaf.more}</span>}
      </button>
      {SEEN.includes(thing.kind) && (
        <span class="marks">
          {locked && <button class="mark on" tabIndex={-1} aria-label={`Unlock ${leaf.name}`} title="Locked: the pointer passes through it. Press to unlock" onClick={() => toggleLocked([thing])}><Icon name="lock" /></button>}
          <button class={hidden ? 'mark on' : 'mark'} tabIndex={-1} aria-label={`${hidden ? 'Show' : 'Hide'} ${leaf.name}`} title={hidden ? 'Show (H)' : 'Hide (H)'} onClick={() => toggleHidden([thing])}><Icon name={hidden ? 'hidden' : 'eye'} /></button>
        </span>
      )}
    </div>
  );
}

/** A plain press selects, with Ctrl it adds or takes out, with Shift it selects all from the selected one to here. */
function press(event: MouseEvent, thing: Thing, order: readonly Thing[]): void {
  if (event.ctrlKey || event.metaKey) return selectAlso(thing);
  if (!event.shiftKey) {
    selection.value = thing;
    return selectAll([thing]);
  }
  const at = (wanted: Thing): number => order.findIndex((other) => sameThing(other, wanted));
  const [a, b] = [at(selection.peek()), at(thing)];
  if (a < 0 || b < 0) return selectAll([thing]);
  const between = order.slice(Math.min(a, b), Math.max(a, b) + 1);
  selectAll(a < b ? between : [...between].reverse());
}

/** Brings what a leaf stands for into the middle of the view. */
function flyTo(thing: Thing): void {
  const point = new Vector3();
  const rod = thing.kind === 'rod' ? scene.peek()?.rods.find((candidate) => candidate.name === thing.name) : undefined;
  const found =
    (rod && placeNow({ on: 'rod', rod: rod.name, s: rod.length / 2 }, point)) ||
    (thing.kind === 'hold' && placeNow({ on: 'hold', hold: thing.name }, point)) ||
    (thing.kind === 'body' && placeNow({ on: 'body', body: thing.name, local: new Vector3() }, point));
  if (found) view()?.flyTo(point);
  else view()?.fit();
}
