// Offers over the view: to cancel a command that takes long, to take back unsaved work of a server that was not ended properly.
import { tell } from '../model/session';
import { busy, state } from '../model/store';

export function Busy() {
  const at = busy.value;
  if (!at) return null;
  return (
    <div class="banner" role="status">
      «{at.cmd?.replaceAll('_', ' ')}» takes long: {at.seconds.toFixed(0)} s of at most {at.limit} s
      <button class="button small" onClick={() => void tell('cancel')}>Cancel</button>
    </div>
  );
}

export function LeftBehind() {
  const left = state.value?.left_behind;
  if (!left) return null;
  return (
    <div class="banner" role="alert">
      There are unsaved changes of «{left.name}» from {left.when}.
      <button class="button small" onClick={() => void tell('restore')}>Restore</button>
      <button class="button small" onClick={() => void tell('discard')}>Discard</button>
    </div>
  );
}
