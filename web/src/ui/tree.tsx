// The scene as a tree. Selecting here and in the view is the same selection.
import { signal } from '@preact/signals';
import { Vector3 } from 'three';
import * as act from '../model/actions';
import * as files from '../model/files';
import * as modes from '../model/modes';
import { hovered, sameThing, selection, type Thing } from '../model/selection';
import { tell } from '../model/session';
import { scene } from '../model/store';
import { show } from '../model/units';
import { CABLE_COLOURS } from '../view/cables';
import { placeNow } from '../view/place';
import { view } from './canvas';
import { Icon, type IconName } from './icons';

interface Leaf {
  thing: Thing;
  icon: IconName;
  name: string;
  more?: string;
  colour?: string;
}

/** branches that are folded */
const folded = signal<ReadonlySet<string>>(new Set(['Materials', 'Sections']));

export function Tree() {
  const known = scene.value;
  if (!known) return <p class="quiet">Waiting for the scene…</p>;
  const holds = known.holds.map((hold): Leaf => ({ thing: { kind: 'hold', name: hold.name }, icon: 'hold', name: hold.name, more: hold.body || hold.rod }));
  const loads = [...known.forces, ...known.torques].map((load): Leaf => ({
    thing: { kind: 'load', path: load.path }, icon: 'force',
    name: `${load.force ? 'force' : 'torque'} on ${load.rod || load.body}`,
    more: load.force ? show(Math.hypot(...load.force), 'force', 3) : show(Math.hypot(...(load.torque ?? [0])), 'moment', 3),
  }));
  const named = (list: readonly { name: string; path: string }[], more: string): Leaf[] => list.map(({ name, path }) => ({ thing: { kind: 'reeving', path }, icon: 'target', name, more }));
  const reeving = [...named(known.winches, 'winch'), ...named(known.sheaves, 'sheave'), ...named(known.ropes, 'rope'), ...named(known.planes, 'ground')];
  return (
    <div class="tree" role="tree" aria-label="Scene">
      <LeafRow leaf={{ thing: { kind: 'scene' }, icon: 'layers', name: known.title || 'Scene' }} />
      <Branch
        title="Cables" add={() => (modes.tool.value = 'cable')} addHint="New cable between two points"
        leaves={known.rods.map((rod, k) => ({ thing: { kind: 'rod', name: rod.name }, icon: 'cable', name: rod.name, more: show(rod.length, 'length'), colour: CABLE_COLOURS[k % CABLE_COLOURS.length]! }))}
      />
      <Branch title="Holds" add={() => (modes.tool.value = 'hold')} addHint="Add a hold to a cable" leaves={holds} />
      <Branch title="Junctions" add={() => (modes.tool.value = 'join')} addHint="Join two cables" leaves={known.junctions.map((junction) => ({ thing: { kind: 'junction', name: junction.name }, icon: 'junction', name: junction.name, more: `${junction.rods.length} cables` }))} />
      <Branch title="Bodies" add={() => void addBody()} addHint="New body" leaves={known.bodies.map((body) => ({ thing: { kind: 'body', name: body.name }, icon: 'box', name: body.name, more: body.motion }))} />
      <Branch title="Reeving" leaves={reeving} />
      <Branch title="Loads" leaves={loads} />
      <Branch title="Drives" leaves={known.drivers.map((driver) => ({ thing: { kind: 'driver', path: driver.path }, icon: 'drive', name: `${driver.kind} ${driver.target}`, more: show(driver.keys.at(-1)?.t ?? 0, 'time', 3) }))} />
      <Branch title="Scenery" add={files.chooseFiles} addHint="Add a mesh" leaves={known.scenery.map((item) => ({ thing: { kind: 'scenery', name: item.name }, icon: 'mesh', name: item.name, more: item.address ? item.body : 'not found' }))} />
      <Branch title="Sections" leaves={known.sections.map((section) => ({ thing: { kind: 'section', name: section.name }, icon: 'target', name: section.name, more: section.shape }))} />
      <Branch title="Materials" leaves={known.materials.map((material) => ({ thing: { kind: 'material', name: material.name }, icon: 'layers', name: material.name, more: show(material.young, 'modulus', 3) }))} />
    </div>
  );
}

function Branch({ title, leaves, add, addHint }: { title: string; leaves: Leaf[]; add?: () => void; addHint?: string }) {
  if (leaves.length === 0 && !add) return null;
  const open = !folded.value.has(title);
  const toggle = (): void => {
    const next = new Set(folded.peek());
    if (!next.delete(title)) next.add(title);
    folded.value = next;
  };
  return (
    <div class="branch" role="group">
      <div class="head">
        <button class="fold" aria-expanded={open} onClick={toggle}>
          <Icon name="chevron" />
          {title} {leaves.length > 0 && <span class="count">{leaves.length}</span>}
        </button>
        {add && (
          <button class="button small square" aria-label={addHint} title={addHint} onClick={add}>
            <Icon name="plus" />
          </button>
        )}
      </div>
      {open && leaves.map((leaf) => <LeafRow key={leaf.name + JSON.stringify(leaf.thing)} leaf={leaf} />)}
    </div>
  );
}

function LeafRow({ leaf }: { leaf: Leaf }) {
  const chosen = sameThing(selection.value, leaf.thing);
  const over = sameThing(hovered.value, leaf.thing);
  return (
    <button
      class={`leaf${chosen ? ' chosen' : ''}${over ? ' hovered' : ''}`}
      role="treeitem"
      aria-selected={chosen}
      data-leaf={leaf.name}
      onClick={(event) => {
        selection.value = leaf.thing;
        // the keys stay the page's
        if (event.detail > 0) event.currentTarget.blur();
      }}
      onDblClick={() => flyTo(leaf.thing)}
      onPointerEnter={() => (hovered.value = leaf.thing)}
      onPointerLeave={() => (hovered.value = undefined)}
      onKeyDown={(event) => {
        if (event.key === 'Delete') void act.removeThing(leaf.thing);
      }}
    >
      {leaf.colour ? <span class="swatch" style={{ background: leaf.colour }} /> : <Icon name={leaf.icon} />}
      <span class="name">{leaf.name}</span>
      {leaf.more && <span class="more">{leaf.more}</span>}
    </button>
  );
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

async function addBody(): Promise<void> {
  const centre = view()?.stage.centre;
  const size = Number(((view()?.stage.radius ?? 0.5) * 0.2).toPrecision(2));
  const taken = new Set(scene.peek()?.bodies.map((body) => body.name));
  let k = 1;
  while (taken.has(`body ${k}`)) k += 1;
  const name = `body ${k}`;
  const position = centre ? centre.toArray().map((c) => Number(c.toPrecision(4))) : [0, 0, 0];
  if (await tell('add', { list: 'bodies', name, value: { box: [size, size, size], mass: 1, position, motion: 'fixed' } })) {
    selection.value = { kind: 'body', name };
  }
}
