// A cable: make, length, segments, limits, what it carries now, and what can be done at the picked point.
import { useState } from 'preact/hooks';
import { Vector3 } from 'three';
import * as act from '../../model/actions';
import { decimals } from '../../model/numbers';
import { selection } from '../../model/selection';
import { tell } from '../../model/session';
import { events, hello, rodFrame, scene, slowFrame, state } from '../../model/store';
import { show, showAll } from '../../model/units';
import type { Rod } from '../../protocol/scene';
import { pointAlong, valueAlong } from '../../view/along';
import { Choice, Fact, Group, NumberField, Row } from '../fields';
import { Icon } from '../icons';
import { takePlace } from '../typed';
import { LengthGroup } from './length';
import { Subject } from './subject';

export function RodInspector({ rod, s }: { rod: Rod; s: number | undefined }) {
  return (
    <>
      <Subject thing={{ kind: 'rod', name: rod.name }} icon="cable" kind={rod.closed ? 'Ring' : 'Cable'} name={rod.name} renamed="rod" removeHint="Remove the cable with its holds" />
      {s !== undefined && <PointGroup rod={rod} s={s} />}
      <LengthGroup rod={rod} />
      <MakeGroup rod={rod} />
      <NowGroup rod={rod} />
      <TurnsGroup rod={rod} />
      <LimitsGroup rod={rod} />
      <HoldsGroup rod={rod} />
      <JoinGroup rod={rod} />
    </>
  );
}

function MakeGroup({ rod }: { rod: Rod }) {
  const known = scene.value!;
  const own = known.materials.map((material) => material.name);
  const common = (hello.value?.materials ?? []).map((material) => material.name).filter((name) => !own.includes(name));
  const material = `${rod.path}.material`;
  const section = `${rod.path}.section`;
  const segments = `${rod.path}.segments`;
  return (
    <Group title="Make">
      <Row label="Material" where={material} hint="From the scene, then the common ones">
        <div class="with-button">
          <Choice label="Material" value={rod.material} options={[...(rod.material ? [] : [{ value: '', label: 'none: stiffness given' }]), ...own, ...common]} commit={(name) => void act.set(material, name)} />
          {own.includes(rod.material) && (
            <button class="button small square framed" aria-label="Edit the material" title="Edit the material" onClick={() => (selection.value = { kind: 'material', name: rod.material })}><Icon name="chevron" /></button>
          )}
        </div>
      </Row>
      <Row label="Section" where={section}>
        <div class="with-button">
          <Choice label="Section" value={rod.section} options={known.sections.map((candidate) => candidate.name)} commit={(name) => void act.set(section, name)} />
          <button class="button small square framed" aria-label="Edit the section" title="Edit the section" onClick={() => (selection.value = { kind: 'section', name: rod.section })}><Icon name="chevron" /></button>
        </div>
      </Row>
      <Row label="Segments" where={segments} hint="How finely it is computed">
        <NumberField value={rod.segments} quantity="number" label="Segments" where={segments} commit={(value) => void act.set(segments, value)} />
      </Row>
      <Knots rod={rod} />
      <Row label="Twist" where={`${rod.path}.twist`} hint="Twist built in at the start, from end to end">
        <NumberField value={rod.twist / (2 * Math.PI)} quantity="turns" label="Built-in twist" where={`${rod.path}.twist`} commit={(value) => void act.set(`${rod.path}.twist`, typeof value === 'number' ? `${value} turns` : value)} />
      </Row>
      <Fact label="Bending" value={rod.stiffness.EI[0] === rod.stiffness.EI[1] ? show(rod.stiffness.EI[0], 'bending') : rod.stiffness.EI.map((EI) => show(EI, 'bending', 3)).join(', ')} hint="EI, about d1 and d2" />
      <Fact label="Twisting" value={show(rod.stiffness.GJ, 'bending')} hint="GJ" />
      <Fact label="Stretching" value={show(rod.stiffness.EA, 'stretching')} hint="EA" />
      <Fact label="Mass" value={`${show(rod.mass, 'mass')} (${show(rod.mass_per_length, 'mass per length', 3)})`} />
    </Group>
  );
}

/** What became of its knots, where they follow the shape. */
function Knots({ rod }: { rod: Rod }) {
  const { formulation, spline } = scene.value!.simulation;
  if (formulation !== 'spline' || spline.detail === 0) return null;
  const adapted = events.value.filter(({ event, target }) => event === 'knots_adapted' && target === rod.name).at(-1);
  return adapted ? <div class="fact-more" data-fact="Knots">{adapted.what}</div> : null;
}

function NowGroup({ rod }: { rod: Rod }) {
  void slowFrame.value;
  const now = rodFrame(rod.name);
  if (!now) return null;
  const { bend_radius_limit: radius, limits: { max_tension: tension } } = rod;
  return (
    <Group title="Now">
      <Fact label="Length" value={show(now.length, 'length', 6)} hint="Along the centre line, stretch included" />
      <Fact label="Bend radius" value={`${show(now.minBendRadius, 'length')} at ${show(now.minBendRadiusAt, 'length', 3)}`} bad={radius !== null && now.minBendRadius < radius} hint="The smallest, and where" />
      <Fact label="Tension" value={`${show(now.maxTension, 'force')} at ${show(now.maxTensionAt, 'length', 3)}`} bad={tension !== null && now.maxTension > tension} hint="The largest, and where" />
      <Fact label="Twist" value={`${decimals(now.turns, 4)} turns`} hint="Total twist of the material, in full turns" />
      <Fact label="Writhe" value={decimals(now.writhe, 4)} hint="Of the centre line: how it coils, in full turns" />
    </Group>
  );
}

/** Turns of the ends against each other since the simulation began, and where they went. */
function TurnsGroup({ rod }: { rod: Rod }) {
  const balance = state.value?.turns.find((candidate) => candidate.rod === rod.name);
  const length = rod.length;
  const clamped = scene.value!.holds.filter((hold) => hold.rod === rod.name && hold.fix.orientation.every(Boolean));
  // ends that are free to turn have no turns to keep
  const both = [0, length].every((s) => clamped.some((hold) => Math.abs(hold.s - s) < 1e-6 * length));
  if (!balance || rod.closed || !both) return null;
  const lost = Math.abs(balance.remainder) > 1e-3;
  return (
    <Group title="Turns since the start">
      <Fact label="Of the ends" value={decimals(balance.turns, 4)} hint="How often one end was turned against the other, about the cable" />
      <Fact label="Into twist" value={decimals(balance.twist, 4)} hint="Of the material" />
      <Fact label="Into writhe" value={decimals(balance.writhe, 4)} hint="Of the centre line: loops and coils" />
      {balance.crossings !== 0 && <Fact label="Crossings" value={String(balance.crossings)} hint="The cable passed through itself; each takes two turns" />}
      <Fact label="Balance" value={lost ? `${decimals(balance.remainder, 4)} left over` : 'no turn was lost'} bad={lost} hint="Turns of the ends are twist and writhe, but for two per crossing" />
    </Group>
  );
}

function LimitsGroup({ rod }: { rod: Rod }) {
  const limit = (key: keyof Rod['limits'], value: number | null, label: string, quantity: 'length' | 'force') => {
    const path = `${rod.path}.limits.${key}`;
    return (
      <Row label={label} where={path} hint="Empty: no limit">
        <NumberField value={value} quantity={quantity} label={label} absent="no limit" where={path} commit={(value) => void act.set(path, value)} />
      </Row>
    );
  };
  return (
    <Group title="Limits">
      {limit('min_bend_radius', rod.bend_radius_limit, 'Bend radius ≥', 'length')}
      {limit('max_tension', rod.limits.max_tension, 'Tension ≤', 'force')}
      {limit('max_hold_force', rod.limits.max_hold_force, 'Hold force ≤', 'force')}
    </Group>
  );
}

function HoldsGroup({ rod }: { rod: Rod }) {
  const [count, setCount] = useState(3);
  const holds = scene.value!.holds.filter((hold) => hold.rod === rod.name);
  return (
    <Group title="Holds">
      {holds.map((hold) => (
        <button key={hold.name} class="leaf" onClick={() => (selection.value = { kind: 'hold', name: hold.name })}>
          <Icon name="hold" />
          <span class="name">{hold.name}</span>
          <span class="more">{show(hold.s, 'length', 3)}</span>
        </button>
      ))}
      <Row label="New hold at" where={`hold on ${rod.name}`} hint="A place along the cable, where it is now: a length, or a share such as 50 %">
        <NumberField value={null} quantity="length" label="New hold at" absent="100, 50 %" where={`hold on ${rod.name}`} commit={takePlace(`hold on ${rod.name}`, (at) => void act.addHoldAt(rod.name, at, `hold on ${rod.name}`))} />
      </Row>
      <Row label="Equidistant" where={`spread on ${rod.name}`} hint="Holds at equal distances, where the cable is now">
        <div class="with-button">
          <input class="field" type="number" min="1" max="200" value={count} aria-label="How many" onKeyDown={(event) => event.stopPropagation()} onInput={(event) => setCount(Number(event.currentTarget.value))} />
          <button class="button small framed" onClick={() => void tell('spread_holds', { rod: rod.name, count }, `spread on ${rod.name}`)}>Spread</button>
        </div>
      </Row>
    </Group>
  );
}

/** The point that was picked, and what can be done there. */
function PointGroup({ rod, s }: { rod: Rod; s: number }) {
  void slowFrame.value;
  const now = rodFrame(rod.name);
  const channels = hello.value?.channels ?? [];
  if (!now || now.count < 2) return null;
  const value = (channel: string): number => {
    const list = now.channels[channels.indexOf(channel)];
    return list ? valueAlong(now, list, s) : NaN;
  };
  const at = pointAlong(now, s, new Vector3());
  const where = `point of ${rod.name}`;
  return (
    <Group title={`Point at ${show(s, 'length')}`}>
      <Fact label="Position" value={showAll(at.toArray(), 'length')} />
      <Fact label="Bend radius" value={show(1 / Math.abs(value('curvature')), 'length')} />
      <Fact label="Tension" value={show(value('tension'), 'force')} />
      <Fact label="Torsion" value={show(value('twist'), 'twist rate')} />
      <Row label="" where={where}>
        <div class="actions">
          <button class="button small framed" title="Hold this point where it is" onClick={() => void act.addHold(rod.name, s)}>Hold</button>
          <button class="button small framed" title="Hold this point and its direction" onClick={() => void act.addHold(rod.name, s, { fix: ['position', 'orientation'] })}>Clamp</button>
          <button class="button small framed" title="A ring it slides through" onClick={() => void act.addHold(rod.name, s, { slide: true })}>Guide</button>
          <button class="button small framed" title="Cut in two that are joined" onClick={() => void act.split(rod.name, s, where)}>Split</button>
        </div>
      </Row>
    </Group>
  );
}

/** Puts another cable behind this one. */
function JoinGroup({ rod }: { rod: Rod }) {
  const others = scene.value!.rods.map((other) => other.name).filter((name) => name !== rod.name);
  const [second, setSecond] = useState('');
  const where = `connect ${rod.name}`;
  if (others.length === 0 || rod.closed) return null;
  const chosen = others.includes(second) ? second : others[0]!;
  const connect = async (fit: 'as placed' | 'continue'): Promise<void> => {
    const answer = await tell('connect', { first: rod.name, second: chosen, fit }, where);
    if (answer) selection.value = { kind: 'junction', name: answer.junction };
  };
  return (
    <Group title="Goes on with">
      <Row label="Cable" where={where} hint="Joins the end of this cable to the start of another">
        <Choice label="The cable that follows" value={chosen} options={others} commit={setSecond} />
      </Row>
      <div class="actions">
        <button class="button small framed" title="Both stay where they are" onClick={() => void connect('as placed')}>As placed</button>
        <button class="button small framed" title="The other is brought to this one's end" onClick={() => void connect('continue')}>Bring it here</button>
      </div>
    </Group>
  );
}
