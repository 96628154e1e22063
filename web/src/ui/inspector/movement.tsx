// The movement of the drivers in statics: a slider over its states, the tightest bends, and what cables lack on the way.
import { digits } from '../../model/numbers';
import { followDrivers, lengthen, MOVEMENT, movement, movementStates, tightest } from '../../model/movement';
import { lookAt, lookedAt, recorded, recording } from '../../model/recording';
import { scene } from '../../model/store';
import { problems } from '../../model/trouble';
import { quantityOfUnit, show } from '../../model/units';
import { Choice, Group } from '../fields';

const STATES = ['11', '31', '101', '301'];

export function MovementGroup() {
  if (!scene.value?.drivers.length) return null;
  const problem = problems.value[MOVEMENT];
  return (
    <Group title="Movement of the drivers">
      <div class="actions">
        <button class="button small framed" title="Equilibria along the paths of all drivers, each from the one before" onClick={() => void followDrivers()}>Follow it at rest</button>
        <Choice label="Number of states" value={String(movementStates.value)} options={STATES.map((value) => ({ value, label: `${value} states` }))} commit={(states) => (movementStates.value = Number(states))} />
      </div>
      {problem && <div class="problem" role="alert">{problem}</div>}
      {movement.value && recorded.value.follows && recording.frames[0]?.revision === scene.value.revision && <Found />}
    </Group>
  );
}

function Found() {
  const { count, first } = recorded.value;
  const t = lookedAt.value ?? first;
  const { shortages, checks, lengths } = movement.value!;
  const at = recording.frames.indexOf(recording.at(t)!);
  return (
    <>
      <div class="with-button">
        <input
          type="range" aria-label="State of the movement" min={0} max={count - 1} step={1} value={at} aria-valuetext={`${digits(t, 3)} s`}
          onInput={(event) => lookAt(recording.frames[Number(event.currentTarget.value)]!.time)}
        />
        <span class="fact" style={{ whiteSpace: 'nowrap' }}>{digits(t, 3)} s</span>
      </div>
      {shortages.map(({ rod, from, to, missing, stopped }) => (
        <div key={`${rod} ${from}`} class="with-button" data-lacks={rod}>
          <Line bad name={rod} figure={show(missing, 'length', 3)} words={`too short between ${from} and ${to}: it stops here`} t={stopped} />
          <button class="button small framed" title={`Makes ${rod} longer by ${show(missing, 'length', 3)} and follows the movement again`} onClick={() => void lengthen(rod, missing)}>Give it</button>
        </div>
      ))}
      {shortages.length === 0 && <p class="quiet">No cable is too short for it.</p>}
      {tightest().map(({ rod, radius, t: when }) => (
        <Line key={rod} name={rod} figure={Number.isFinite(radius) ? show(radius, 'length', 3) : 'straight'} words="smallest bend radius" t={when} />
      ))}
      {checks.filter(({ violated }) => violated).map((check) => (
        <Line key={`${check.name} ${check.object}`} bad name={check.target} figure={inUnit(check.value ?? Infinity, check.unit)} words={`${check.name} ${check.bound === 'least' ? '≥' : '≤'} ${inUnit(check.limit, check.unit)}`} t={check.t} />
      ))}
      {lengths.map(({ rod, from, to, length, verdict }) => (
        <Line key={`${rod} ${from}`} name={rod} figure={show(length, 'length', 4)} words={`length at the end between ${from} and ${to}: ${verdict}`} t={recorded.value.last} />
      ))}
    </>
  );
}

function inUnit(value: number, unit: string): string {
  return show(value, quantityOfUnit[unit] ?? 'force', 3);
}

/** A figure of the movement; a press shows the state that it belongs to. */
function Line({ name, figure, words, t, bad = false }: { name: string; figure: string; words: string; t: number; bad?: boolean }) {
  return (
    <button class={bad ? 'alarm violated' : 'alarm'} title="Show this state" onClick={() => lookAt(t)}>
      <span class="lamp" />
      <span class="what">{name}</span>
      <span class="value">{figure}</span>
      <small>{words}, at {digits(t, 3)} s</small>
    </button>
  );
}
