// The dialog of beams in channels: the channel drawn, its shapes or the steps of a push, energies, wall forces, snaps.
import { useState } from 'preact/hooks';
import * as channel from '../model/channel';
import { withEnding } from '../model/files';
import { digits } from '../model/numbers';
import { problems } from '../model/trouble';
import { show } from '../model/units';
import type { ChannelState, TubeSolved } from '../protocol/answers';
import { ChannelPicture } from './channel_picture';
import { Frame } from './dialog_frame';
import { Choice, NumberField, Row } from './fields';
import { TubePicture } from './tube_picture';

export function ChannelDialog() {
  const problem = problems.value[channel.CHANNEL];
  const found = channel.solved.value;
  return (
    <Frame title="Beam in a channel">
      <div class="channel">
        <div>
          {found?.tube ? <TubePicture tube={found.tube} /> : found && <ChannelPicture found={found} />}
          {channel.states.value.length > 0 && <Steps />}
          {found && <Curve />}
        </div>
        <div>
          <Row label="Example">
            <Choice
              label="Channel file" value={channel.channelName.value} options={[...new Set([channel.channelName.value, ...channel.channelExamples.value.map(({ name }) => name)])]}
              commit={(name) => void channel.openChannel(name, channel.channelExamples.value.find((one) => one.name === name)?.text ?? channel.channelText.value)}
            />
          </Row>
          {!found?.tube && <Push />}
          {problem && <div class="problem" role="alert">{problem}</div>}
          {found?.tube ? <TubeFigures tube={found.tube} why={found.why} /> : <Figures />}
          <textarea
            class="field" aria-label="Text of the file" spellcheck={false} rows={12} value={channel.channelText.value}
            onKeyDown={(event) => event.stopPropagation()} onInput={(event) => (channel.channelText.value = event.currentTarget.value)}
          />
          <div class="actions">
            <button class="button framed" onClick={channel.downloadChannel}>Download</button>
            <button class="button primary" onClick={() => void channel.solve()}>Solve</button>
          </div>
          <Save />
        </div>
      </div>
    </Frame>
  );
}

/** Where the text is kept on the machine where the simulation runs. */
function Save() {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const path = withEnding(typed ?? (channel.channelPath.value || channel.channelName.value));
  return (
    <Row label="File" hint="On the machine where the simulation runs">
      <div class="with-button">
        <input class="field" aria-label="File of the channel" spellcheck={false} value={typed ?? path} onKeyDown={(event) => event.stopPropagation()} onInput={(event) => setTyped(event.currentTarget.value)} />
        {channel.inTheWay.value === path
          ? <button class="button small framed danger" onClick={() => void channel.saveChannel(path, true)}>Replace it</button>
          : <button class="button small framed" onClick={() => void channel.saveChannel(path)}>Save</button>}
      </div>
    </Row>
  );
}

/** How far the wire is pushed in. */
function Push() {
  const [by, setBy] = useState(4e-3);
  return (
    <Row label="Push in by" hint="The tip is led back along the channel by so much, in steps; the force is found">
      <div class="with-button">
        <NumberField value={by} quantity="length" label="Push in by" commit={(value) => typeof value === 'number' && value > 0 && setBy(value)} />
        <button class="button small framed" onClick={() => void channel.push(by, 40)}>Push</button>
      </div>
    </Row>
  );
}

/** Looks from state to state. */
function Steps() {
  const states = channel.states.value;
  const at = channel.looked.value;
  const path = channel.solved.value!.path.length > 0;
  return (
    <div class="with-button">
      <input type="range" aria-label={path ? 'Step of the push' : 'Shape'} min={0} max={states.length - 1} step={1} value={at} onInput={(event) => (channel.looked.value = Number(event.currentTarget.value))} />
      <span class="fact">{path ? `step ${at} of ${states.length - 1}` : `shape ${at + 1} of ${states.length}`}</span>
    </div>
  );
}

/** The push force over the steps; a press looks at one. */
function Curve() {
  const path = channel.solved.value!.path;
  if (path.length < 2) return null;
  const most = Math.max(...path.map(({ push_force }) => Math.abs(push_force)), 1e-12);
  const x = (k: number): number => (100 * k) / (path.length - 1);
  const y = (state: ChannelState): number => 34 - (30 * state.push_force) / most;
  return (
    <svg class="curve" viewBox="-2 0 104 38" role="img" aria-label={`Push force, up to ${show(most, 'force', 3)}`}>
      <line x1="0" x2="100" y1="34" y2="34" class="axis" />
      <polyline points={path.map((state, k) => `${x(k)},${y(state)}`).join(' ')} />
      {path.map((state, k) => (
        <circle key={k} cx={x(k)} cy={y(state)} r={k === channel.looked.value ? 1.6 : state.snapped ? 1.2 : 0.7} class={state.snapped ? 'snap' : ''} onClick={() => (channel.looked.value = k)}>
          <title>{`${show(state.push_force, 'force', 3)}${state.snapped ? ', it snaps' : ''}`}</title>
        </circle>
      ))}
      <text x="0" y="3.5">{show(most, 'force', 3)}</text>
    </svg>
  );
}

function TubeFigures({ tube, why }: { tube: TubeSolved; why: string }) {
  const shape = tube.shapes[0];
  const facts: [string, string, boolean?][] = shape
    ? [
        ['Energy', `${show(shape.energy, 'energy', 4)}, U = ${digits(shape.U, 4)}`],
        ['Shape', `${tube.shapes.length > 1 ? `the lowest of ${tube.shapes.length}, ` : ''}${shape.planar ? 'in a plane, ' : ''}at rest between the walls`],
        ['Walls touched', shape.contacts.length === 0 ? 'nowhere' : `${shape.contacts.length} times, with ${show(Math.max(...shape.contacts.map(({ magnitude }) => magnitude)), 'force', 3)} at most`],
        ['Insertion force', `${show(shape.insertion_force, 'force', 4)} at the clamp`],
      ]
    : [['Shape', why || 'none was found', true]];
  if (shape?.torque) facts.push(['Torque', show(shape.torque, 'moment', 3)]);
  if (shape?.indentation) facts.push(['Into the walls', show(shape.indentation, 'length', 3)]);
  if (!tube.settled) facts.push(['Lattice', 'the lowest energy still changed with its rings', true]);
  if (tube.pruned) facts.push(['Search', 'some states were dropped: a lower one may be among them', true]);
  return <Facts facts={facts} />;
}

function Facts({ facts }: { facts: readonly [string, string, boolean?][] }) {
  return (
    <dl class="facts">
      {facts.map(([label, value, bad]) => <div key={label}><dt>{label}</dt><dd class={bad ? 'bad' : ''} data-channel={label}>{value}</dd></div>)}
    </dl>
  );
}

function Figures() {
  const state = channel.states.value[channel.looked.value];
  if (!state) return null;
  const wall = Math.max(...state.contacts.map(({ magnitude }) => magnitude), 0);
  const facts: [string, string, boolean?][] = [
    ['Energy', `${show(state.energy, 'energy', 4)}, U = ${digits(state.U, 4)}`],
    ['Push force', show(state.push_force, 'force', 4)],
    ['Walls touched', state.contacts.length === 0 ? 'nowhere' : `${state.contacts.length} times, with ${show(wall, 'force', 3)} at most`],
    ['Stable', state.stable ? 'yes' : 'no', !state.stable],
  ];
  if (state.contacts.some(({ friction }) => friction !== 0)) facts.splice(2, 0, ['Insertion force', `${show(state.insertion_force, 'force', 4)} at the clamp`]);
  if (state.indentation) facts.push(['Into the walls', show(state.indentation, 'length', 3)]);
  if (state.friction_heat) facts.push(['Rubbed off', state.friction_heat > 0 ? show(state.friction_heat, 'energy', 3) : 'the beam slides the other way than is said', state.friction_heat < 0]);
  if (state.snapped) facts.push(['Snaps', `on the way here, ${show(state.snap_release ?? 0, 'energy', 3)} set free`, true]);
  if (!state.converged) facts.push(['Equilibrium', 'not found', true]);
  return <Facts facts={facts} />;
}
