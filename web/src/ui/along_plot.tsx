// A quantity along a rod, live. The pointer marks the place on the cable; a press selects it.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import * as prefs from '../model/prefs';
import { hovered, selection } from '../model/selection';
import { frame, frameFitsScene, hello, scene, slowFrame } from '../model/store';
import { documentUnits, orNothing, show, unitFor } from '../model/units';
import { channelQuantity, channelTitle } from '../view/colouring';
import { Choice } from './fields';
import { CURVE_COLOURS, makePlot } from './plot';

const channel = signal('curvature');
const reading = signal('');
const lastRod = signal('');

/** The rod that is selected, or was last, or the first. */
function shownRod(): string {
  const chosen = selection.value;
  const rods = scene.value?.rods ?? [];
  const holdRod = chosen.kind === 'hold' ? scene.value?.holds.find((hold) => hold.name === chosen.name)?.rod : undefined;
  const name = chosen.kind === 'rod' ? chosen.name : (holdRod ?? lastRod.value);
  return rods.some((rod) => rod.name === name) ? name : (rods[0]?.name ?? '');
}

export function AlongPlot() {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<ReturnType<typeof makePlot> | undefined>(undefined);
  const channels = hello.value?.channels ?? ['curvature'];
  const rod = shownRod();
  const index = scene.value?.rods.findIndex((candidate) => candidate.name === rod) ?? -1;
  const limit = scene.value?.rods[index]?.bend_radius_limit ?? null;
  const limited = channel.value === 'curvature' && limit !== null;
  const theme = prefs.theme.value;
  const { length } = documentUnits.value;
  const quantity = channelQuantity(channel.value);
  const unit = unitFor(1, quantity);

  useEffect(() => {
    lastRod.value = rod;
    const made = makePlot({
      host: host.current!,
      curves: [{ label: rod, colour: CURVE_COLOURS[0]! }, ...(limited ? [{ label: 'limit', colour: '#f2645f' }] : [])],
      xLabel: 's',
      hover: (at, k) => {
        const x = at === undefined ? undefined : at * documentUnits.peek().length.size;
        hovered.value = x === undefined ? undefined : { kind: 'rod', name: rod, s: x };
        const values = frame.rods[index]?.channels[hello.peek()?.channels.indexOf(channel.peek()) ?? -1];
        const value = k === undefined ? undefined : values?.[k];
        const bend = channel.peek() === 'curvature' && value !== undefined ? ` (radius ${show(1 / Math.abs(value), 'length', 3)})` : '';
        reading.value = value === undefined || x === undefined ? '' : `${show(value, channelQuantity(channel.peek()), 4)}${bend} at ${show(x, 'length', 3)}`;
      },
      press: (at) => (selection.value = { kind: 'rod', name: rod, s: at * documentUnits.peek().length.size }),
    });
    plot.current = made;
    return () => made.destroy();
  }, [rod, theme, limited]);

  useEffect(() => {
    const known = frame.rods[index];
    const values = known?.channels[channels.indexOf(channel.value)];
    if (!known || !values || !frameFitsScene()) return;
    const data = [known.s.map((s) => s / length.size), values.map((value) => orNothing(value, quantity) / unit.size), ...(limited ? [new Float32Array(known.count).fill(1 / limit)] : [])];
    plot.current?.update(data);
  }, [slowFrame.value, channel.value, rod, theme, limited, documentUnits.value]);

  const values = frame.rods[index]?.channels[channels.indexOf(channel.value)];
  const most = values ? values.reduce((top, value) => Math.max(top, Math.abs(value)), 0) : 0;
  return (
    <div class="plot" aria-label="Along the cable">
      <div class="plot-head">
        <b>Along {rod || 'the cable'}</b>
        <Choice label="Quantity along the cable" value={channel.value} options={channels.map((name) => ({ value: name, label: name === 'curvature' ? 'Curvature' : channelTitle(name) }))} commit={(name) => (channel.value = name)} />
        <span class="muted">{unit.name} over {length.name}</span>
        <span class="reading">{reading.value || `largest ${show(most, quantity)}`}</span>
      </div>
      <div class="plot-area">
        <div ref={host} style={{ visibility: index >= 0 ? 'visible' : 'hidden' }} />
        {index < 0 && <p class="plot-empty">Here a cable shows what it carries along its length.</p>}
      </div>
    </div>
  );
}
