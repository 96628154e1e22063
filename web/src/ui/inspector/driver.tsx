// A drive: a motion given by keyframes. Its lever leads what it drives along that motion by hand.
import { driveLever } from '../../hands/levers/drive_lever';
import { lengthLever } from '../../hands/levers/length_lever';
import type { Lever } from '../../hands/levers/lever';
import * as act from '../../model/actions';
import { scene, slowFrame } from '../../model/store';
import { show, type Quantity } from '../../model/units';
import type { Driver, Keyframe } from '../../protocol/scene';
import { Fact, Group, NumberField, Row, VectorField } from '../fields';
import { LeverSlider } from '../levers';
import { OrientationField } from './pose';
import { Subject } from './subject';

export function DriverInspector({ driver }: { driver: Driver }) {
  void slowFrame.value;
  const lever = leverOf(driver);
  return (
    <>
      <Subject thing={{ kind: 'driver', path: driver.path }} icon="drive" kind={`Drives ${driver.kind} ${driver.target}`} name={`Drive of ${driver.target}`} removeHint="Remove the drive" />
      {lever && (
        <Group title="By hand">
          <Row label={show(lever.value(), lever.quantity, 3)} where={driver.path} hint={lever.hint}>
            <LeverSlider lever={lever} label="Along the motion" />
          </Row>
        </Group>
      )}
      {driver.keys.map((key, k) => <KeyGroup key={k} driver={driver} entry={key} k={k} />)}
      {scene.value!.simulation.mode === 'statics' && <p class="quiet">At rest the drive is read at the present time. Play to let it run.</p>}
    </>
  );
}

function leverOf(driver: Driver): Lever | undefined {
  const rod = driver.kind === 'rod' ? scene.value!.rods.find(({ name }) => name === driver.target) : undefined;
  if (rod) return lengthLever(rod, driver);
  return (driver.kind === 'body' || driver.kind === 'hold') && driver.keys.length > 0 ? driveLever(driver) : undefined;
}

/** What one keyframe says; what it leaves out is taken from its neighbours. */
function KeyGroup({ driver, entry, k }: { driver: Driver; entry: Keyframe; k: number }) {
  const path = `${driver.path}.path.${k}`;
  const number = (name: 't' | 'turns' | 'length' | 'scale', label: string, quantity: Quantity) => {
    const value = entry[name];
    return value !== undefined && value !== null && (
      <Row label={label} where={`${path}.${name}`}>
        <NumberField value={value} quantity={quantity} label={label} where={`${path}.${name}`} commit={(typed) => void act.set(`${path}.${name}`, typed)} />
      </Row>
    );
  };
  return (
    <Group title={`Keyframe ${k + 1}`}>
      {number('t', 'Time', 'time')}
      {entry.position && (
        <Row label="Position" where={`${path}.position`}>
          <VectorField value={entry.position} quantity="length" label="Position" where={`${path}.position`} commit={(value) => void act.set(`${path}.position`, value)} />
        </Row>
      )}
      {entry.orientation && <OrientationField value={entry.orientation} where={`${path}.orientation`} commit={(value) => void act.set(`${path}.orientation`, value)} />}
      {number('turns', 'Turns', 'turns')}
      {number('length', 'Length', 'length')}
      {number('scale', 'Factor', 'number')}
      {entry.fix && <Fact label="Holds" value={held(entry.fix)} hint="What the hold takes hold of from here on" />}
    </Group>
  );
}

function held(fix: NonNullable<Keyframe['fix']>): string {
  const parts = [fix.position.some(Boolean) && 'position', fix.orientation.some(Boolean) && 'direction'].filter(Boolean);
  return parts.length > 0 ? parts.join(' and ') : 'nothing: lets go';
}
