// A drive: a motion given by keyframes. Its slider leads what it drives along that motion by hand.
import { useRef, useState } from 'preact/hooks';
import * as act from '../../model/actions';
import { tell } from '../../model/session';
import { scene } from '../../model/store';
import { digits, show } from '../../model/units';
import { valuesAt } from '../../model/drive';
import type { Driver } from '../../protocol/messages';
import { Mover } from '../../hands/mover';
import { Fact, Group, NumberField, Row } from '../fields';
import { Subject } from './subject';

export function DriverInspector({ driver }: { driver: Driver }) {
  const first = driver.keys[0]?.t ?? 0;
  const last = driver.keys.at(-1)?.t ?? 0;
  const [t, setT] = useState(first);
  const mover = useRef<Mover | undefined>(undefined);
  const lead = (time: number): void => {
    setT(time);
    const values = valuesAt(driver, time);
    if (driver.kind === 'rod' && values.length !== undefined) void tell('set_length', { rod: driver.target, length: values.length }, driver.path);
    if (driver.kind !== 'body' && driver.kind !== 'hold') return;
    const name = String(driver.target);
    mover.current ??= new Mover(`drive ${name}`, driver.kind === 'body' ? { body: name } : { hold: name });
    const { position, orientation, turns } = values;
    mover.current.move({ ...(position && { position }), ...(orientation && { orientation }), ...(turns !== undefined && { turns }) });
  };
  const letGo = (): void => {
    void mover.current?.drop(false);
    mover.current = undefined;
  };
  const leads = ['body', 'hold', 'rod'].includes(driver.kind);
  return (
    <>
      <Subject thing={{ kind: 'driver', path: driver.path }} icon="drive" kind={`Drives ${driver.kind} ${driver.target}`} name={`Drive of ${driver.target}`} removeHint="Remove the drive" />
      {leads && (
        <Group title="By hand">
          <Row label={show(t, 'time', 3)} where={driver.path} hint="Leads it along its motion, while time stands still">
            <input type="range" min={first} max={Math.max(last, first + 1e-6)} step={(last - first) / 500 || 0.01} value={t} aria-label="Along the motion" onInput={(event) => lead(Number(event.currentTarget.value))} onChange={letGo} />
          </Row>
        </Group>
      )}
      <Group title="Keyframes">
        {driver.keys.map((key, k) => (
          <div key={k}>
            <Row label={`Key ${k + 1}`} where={`${driver.path}.path.${k}.t`} hint="Time of this keyframe">
              <NumberField value={key.t} quantity="time" label="Time" where={`${driver.path}.path.${k}.t`} commit={(value) => void act.set(`${driver.path}.path.${k}.t`, value)} />
            </Row>
            {key.position && <Fact label="" value={`${key.position.map((c) => digits(c, 3)).join(', ')} m`} />}
            {key.turns !== undefined && key.turns !== null && <Fact label="" value={`${digits(key.turns, 3)} turns`} />}
            {key.length !== undefined && key.length !== null && <Fact label="" value={show(key.length, 'length')} />}
            {key.scale !== undefined && key.scale !== null && <Fact label="" value={`× ${digits(key.scale, 3)}`} />}
          </div>
        ))}
        {scene.value!.simulation.mode === 'statics' && <p class="quiet">At rest the drive is read at the present time. Play to let it run.</p>}
      </Group>
    </>
  );
}
