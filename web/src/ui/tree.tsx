// The scene as a tree. Selecting here and in the view is the same selection. The keyboard goes through its rows: the arrows select, Right
// and Left unfold and fold, F2 renames, Delete removes, H hides; Enter gives the keys to the view.
import { computed, signal } from '@preact/signals';
import * as act from '../model/actions';
import * as files from '../model/files';
import * as modes from '../model/modes';
import { selected, type Thing } from '../model/selection';
import { scene } from '../model/store';
import { show } from '../model/units';
import { toggleHidden } from '../model/visibility';
import { CABLE_COLOURS } from '../view/cables';
import { addBody } from './add_body';
import { focusView } from './canvas';
import { Icon } from './icons';
import { focusable, moveFocus } from './roving';
import { Groups } from './tree_groups';
import { LeafRow, type Leaf } from './tree_row';

interface BranchOf {
  title: string;
  leaves: readonly Leaf[];
  add?: () => void;
  addHint?: string;
}

/** branches that are folded */
const folded = signal<ReadonlySet<string>>(new Set(['Materials', 'Sections']));
/** what is searched for */
const wanted = signal('');

/** All that the scene has, by kinds. */
const branches = computed<readonly BranchOf[]>(() => {
  const known = scene.value;
  if (!known) return [];
  const reeving = (list: readonly { name: string; path: string }[], more: string): Leaf[] => list.map(({ name, path }) => ({ thing: { kind: 'reeving', path }, icon: 'target', name, more }));
  return [
    {
      title: 'Cables', add: () => (modes.tool.value = 'cable'), addHint: 'New cable between two points',
      leaves: known.rods.map((rod, k) => ({ thing: { kind: 'rod', name: rod.name }, icon: 'cable', name: rod.name, more: show(rod.length, 'length'), colour: CABLE_COLOURS[k % CABLE_COLOURS.length]! })),
    },
    {
      title: 'Holds', add: () => (modes.tool.value = 'hold'), addHint: 'Add a hold to a cable',
      leaves: known.holds.map((hold) => ({ thing: { kind: 'hold', name: hold.name }, icon: 'hold', name: hold.name, more: hold.body || hold.rod })),
    },
    {
      title: 'Junctions', add: () => (modes.tool.value = 'join'), addHint: 'Join two cables',
      leaves: known.junctions.map((junction) => ({ thing: { kind: 'junction', name: junction.name }, icon: 'junction', name: junction.name, more: `${junction.rods.length} cables` })),
    },
    {
      title: 'Bodies', add: () => void addBody(), addHint: 'New body',
      leaves: known.bodies.map((body) => ({ thing: { kind: 'body', name: body.name }, icon: 'box', name: body.name, more: body.motion })),
    },
    { title: 'Reeving', leaves: [...reeving(known.winches, 'winch'), ...reeving(known.sheaves, 'sheave'), ...reeving(known.ropes, 'rope')] },
    {
      title: 'Obstacles', add: () => (modes.dialog.value = 'new obstacle'), addHint: 'New obstacle',
      leaves: known.obstacles.map(({ name, path, kind }) => ({ thing: { kind: 'obstacle', path }, icon: 'layers', name, more: kind })),
    },
    {
      title: 'Loads',
      leaves: [...known.forces, ...known.torques].map((load) => ({
        thing: { kind: 'load', path: load.path }, icon: 'force', name: `${load.force ? 'force' : 'torque'} on ${load.rod || load.body}`,
        more: load.force ? show(Math.hypot(...load.force), 'force', 3) : show(Math.hypot(...(load.torque ?? [0])), 'moment', 3),
      })),
    },
    {
      title: 'Drives',
      leaves: known.drivers.map((driver) => ({ thing: { kind: 'driver', path: driver.path }, icon: 'drive', name: `${driver.kind} ${driver.target}`, more: show(driver.keys.at(-1)?.t ?? 0, 'time', 3) })),
    },
    {
      title: 'Scenery', add: files.chooseFiles, addHint: 'Add a mesh',
      leaves: known.scenery.map((item) => ({ thing: { kind: 'scenery', name: item.name }, icon: 'mesh', name: item.name, more: item.address ? item.body : 'not found', bad: item.address === '' })),
    },
    { title: 'Sections', leaves: known.sections.map((section) => ({ thing: { kind: 'section', name: section.name }, icon: 'target', name: section.name, more: section.shape })) },
    { title: 'Materials', leaves: known.materials.map((material) => ({ thing: { kind: 'material', name: material.name }, icon: 'layers', name: material.name, more: show(material.young, 'modulus', 3) })) },
  ];
});

/** Of more things than these one searches. */
const MANY = 14;

export function Tree() {
  const known = scene.value;
  if (!known) return <p class="quiet">Waiting for the scene…</p>;
  const text = wanted.value.trim().toLowerCase();
  const found = (leaf: Leaf): boolean => text === '' || `${leaf.name} ${leaf.more ?? ''}`.toLowerCase().includes(text);
  const count = branches.value.reduce((sum, { leaves }) => sum + leaves.length, 0);
  return (
    <>
      {(count > MANY || text !== '') && (
        <input
          class="field search" type="search" placeholder="Search" aria-label="Search the scene" value={wanted.value}
          onInput={(event) => (wanted.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === 'Escape') wanted.value = '';
          }}
        />
      )}
      <div class="tree" role="tree" aria-label="Scene" aria-multiselectable="true" onKeyDown={(event) => treeKey(event, event.currentTarget)}>
        {text === '' && <LeafRow leaf={{ thing: { kind: 'scene' }, icon: 'layers', name: known.title || 'Scene' }} order={order} />}
        {text === '' && <Groups />}
        {branches.value.map((branch) => <Branch key={branch.title} branch={branch} leaves={branch.leaves.filter(found)} searching={text !== ''} />)}
      </div>
    </>
  );
}

/** The leaves as they stand, for selecting from one to another. */
function order(): Thing[] {
  return branches.peek().filter(({ title }) => !folded.peek().has(title)).flatMap(({ leaves }) => leaves.map(({ thing }) => thing));
}

function Branch({ branch: { title, add, addHint }, leaves, searching }: { branch: BranchOf; leaves: readonly Leaf[]; searching: boolean }) {
  if (leaves.length === 0 && (!add || searching)) return null;
  const open = searching || !folded.value.has(title);
  return (
    <div class="branch" role="group">
      <div class="head">
        <button class="fold" role="treeitem" aria-expanded={open} data-branch={title} tabIndex={-1} onClick={() => fold(title, open)}>
          <Icon name="chevron" />
          {title} {leaves.length > 0 && <span class="count">{leaves.length}</span>}
        </button>
        {add && (
          <button class="button small square" aria-label={addHint} title={addHint} tabIndex={-1} onClick={add}>
            <Icon name="plus" />
          </button>
        )}
      </div>
      {open && leaves.map((leaf) => <LeafRow key={leaf.name + JSON.stringify(leaf.thing)} leaf={leaf} order={order} />)}
    </div>
  );
}

function fold(title: string, close: boolean): void {
  const next = new Set(folded.peek());
  if (close) next.add(title);
  else next.delete(title);
  folded.value = next;
}

/** Keys of a row that has the focus. */
function treeKey(event: KeyboardEvent, tree: HTMLElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return;
  const row = event.target;
  const rows = focusable(tree, '[role="treeitem"]');
  if (!event.shiftKey && moveFocus(event, rows, false)) {
    // going through the leaves selects them
    const now = document.activeElement;
    if (now instanceof HTMLElement && now.dataset['leaf'] !== undefined) now.click();
    return;
  }
  if (unfoldKey(event, row, rows)) return take(event);
  const actions: Record<string, () => void> = {
    F2: modes.renameSelected,
    Delete: () => void act.removeThings(selected.peek()),
    Backspace: () => void act.removeThings(selected.peek()),
    h: () => toggleHidden(selected.peek()),
    Enter: () => (row.dataset['leaf'] === undefined ? row.click() : focusView()),
    Escape: () => focusView(),
  };
  const action = actions[event.key];
  if (!action) return;
  take(event);
  // what a row's key does is done to that row
  if (row.dataset['leaf'] !== undefined && row.getAttribute('aria-selected') !== 'true') row.click();
  action();
}

function unfoldKey(event: KeyboardEvent, row: HTMLElement, rows: readonly HTMLElement[]): boolean {
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return false;
  const on = event.key === 'ArrowRight';
  const title = row.dataset['branch'];
  if (title !== undefined && (row.getAttribute('aria-expanded') === 'true') !== on) fold(title, !on);
  else if (title !== undefined && on) rows[rows.indexOf(row) + 1]?.focus();
  else if (title === undefined && !on) row.closest('.branch')?.querySelector<HTMLElement>('[data-branch]')?.focus();
  return true;
}

function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

