// What the page is in the midst of: an open dialog, a chosen tool, handles at the selected thing.
import { signal } from '@preact/signals';
import { showInspector } from './prefs';

type Dialog = 'gallery' | 'help' | 'open' | 'save as' | 'versions' | 'picture' | 'new cable' | 'new obstacle' | 'unsaved' | 'changed' | 'check' | 'channel' | 'licences';
export type Tool = 'select' | 'cable' | 'hold' | 'measure' | 'join' | 'flexible';
export type Grip = 'move' | 'turn' | 'twist' | 'scale';

export const dialog = signal<Dialog | undefined>(undefined);
export const tool = signal<Tool>('select');
/** what the handles of the selected thing do; none: things are dragged freely */
export const grip = signal<Grip | undefined>(undefined);

/** counts up when the name of the selected thing is to be typed */
export const renaming = signal(0);

/** The name of the selected thing is to be typed, in the inspector, once that shows it. */
export function renameSelected(): void {
  showInspector.value = true;
  setTimeout(() => (renaming.value += 1));
}

/** Puts handles at what is selected, or takes them away. */
export function toggleGrip(wanted: Grip): void {
  grip.value = grip.value === wanted ? undefined : wanted;
}
