// Several things that are selected: how many, moved together, copied, mirrored, hidden, removed.
import { useState } from 'preact/hooks';
import * as act from '../../model/actions';
import { copySelected, moveTogether, paste } from '../../model/clipboard';
import { freeName, makeGroup } from '../../model/groups';
import { selected } from '../../model/selection';
import { scene } from '../../model/store';
import { isHidden, isolate, toggleHidden, toggleLocked } from '../../model/visibility';
import type { Vec3 } from '../../protocol/vectors';
import { Group, Row, VectorField } from '../fields';
import { takeVector } from '../typed';

const WHERE = 'move together';
const AXES = [0, 1, 2] as const;

export function SeveralInspector() {
  const things = selected.value;
  const [by, setBy] = useState<Vec3>([0, 0, 0]);
  const [name, setName] = useState(freeName);
  const mirror = (axis: 0 | 1 | 2): void => void (copySelected() && paste({ mirror: axis }));
  return (
    <>
      <div class="subject"><div class="line"><b>{things.length} things selected</b></div></div>
      <Group title="Together">
        <Row label="Move by" where={WHERE} hint="Bodies, holds, and the holds of cables">
          <VectorField value={by} quantity="length" label="Move by" where={WHERE} commit={takeVector(WHERE, setBy)} />
        </Row>
        <div class="actions">
          <button class="button small framed" onClick={() => void moveTogether(by)}>Move</button>
          <button class="button small framed" title="Ctrl D" onClick={() => void (copySelected() && paste({ by }))}>Duplicate there</button>
          {(['x', 'y', 'z'] as const).map((name, axis) => <button key={name} class="button small framed" title={`A copy, reflected across ${name}`} onClick={() => mirror(AXES[axis]!)}>Mirror {name}</button>)}
        </div>
        <Row label="Group" hint="Under one name in the tree, to be selected, hidden and locked together">
          <div class="with-button">
            <input class="field" aria-label="Name of the group" value={name} onInput={(event) => setName(event.currentTarget.value)} onKeyDown={(event) => event.key === 'Enter' && makeGroup(name, things)} />
            <button class="button small framed" onClick={() => makeGroup(name, things)}>Make</button>
          </div>
        </Row>
        <div class="actions">
          <button class="button small framed" onClick={() => toggleHidden(things)}>{things.every(isHidden) ? 'Show' : 'Hide'}</button>
          <button class="button small framed" onClick={() => isolate(things, scene.peek()!)}>Show nothing else</button>
          <button class="button small framed" onClick={() => toggleLocked(things)}>Lock</button>
          <button class="button small framed danger" onClick={() => void act.removeThings(things)}>Remove</button>
        </div>
      </Group>
    </>
  );
}
