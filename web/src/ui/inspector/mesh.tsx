// A mesh of the scenery: where it stands, how large, and with which body it moves.
import { tell } from '../../model/session';
import { scene } from '../../model/store';
import type { SceneryMesh } from '../../protocol/messages';
import { Choice, Group, NumberField, Row, Tick, VectorField } from '../fields';
import { Subject } from './subject';

const SCALES = [{ value: '1', label: 'metres' }, { value: '0.001', label: 'millimetres' }, { value: '0.01', label: 'centimetres' }, { value: '0.0254', label: 'inches' }];

export function MeshInspector({ mesh }: { mesh: SceneryMesh }) {
  const where = `mesh ${mesh.id}`;
  const change = (fields: object): void => void tell('mesh', { mesh: mesh.id, ...fields }, where);
  const known = SCALES.some(({ value }) => Number(value) === mesh.scale);
  return (
    <>
      <Subject thing={{ kind: 'mesh', id: mesh.id }} icon="box" kind={`Scenery, ${(mesh.bytes / 1024).toFixed(0)} KiB`} name={mesh.name} removeHint="Remove the mesh" />
      <Group>
        <Row label="Position" where={where}>
          <VectorField value={mesh.position} quantity="length" label="Position" where={where} commit={(position) => change({ position })} />
        </Row>
        <Row label="Drawn in" hint="The unit its file was written in">
          <Choice label="Unit of the file" value={String(mesh.scale)} options={known ? SCALES : [...SCALES, { value: String(mesh.scale), label: `× ${mesh.scale}` }]} commit={(scale) => change({ scale: Number(scale) })} />
        </Row>
        <Row label="Scale">
          <NumberField value={mesh.scale} quantity="number" label="Scale" commit={(scale) => change({ scale })} />
        </Row>
        <Row label="Moves with">
          <Choice label="Moves with" value={mesh.body} options={[{ value: '', label: 'nothing' }, ...scene.value!.bodies.map((body) => body.name)]} commit={(body) => change({ body })} />
        </Row>
        <Row label="Shown">
          <Tick checked={mesh.visible} commit={(visible) => change({ visible })}>in the view</Tick>
        </Row>
      </Group>
      <p class="quiet">Scenery is looked at only: cables do not touch it.</p>
    </>
  );
}
