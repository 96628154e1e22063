// A new body where one looks, of a size that fits the scene.
import { selection } from '../model/selection';
import { tell } from '../model/session';
import { scene } from '../model/store';
import { view } from './canvas';

export async function addBody(): Promise<void> {
  const centre = view()?.stage.centre;
  const size = Number(((view()?.stage.radius ?? 0.5) * 0.2).toPrecision(2));
  const taken = new Set(scene.peek()?.bodies.map((body) => body.name));
  let k = 1;
  while (taken.has(`body ${k}`)) k += 1;
  const name = `body ${k}`;
  const position = centre ? centre.toArray().map((c) => Number(c.toPrecision(4))) : [0, 0, 0];
  if (await tell('add', { list: 'bodies', name, value: { box: [size, size, size], mass: 1, position, motion: 'fixed' } })) {
    selection.value = { kind: 'body', name };
  }
}
