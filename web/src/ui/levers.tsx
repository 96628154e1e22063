// The levers over the view: drives of the scene and what was pinned, each with a slider, its keys, value and speed.
import { useRef } from 'preact/hooks';
import { signal } from '@preact/signals';
import { speeds, type LeverGrip, type Lever } from '../hands/levers/lever';
import { LEVER_KEYS } from '../hands/levers/lever_keys';
import { levers, pins, togglePin } from '../hands/levers/lever_list';
import { roundBelow } from '../model/numbers';
import { digits } from '../model/numbers';
import { slowFrame, state } from '../model/store';
import { problems } from '../model/trouble';
import { show } from '../model/units';
import { NumberField } from './fields';
import { Icon } from './icons';

const folded = signal(false);

export function Levers() {
  void [slowFrame.value, state.value?.reels];
  const list = levers.value;
  if (list.length === 0) return null;
  return (
    <section class="levers" aria-label="Levers">
      <button class="fold" aria-expanded={!folded.value} onClick={() => (folded.value = !folded.value)}>
        <Icon name="chevron" />
        Levers
      </button>
      {!folded.value && list.map((lever, k) => <LeverRow key={lever.id} lever={lever} keys={LEVER_KEYS[k]} />)}
    </section>
  );
}

function LeverRow({ lever, keys }: { lever: Lever; keys: readonly [string, string] | undefined }) {
  void [slowFrame.value, state.value?.reels];
  const moving = lever.moving();
  return (
    <div class="lever" title={lever.hint} data-id={lever.id}>
      <div class="line">
        <span class="name">{lever.label}</span>
        {keys && <span class="keys" title="Hold to lead it on, and back; Shift ten times as fast, Alt a tenth"><kbd>{keys[0].toUpperCase()}</kbd><kbd>{keys[1].toUpperCase()}</kbd></span>}
        <span class="spring" />
        <span class="moving" data-moving={lever.label}>{Math.abs(moving) > 1e-6 && lever.quantity !== 'speed' ? `${digits(moving, 2)} m/s` : ''}</span>
        <b data-lever={lever.label}>{lever.reading?.() ?? show(lever.value(), lever.quantity, 4)}</b>
      </div>
      <div class="line">
        <LeverSlider lever={lever} />
        <div class="speed" title="Speed of the keys, and the most while it plays">
          <NumberField value={lever.speed} quantity={lever.rate} label={`Speed of ${lever.label}`} digitsShown={2} commit={(speed) => typeof speed === 'number' && speed > 0 && (speeds.value = { ...speeds.peek(), [lever.id]: speed })} />
        </div>
        {problems.value[lever.id] && <span class="problem" role="alert" title={problems.value[lever.id]}>!</span>}
        {lever.pinned && <button class="button small square" aria-label={`Take ${lever.label} off the levers`} title="Take it off the levers" onClick={() => togglePin(lever.id)}><Icon name="close" /></button>}
      </div>
    </div>
  );
}

/** A slider that has hold of a lever while it is pulled. Its range stays for as long. */
export function LeverSlider({ lever, label }: { lever: Lever; label?: string }) {
  void slowFrame.value;
  const pull = useRef<{ grip: LeverGrip; min: number; max: number } | undefined>(undefined);
  const min = pull.current?.min ?? Math.min(lever.min, lever.value());
  const max = pull.current?.max ?? Math.max(lever.max, lever.value());
  return (
    <input
      type="range" min={min} max={max} step={roundBelow((max - min) / 1000)} value={lever.value()} aria-label={label ?? `Lead ${lever.label}`} title={lever.hint}
      onInput={(event) => {
        pull.current ??= { grip: lever.grip(), min, max };
        pull.current.grip.to(Number(event.currentTarget.value));
      }}
      onChange={() => {
        pull.current?.grip.end();
        pull.current = undefined;
      }}
    />
  );
}

/** Puts a lever over the view, or takes it away. */
export function PinButton({ id }: { id: string }) {
  const on = pins.value.has(id);
  const words = on ? 'Take it off the levers' : 'Put it among the levers over the view, with keys';
  return <button class={on ? 'button small square framed on' : 'button small square framed'} aria-pressed={on} aria-label={words} title={words} onClick={() => togglePin(id)}><Icon name="pin" /></button>;
}
