// Over time, live: energies, tension, loads of holds, turns, smallest bend radius, solve time.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { digits } from '../model/numbers';
import * as prefs from '../model/prefs';
import { history } from '../model/session';
import { canMove, slowFrame } from '../model/store';
import { documentUnits, unitFor, type Quantity } from '../model/units';
import { list, number } from '../protocol/guard';
import { Choice } from './fields';
import { CURVE_COLOURS, makePlot } from './plot';

const areNumbers = list(number);

interface Topic {
  label: string;
  /** of which the plot is in the document's unit, else in SI */
  quantity: Quantity;
  /** columns of the history, and what to call their curves */
  pick: (columns: readonly string[]) => { column: string; label: string }[];
}

const startsWith = (prefix: string) => (columns: readonly string[]) =>
  columns.filter((column) => column.startsWith(prefix)).map((column) => ({ column, label: column.slice(prefix.length) }));

const topics: Record<string, Topic> = {
  energy: {
    label: 'Energies', quantity: 'energy',
    pick: (columns) => ['elastic', 'gravity', 'kinetic', 'work', 'dissipated'].filter((name) => columns.includes(name)).map((column) => ({ column, label: column })),
  },
  tension: { label: 'Largest tension', quantity: 'force', pick: startsWith('tension ') },
  force: { label: 'Forces of holds', quantity: 'force', pick: startsWith('force ') },
  moment: { label: 'Moments of holds', quantity: 'moment', pick: startsWith('moment ') },
  turns: { label: 'Turns', quantity: 'turns', pick: startsWith('turns ') },
  bend: { label: 'Smallest bend radius', quantity: 'length', pick: startsWith('bend radius ') },
  solve: { label: 'Solve time', quantity: 'milliseconds', pick: () => [{ column: 'solve_ms', label: 'solve' }] },
};

const topic = signal('energy');
/** by simulated time if it goes on, else by frame: what is laid by hand happens at one instant */
const byTime = signal(true);
const reading = signal('');

const MOVING = ['kinetic', 'work', 'dissipated'];

/** Curves beyond this many are left out: nobody can tell them apart. */
const MOST_CURVES = 8;

export function TimePlot() {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<ReturnType<typeof makePlot> | undefined>(undefined);
  const layout = history.layout.value;
  const chosen = topics[topic.value]!;
  // work and losses belong to motion: what is laid goes from rest to rest
  const curves = chosen.pick(history.columns).filter(({ column }) => byTime.value || !MOVING.includes(column)).slice(0, MOST_CURVES);
  const theme = prefs.theme.value;
  const unit = chosen.quantity === 'energy' ? { name: 'J', size: 1 } : unitFor(1, chosen.quantity);
  void slowFrame.value;
  const rows = history.data[0]?.length ?? 0;

  useEffect(() => {
    const made = makePlot({
      host: host.current!,
      curves: curves.map(({ label }, k) => ({ label, colour: CURVE_COLOURS[k]! })),
      xLabel: byTime.value ? 't' : 'frame',
      hover: (x, k) => {
        reading.value = x === undefined || k === undefined
          ? ''
          : `${byTime.peek() ? `t = ${digits(x, 4)} s` : `frame ${x}`}: ${curves.map(({ column, label }) => `${label} ${digits((history.column(column)?.[k] ?? NaN) / unit.size, 3)}`).join('  ')}`;
      },
    });
    plot.current = made;
    return () => made.destroy();
  }, [layout, topic.value, theme, unit.name, byTime.value]);

  useEffect(() => {
    const times = history.column('t');
    if (!times) return;
    byTime.value = times.length > 1 && times.at(-1) !== times[0];
    const x = history.column(byTime.value ? 't' : 'frame');
    if (!areNumbers(x)) return;
    const lists = curves.map(({ column }) => (history.column(column) ?? []).map((value) => (value === null ? null : value / unit.size)));
    plot.current?.update([x, ...lists]);
  }, [slowFrame.value, layout, topic.value, theme, byTime.value, documentUnits.value]);

  return (
    <div class="plot" aria-label="Over time">
      <div class="plot-head">
        <b>{byTime.value ? 'Over time' : 'Over frames'}</b>
        <Choice label="Quantity over time" value={topic.value} options={Object.entries(topics).map(([value, { label }]) => ({ value, label }))} commit={(value) => (topic.value = value)} />
        <span class="muted">{unit.name}</span>
        {reading.value ? (
          <span class="reading">{reading.value}</span>
        ) : (
          <span class="reading">
            {curves.map(({ label }, k) => (
              <span key={label} class="series-key" style={{ marginLeft: '0.7rem' }}><i style={{ background: CURVE_COLOURS[k] }} />{label}</span>
            ))}
          </span>
        )}
      </div>
      <div class="plot-area">
        <div ref={host} style={{ visibility: rows > 1 ? 'visible' : 'hidden' }} />
        {rows < 2 && <p class="plot-empty">{canMove.value ? 'Play, or drag something: the curves grow from there.' : 'Drag something: the curves grow from there.'}</p>}
      </div>
    </div>
  );
}
