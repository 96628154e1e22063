// Natural modes: found on demand, each swings as a ghost when it is pressed.
import { useEffect } from 'preact/hooks';
import { findModes, naturalModes, swinging, swungAt } from '../../model/natural_modes';
import { digits } from '../../model/numbers';
import { scene } from '../../model/store';
import { problems } from '../../model/trouble';
import { view } from '../canvas';
import { Group } from '../fields';

export function ModesGroup() {
  const found = naturalModes.value;
  const now = swinging.value;
  useEffect(() => {
    if (now === undefined) return;
    let running = true;
    const loop = (time: number): void => {
      if (!running) return;
      const radius = (k: number): number => Math.max(...(scene.peek()?.rods[k]?.outline ?? [0.003]));
      view()?.ghosts.show(swungAt(now, time / 1000).map((positions, k) => ({ positions, radius: radius(k) })));
      view()?.refresh();
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
    return () => {
      running = false;
      view()?.ghosts.clear();
      view()?.refresh();
    };
  }, [now]);
  return (
    <Group title="Natural modes">
      <div class="actions"><button class="button small framed" title="How the scene swings about its equilibrium" onClick={() => void findModes()}>Find them</button></div>
      {problems.value['modes'] && <div class="problem" role="alert">{problems.value['modes']}</div>}
      {found?.modes.map(({ frequency, remark }, k) => (
        <button key={k} class={now === k ? 'leaf chosen' : 'leaf'} aria-pressed={now === k} data-mode={k} onClick={() => (swinging.value = now === k ? undefined : k)}>
          <span class="name">Mode {k + 1}</span>
          <span class="more">{frequency > 0 ? `${digits(frequency, 4)} Hz` : remark}</span>
        </button>
      ))}
    </Group>
  );
}
