// A new obstacle: its shape is chosen, and it comes to lie where one looks, with handles to move it.
import * as modes from '../model/modes';
import { newObstacle, SHAPES, type Shape } from '../model/obstacles';
import { selection } from '../model/selection';
import { tell } from '../model/session';
import { scene } from '../model/store';
import { problems } from '../model/trouble';
import { vec3Of } from '../protocol/vectors';
import { view } from './canvas';
import { Frame } from './dialog_frame';
import { Row } from './fields';

const WHERE = 'new obstacle';
const words: Record<Shape, [string, string]> = {
  box: ['Box', 'a block, a bracket, an edge'], cylinder: ['Cylinder', 'a post, a roller, with flat ends'], capsule: ['Capsule', 'a bar with round ends'],
  sphere: ['Sphere', 'a ball'], plane: ['Plane', 'the ground, a wall: all that is behind it'],
};

async function make(shape: Shape): Promise<void> {
  const stage = view()?.stage;
  const [x, y, z] = stage?.centre.toArray() ?? [0, 0, 0];
  // the ground is below all there is
  const at = vec3Of([x, y, shape === 'plane' ? (stage?.floor ?? 0) : z].map((value) => Number(value.toPrecision(3))));
  const value = newObstacle(shape, at, Number(((stage?.radius ?? 0.5) * 0.2).toPrecision(1)));
  const taken = new Set(scene.peek()?.obstacles.map((one) => one.name));
  let k = 1;
  while (taken.has(`${shape} ${k}`)) k += 1;
  const name = `${shape} ${k}`;
  if (!(await tell('add', { list: 'obstacles', value: { name, ...value } }, WHERE))) return;
  modes.dialog.value = undefined;
  modes.grip.value = 'move';
  selection.value = { kind: 'obstacle', path: `obstacles.${name}` };
}

export function NewObstacle() {
  return (
    <Frame title="New obstacle" narrow>
      {SHAPES.map((shape) => (
        <Row key={shape} label={words[shape][0]}>
          <button class="button framed" aria-label={`Add a ${shape}`} onClick={() => void make(shape)}>{words[shape][1]}</button>
        </Row>
      ))}
      <p class="quiet">A mesh becomes an obstacle too: drop it onto the view and tick «solid».</p>
      {problems.value[WHERE] && <div class="problem" role="alert">{problems.value[WHERE]}</div>}
    </Frame>
  );
}
