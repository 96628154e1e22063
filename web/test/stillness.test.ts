// What counts as moving, and which part of the picture it covers.
import { BoxGeometry, Group, Mesh, MeshStandardMaterial, PerspectiveCamera, Scene } from 'three';
import { expect, it } from 'vitest';
import { ScreenBox } from '../src/view/screen_box';
import { LOOK, MADE_OF_STILL, Stillness } from '../src/view/stillness';

function threeBoxes() {
  const meshes = [0, 1, 2].map(() => new Mesh(new BoxGeometry(1, 1, 1), new MeshStandardMaterial()));
  const [a, b, c] = [meshes[0]!, meshes[1]!, meshes[2]!];
  const scene = new Scene();
  scene.add(a, new Group().add(b), c);
  const stillness = new Stillness();
  stillness.look(scene);
  stillness.calm();
  return { scene, stillness, a, b, c };
}

it('finds what moves, takes another shape or another paint, and nothing else', () => {
  const { scene, stillness, a, b, c } = threeBoxes();
  const moving = () => {
    stillness.look(scene);
    const found = [...stillness.moving];
    stillness.calm();
    return found;
  };
  expect(moving()).toEqual([]);
  b.parent!.position.x = 1;
  expect(moving()).toEqual([b]);
  a.geometry.getAttribute('position').needsUpdate = true;
  expect(moving()).toEqual([a]);
  a.material.color.set('#ff0000');
  c.material.emissive.set('#101010');
  expect(moving()).toEqual([a, c]);
  c.material.userData[LOOK] = 1;
  expect(moving()).toEqual([c]);
  b.geometry = new BoxGeometry(2, 1, 1);
  expect(moving()).toEqual([b]);
  expect(moving()).toEqual([]);
});

it('holds what has moved for moving for a while, and tells the share of its triangles', () => {
  const { scene, stillness, a, b, c } = threeBoxes();
  a.position.x = 1;
  stillness.look(scene);
  expect([stillness.changed, stillness.share]).toEqual([true, 1 / 3]);
  stillness.look(scene);
  expect([stillness.changed, stillness.moving, stillness.still]).toEqual([false, [a], [b, c]]);
  for (let k = 0; k < 40; ++k) stillness.look(scene);
  expect(stillness.moving).toEqual([]);
});

it('knows that what is hidden or shown is a change, and that what is made of still things is one of the picture of those', () => {
  const { scene, stillness, a, b } = threeBoxes();
  a.visible = false;
  stillness.look(scene);
  expect([stillness.changed, stillness.still.length]).toEqual([true, 2]);
  stillness.look(scene);
  expect(stillness.changed).toBe(false);
  b.userData[MADE_OF_STILL] = true;
  b.position.x = 2;
  stillness.look(scene);
  expect([stillness.stirred, stillness.moving]).toEqual([true, []]);
  stillness.look(scene);
  expect(stillness.stirred).toBe(false);
});

it('covers what is drawn, the whole picture where that is behind the camera or may be anywhere', () => {
  const camera = new PerspectiveCamera(90, 1, 0.1, 100);
  camera.position.z = 10;
  camera.updateMatrixWorld();
  const mesh = new Mesh(new BoxGeometry(2, 2, 2));
  mesh.updateMatrixWorld();
  // the front face is 9 m away, where 18 m fill 900 pixels: 100 of them, and a margin
  const box = new ScreenBox().clear().addThings([mesh], camera, 900, 900);
  expect([box.left, box.bottom, box.right, box.top]).toEqual([392, 392, 508, 508]);
  mesh.position.z = 10;
  mesh.updateMatrixWorld();
  const whole = new ScreenBox().clear().addThings([mesh], camera, 900, 900);
  expect([whole.left, whole.bottom, whole.right, whole.top]).toEqual([0, 0, 900, 900]);
  mesh.position.z = 0;
  mesh.updateMatrixWorld();
  mesh.frustumCulled = false;
  expect(new ScreenBox().clear().addThings([mesh], camera, 900, 900).right).toBe(900);
  expect(new ScreenBox().clear().addThings([], camera, 900, 900).empty).toBe(true);
});
