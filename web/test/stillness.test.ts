// What counts as moving, and which part of the picture it covers.
import { BoxGeometry, BufferAttribute, BufferGeometry, Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial, PerspectiveCamera, Scene } from 'three';
import { expect, it } from 'vitest';
import { Covered } from '../src/view/covered';
import { Instances } from '../src/view/instances';
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

it('holds what has moved for moving for a while', () => {
  const { scene, stillness, a, b, c } = threeBoxes();
  a.position.x = 1;
  stillness.look(scene);
  expect([stillness.changed, stillness.moving]).toEqual([true, [a]]);
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

/** Nine hundred pixels square, ten metres away, where they are twenty metres wide. */
function lookAt(...things: (Mesh | InstancedMesh)[]) {
  const camera = new PerspectiveCamera(90, 1, 0.1, 100);
  camera.position.z = 10;
  camera.updateMatrixWorld();
  for (const thing of things) thing.updateMatrixWorld();
  const covered = new Covered();
  covered.look(things, camera, 900, 900);
  return covered;
}
const edges = ({ left, bottom, right, top }: Covered['whole']) => [left, bottom, right, top];

it('covers what is drawn, the whole picture where that is behind the camera', () => {
  const mesh = new Mesh(new BoxGeometry(2, 2, 2));
  // the front face is 9 m away, where 18 m fill 900 pixels: 100 of them, and a margin
  expect(edges(lookAt(mesh).whole)).toEqual([392, 392, 508, 508]);
  mesh.position.z = 10;
  expect(edges(lookAt(mesh).whole)).toEqual([0, 0, 900, 900]);
  expect(lookAt().boxes).toEqual([]);
  expect(lookAt().whole.area).toBe(0);
  // beside the picture
  mesh.position.set(-30, 0, 0);
  expect(lookAt(mesh).boxes).toEqual([]);
});

it('covers little more than there is of a long thing', () => {
  // a strip from one corner of the picture to the other
  const points = Array.from({ length: 101 }, (_, k) => [-9 + 0.18 * k, -9 + 0.18 * k, 0, -9 + 0.18 * k, -8.8 + 0.18 * k, 0]).flat();
  const strip = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
  strip.setIndex(Array.from({ length: 100 }, (_, k) => [2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 2, 2 * k + 1, 2 * k + 3]).flat());
  const { boxes, whole } = lookAt(new Mesh(strip));
  expect(whole.area).toBeGreaterThan(600_000);
  expect(boxes.reduce((sum, box) => sum + box.area, 0)).toBeLessThan(0.15 * whole.area);
  // each point of it is covered
  for (let k = 0; k < points.length; k += 3) {
    const [x, y] = [450 + 45 * points[k]!, 450 + 45 * points[k + 1]!];
    expect(boxes.some(({ left, bottom, right, top }) => left <= x - 7 && x + 7 <= right && bottom <= y - 7 && y + 7 <= top)).toBe(true);
  }
  // of many at once each has a box
  const many = new InstancedMesh(new BoxGeometry(0.1, 0.1, 0.1), new MeshStandardMaterial(), 2);
  many.setMatrixAt(0, new Matrix4().makeTranslation(-8, 0, 0));
  many.setMatrixAt(1, new Matrix4().makeTranslation(8, 0, 0));
  expect(lookAt(many).boxes.length).toBe(2);
  // those side by side are one
  many.setMatrixAt(1, new Matrix4().makeTranslation(-7.9, 0, 0));
  expect(lookAt(many).boxes.length).toBe(1);
});

it('draws a mark that comes while things move with those that move: what stands needs no new picture', () => {
  const marks = new Instances(new BoxGeometry(), new MeshStandardMaterial(), false);
  const show = (busy: boolean, ...at: [number, number][]) => {
    marks.begin(busy);
    for (const [number, x] of at) marks.add(number, new Matrix4().makeTranslation(x, 0, 0));
    marks.end();
    return marks.group.children.map((mesh) => (mesh instanceof InstancedMesh ? mesh.count : NaN));
  };
  // standing, moving
  expect(show(false, [0, 0], [1, 1])).toEqual([2, 0]);
  expect(show(true, [0, 0], [1, 1.5], [2, 3])).toEqual([1, 2]);
  expect(show(true, [0, 0], [1, 1.5])).toEqual([1, 1]);
  expect(show(true, [0, 0], [1, 1.5], [2, 3])).toEqual([1, 2]);
  for (let k = 0; k < 40; ++k) show(true, [0, 0], [1, 1.5], [2, 3]);
  expect(show(true, [0, 0], [1, 1.5], [2, 3])).toEqual([3, 0]);
});
