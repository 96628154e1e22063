// The scene itself: title, gravity, how it is computed, what it amounts to.
import * as act from '../../model/actions';
import { aboutScene } from '../../model/files';
import { digits, many } from '../../model/numbers';
import { frame, scene, slowFrame, state } from '../../model/store';
import { show } from '../../model/units';
import { view } from '../canvas';
import { Fact, Group, NumberField, Row, TextField, Tick, VectorField } from '../fields';
import { Icon } from '../icons';
import { ModesGroup } from './modes';
import { MovementGroup } from './movement';
import { SimulationGroup } from './simulation';

export function SceneInspector() {
  const known = scene.value!;
  return (
    <>
      <div class="subject">
        <div class="line">
          <Icon name="layers" />
          <TextField value={known.title} label="Title" empty="Scene without a title" commit={(title) => void act.set('title', title)} />
        </div>
        <div class="kind">{many(known.rods.length, 'cable')}, {many(known.rods.reduce((sum, rod) => sum + rod.segments, 0), 'segment')}, {many(known.holds.length, 'hold')}</div>
      </div>
      {aboutScene.value && <Group title="About this example"><p class="about">{aboutScene.value}</p></Group>}
      {known.warnings.length > 0 && <Group title="Warnings">{known.warnings.map((warning) => <p key={warning} class="problem" style={{ margin: 0 }}>{warning}</p>)}</Group>}
      <Group title="World">
        <Row label="Gravity" where="gravity" hint="World axes">
          <VectorField value={known.gravity} quantity="acceleration" label="Gravity" where="gravity" commit={(value) => void act.set('gravity', value)} />
        </Row>
      </Group>
      <Group title="Contact">
        <Row label="Obstacles" where="contact.obstacles">
          <Tick checked={known.contact.obstacles} hint="Off: what passes through them is only told" commit={(on) => void act.set('contact.obstacles', on)}>hold cables off</Tick>
        </Row>
        <Row label="Cables" where="contact.rods">
          <Tick checked={known.contact.rods} hint="Off: what passes through what is only told" commit={(on) => void act.set('contact.rods', on)}>hold each other off</Tick>
        </Row>
        {known.contact.rods && (
          <Row label="Friction" where="contact.friction" hint="Of cable on cable">
            <NumberField value={known.contact.friction} quantity="number" label="Friction of cables" where="contact.friction" commit={(value) => void act.set('contact.friction', value)} />
          </Row>
        )}
        {known.contact.pairs.map(({ material, against, friction }, k) => (
          <Row key={k} label={`${material} on ${against}`} where={`contact.pairs.${k}.friction`} hint="Friction of these two materials">
            <NumberField value={friction} quantity="number" label={`Friction of ${material} on ${against}`} where={`contact.pairs.${k}.friction`} commit={(value) => void act.set(`contact.pairs.${k}.friction`, value)} />
          </Row>
        ))}
      </Group>
      <SimulationGroup />
      <Energies />
      <MovementGroup />
      <ModesGroup />
      <Measured />
    </>
  );
}

function Energies() {
  void slowFrame.value;
  const solve = state.value?.solve;
  return (
    <Group title="Now">
      {['elastic', 'gravity', 'kinetic'].map((name, k) => <Fact key={name} label={name.charAt(0).toUpperCase() + name.slice(1)} value={show(frame.energy[k], 'energy')} hint="Energy" />)}
      {solve && solve.kind !== 'none' && (
        <>
          <Fact label="Converged" value={solve.converged ? `yes, residual ${digits(solve.residual ?? NaN, 2)}` : solve.why || 'no'} bad={!solve.converged} />
          <Fact label="Stable" value={solve.stable === null ? 'not known' : solve.stable ? 'yes' : 'no: a small push makes it leave'} bad={solve.stable === false} />
        </>
      )}
    </Group>
  );
}

function Measured() {
  void slowFrame.value;
  const measures = view()?.measures;
  const list = measures?.list.value ?? [];
  if (!measures || list.length === 0) return null;
  return (
    <Group title="Measured">
      {list.map((measure, k) => (
        <Row key={measure.id} label={`Distance ${k + 1}`}>
          <div class="with-button">
            <span class="fact" style={{ flex: 1 }}>{show(measures.length(measure), 'length', 5)}</span>
            <button class="button small square" aria-label="Remove this distance" title="Remove" onClick={() => measures.remove(measure.id)}><Icon name="close" /></button>
          </div>
        </Row>
      ))}
    </Group>
  );
}
