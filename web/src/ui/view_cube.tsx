// The view cube: shows how the world lies and turns the camera to a side.
import { useEffect, useRef } from 'preact/hooks';
import { Matrix4, Vector3 } from 'three';
import * as prefs from '../model/prefs';
import { state } from '../model/store';
import { CORNER } from '../view/framing';
import { view } from './canvas';
import { Icon } from './icons';
import { Item, Menu } from './menu';

const sides = [
  { name: 'Right', from: [1, 0, 0], css: 'rotateY(90deg)' },
  { name: 'Left', from: [-1, 0, 0], css: 'rotateY(-90deg)' },
  { name: 'Top', from: [0, 0, 1], css: 'rotateX(90deg)' },
  { name: 'Under', from: [0, 0, -1], css: 'rotateX(-90deg)' },
  { name: 'Front', from: [0, -1, 0], css: '' },
  { name: 'Back', from: [0, 1, 0], css: 'rotateY(180deg)' },
] as const;

/** Views that were saved of this document. */
function SavedViews() {
  const name = state.value?.document.name ?? '';
  const own = prefs.views.value.filter(({ document }) => document === name);
  const save = (): void => {
    const at = view()?.stage.viewpoint;
    if (at) prefs.views.value = [...prefs.views.peek(), { document: name, name: `View ${own.length + 1}`, position: at.position.toArray(), target: at.target.toArray() }];
  };
  return (
    <Menu label="Saved views" icon="eye" hint="Saved views" right>
      <Item icon="plus" act={save}>Save this view</Item>
      {own.map((saved) => <Item key={saved.name} icon="camera" act={() => view()?.stage.goTo({ position: new Vector3(...saved.position), target: new Vector3(...saved.target) })}>{saved.name}</Item>)}
      {own.length > 0 && <Item icon="trash" danger act={() => (prefs.views.value = prefs.views.peek().filter(({ document }) => document !== name))}>Forget them</Item>}
    </Menu>
  );
}

export function ViewCube() {
  const cube = useRef<HTMLDivElement>(null);
  const present = view();
  useEffect(() => {
    if (!present) return;
    // CSS has y down and z towards the viewer; the cube's front is the world's −y
    const toCss = new Matrix4().set(1, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 1);
    const flip = new Matrix4().makeScale(1, -1, 1);
    const turned = new Matrix4();
    const follow = (): void => {
      turned.extractRotation(present.stage.camera.matrixWorldInverse);
      turned.premultiply(flip).multiply(toCss);
      if (cube.current) cube.current.style.transform = `matrix3d(${turned.elements.map((e) => e.toFixed(5)).join(',')})`;
    };
    present.stage.afterDraw.push(follow);
    follow();
  }, [present]);
  const look = (from: readonly [number, number, number]): void => {
    // not quite from above, so that «up» stays defined
    view()?.fit(new Vector3(...from).add(new Vector3(0, from[2] === 0 ? 0 : -1e-3, 0)));
  };
  return (
    <div class="view-corner">
      <div class="cube-host" title="Look from a side">
        <div class="cube" ref={cube}>
          {sides.map(({ name, from, css }) => (
            <button key={name} style={{ transform: `${css} translateZ(1.55rem)` }} aria-label={`Look from: ${name}`} onClick={() => look(from)}>{name}</button>
          ))}
        </div>
      </div>
      <div class="view-tools">
        <button class="button square" aria-label="Show all" title="Show all (F)" onClick={() => view()?.fit()}><Icon name="fit" /></button>
        <SavedViews />
        <button class="button square" aria-label="Look from a corner" title="Look from a corner (0)" onClick={() => view()?.fit(CORNER)}><Icon name="box" /></button>
      </div>
    </div>
  );
}
