// What holds cables off: its shape in numbers, its friction, and with which body it moves.
import * as act from '../../model/actions';
import { scene } from '../../model/store';
import type { Quantity } from '../../model/units';
import type { Obstacle, SceneMessage } from '../../protocol/scene';
import type { Quat, Vec3 } from '../../protocol/vectors';
import { Choice, Fact, Group, NumberField, Row, VectorField } from '../fields';
import { Grips, OrientationField } from './pose';
import { Subject } from './subject';

export function ObstacleInspector({ obstacle }: { obstacle: Obstacle }) {
  const { kind, path, body } = obstacle;
  // the numbers of a shape stand under its name
  const own = kind === 'mesh' ? path : `${path}.${kind}`;
  const number = (where: string, label: string, value: number, quantity: Quantity) => (
    <Row label={label} where={where}><NumberField value={value} quantity={quantity} label={label} where={where} commit={(typed) => void act.set(where, typed)} /></Row>
  );
  const vector = (key: string, label: string, value: Vec3, quantity: Quantity = 'length') => (
    <Row label={label} where={`${own}.${key}`}><VectorField value={value} quantity={quantity} label={label} where={`${own}.${key}`} commit={(typed) => void act.set(`${own}.${key}`, typed)} /></Row>
  );
  const turned = (value: Quat) => <OrientationField value={value} where={`${own}.orientation`} commit={(orientation) => void act.set(`${own}.orientation`, orientation)} />;
  return (
    <>
      <Subject thing={{ kind: 'obstacle', path }} icon="layers" kind={`Obstacle, ${kind}${body ? ` on ${body}` : ''}`} name={obstacle.name} renamed="obstacle" removeHint="Remove the obstacle" />
      <Group title={body ? `Place, seen from ${body}` : 'Place'}>
        {kind === 'plane' && <>{vector('point', 'Through', obstacle.point)}{vector('normal', 'Normal', obstacle.normal, 'number')}</>}
        {kind === 'sphere' && vector('centre', 'Centre', obstacle.point)}
        {(kind === 'capsule' || kind === 'cylinder') && <>{vector('from', 'From', obstacle.from)}{vector('to', 'To', obstacle.to)}</>}
        {(kind === 'box' || kind === 'mesh') && <>{vector('position', 'Position', obstacle.position)}{turned(obstacle.orientation)}</>}
        {scene.value!.bodies.length > 0 && (
          <Row label="Moves with" where={`${path}.body`} hint="Its numbers are then those that the body sees">
            <Choice label="Moves with" value={body} options={[{ value: '', label: 'nothing' }, ...scene.value!.bodies.map(({ name }) => name)]} commit={(name) => void act.set(`${path}.body`, name === '' ? null : name)} />
          </Row>
        )}
        <Grips kinds={kind === 'sphere' ? ['move'] : ['move', 'turn']} />
      </Group>
      <Group title="Make">
        {(kind === 'sphere' || kind === 'capsule' || kind === 'cylinder') && number(`${own}.radius`, 'Radius', obstacle.radius, 'length')}
        {kind === 'box' && vector('size', 'Edge length', obstacle.size)}
        {kind === 'mesh' && <Fact label="File" value={obstacle.mesh} bad={obstacle.address === ''} />}
        {kind === 'mesh' && number(`${path}.scale`, 'Scale', obstacle.scale, 'number')}
        {number(`${path}.friction`, 'Friction', obstacle.friction, 'number')}
        <Row label="Material" where={`${path}.material`} hint="Of its surface: where a pair of materials has a friction of its own (see the scene), that counts">
          <Choice label="Material" value={obstacle.material} options={[{ value: '', label: 'not said' }, ...surfaces(scene.value!, obstacle.material)]} commit={(name) => void act.set(`${path}.material`, name === '' ? null : name)} />
        </Row>
      </Group>
      {!scene.value!.contact.obstacles && <p class="quiet problem">Contact with obstacles is off for this scene: they are only watched.</p>}
    </>
  );
}

/** What a surface may be of: what rods are made of and pairs of materials name. */
function surfaces({ rods, contact }: SceneMessage, own: string): string[] {
  const names = [own, ...rods.map(({ material }) => material), ...contact.pairs.flatMap(({ material, against }) => [material, against])];
  return [...new Set(names)].filter((name) => name !== '').sort();
}
