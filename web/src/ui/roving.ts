// The focus within a list that the keyboard goes through: menus, the tree, dialogs.

/** What of a part of the page can have the focus now, in its order. */
export function focusable(host: Element, selector = 'button, input, select, textarea, a[href], [tabindex="0"]'): HTMLElement[] {
  return [...host.querySelectorAll<HTMLElement>(selector)].filter((part) => part.offsetParent !== null && !part.matches(':disabled'));
}

/** Moves the focus by an arrow key, Home, End or a page key. True: it was one. */
export function moveFocus(event: KeyboardEvent, list: readonly HTMLElement[], round: boolean): boolean {
  const at = list.findIndex((part) => part === document.activeElement);
  const last = list.length - 1;
  const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at < 0 ? last : at - 1, Home: 0, End: last, PageDown: at + 10, PageUp: at - 10 };
  const wanted = targets[event.key];
  if (wanted === undefined || last < 0) return false;
  const step = event.key.startsWith('Arrow');
  const to = round && step ? (wanted + list.length) % list.length : Math.min(Math.max(wanted, 0), last);
  list[to]!.focus();
  event.preventDefault();
  event.stopPropagation();
  return true;
}

/** Keys of an open menu: they go through its items and reach nothing behind it. */
export function menuKey(event: KeyboardEvent, menu: HTMLElement): void {
  const typing = event.target instanceof HTMLElement && event.target.matches('select, input[type="range"]');
  if (!typing && moveFocus(event, focusable(menu), true)) return;
  if (event.key !== 'Tab' && event.key !== 'Escape' && !/^F\d+$/.test(event.key)) event.stopPropagation();
}

/** Tab stays within a dialog. */
export function trapTab(event: KeyboardEvent, dialog: HTMLElement): void {
  if (event.key !== 'Tab') return;
  const list = focusable(dialog);
  const edge = event.shiftKey ? list[0] : list.at(-1);
  if (document.activeElement !== edge && dialog.contains(document.activeElement) && document.activeElement !== dialog) return;
  event.preventDefault();
  (event.shiftKey ? list.at(-1) : list[0])?.focus();
}
