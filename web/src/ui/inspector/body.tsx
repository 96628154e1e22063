// A rigid body: where it is, its size and mass, and how it moves.
import { axisId, axisLever, type Slid } from '../../hands/levers/axis_lever';
import * as act from '../../model/actions';
import { exactOf } from '../../model/numbers';
import { tell } from '../../model/session';
import { bodyFrame, scene, slowFrame } from '../../model/store';
import { asOne } from '../../model/undo';
import type { Body } from '../../protocol/scene';
import { quatOf } from '../../protocol/vectors';
import { Choice, Group, NumberField, Row, VectorField } from '../fields';
import { LeverSlider, PinButton } from '../levers';
import { takeVector } from '../typed';
import { Grips, OrientationField } from './pose';
import { Subject } from './subject';

export function BodyInspector({ body }: { body: Body }) {
  void slowFrame.value;
  const now = bodyFrame(body.name);
  const position = `${body.path}.position`;
  const meshes = scene.value!.scenery;
  const worn = meshes.find((mesh) => mesh.body === body.name);
  return (
    <>
      <Subject thing={{ kind: 'body', name: body.name }} icon="box" kind="Rigid body" name={body.name} renamed="body" removeHint="Remove the body with the holds on it" />
      <Group title="Place">
        <Row label="Position" where={position} hint="Of the centre of mass; cables held to it come along">
          <VectorField value={exactOf(now?.position ?? body.position, body.position)} quantity="length" label="Position" where={position} commit={takeVector(position, (value) => void tell('place_body', { body: body.name, position: value }, position))} />
        </Row>
        <OrientationField value={quatOf(now?.orientation ?? body.orientation)} where={`${body.path}.orientation`} commit={(orientation) => void tell('place_body', { body: body.name, orientation }, `${body.path}.orientation`)} />
        <AxisSliders body={body} />
        <Grips kinds={['move', 'turn']} />
      </Group>
      <Group title="Make">
        <Row label="Motion" where={`${body.path}.motion`} hint="fixed: stays; driven: by a drive or by hand; free: by gravity and what holds it">
          <Choice label="Motion" value={body.motion} options={['fixed', 'driven', 'free']} commit={(motion) => void act.set(`${body.path}.motion`, motion)} />
        </Row>
        <Row label="Mass" where={`${body.path}.mass`}>
          <NumberField value={body.mass} quantity="mass" label="Mass" where={`${body.path}.mass`} commit={(value) => void act.set(`${body.path}.mass`, value)} />
        </Row>
        <Row label="Size" where={`${body.path}.box`} hint="Edge lengths of its box">
          <VectorField value={body.box} quantity="length" label="Edge length" where={`${body.path}.box`} commit={(value) => void act.set(`${body.path}.box`, value)} />
        </Row>
        {meshes.length > 0 && (
          <Row label="Drawn as" hint="A mesh of the scenery that moves with the body">
            <Choice
              label="Drawn as" value={worn?.name ?? ''}
              options={[{ value: '', label: 'its box' }, ...meshes.map((mesh) => mesh.name)]}
              commit={(name) => void wear(body.name, name, worn?.name)}
            />
          </Row>
        )}
      </Group>
    </>
  );
}

function wear(body: string, name: string, before: string | undefined): Promise<void> {
  return asOne('drawn as', async (gesture) => {
    if (before !== undefined) await tell('place_scenery', { name: before, body: '', gesture });
    if (name !== '') await tell('place_scenery', { name, body, position: [0, 0, 0], orientation: [1, 0, 0, 0], gesture });
  });
}

/** Sliders along the axes, as the levers of a crane: each moves the body while it is held. */
function AxisSliders({ body }: { body: Body }) {
  if (body.motion === 'free') return null;
  const slid: Slid = { kind: 'body', name: body.name, position: body.position };
  return (
    <>
      {([0, 1, 2] as const).map((axis) => (
        <Row key={axis} label={`Slide ${'xyz'[axis]}`} hint="Drag to move the body along this axis">
          <div class="with-button">
            <LeverSlider lever={axisLever(slid, axis)} label={`Slide along ${'xyz'[axis]}`} />
            <PinButton id={axisId(slid, axis)} />
          </div>
        </Row>
      ))}
    </>
  );
}
