// Winches, sheaves and massless ropes: their numbers, and what a winch carries now.
import * as act from '../../model/actions';
import { scene, slowFrame, state } from '../../model/store';
import { show, type Quantity } from '../../model/units';
import type { Rope, SceneMessage, Sheave, Winch } from '../../protocol/scene';
import type { Vec3 } from '../../protocol/vectors';
import { Fact, Group, NumberField, Row, VectorField } from '../fields';
import { Subject } from './subject';

type Part = { kind: 'winch'; part: Winch } | { kind: 'sheave'; part: Sheave } | { kind: 'rope'; part: Rope };

/** What the scene has at a path. */
export function reevingAt(known: SceneMessage, path: string): Part | undefined {
  const find = <T extends { path: string }>(list: readonly T[]): T | undefined => list.find((part) => part.path === path);
  const [winch, sheave, rope] = [find(known.winches), find(known.sheaves), find(known.ropes)];
  if (winch) return { kind: 'winch', part: winch };
  if (sheave) return { kind: 'sheave', part: sheave };
  return rope && { kind: 'rope', part: rope };
}

export function ReevingInspector({ found }: { found: Part }) {
  const { kind, part } = found;
  const words = { winch: 'Winch', sheave: 'Sheave', rope: 'Massless rope' };
  const number = (key: string, label: string, value: number | null, quantity: Quantity, hint?: string) => (
    <Row label={label} where={`${part.path}.${key}`} hint={hint}>
      <NumberField value={value} quantity={quantity} label={label} where={`${part.path}.${key}`} commit={(typed) => void act.set(`${part.path}.${key}`, typed)} />
    </Row>
  );
  const vector = (key: string, label: string, value: Vec3 | null, quantity: Quantity) => value && (
    <Row label={label} where={`${part.path}.${key}`}>
      <VectorField value={value} quantity={quantity} label={label} where={`${part.path}.${key}`} commit={(typed) => void act.set(`${part.path}.${key}`, typed)} />
    </Row>
  );
  const on = 'body' in part && part.body ? ` on ${part.body}` : '';
  const of = 'rod' in part ? `, ${part.rod}` : '';
  return (
    <>
      <Subject thing={{ kind: 'reeving', path: part.path }} icon="target" kind={`${words[kind]}${on}${of}`} name={part.name} removeHint={`Remove the ${kind}`} />
      {kind === 'winch' && <WinchNow name={part.name} />}
      <Group>
        {kind === 'winch' && (
          <>
            {number('speed', 'Speed', part.speed, 'speed', 'Above zero it pays out. While it plays its lever leads it')}
            {number('drum_radius', 'Drum radius', part.drum_radius, 'length')}
            {number('max_force', 'Brake slips at', part.max_force, 'force')}
            {number('shortest', 'Shortest', part.shortest, 'length', 'Free length at which it stops')}
            {number('longest', 'Longest', part.longest, 'length', 'Free length at which it stops')}
            {vector('point', 'Leaves it at', part.point, 'length')}
          </>
        )}
        {kind === 'sheave' && (
          <>
            {number('radius', 'Radius', part.radius, 'length', 'Of the centre line of what runs over it')}
            {number('friction', 'Friction', part.friction, 'number', 'The tensions differ by a factor of up to exp(friction · angle)')}
            {vector('point', 'Centre', part.point, 'length')}
            {vector('axis', 'Axis', part.axis, 'number')}
          </>
        )}
        {kind === 'rope' && (
          <>
            {number('length', 'Length', part.length, 'length', 'Empty: as it lies at the start')}
            {number('stiffness', 'Stiffness', part.stiffness, 'force per length', 'Of the whole rope; 0: it does not stretch')}
            {number('breaking_tension', 'Breaks at', part.breaking_tension, 'force')}
            <RopeNow name={part.name} />
            <Fact label="Runs through" value={part.through.map(({ body }) => body || 'the world').join(', ')} />
          </>
        )}
      </Group>
    </>
  );
}

function RopeNow({ name }: { name: string }) {
  void slowFrame.value;
  const now = state.value?.ropes.find((rope) => rope.name === name);
  return now ? <Fact label="Now" value={now.broken ? 'broken' : `${show(now.length, 'length')}, ${show(now.tension, 'force', 3)}`} bad={now.broken} hint="Unstretched length and largest tension" /> : null;
}

function WinchNow({ name }: { name: string }) {
  void slowFrame.value;
  const now = state.value?.winches.find((winch) => winch.name === name);
  if (!now) return null;
  const radius = scene.value?.winches.find((winch) => winch.name === name)?.drum_radius ?? 0;
  return (
    <Group title="Now">
      <Fact label="Pull" value={show(now.force, 'force')} hint="Of the cable on the drum" />
      {radius > 0 && <Fact label="Torque" value={show(now.torque, 'moment')} />}
      <Fact label="Speed" value={show(now.speed, 'speed', 3)} />
      <Fact label="Paid out" value={show(now.paid_out, 'length')} hint="Since the start" />
    </Group>
  );
}
