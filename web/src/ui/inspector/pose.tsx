// Orientations as three angles, and the buttons that put handles at what is selected.
import { anglesOf, orientationOf } from '../../model/angles';
import * as modes from '../../model/modes';
import type { Quat } from '../../protocol/vectors';
import { Row, VectorField } from '../fields';

const DEGREE = Math.PI / 180;

export function OrientationField({ value, where, commit }: { value: Quat; where: string; commit: (orientation: Quat) => void }) {
  const take = (typed: (number | string)[]): void => {
    const angles = typed.map((angle) => (typeof angle === 'number' ? angle : Number.parseFloat(angle) * DEGREE));
    if (angles.every(Number.isFinite)) commit(orientationOf(angles));
  };
  return (
    <Row label="Turned" where={where} hint="Angles about the world's x, then y, then z">
      <VectorField value={anglesOf(value)} quantity="angle" label="Angle about" where={where} commit={take} />
    </Row>
  );
}

const words: Record<modes.Grip, string> = { move: 'Move', turn: 'Turn', twist: 'Twist', scale: 'Scale' };

/** Puts handles at what is selected, or takes them away. */
export function Grips({ kinds }: { kinds: readonly modes.Grip[] }) {
  return (
    <div class="actions">
      {kinds.map((grip) => (
        <button key={grip} class={modes.grip.value === grip ? 'button small framed on' : 'button small framed'} title={`Handles in the view that ${words[grip].toLowerCase()} it`} onClick={() => modes.toggleGrip(grip)}>
          {words[grip]}
        </button>
      ))}
    </div>
  );
}
