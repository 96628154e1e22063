// The place of the 3-D view in the page. The view is made once and lives as long as the page.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { startHands } from '../hands/hands';
import { messageOf } from '../model/trouble';
import { View } from '../view/view';

const made = signal<View | undefined>(undefined);
/** why there is no view */
export const viewTrouble = signal('');

/** The view, once it is there. */
export function view(): View | undefined {
  return made.value;
}

/** The view has the keys from here on. */
export function focusView(): void {
  document.querySelector<HTMLElement>('.canvas-host')?.focus();
}

export function Canvas() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    try {
      const created = new View(host.current!);
      startHands(created);
      made.value = created;
    } catch (error) {
      viewTrouble.value = messageOf(error);
    }
  }, []);
  return (
    <div
      class="canvas-host" ref={host} tabIndex={0} role="application" aria-label="3-D view of the scene: arrow keys move what is selected"
      onPointerMove={() => document.activeElement?.hasAttribute('data-pointed') && focusView()}
    />
  );
}
