// A hold: where it grips, what it fixes, where it is, what it carries.
import { pins, togglePin } from '../../hands/levers/lever_list';
import * as act from '../../model/actions';
import { withoutTurns } from '../../model/angles';
import { exactOf } from '../../model/numbers';
import { selection } from '../../model/selection';
import { tell } from '../../model/session';
import { holdFrame, inScene, scene, slowFrame } from '../../model/store';
import { show, showAll } from '../../model/units';
import type { Args } from '../../protocol/commands';
import { HoldFlag } from '../../protocol/frame';
import type { Hold } from '../../protocol/scene';
import { quatOf } from '../../protocol/vectors';
import { Choice, Fact, Group, NumberField, Row, Tick, VectorField } from '../fields';
import { takeNumber, takePlace, takeVector } from '../typed';
import { ClipGroup } from './clip';
import { Grips, OrientationField } from './pose';
import { Subject } from './subject';

export function HoldInspector({ hold }: { hold: Hold }) {
  const kind = hold.clip !== null ? 'Clip' : hold.slide ? 'Guide that the cable slides through' : hold.fix.orientation.some(Boolean) ? 'Clamp' : 'Hold';
  return (
    <>
      <Subject thing={{ kind: 'hold', name: hold.name }} icon="hold" kind={`${kind} on ${hold.rod}${hold.body ? `, held to ${hold.body}` : ''}`} name={hold.name} renamed="hold" removeHint="Remove the hold" />
      <PlaceGroup hold={hold} />
      <FixGroup hold={hold} />
      <ClipGroup hold={hold} />
      <LoadGroup hold={hold} />
    </>
  );
}

function PlaceGroup({ hold }: { hold: Hold }) {
  void slowFrame.value;
  const rod = scene.value!.rods.find((candidate) => candidate.name === hold.rod);
  const now = holdFrame(hold.name);
  const along = `${hold.path}.at`;
  const position = `${hold.path}.position`;
  const turns = `${hold.path}.turns`;
  const place = (to: Omit<Args<'place_hold'>, 'hold'>, where: string): void => void tell('place_hold', { hold: hold.name, ...to }, where);
  const moveAlong = (at: number | string): void => void tell('move_hold_along', { hold: hold.name, at }, along);
  return (
    <Group title="Place">
      <Row label="Along the cable" where={along} hint="Arc length from the start; the hold stays where it is in space">
        <NumberField value={now ? exactOf([now.s], [hold.s])[0]! : hold.s} quantity="length" label="Place along the cable" where={along} commit={takePlace(along, (at) => moveAlong(typeof at === 'number' ? inScene(hold.rod, at) : at))} />
      </Row>
      <input
        type="range" min="0" max="1" step="0.001" aria-label="Place along the cable"
        value={rod ? hold.s / rod.length : 0}
        onChange={(event) => moveAlong(Number((Number(event.currentTarget.value) * (rod?.length ?? 0)).toPrecision(6)))}
      />
      <Row label="Position" where={position} hint="World axes">
        <VectorField value={exactOf(now?.position ?? hold.position ?? [0, 0, 0], hold.position)} quantity="length" label="Position" where={position} commit={takeVector(position, (value) => place({ position: value }, position))} />
      </Row>
      {hold.body === '' && hold.fix.position.every(Boolean) && (
        <Row label="Levers" hint="Puts a lever over the view that leads the hold along an axis, with keys">
          <div class="ticks">
            {AXES.map((axis) => <AxisPin key={axis} id={`hold ${hold.name} ${axis}`} axis={axis} />)}
          </div>
        </Row>
      )}
      {hold.fix.orientation.every(Boolean) && now && (
        <OrientationField value={quatOf(now.orientation)} where={`${hold.path}.orientation`} commit={(orientation) => place({ orientation: withoutTurns(orientation, now.turns) }, `${hold.path}.orientation`)} />
      )}
      {hold.fix.orientation.some(Boolean) && (
        <Row label="Twist" where={turns} hint="Turns about the cable's own tangent, counted beyond full ones">
          <div class="with-button">
            <NumberField value={now?.turns ?? 0} quantity="turns" label="Turns about the tangent" where={turns} commit={takeNumber(turns, (value) => place({ turns: value }, turns))} />
            <span class="pair">
              <button class="button small framed" title="A quarter turn back" onClick={() => place({ turns: (now?.turns ?? 0) - 0.25 }, turns)}>−¼</button>
              <button class="button small framed" title="A quarter turn on" onClick={() => place({ turns: (now?.turns ?? 0) + 0.25 }, turns)}>+¼</button>
            </span>
          </div>
        </Row>
      )}
    </Group>
  );
}

const AXES = ['x', 'y', 'z'] as const;

function AxisPin({ id, axis }: { id: string; axis: string }) {
  const on = pins.value.has(id);
  return <button class={on ? 'button small framed on' : 'button small framed'} aria-pressed={on} aria-label={`Lever along ${axis}`} onClick={() => togglePin(id)}>{axis}</button>;
}

function FixGroup({ hold }: { hold: Hold }) {
  const where = `${hold.path}.fix`;
  const bodies = scene.value!.bodies.map((body) => body.name);
  const setFix = (position: readonly boolean[], orientation: boolean): void => {
    const axes = AXES.filter((_, k) => position[k]);
    void tell('fix_hold', { hold: hold.name, fix: { position: axes.length === 3 ? true : axes.length === 0 ? false : axes, orientation } }, where);
  };
  const turned = hold.fix.orientation.some(Boolean);
  const grips = gripsNow(hold);
  return (
    <Group title="Holds fast">
      {grips && <Fact label="Now" value={grips} hint="Its drive has switched it since the start, which the ticks below are about" />}
      <Row label="Position" where={where}>
        <div class="ticks">
          {AXES.map((axis, k) => (
            <Tick key={axis} checked={hold.fix.position[k]!} commit={(checked) => setFix(hold.fix.position.map((on, c) => (c === k ? checked : on)), turned)}>{axis}</Tick>
          ))}
        </div>
      </Row>
      <Row label="Direction">
        <Tick checked={turned} hint="Direction and twist of the section" commit={(checked) => setFix(hold.fix.position, checked)}>held</Tick>
      </Row>
      <Row label="Slides" where={`${hold.path}.slide`}>
        <Tick checked={hold.slide} hint="The cable may slide through" commit={(checked) => void act.set(`${hold.path}.slide`, checked)}>through a ring</Tick>
      </Row>
      {bodies.length > 0 && (
        <Row label="Held to" where={`${hold.path}.body`}>
          <Choice label="Held to" value={hold.body} options={[{ value: '', label: 'the world' }, ...bodies]} commit={(body) => void act.set(`${hold.path}.body`, body || null)} />
        </Row>
      )}
      <div class="actions">
        <button class="button small framed" title="Lets go: the cable falls or hangs (L)" onClick={() => void tell('release', { hold: hold.name }).then((reply) => reply && (selection.value = { kind: 'scene' }))}>Let go</button>
      </div>
      <Grips kinds={['move', 'turn', 'twist']} />
    </Group>
  );
}

/** What it holds now, if keyframes have made that another thing than at the start. */
function gripsNow(hold: Hold): string | undefined {
  void slowFrame.value;
  const flags = holdFrame(hold.name)?.flags;
  if (flags === undefined) return undefined;
  const [position, direction] = [(flags & HoldFlag.Position) !== 0, (flags & HoldFlag.Orientation) !== 0];
  if (position === hold.fix.position.some(Boolean) && direction === hold.fix.orientation.some(Boolean)) return undefined;
  return [position && 'position', direction && 'direction'].filter(Boolean).join(' and ') || 'nothing: it has let go';
}

function LoadGroup({ hold }: { hold: Hold }) {
  void slowFrame.value;
  const now = holdFrame(hold.name);
  const limit = scene.value!.rods.find((rod) => rod.name === hold.rod)?.limits.max_hold_force ?? null;
  if (!now) return null;
  const force = Math.hypot(...now.force);
  return (
    <Group title="What it does to the cable">
      <Fact label="Force" value={show(force, 'force')} bad={limit !== null && force > limit} />
      <Fact label="" value={showAll(now.force, 'force', 3)} hint="World axes" />
      <Fact label="Moment" value={show(Math.hypot(...now.moment), 'moment')} />
      <Fact label="" value={showAll(now.moment, 'moment', 3)} hint="World axes, about the held point" />
    </Group>
  );
}
