// A button that opens a menu. It closes by choosing, by Escape and by a press anywhere else.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icons';
import { focusable, menuKey } from './roving';

export function Menu({ label, icon, children, right = false, up = false, hint, text }: {
  label: string;
  icon?: IconName;
  text?: string;
  hint?: string;
  right?: boolean;
  /** opens above its button */
  up?: boolean;
  children: ComponentChildren;
}) {
  const [open, setOpen] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (!(event.target instanceof Node && host.current?.contains(event.target))) setOpen(false);
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
      host.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
    };
    const menu = host.current!.querySelector<HTMLElement>('.menu')!;
    keepInWindow(menu, up);
    // an open menu has the keys
    focusable(menu)[0]?.focus();
    addEventListener('pointerdown', outside, true);
    addEventListener('keydown', escape, true);
    return () => {
      removeEventListener('pointerdown', outside, true);
      removeEventListener('keydown', escape, true);
    };
  }, [open, up]);
  return (
    <div class="menu-host" ref={host}>
      <button class={open ? 'button on' : 'button'} aria-haspopup="menu" aria-expanded={open} aria-label={label} title={hint ?? label} onClick={() => setOpen(!open)}>
        {icon && <Icon name={icon} />}
        {text}
      </button>
      {open && (
        <div
          class={`menu${right ? ' right' : ''}${up ? ' up' : ''}`}
          role="menu"
          onKeyDown={(event) => menuKey(event, event.currentTarget)}
          onClick={(event) => {
            // ticks stay open: several may be wanted
            if (event.target instanceof Element && event.target.closest('button')) setOpen(false);
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}

/** Pixels between a menu and the edges of the window. */
const EDGE = 6;

/** Moves a menu sideways into the window, and lets it scroll if it is higher than the room there is. */
function keepInWindow(menu: HTMLElement, up: boolean): void {
  const { left, right, top, bottom } = menu.getBoundingClientRect();
  menu.style.translate = `${Math.max(EDGE - left, Math.min(innerWidth - EDGE - right, 0))}px`;
  menu.style.maxHeight = `${(up ? bottom : innerHeight - top) - EDGE}px`;
}

export function Item({ icon, children, keys, act, hint, disabled = false, danger = false }: {
  icon?: IconName;
  children: ComponentChildren;
  keys?: string;
  act: () => void;
  hint?: string | undefined;
  disabled?: boolean;
  danger?: boolean;
}) {
  return (
    <button class={danger ? 'button danger' : 'button'} role="menuitem" title={hint} disabled={disabled} onClick={act}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {keys && <span class="keys">{keys}</span>}
    </button>
  );
}
