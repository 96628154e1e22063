// Fields of the inspector. A field shows what the server has, takes what a person types with or without a unit, and shows
// the server's words below it when it refuses.
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { problems, trouble } from '../model/trouble';
import { parse, showIn, unitFor, type Quantity, type Unit } from '../model/units';
import type { Typed } from './typed';

export function Group({ title, children }: { title?: string; children: ComponentChildren }) {
  return (
    <section class="group">
      {title && <h3>{title}</h3>}
      {children}
    </section>
  );
}

/** A labelled line of the inspector; `where` is the place its errors belong to. */
export function Row({ label, hint, where, children }: { label: string; hint?: string | undefined; where?: string | undefined; children: ComponentChildren }) {
  const problem = where ? problems.value[where] : undefined;
  // what was refused goes with the field that it was typed into
  useEffect(() => () => void (where && trouble.clear(where)), [where]);
  return (
    <div class="row" title={hint}>
      <span class="name">{label}</span>
      {children}
      {problem && <div class="problem" role="alert">{problem}</div>}
    </div>
  );
}

export function Fact({ label, value, bad = false, hint }: { label: string; value: string; bad?: boolean; hint?: string }) {
  // a line without a label belongs to the one above
  if (label === '') return <div class="fact-more" title={hint}>{value}</div>;
  return (
    <Row label={label} hint={hint}>
      <span class={bad ? 'fact bad' : 'fact'} data-fact={label}>{value}</span>
    </Row>
  );
}

/** Enter sends what is typed, Escape gives it up for what was there; keys of the page are not meant. */
function enterOrEscape(event: TargetedKeyboardEvent<HTMLInputElement>, before: string): void {
  event.stopPropagation();
  if (event.key === 'Escape') event.currentTarget.value = before;
  if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
}

interface NumberProps {
  value: number | null;
  quantity: Quantity;
  commit: (value: Typed) => void;
  /** shown where there is no value */
  absent?: string;
  label: string;
  where?: string;
  digitsShown?: number;
  /** shown in this unit, which stands elsewhere */
  unit?: Unit;
}

/** A number, with its unit beside it. Enter or leaving the field sends it, Escape gives it up, arrows step it. What was refused stays. */
export function NumberField({ value, quantity, commit, absent = 'none', label, where, digitsShown = 5, unit: given }: NumberProps) {
  const unit = given ?? unitFor(value, quantity);
  const shown = value === null ? '' : showIn(value, unit, quantity, digitsShown);
  const [text, setText] = useState(shown);
  const editing = useRef(false);
  // before it is painted: no number stands beside another's unit
  useLayoutEffect(() => {
    if (!editing.current) setText(shown);
  }, [shown]);
  const bad = where !== undefined && problems.value[where] !== undefined;

  const send = (typed: string): void => {
    if (typed.trim() === shown || (typed.trim() === '' && value === null)) {
      setText(shown);
      if (where) trouble.clear(where);
      return;
    }
    // what is no number goes to the server as it stands: it knows the words for what is wrong
    const parsed = typed.trim() === '' ? null : (parse(typed, unit, quantity, value ?? undefined) ?? typed);
    // the same number in other words: nothing will change that would bring its own words back
    if (parsed === value) setText(shown);
    commit(parsed);
  };
  const step = (by: number): void => {
    const now = (value ?? 0) / unit.size;
    const size = now === 0 ? 1 : 10 ** (Math.floor(Math.log10(Math.abs(now))) - 1);
    commit(Number(((now + by * size) * unit.size).toPrecision(10)));
  };
  const input = (
    <input
      class={bad ? 'field bad' : 'field'}
      value={text}
      placeholder={absent}
      aria-label={label}
      title={`${label}${unit.name ? `, in ${unit.name} unless a unit is given` : ''}. Sums and products count: 25.4/2; +20 adds, *2 doubles`}
      spellcheck={false}
      onFocus={(event) => {
        editing.current = true;
        event.currentTarget.select();
      }}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={(event) => {
        editing.current = false;
        send(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        enterOrEscape(event, shown);
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault();
          step((event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1));
        }
      }}
    />
  );
  return given || unit.name === '' ? input : <span class="measured">{input}<span class="unit">{unit.name}</span></span>;
}

/** Three numbers in one unit, which stands beside them; one of them changes at a time. */
export function VectorField({ value, quantity, commit, label, where }: {
  value: readonly number[];
  quantity: Quantity;
  commit: (value: (number | string)[]) => void;
  label: string;
  where?: string;
}) {
  const unit = unitFor(Math.max(...value.map(Math.abs)), quantity);
  return (
    <div class="triple">
      {['x', 'y', 'z'].map((axis, k) => (
        <NumberField
          key={axis}
          value={value[k] ?? 0}
          quantity={quantity}
          unit={unit}
          label={`${label}, ${axis}`}
          digitsShown={4}
          {...(where ? { where } : {})}
          commit={(typed) => commit([0, 1, 2].map((c) => (c === k ? (typed ?? 0) : (value[c] ?? 0))))}
        />
      ))}
      <span class="unit">{unit.name}</span>
    </div>
  );
}

export function TextField({ value, commit, label, bad = false, empty = '' }: { value: string; commit: (value: string) => void; label: string; bad?: boolean; empty?: string }) {
  return (
    <input
      class={bad ? 'field bad' : 'field'}
      value={value}
      placeholder={empty}
      aria-label={label}
      title={label}
      spellcheck={false}
      onKeyDown={(event) => enterOrEscape(event, value)}
      onBlur={(event) => {
        const typed = event.currentTarget.value.trim();
        if (typed !== value && typed !== '') commit(typed);
        else event.currentTarget.value = value;
      }}
    />
  );
}

export function Choice({ value, options, commit, label }: {
  value: string;
  options: readonly (string | { value: string; label: string; refused?: string | undefined })[];
  commit: (value: string) => void;
  label: string;
}) {
  return (
    <select class="field" value={value} aria-label={label} title={label} onChange={(event) => commit(event.currentTarget.value)}>
      {options.map((option) => {
        const { value: key, label: words, refused } = typeof option === 'string' ? { value: option, label: option, refused: undefined } : option;
        return <option key={key} value={key} disabled={refused !== undefined} title={refused}>{words}</option>;
      })}
    </select>
  );
}

export function Tick({ checked, commit, children, hint }: { checked: boolean; commit: (checked: boolean) => void; children: ComponentChildren; hint?: string }) {
  return (
    <label class="tick" title={hint}>
      <input type="checkbox" checked={checked} onChange={(event) => commit(event.currentTarget.checked)} />
      {children}
    </label>
  );
}
