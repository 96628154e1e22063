// Small readings over the view: legend, frame rate, solve time, turns.
import { useEffect, useState } from 'preact/hooks';
import { smallestBend } from '../model/bend';
import { comparison } from '../model/comparison';
import { medianLatency } from '../model/latency';
import { decimals, digits } from '../model/numbers';
import { apartFromOther, otherRun } from '../model/recording';
import { selection } from '../model/selection';
import { frame, rodIndex, scene, slowFrame, state } from '../model/store';
import { show } from '../model/units';
import { rampGradient } from '../view/ramp';
import { legend } from '../view/view';
import { view } from './canvas';

export function LegendBox() {
  const key = legend.value;
  if (!key || scene.value?.empty) return null;
  const radius = (curvature: number): string => show(curvature > 0 ? 1 / curvature : Infinity, 'length', 3);
  return (
    <div class="legend" aria-label="Legend">
      {key.title}{key.limited ? ' against its limit' : ''}
      <div class="bar" style={{ background: rampGradient(key.ramp) }} />
      <div class="ends">
        {key.limited ? (
          <>
            <span>straight</span>
            <span>half</span>
            <span>at the limit</span>
          </>
        ) : (
          <>
            <span>{key.inverse ? 'straight' : show(key.low, key.quantity, 3)}</span>
            <span>{key.inverse ? radius(key.high) : show(key.high, key.quantity, 3)}</span>
          </>
        )}
      </div>
    </div>
  );
}

/** The largest distance; what is less than an atom is none. */
function apart(rods: readonly { distance: number }[]): string {
  const most = Math.max(...rods.map((rod) => rod.distance), 0);
  return show(most < 1e-10 ? 0 : most, 'small length', 3);
}

/** The smallest bend radius of a cable here and there. */
function ComparedBend({ name, positions }: { name: string; positions: Float32Array }) {
  const other = comparison.value?.rods.find((rod) => rod.name === name);
  if (!other) return null;
  return <> · bend radius <b data-figure="bends">{show(smallestBend(positions), 'length')} and {show(smallestBend(other.positions.flat()), 'length')}</b></>;
}

export function Figures() {
  // read a few times a second, also while nothing moves
  const [, again] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => again((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, []);
  void slowFrame.value;
  const stage = view()?.stage;
  const known = state.value;
  const chosen = selection.value;
  const index = chosen.kind === 'rod' ? rodIndex(chosen.name) : 0;
  const rod = frame.rods[index];
  const name = scene.value?.rods[index]?.name ?? '';
  const solved = known?.solve;
  const hand = medianLatency();
  const failed = solved !== undefined && solved.kind !== 'none' && !solved.converged;
  return (
    <div class="figures" role="status">
      {comparison.value && <span title={`Largest distance between this shape and that of ${comparison.value.formulation} in equilibrium`}>{comparison.value.formulation} apart by <b>{apart(comparison.value.rods)}</b>{rod && <ComparedBend name={name} positions={rod.positions} />}</span>}
      {otherRun.value && <span title="Largest distance from the run that was put aside, at the same time">other run apart by <b data-figure="apart">{show(apartFromOther(), 'small length', 3)}</b></span>}
      {rod && <span title={`Total twist of ${name}, and the writhe of its centre line`}><b data-figure="turns">{decimals(rod.turns, 3)}</b> turns of {name}</span>}
      <span class={failed ? 'bad' : ''} title={failed ? solved.why : 'Time the last solve or step took in the server'}>
        solve <b data-figure="solve">{digits(frame.solveMs, 2)} ms</b>{failed ? ' · not converged' : ''}
      </span>
      {known?.solve.stable === false && <span class="bad" title="A small push would make it leave this shape"><b class="bad">unstable</b></span>}
      {stage && <span title={`Pictures a second while something moves${hand === undefined ? '' : `; a drag is seen after ${digits(hand, 2)} ms`}`}><b>{Math.round(1000 / Math.max(stage.frameTime, 1))}</b> fps</span>}
      {stage && <span title="Distance between lines of the grid">grid <b>{show(stage.grid.step, 'length', 2)}</b></span>}
    </div>
  );
}
