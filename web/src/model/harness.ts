// The tables of a harness: asked of the server as the picture changes, one question at a time.
import { signal } from '@preact/signals';
import type { HarnessTables } from '../protocol/answers';
import { ask } from './session';
import { messageOf, trouble } from './trouble';

export const harnessTables = signal<HarnessTables | undefined>(undefined);
/** How long a bundle is made that was found to be so long: a share and metres more, up to the next multiple of `round` (0: none). */
export const lengthRule = signal({ extra: 0, allowance: 0, round: 0 });

let asking = false;

export async function refreshHarness(): Promise<void> {
  if (asking) return;
  asking = true;
  try {
    harnessTables.value = await ask('harness', lengthRule.peek());
    trouble.clear('harness');
  } catch (error) {
    trouble.report('harness', messageOf(error));
  } finally {
    asking = false;
  }
}
