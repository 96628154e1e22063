// The scene's limits and how near they are. A press flies to the place.
import type { TargetedPointerEvent } from 'preact';
import { Vector3 } from 'three';
import { digits } from '../model/numbers';
import * as prefs from '../model/prefs';
import { selection } from '../model/selection';
import { shortages } from '../model/shortages';
import { state, violations, warnings } from '../model/store';
import { quantityOfUnit, show } from '../model/units';
import type { Alarm } from '../protocol/state';
import { view } from './canvas';
import { Icon } from './icons';

function shown(value: number | null, unit: string): string {
  const quantity = quantityOfUnit[unit];
  if (value === null) return '∞';
  return quantity ? show(value, quantity, 3) : `${digits(value, 3)} ${unit}`;
}

function goTo(alarm: Alarm): void {
  if (alarm.kind === 'rod') selection.value = { kind: 'rod', name: alarm.target, s: alarm.s };
  if (alarm.kind === 'hold') selection.value = { kind: 'hold', name: alarm.target };
  if (alarm.position) view()?.flyTo(new Vector3(...alarm.position));
}

/** Shares the height between tree and limits for as long as the divider is dragged. */
function shareHeight(event: TargetedPointerEvent<HTMLElement>): void {
  const handle = event.currentTarget;
  const side = handle.closest('.side')!.getBoundingClientRect();
  handle.setPointerCapture(event.pointerId);
  handle.onpointermove = (move) => {
    prefs.limitsShare.value = Math.min(Math.max(Math.round((100 * (side.bottom - move.clientY)) / side.height), 12), 80);
  };
  handle.onpointerup = () => (handle.onpointermove = null);
}

export function Alarms() {
  const list = state.value?.alarms ?? [];
  const short = shortages.value;
  const bad = violations.value.length + short.length;
  const sorted = [...list].sort((a, b) => Number(b.violated) - Number(a.violated));
  const told = warnings.value.slice(-3).reverse();
  return (
    <section class="alarms" aria-label="Alarms" style={prefs.showLimits.value ? { height: `${prefs.limitsShare.value}%` } : {}}>
      {prefs.showLimits.value && <div class="divider" role="separator" aria-label="Height of the limits" title="Drag to share the height" onPointerDown={shareHeight} />}
      <button class="panel-title fold" aria-expanded={prefs.showLimits.value} title={prefs.showLimits.value ? 'Fold the limits' : 'Show the limits'} onClick={() => (prefs.showLimits.value = !prefs.showLimits.value)}>
        <Icon name="chevron" />
        Limits
        <span class={bad > 0 ? 'badge bad' : 'badge'} data-alarms={bad}>{bad > 0 ? `${bad} exceeded` : list.length}</span>
      </button>
      {prefs.showLimits.value && <div class="scroll">
        {list.length + short.length === 0 && <p class="quiet">No limits are set. Give a cable a smallest bend radius or a largest tension and it is watched here.</p>}
        {sorted.map((alarm) => (
          <button key={`${alarm.name} ${alarm.object}`} class={alarm.violated ? 'alarm violated' : 'alarm'} title="Show where" onClick={() => goTo(alarm)}>
            <span class="lamp" />
            <span class="what">{alarm.object}</span>
            <span class="value">{shown(alarm.value, alarm.unit)}</span>
            <small>{alarm.name} {alarm.bound === 'least' ? '≥' : '≤'} {shown(alarm.limit, alarm.unit)}, at {show(alarm.s, 'length', 3)}</small>
          </button>
        ))}
        {short.map(({ rod, from, to, missing, position }) => (
          <button key={`${rod} ${from}`} class="alarm violated" title="Show where" data-short={rod} onClick={() => view()?.flyTo(new Vector3(...position))}>
            <span class="lamp" />
            <span class="what">rod '{rod}'</span>
            <span class="value">{show(missing, 'length', 3)}</span>
            <small>too short by that much between {from} and {to}, if it were straight</small>
          </button>
        ))}
        {told.map((event) => (
          <p key={event.n} class="quiet">{event.what}</p>
        ))}
      </div>}
    </section>
  );
}
