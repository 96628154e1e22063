// The equilibrium by another formulation beside the present shape. It is found anew as the shape changes.
import { effect, signal } from '@preact/signals';
import type { ComparedRod } from '../protocol/answers';
import { ask } from './session';
import { playing, scene, whenDocumentChanges } from './store';
import { messageOf, notify } from './trouble';

/** the answer to the last comparison, and with what */
export const comparison = signal<{ formulation: string; rods: readonly ComparedRod[] } | undefined>(undefined);

// another document is not compared any more, nor is a formulation with itself
whenDocumentChanges(() => (comparison.value = undefined));
effect(() => {
  if (comparison.value && comparison.value.formulation === scene.value?.simulation.formulation) comparison.value = undefined;
});

let asking = false;

/** Asks again when the shapes have changed, one question at a time. */
export async function keepComparing(): Promise<void> {
  const compared = comparison.peek();
  if (!compared || asking || playing.peek()) return;
  asking = true;
  await compareWith(compared.formulation);
  asking = false;
}

export async function compareWith(formulation: string): Promise<void> {
  try {
    const { rods, converged, why } = await ask('compare', { formulation });
    // ended meanwhile
    if (asking && comparison.peek()?.formulation !== formulation) return;
    comparison.value = { formulation, rods };
    if (!converged && !asking) notify(`${formulation} found no equilibrium: ${why}`, 'error');
  } catch (error) {
    comparison.value = undefined;
    notify(messageOf(error), 'error');
  }
}
