// A rigid body: where it is, its size and mass, and how it moves.
import { useRef } from 'preact/hooks';
import * as act from '../../model/actions';
import { tell } from '../../model/session';
import { frame, scene, slowFrame, state } from '../../model/store';
import type { Body, Vec3 } from '../../protocol/messages';
import { Mover } from '../../hands/mover';
import { Choice, Group, NumberField, Row, VectorField } from '../fields';
import { Subject } from './subject';

export function BodyInspector({ body }: { body: Body }) {
  void slowFrame.value;
  const now = frame.bodies[scene.value!.bodies.findIndex((candidate) => candidate.name === body.name)];
  const position = `${body.path}.position`;
  const meshes = state.value?.meshes ?? [];
  const worn = meshes.find((mesh) => mesh.body === body.name);
  return (
    <>
      <Subject thing={{ kind: 'body', name: body.name }} icon="box" kind="Rigid body" name={body.name} renamed="body" removeHint="Remove the body with the holds on it" />
      <Group title="Place">
        <Row label="Position" where={position} hint="Of the centre of mass; cables held to it come along">
          <VectorField value={now ? [...now.position] : body.position} quantity="length" label="Position" where={position} commit={(value) => void tell('place_body', { body: body.name, position: value }, position)} />
        </Row>
        <AxisSliders body={body} />
        <div class="actions">
          {(['move', 'turn'] as const).map((grip) => (
            <button key={grip} class={act.grip.value === grip ? 'button small framed on' : 'button small framed'} onClick={() => (act.grip.value = act.grip.value === grip ? undefined : grip)}>
              {grip === 'move' ? 'Move' : 'Turn'}
            </button>
          ))}
        </div>
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
              label="Drawn as" value={worn ? String(worn.id) : ''}
              options={[{ value: '', label: 'its box' }, ...meshes.map((mesh) => ({ value: String(mesh.id), label: mesh.name }))]}
              commit={(id) => void wear(body.name, id, worn?.id)}
            />
          </Row>
        )}
      </Group>
    </>
  );
}

async function wear(body: string, id: string, before: number | undefined): Promise<void> {
  if (before !== undefined) await tell('mesh', { mesh: before, body: '' });
  if (id !== '') await tell('mesh', { mesh: Number(id), body, position: [0, 0, 0] });
}

/** Sliders along the axes, as the levers of a crane: each moves the body while it is held. */
function AxisSliders({ body }: { body: Body }) {
  const now = frame.bodies[scene.value!.bodies.findIndex((candidate) => candidate.name === body.name)];
  const mover = useRef<Mover | undefined>(undefined);
  if (!now || body.motion === 'free') return null;
  const reach = Math.max(...scene.value!.rods.map((rod) => rod.length), 0.1);
  return (
    <>
      {['x', 'y', 'z'].map((axis, k) => (
        <Row key={axis} label={`Slide ${axis}`} hint="Drag to move the body along this axis">
          <input
            type="range" min={body.position[k]! - reach} max={body.position[k]! + reach} step={reach / 1000} value={now.position[k]!} aria-label={`Slide along ${axis}`}
            onInput={(event) => {
              const position = [...now.position] as Vec3;
              position[k] = Number(event.currentTarget.value);
              mover.current ??= new Mover(`slider of ${body.name}`, { body: body.name }, { reach: true });
              mover.current.move({ position });
            }}
            onChange={() => {
              void mover.current?.drop(false);
              mover.current = undefined;
            }}
          />
        </Row>
      ))}
    </>
  );
}
