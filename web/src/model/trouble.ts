// Errors in words, next to what caused them: by the place of the page they belong to, or as passing notices.
import { signal } from '@preact/signals';

interface Notice {
  id: number;
  level: 'error' | 'info';
  text: string;
  /** what may be done about it at once */
  choices: readonly Choice[];
}

interface Choice {
  label: string;
  act: () => void;
}

/** Milliseconds a notice stays. */
const STAY = { error: 9000, info: 3500, choice: 20000 };

let nextNotice = 1;

export const notices = signal<readonly Notice[]>([]);
/** by place: the path of a value in the scene, or the name of a dialog */
export const problems = signal<Readonly<Record<string, string>>>({});

/** What went wrong, in words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function notify(text: string, level: Notice['level'] = 'info', choices: readonly Choice[] = []): void {
  const notice = { id: nextNotice++, level, text, choices };
  notices.value = [...notices.peek().filter((other) => other.text !== text), notice].slice(-4);
  setTimeout(() => dismiss(notice.id), choices.length > 0 ? STAY.choice : STAY[level]);
}

export function dismiss(id: number): void {
  notices.value = notices.peek().filter((notice) => notice.id !== id);
}

/** What may be done is offered no more: it was about something that is gone. */
export function withdrawOffers(): void {
  notices.value = notices.peek().filter(({ choices }) => choices.length === 0);
}

export const trouble = {
  /** Shows an error at a place; without one, or if nothing shows that place, as a notice. */
  report(where: string | undefined, text: string): void {
    if (where) problems.value = { ...problems.peek(), [where]: text };
    else notify(text, 'error');
  },
  clear(where: string): void {
    if (!(where in problems.peek())) return;
    const { [where]: _gone, ...rest } = problems.peek();
    problems.value = rest;
  },
};
