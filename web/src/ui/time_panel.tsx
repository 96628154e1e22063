// The timeline: playing, the clock, speed, the course of the run to look back into, and the plots below.
import type { TargetedPointerEvent } from 'preact';
import * as act from '../model/actions';
import { digits } from '../model/numbers';
import * as prefs from '../model/prefs';
import { goLive, lookAt, recorded, recording } from '../model/recording';
import { tell } from '../model/session';
import { canMove, events, frame, playing, scene, slowFrame, state } from '../model/store';
import { AlongPlot } from './along_plot';
import { Choice } from './fields';
import { Icon } from './icons';
import { RunMenu } from './run_menu';
import { Tables } from './tables';
import { TimePlot } from './time_plot';

const SPEEDS = ['0.01', '0.05', '0.1', '0.25', '0.5', '1', '2', '5', '10'];

export function TimePanel() {
  return (
    <section class="time-panel" aria-label="Time">
      <TimeBar />
      {prefs.showTimeline.value && (
        prefs.showTables.value ? <Tables /> : (
          <div class="plots">
            <AlongPlot />
            <TimePlot />
          </div>
        )
      )}
    </section>
  );
}

function TimeBar() {
  void slowFrame.value;
  const known = state.value;
  const moves = canMove.value;
  const speed = String(known?.speed ?? 1);
  const slow = known && known.playing && known.real_time < 0.95 * known.speed;
  const end = scene.value?.simulation.end ?? 0;
  return (
    <div class="time-bar">
      <button class="button square" aria-label="Reset" title="Back to the start (Home)" onClick={() => void act.reset()}><Icon name="reset" /></button>
      <button
        class="button primary" aria-label={playing.value ? 'Pause' : 'Play'} disabled={!moves}
        title={moves ? (playing.value ? 'Pause (Space)' : 'Play in time (Space)') : 'This formulation knows equilibrium only: choose another to let time go on'}
        onClick={() => void act.togglePlay()}
      >
        <Icon name={playing.value ? 'pause' : 'play'} />
      </button>
      <button class="button square" aria-label="Step" title="One step (.); with Shift ten" disabled={!moves} onClick={(event) => void act.step(event.shiftKey ? 10 : 1)}><Icon name="step" /></button>
      <button class="button square" aria-label="Settle" title="To equilibrium, time stands still (E)" onClick={() => void act.settle()}><Icon name="settle" /></button>
      <span class="clock" title="Simulated time" data-clock={frame.time}>{digits(frame.time, 5)} s</span>
      {end > 0 && <span class="muted">of {digits(end, 3)} s</span>}
      <div style={{ width: '5.2rem' }}>
        <Choice
          label="Speed: seconds of simulation per second"
          value={speed}
          options={(SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed]).map((value) => ({ value, label: `${value} ×` }))}
          commit={(value) => void act.setSpeed(Number(value))}
        />
      </div>
      {slow && <span class="muted" title="The machine cannot keep up with this speed">runs at {digits(known.real_time, 2)} ×</span>}
      {playing.value && (
        <button class="button small" title="The present places of holds and bodies become the scene's" onClick={() => void tell('keep')}>Keep places</button>
      )}
      <RunMenu />
      <Track />
      <SolveFigures />
      <button class="button small square" aria-pressed={prefs.showTables.value} aria-label="Tables" title="Tables instead of plots" onClick={() => ((prefs.showTables.value = !prefs.showTables.value), (prefs.showTimeline.value = true))}>
        <Icon name="gallery" />
      </button>
      <button class="button small square" aria-pressed={prefs.showTimeline.value} aria-label="Plots" title="Show or fold the plots (F3)" onClick={() => (prefs.showTimeline.value = !prefs.showTimeline.value)}>
        <Icon name="plot" />
      </button>
    </div>
  );
}

/** The course of the run: keyframes and what happened, over the time that the scene has in mind. */
function Track() {
  void slowFrame.value;
  const known = scene.value;
  const keys = known?.drivers.flatMap((driver) => driver.keys.map(({ t }) => ({ t, what: `${driver.kind} ${driver.target}` }))) ?? [];
  const told = events.value.filter((event) => event.t > 0);
  const { count, first, last, follows } = recorded.value;
  const span = Math.max(known?.simulation.end ?? 0, ...keys.map(({ t }) => t), frame.time, last);
  if (span === 0 || (keys.length < 2 && (known?.simulation.end ?? 0) === 0 && count < 2)) return <span class="spring" />;
  const look = (t: number): void => (t >= last && !follows ? goLive() : lookAt(Math.max(t, first)));
  const at = (t: number): { left: string } => ({ left: `${Math.min((100 * t) / span, 100)}%` });
  return (
    <div
      class={count > 1 ? 'track recorded' : 'track'} role="slider" tabIndex={count > 1 ? 0 : -1} aria-label="Course of the run" aria-valuemin={first} aria-valuemax={last} aria-valuenow={frame.time}
      aria-valuetext={`${digits(frame.time, 3)} s`} title={count > 1 ? 'Press or drag to look back into the run; arrow keys step through it' : `${digits(frame.time, 3)} s of ${digits(span, 3)} s`}
      onPointerDown={(event) => scrub(event, span, look)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[event.key];
        if (by === undefined || count < 2) return;
        event.preventDefault();
        event.stopPropagation();
        const now = recording.frames.indexOf(recording.at(frame.time)!);
        look(recording.frames[Math.min(Math.max(now + by, 0), count - 1)]!.time);
      }}
    >
      <div class="done" style={{ width: at(frame.time).left }} />
      {count > 1 && <div class="kept" style={{ left: at(first).left, width: `calc(${at(last).left} - ${at(first).left})` }} />}
      <i class="now" style={at(frame.time)} />
      {keys.map(({ t, what }, k) => <i key={k} class="key" style={at(t)} title={`${what} at ${digits(t, 3)} s`} />)}
      {told.map((event) => <i key={event.n} class={`told ${event.level}`} style={at(event.t)} title={`${digits(event.t, 3)} s: ${event.what}`} />)}
    </div>
  );
}

/** Looks at the time under the pointer for as long as it is pressed. */
function scrub(event: TargetedPointerEvent<HTMLElement>, span: number, look: (t: number) => void): void {
  const track = event.currentTarget;
  const box = track.getBoundingClientRect();
  const follow = (at: { clientX: number }): void => look((span * (at.clientX - box.left)) / box.width);
  track.setPointerCapture(event.pointerId);
  track.onpointermove = follow;
  track.onpointerup = track.onpointercancel = () => (track.onpointermove = null);
  follow(event);
}

function SolveFigures() {
  const known = state.value;
  if (!known) return null;
  const { solve, loop } = known;
  return (
    <>
      {solve.kind !== 'none' && (
        <span class="muted" title={`Residual ${digits(solve.residual ?? NaN, 2)}`}>
          {solve.kind === 'settle' ? 'equilibrium' : 'step'} in {solve.iterations} iteration{solve.iterations === 1 ? '' : 's'}
          {solve.converged ? '' : ` · ${solve.why || 'not converged'}`}
        </span>
      )}
      <span class="muted" title={`How late the simulation's ticks come: median ${digits(loop.jitter_ms.median, 2)} ms, 99 % below ${digits(loop.jitter_ms.p99, 2)} ms, at most ${digits(loop.jitter_ms.max, 2)} ms`}>
        {digits(loop.rate, 3)} Hz
      </span>
      {known.clients > 1 && <span class="muted" title="Pages on this simulation">{known.clients} pages</span>}
    </>
  );
}
