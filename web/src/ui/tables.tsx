// Tables of what there is: points of a cable, holds, cables, limits. Sorted by a press on a column, downloaded as CSV, in the units of the
// document. A press on a row flies there.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Vector3 } from 'three';
import { downloadBlob, named } from '../model/downloads';
import { harnessTables, lengthRule, refreshHarness } from '../model/harness';
import { selection, type Thing } from '../model/selection';
import { frame, frameFitsScene, hello, rodFrame, scene, slowFrame, state } from '../model/store';
import { show, showIn, unitFor, type Quantity } from '../model/units';
import { pointAlong } from '../view/along';
import { view } from './canvas';
import { Choice, NumberField } from './fields';
import { Icon } from './icons';
import { takeNumber } from './typed';

interface Column {
  title: string;
  quantity?: Quantity;
}

interface Line {
  cells: readonly (number | string)[];
  thing: Thing;
  at: Vector3 | undefined;
}

interface Table {
  columns: readonly Column[];
  lines: readonly Line[];
}

const KINDS = { cables: 'Cables', holds: 'Holds', points: 'Points of the cable', limits: 'Limits', segments: 'Harness: segments', clips: 'Harness: clips', wires: 'Harness: wires', gaps: 'Harness: gaps' };
type Kind = keyof typeof KINDS;
const isKind = (name: string): name is Kind => name in KINDS;

const kind = signal<Kind>('cables');
const order = signal<{ column: number; down: boolean }>({ column: -1, down: false });

function cables(): Table {
  const lines = scene.value!.rods.map((rod): Line => {
    const now = rodFrame(rod.name);
    return {
      cells: [rod.name, rod.length, now?.length ?? rod.length, rod.mass, now?.minBendRadius ?? NaN, now?.maxTension ?? NaN, now?.turns ?? NaN],
      thing: { kind: 'rod', name: rod.name }, at: now && now.count > 1 ? pointAlong(now, rod.length / 2, new Vector3()) : undefined,
    };
  });
  return {
    columns: [{ title: 'Cable' }, { title: 'Length', quantity: 'length' }, { title: 'Stretched', quantity: 'length' }, { title: 'Mass', quantity: 'mass' }, { title: 'Smallest radius', quantity: 'length' }, { title: 'Largest tension', quantity: 'force' }, { title: 'Twist', quantity: 'turns' }],
    lines,
  };
}

function holds(): Table {
  const lines = scene.value!.holds.map((hold, k): Line => {
    const now = frame.holds[k];
    const at = now && new Vector3().fromArray(now.position);
    return { cells: [hold.name, hold.rod, hold.body, now?.s ?? hold.s, at?.x ?? NaN, at?.y ?? NaN, at?.z ?? NaN, now ? Math.hypot(...now.force) : NaN, now ? Math.hypot(...now.moment) : NaN], thing: { kind: 'hold', name: hold.name }, at };
  });
  return {
    columns: [{ title: 'Hold' }, { title: 'Cable' }, { title: 'Body' }, { title: 'Along', quantity: 'length' }, { title: 'x', quantity: 'length' }, { title: 'y', quantity: 'length' }, { title: 'z', quantity: 'length' }, { title: 'Force', quantity: 'force' }, { title: 'Moment', quantity: 'moment' }],
    lines,
  };
}

function points(): Table {
  const chosen = selection.value;
  const name = chosen.kind === 'rod' ? chosen.name : (scene.value!.rods[0]?.name ?? '');
  const rod = rodFrame(name);
  const channels = hello.value?.channels ?? [];
  const value = (channel: string, k: number): number => rod?.channels[channels.indexOf(channel)]?.[k] ?? NaN;
  const lines = Array.from({ length: rod?.count ?? 0 }, (_, k): Line => {
    const at = new Vector3().fromArray(rod!.positions, 3 * k);
    return { cells: [k, rod!.s[k]!, at.x, at.y, at.z, 1 / Math.abs(value('curvature', k)), value('tension', k), value('twist', k), value('torque', k)], thing: { kind: 'rod', name, s: rod!.s[k]! }, at };
  });
  return {
    columns: [{ title: `Point of ${name}` }, { title: 'Along', quantity: 'length' }, { title: 'x', quantity: 'length' }, { title: 'y', quantity: 'length' }, { title: 'z', quantity: 'length' }, { title: 'Bend radius', quantity: 'length' }, { title: 'Tension', quantity: 'force' }, { title: 'Torsion', quantity: 'twist rate' }, { title: 'Torque', quantity: 'moment' }],
    lines,
  };
}

function limits(): Table {
  const lines = (state.value?.alarms ?? []).map((alarm): Line => ({
    cells: [alarm.object, alarm.name, alarm.value ?? Infinity, alarm.limit, alarm.unit, alarm.violated ? 'exceeded' : 'kept'],
    thing: alarm.kind === 'hold' ? { kind: 'hold', name: alarm.target } : { kind: 'rod', name: alarm.target, s: alarm.s },
    at: alarm.position ? new Vector3(...alarm.position) : undefined,
  }));
  return { columns: [{ title: 'Of' }, { title: 'Limit' }, { title: 'Value' }, { title: 'Bound' }, { title: 'Unit' }, { title: '' }], lines };
}

/** Where a rod is at an arc length of now. */
function placeOn(rod: string, s: number): Vector3 | undefined {
  const now = rodFrame(rod);
  return now && now.count > 1 ? pointAlong(now, s, new Vector3()) : undefined;
}

function segments(): Table {
  const lines = (harnessTables.value?.segments ?? []).map((row): Line => ({
    cells: [row.rod, row.from, row.to, row.diameter, row.source, row.drawn, row.found, row.adapted, row.radius ?? Infinity, row.s, row.limit ?? '–', row.limit === null ? '–' : 100 * row.use, row.tension, row.turns],
    thing: { kind: 'rod', name: row.rod, s: row.s },
    at: placeOn(row.rod, row.s),
  }));
  return {
    columns: [{ title: 'Segment' }, { title: 'From' }, { title: 'To' }, { title: 'Diameter', quantity: 'length' }, { title: 'Source' }, { title: 'Drawn', quantity: 'length' }, { title: 'Found', quantity: 'length' }, { title: 'Adapted', quantity: 'length' }, { title: 'Smallest radius', quantity: 'length' }, { title: 'At', quantity: 'length' }, { title: 'Limit', quantity: 'length' }, { title: 'Use [%]' }, { title: 'Largest tension', quantity: 'force' }, { title: 'Twist', quantity: 'turns' }],
    lines,
  };
}

function clips(): Table {
  const lines = (harnessTables.value?.clips ?? []).map((row): Line => ({
    cells: [row.hold, row.rod, row.s, row.along, row.across, row.moment, row.use > 0 ? 100 * row.use : '–'],
    thing: { kind: 'hold', name: row.hold },
    at: placeOn(row.rod, row.s),
  }));
  return {
    columns: [{ title: 'Clip' }, { title: 'Cable' }, { title: 'At', quantity: 'length' }, { title: 'Along', quantity: 'force' }, { title: 'Across', quantity: 'force' }, { title: 'Moment', quantity: 'moment' }, { title: 'Use [%]' }],
    lines,
  };
}

function wires(): Table {
  const lines = (harnessTables.value?.wires ?? []).map((row): Line => {
    const first = row.along.split(', ')[0]!;
    return { cells: [row.wire, row.along, row.found, row.cut], thing: { kind: 'rod', name: first }, at: placeOn(first, 0) };
  });
  return { columns: [{ title: 'Wire' }, { title: 'Along' }, { title: 'Found', quantity: 'length' }, { title: 'Cut', quantity: 'length' }], lines };
}

function gaps(): Table {
  const lines = (harnessTables.value?.gaps ?? []).map((row): Line => ({
    cells: [row.rod, row.s, row.other === row.rod ? 'itself' : row.other, row.otherS, row.gap, row.limit ?? '–', row.limit === null ? '–' : 100 * (row.use ?? Infinity)],
    thing: { kind: 'rod', name: row.rod, s: row.s },
    at: placeOn(row.rod, row.s),
  }));
  return {
    columns: [{ title: 'Cable' }, { title: 'At', quantity: 'length' }, { title: 'Nearest' }, { title: 'Its place', quantity: 'length' }, { title: 'Gap', quantity: 'length' }, { title: 'Limit', quantity: 'length' }, { title: 'Use [%]' }],
    lines,
  };
}

const HARNESS: readonly Kind[] = ['segments', 'clips', 'wires', 'gaps'];
const MADE: readonly Kind[] = ['segments', 'wires'];
const makers: Record<Kind, () => Table> = { cables, holds, points, limits, segments, clips, wires, gaps };

/** How found lengths become those that are made. */
function LengthRule() {
  const rule = lengthRule.value;
  const set = (change: Partial<typeof rule>): void => {
    lengthRule.value = { ...rule, ...change };
    void refreshHarness();
  };
  const some = (then: (value: number) => void) => takeNumber('harness', (value) => then(Math.max(value, 0)));
  return (
    <>
      <span>Made longer by</span>
      <NumberField label="Extra length, a share" value={rule.extra} quantity="number" commit={some((extra) => set({ extra }))} />
      <span>of it and</span>
      <NumberField label="Allowance" value={rule.allowance} quantity="length" commit={some((allowance) => set({ allowance }))} />
      <span>, up to the next</span>
      <NumberField label="Rounded up to a multiple of" value={rule.round} quantity="length" commit={some((round) => set({ round }))} />
    </>
  );
}

function sorted({ lines }: Table): readonly Line[] {
  const { column, down } = order.value;
  if (column < 0) return lines;
  const compare = (a: number | string, b: number | string): number => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true }));
  return [...lines].sort((a, b) => (down ? -1 : 1) * compare(a.cells[column] ?? '', b.cells[column] ?? ''));
}

const unitOf = ({ quantity }: Column) => (quantity ? unitFor(quantity === 'mass' ? 1 : 0, quantity) : undefined);
const headOf = (column: Column): string => (unitOf(column)?.name ? `${column.title} [${unitOf(column)!.name}]` : column.title);

function textOf(value: number | string, column: Column, digits: number): string {
  const unit = unitOf(column);
  if (typeof value === 'string') return value;
  return unit && column.quantity ? showIn(value, unit, column.quantity, digits) : show(value, 'number', digits);
}

/** As a table of other programs: points for decimals, quotes where needed. */
export function csvOf(table: Table): string {
  const quote = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = sorted(table).map(({ cells }) => cells.map((cell, k) => quote(textOf(cell, table.columns[k]!, 10).replaceAll('−', '-'))).join(','));
  return [table.columns.map((column) => quote(headOf(column))).join(','), ...rows].join('\n') + '\n';
}

export function Tables() {
  const seen = slowFrame.value;
  const ofHarness = HARNESS.includes(kind.value);
  useEffect(() => {
    if (ofHarness) void refreshHarness();
  }, [seen, ofHarness]);
  if (!scene.value || !frameFitsScene()) return null;
  const table = makers[kind.value]();
  const press = ({ thing, at }: Line): void => {
    selection.value = thing;
    if (at) view()?.flyTo(at);
  };
  return (
    <div class="tables" role="region" aria-label="Table">
      <div class="plot-head">
        <Choice label="Which table" value={kind.value} options={Object.entries(KINDS).map(([value, label]) => ({ value, label }))} commit={(name) => isKind(name) && ((kind.value = name), (order.value = { column: -1, down: false }))} />
        {MADE.includes(kind.value) && <LengthRule />}
        <span class="spring" />
        <button class="button small" onClick={() => downloadBlob(new Blob([csvOf(table)], { type: 'text/csv' }), named(`${kind.value}.csv`))}><Icon name="download" />CSV</button>
      </div>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              {table.columns.map((column, k) => (
                <th key={k} aria-sort={order.value.column === k ? (order.value.down ? 'descending' : 'ascending') : 'none'}>
                  <button onClick={() => (order.value = { column: k, down: order.value.column === k && !order.value.down })}>{headOf(column)}{order.value.column === k ? (order.value.down ? ' ↓' : ' ↑') : ''}</button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted(table).map((line, k) => (
              <tr key={k} tabIndex={0} title="Go there" onClick={() => press(line)} onKeyDown={(event) => event.key === 'Enter' && press(line)}>
                {line.cells.map((cell, c) => <td key={c} class={typeof cell === 'number' ? 'number' : ''}>{textOf(cell, table.columns[c]!, 4)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
