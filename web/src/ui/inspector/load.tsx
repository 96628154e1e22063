// A force or torque of the scene.
import * as act from '../../model/actions';
import { show } from '../../model/units';
import type { Load } from '../../protocol/scene';
import { Fact, Group, Row, Tick, VectorField } from '../fields';
import { Subject } from './subject';

export function LoadInspector({ load }: { load: Load }) {
  const key = load.force ? 'force' : 'torque';
  const path = `${load.path}.${key}`;
  return (
    <>
      <Subject thing={{ kind: 'load', path: load.path }} icon="force" kind={load.rod ? `On ${load.rod} at ${show(load.s, 'length')}` : `On ${load.body}`} name={load.force ? 'Force' : 'Torque'} removeHint="Remove the load" />
      <Group>
        <Row label={load.force ? 'Force' : 'Torque'} where={path} hint="World axes">
          <VectorField value={load.force ?? load.torque ?? [0, 0, 0]} quantity={load.force ? 'force' : 'moment'} label={key} where={path} commit={(value) => void act.set(path, value)} />
        </Row>
        <Row label="Follows" where={`${load.path}.follow`}>
          <Tick checked={load.follow} hint="Turns with the section or body instead of keeping its direction" commit={(checked) => void act.set(`${load.path}.follow`, checked)}>the section</Tick>
        </Row>
        <Fact label="Size" value={load.force ? show(Math.hypot(...load.force), 'force') : show(Math.hypot(...(load.torque ?? [0])), 'moment')} />
      </Group>
    </>
  );
}
