// The frame of a dialog: title, body, buttons. It has the keys as long as it is open.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import * as files from '../model/files';
import * as modes from '../model/modes';
import { tell } from '../model/session';
import { busy } from '../model/store';
import { Icon } from './icons';
import { trapTab } from './roving';

/** A dialog: it begins with its first field, keeps the focus and gives it back. */
export function Frame({ title, children, footer, narrow = false }: { title: string; children: ComponentChildren; footer?: ComponentChildren; narrow?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const close = (): void => {
    if (modes.dialog.peek() === 'unsaved') void files.answerUnsaved('cancel');
    else modes.dialog.value = undefined;
  };
  useLayoutEffect(() => {
    const before = document.activeElement;
    const first = box.current!.querySelector<HTMLElement>('.body input, .body select') ?? box.current!.querySelector<HTMLElement>('.primary');
    (first ?? box.current!).focus();
    if (first instanceof HTMLInputElement) first.select();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  const key = (event: KeyboardEvent): void => {
    trapTab(event, box.current!);
    // what takes long is stopped before the dialog is left
    if (event.key === 'Escape') busy.peek() ? void tell('cancel') : close();
  };
  // a field that is done with leaves the keys to the dialog's own button; not before this key is over, which is not meant for it
  const left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null || !document.hasFocus()) return;
    setTimeout(() => {
      if (!box.current?.contains(document.activeElement)) (box.current?.querySelector<HTMLElement>('.primary') ?? box.current)?.focus();
    });
  };
  return (
    <div class="veil" onPointerDown={(event) => event.target === event.currentTarget && close()}>
      <div class={narrow ? 'dialog narrow' : 'dialog'} role="dialog" aria-modal="true" aria-label={title} tabIndex={-1} ref={box} onKeyDown={key} onFocusOut={left} style={{ outline: 'none' }}>
        <header>
          <h2>{title}</h2>
          <button class="button square" aria-label="Close" title="Close (Esc)" onClick={close}><Icon name="close" /></button>
        </header>
        <div class="body">{children}</div>
        {footer && <footer>{footer}</footer>}
      </div>
    </div>
  );
}
