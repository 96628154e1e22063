// What makes a hold a clip: what it bears before it lets go, and what it catches when it stands open.
import * as act from '../../model/actions';
import { tell } from '../../model/session';
import { holdFrame, scene, slowFrame } from '../../model/store';
import { HoldFlag } from '../../protocol/frame';
import type { Hold } from '../../protocol/scene';
import { Fact, Group, NumberField, Row, Tick, VectorField } from '../fields';
import { takeVector } from '../typed';

const STRENGTHS = [
  ['pull', 'Pulled out at', 'Along its way out'],
  ['shear', 'Sideways at', 'Square to the cable and to its way out'],
  ['along', 'Along at', 'Along the cable'],
] as const;

export function ClipGroup({ hold }: { hold: Hold }) {
  const { clip, path } = hold;
  const where = `${path}.clip`;
  const thick = Math.max(...(scene.value!.rods.find(({ name }) => name === hold.rod)?.outline ?? [0.005]));
  // a new one catches the cable that comes as near as it is thick, and bears everything
  const begin = (on: boolean): void => void act.set(where, on ? { capture: { radius: Number((2 * thick).toPrecision(2)) } } : null);
  return (
    <Group title="Clip">
      <Row label="Is a clip" where={where}>
        <Tick checked={clip !== null} hint="It lets go when its load passes its strength, and may catch the cable" commit={begin}>that can open</Tick>
      </Row>
      {clip !== null && <ClipNow hold={hold} />}
      {clip !== null && STRENGTHS.map(([key, label, hint]) => (
        <Row key={key} label={label} where={`${where}.strength.${key}`} hint={hint}>
          <NumberField value={clip.strength[key]} quantity="force" label={label} absent="unlimited" where={`${where}.strength.${key}`} commit={(typed) => void act.set(`${where}.strength.${key}`, typed)} />
        </Row>
      ))}
      {clip !== null && (
        <>
          <Row label="Way out" where={`${path}.axis`} hint="World axes; it turns with its body">
            <VectorField value={hold.axis} quantity="number" label="Way out" where={`${path}.axis`} commit={takeVector(`${path}.axis`, (value) => void act.set(`${path}.axis`, value))} />
          </Row>
          <Row label="Catches within" where={`${where}.capture.radius`} hint="Open, it takes hold of the cable that comes as near as this">
            <NumberField
              value={clip.capture?.radius ?? null} quantity="length" label="Catches within" absent="never" where={`${where}.capture.radius`}
              commit={(typed) => void (typed === null || clip.capture === null ? act.set(`${where}.capture`, typed === null ? null : { radius: typed }) : act.set(`${where}.capture.radius`, typed))}
            />
          </Row>
          <Row label="Push to snap in" where={`${where}.insertion_force`} hint="The cable rests in its mouth until it is pushed so hard">
            <NumberField value={clip.insertion_force} quantity="force" label="Push to snap in" absent="none" where={`${where}.insertion_force`} commit={(typed) => void act.set(`${where}.insertion_force`, typed)} />
          </Row>
        </>
      )}
    </Group>
  );
}

/** Whether the cable is in it, and the button that opens or closes it. */
function ClipNow({ hold }: { hold: Hold }) {
  void slowFrame.value;
  const flags = holdFrame(hold.name)?.flags ?? 0;
  const closed = (flags & HoldFlag.Position) !== 0;
  const now = closed ? 'holds the cable' : (flags & HoldFlag.Popped) !== 0 ? 'was pulled open' : 'stands open';
  const fix = (position: boolean): void => void tell('fix_hold', { hold: hold.name, fix: { position, orientation: false } }, `${hold.path}.fix`);
  return (
    <>
      <Fact label="Now" value={now} bad={now === 'was pulled open'} />
      {closed && <div class="actions"><button class="button small framed" title="The cable comes out; the clip stays where it is" onClick={() => fix(false)}>Open</button></div>}
    </>
  );
}
