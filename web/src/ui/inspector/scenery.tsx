// A mesh of the scenery: where it stands, how it is turned, how large, and with which body it moves.
import * as act from '../../model/actions';
import { tell } from '../../model/session';
import { scene } from '../../model/store';
import { asOne } from '../../model/undo';
import { isHidden, toggleHidden } from '../../model/visibility';
import type { Args } from '../../protocol/commands';
import type { SceneryItem } from '../../protocol/scene';
import { Choice, Group, NumberField, Row, Tick, VectorField } from '../fields';
import { takeNumber, takeVector } from '../typed';
import { Grips, OrientationField } from './pose';
import { Subject } from './subject';

const SCALES = [{ value: '1', label: 'metres' }, { value: '0.001', label: 'millimetres' }, { value: '0.01', label: 'centimetres' }, { value: '0.0254', label: 'inches' }];

export function SceneryInspector({ item }: { item: SceneryItem }) {
  const change = (to: Omit<Args<'place_scenery'>, 'name'>, where: string): void => void tell('place_scenery', { name: item.name, ...to }, where);
  const known = SCALES.some(({ value }) => Number(value) === item.scale);
  const hidden = isHidden({ kind: 'scenery', name: item.name });
  const size = item.bytes > 1 << 20 ? `${(item.bytes / (1 << 20)).toFixed(1)} MiB` : item.bytes < 1024 ? `${item.bytes} bytes` : `${(item.bytes / 1024).toFixed(0)} KiB`;
  return (
    <>
      <Subject thing={{ kind: 'scenery', name: item.name }} icon="mesh" kind={item.address ? `${item.mesh}, ${size}` : item.mesh} name={item.name} renamed="scenery" removeHint="Remove the mesh" />
      {!item.address && <p class="quiet problem">The file {item.mesh} is not beside the scene. Drop it onto the page to see it.</p>}
      <Group title={item.body ? `Place, seen from ${item.body}` : 'Place'}>
        <Row label="Position" where={`${item.path}.position`}>
          <VectorField value={item.position} quantity="length" label="Position" where={`${item.path}.position`} commit={takeVector(`${item.path}.position`, (position) => change({ position }, `${item.path}.position`))} />
        </Row>
        <OrientationField value={item.orientation} where={`${item.path}.orientation`} commit={(orientation) => change({ orientation }, `${item.path}.orientation`)} />
        <Row label="Moves with" where={`${item.path}.body`} hint="It stays where it is and goes along with this body from then on">
          <Choice label="Moves with" value={item.body} options={[{ value: '', label: 'nothing' }, ...scene.value!.bodies.map((body) => body.name)]} commit={(body) => change({ body }, `${item.path}.body`)} />
        </Row>
        <Grips kinds={['move', 'turn', 'scale']} />
      </Group>
      <Group title="Size">
        <Row label="Drawn in" hint="The unit its file was written in">
          <Choice label="Unit of the file" value={String(item.scale)} options={known ? SCALES : [...SCALES, { value: String(item.scale), label: `× ${item.scale}` }]} commit={(scale) => change({ scale: Number(scale) }, `${item.path}.scale`)} />
        </Row>
        <Row label="Scale" where={`${item.path}.scale`}>
          <NumberField value={item.scale} quantity="number" label="Scale" where={`${item.path}.scale`} commit={takeNumber(`${item.path}.scale`, (scale) => change({ scale }, `${item.path}.scale`))} />
        </Row>
        <Row label="Shown">
          <Tick checked={!hidden} hint="On this page" commit={() => toggleHidden([{ kind: 'scenery', name: item.name }])}>in the view</Tick>
        </Row>
      </Group>
      <Group title="Contact">
        <Row label="Solid" where={`${item.path}.solid`}>
          <Tick checked={item.solid} hint="A closed mesh has an inside; an open one is a thin shell" commit={(solid) => void makeSolid(item, solid)}>holds cables off</Tick>
        </Row>
        {item.solid && (
          <Row label="Friction" where={`${item.path}.friction`}>
            <NumberField value={item.friction} quantity="number" label="Friction" where={`${item.path}.friction`} commit={(typed) => void act.set(`${item.path}.friction`, typed)} />
          </Row>
        )}
      </Group>
      <p class="quiet">{item.solid ? 'Cables lie on it.' : 'It holds no cable off, but one that passes through it is an alarm.'} When the scene is saved the mesh is put beside it.</p>
    </>
  );
}

/** What is solid no more has no friction. */
function makeSolid(item: SceneryItem, solid: boolean): Promise<void> {
  return asOne('solid', async (gesture) => {
    if (!solid && item.friction !== 0) await tell('set', { path: `${item.path}.friction`, value: 0, gesture });
    await tell('set', { path: `${item.path}.solid`, value: solid, gesture }, `${item.path}.solid`);
  });
}
