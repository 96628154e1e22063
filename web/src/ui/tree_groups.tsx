// The groups of the scene, above its tree: a press selects all of one, its marks hide, lock and dissolve it.
import { groups, isGroupSelected, removeGroup } from '../model/groups';
import { selectAll, selected } from '../model/selection';
import { isHidden, isLocked, toggleHidden, toggleLocked } from '../model/visibility';
import { Icon } from './icons';

export function Groups() {
  if (groups.value.length === 0) return null;
  return (
    <div class="branch" role="group" aria-label="Groups">
      <div class="head"><span class="fold still">Groups <span class="count">{groups.value.length}</span></span></div>
      {groups.value.map(({ name, things }) => {
        const hidden = things.every(isHidden);
        const locked = things.every(isLocked);
        return (
          <div key={name} class={`leaf-row group${isGroupSelected(things, selected.value) ? ' chosen' : ''}${hidden ? ' hidden' : ''}`}>
            <button class="leaf" role="treeitem" data-group={name} tabIndex={-1} title="Select all of it" onClick={() => selectAll(things)}>
              <Icon name="layers" />
              <span class="name">{name}</span>
              <span class="more">{things.length} things</span>
            </button>
            <span class="marks">
              <button class={locked ? 'mark on' : 'mark'} tabIndex={-1} aria-label={`${locked ? 'Unlock' : 'Lock'} ${name}`} title={locked ? 'Unlock' : 'Lock: the pointer passes through it'} onClick={() => toggleLocked(things)}><Icon name="lock" /></button>
              <button class={hidden ? 'mark on' : 'mark'} tabIndex={-1} aria-label={`${hidden ? 'Show' : 'Hide'} ${name}`} title={hidden ? 'Show' : 'Hide'} onClick={() => toggleHidden(things)}><Icon name={hidden ? 'hidden' : 'eye'} /></button>
              <button class="mark" tabIndex={-1} aria-label={`Dissolve ${name}`} title="Dissolve the group; its things stay" onClick={() => removeGroup(name)}><Icon name="close" /></button>
            </span>
          </div>
        );
      })}
    </div>
  );
}
