// The head of the inspector: name and kind of what is selected, and a button that removes it.
import * as act from '../../model/actions';
import type { Thing } from '../../model/selection';
import { problems } from '../../model/trouble';
import type { Renamed } from '../../protocol/commands';
import { useEffect, useRef } from 'preact/hooks';
import * as modes from '../../model/modes';
import { TextField } from '../fields';
import { Icon, type IconName } from '../icons';

export function Subject({ thing, icon, kind, name, renamed, removeHint }: {
  thing: Thing;
  icon: IconName;
  kind: string;
  name: string;
  renamed?: Renamed;
  removeHint?: string;
}) {
  const where = `name of ${renamed} ${name}`;
  const problem = problems.value[where];
  const host = useRef<HTMLDivElement>(null);
  const asked = modes.renaming.value;
  const before = useRef(asked);
  // F2 begins to type the name
  useEffect(() => {
    if (asked !== before.current) host.current?.querySelector('input')?.select();
    before.current = asked;
  }, [asked]);
  return (
    <div class="subject" ref={host}>
      <div class="line">
        <Icon name={icon} />
        {renamed ? (
          <TextField value={name} label="Name" bad={problem !== undefined} commit={(to) => void act.rename(renamed, name, to)} />
        ) : (
          <b style={{ flex: 1 }}>{name}</b>
        )}
        {removeHint && (
          <button class="button small square danger" aria-label={removeHint} title={`${removeHint} (Delete)`} onClick={() => void act.removeThing(thing)}>
            <Icon name="trash" />
          </button>
        )}
      </div>
      <div class="kind">{kind}</div>
      {problem && <div class="problem" role="alert">{problem}</div>}
    </div>
  );
}
