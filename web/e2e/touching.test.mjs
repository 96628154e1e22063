// What touches and what is many: alarms where cables pass through things, and a field of cables of which one moves.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { dragHandle, dropFiles, frameOf, onScreen, pointsOf, sceneOf, stateOf, tell } from './bench.mjs';
import { field } from './field.mjs';
import { complaints, inScene, leaf, page, server, type } from './shared_page.mjs';

describe('a cable that passes through another', () => {
  it('is an alarm with its place, as long as it does', async () => {
    await tell(page, 'open', { text: field(1, 2, 30), name: 'two cables' });
    await inScene(() => window.filum.scene().rods.length === 2);
    assert.deepEqual((await stateOf(page)).alarms.filter(({ violated }) => violated), []);
    // one end is carried to the other side of its neighbour
    await leaf('b1').click();
    await type('Position, y', '-30');
    await page.waitForFunction(() => window.filum.state().alarms.some(({ violated }) => violated));
    const row = page.locator('.alarm, .limit').filter({ hasText: /through/ }).first();
    await row.waitFor();
    const alarm = (await stateOf(page)).alarms.find(({ violated }) => violated);
    // where they cross, they are at the same place
    const near = (points) => Math.min(...points.map((point) => Math.hypot(...point.map((c, k) => c - alarm.position[k]))));
    assert.ok(near(await pointsOf(page, 'c0')) < 0.02 && near(await pointsOf(page, 'c1')) < 0.02, JSON.stringify(alarm));
    const checked = await tell(page, 'check');
    assert.ok(checked.checks.some(({ violated }) => violated));
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => !window.filum.state().alarms.some(({ violated }) => violated));
    await row.waitFor({ state: 'detached' });
  });
});

describe('a cable that passes through itself, or an obstacle', () => {
  const head = 'filum: 1\ngravity: [0, 0, 0]\nsections: {w: {shape: circle, radius: 4 mm}}\nmaterials: {m: {young: 20 MPa, poisson: 0.45, density: 1200}}\n';
  const ends = 'holds:\n  - {name: a, rod: c, at: start, fix: [position, orientation]}\n  - {name: b, rod: c, at: end, fix: [position, orientation]}\n';
  /** The place of the alarm, which is listed, checked and in the report. */
  const alarmed = async (text) => {
    await tell(page, 'open', { text, name: 'crossing' });
    await page.waitForFunction(() => window.filum.scene().rods[0]?.name === 'c' && window.filum.state().alarms.some(({ violated }) => violated));
    await page.locator('.alarm, .limit').filter({ hasText: /through/ }).first().waitFor();
    assert.ok((await tell(page, 'check')).checks.some(({ violated }) => violated));
    const report = await page.evaluate(async () => (await fetch(`/api/report.html${location.search}`)).text());
    assert.match(report, /through/);
    return (await stateOf(page)).alarms.find(({ violated }) => violated).position;
  };

  it('is told where it crosses itself', async () => {
    const loop = [[-0.1, -0.1, 0], [0, 0, 0], [0.08, 0.12, 0], [0, 0.2, 0], [-0.08, 0.12, 0], [0, 0, 0], [0.1, -0.1, 0]];
    const [x, y, z] = await alarmed(`${head}rods:\n  c: {material: m, section: w, segments: 80, shape: {spline: ${JSON.stringify(loop)}}}\n${ends}`);
    assert.ok(Math.abs(x) < 0.02 && Math.abs(z) < 0.01 && Math.abs(y) < 0.1, `${[x, y, z]}`);
  });

  it('is told where it goes into a ball, and no more when it is carried away from it', async () => {
    const ball = 'contact: {obstacles: false}\nobstacles:\n  - {name: ball, sphere: {centre: [0.25, 0, 0], radius: 30 mm}}\n';
    const [x, y, z] = await alarmed(`${head}rods:\n  c: {material: m, section: w, length: 0.5, segments: 40, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}\n${ends}${ball}`);
    assert.ok(Math.hypot(x - 0.25, y, z) < 0.05, `${[x, y, z]}`);
    for (const end of ['a', 'b']) {
      await leaf(end).click();
      await type('Position, z', '100');
    }
    await page.waitForFunction(() => !window.filum.state().alarms.some(({ violated }) => violated));
  });
});

describe('the gaps of a harness', () => {
  it('are listed, and a press on one flies there', async () => {
    await tell(page, 'open', { text: field(1, 3, 30), name: 'three cables' });
    await inScene(() => window.filum.scene().rods.length === 3);
    await page.getByLabel('Tables', { exact: true }).click();
    const table = page.locator('.tables');
    await table.getByLabel('Which table').selectOption('gaps');
    const row = table.locator('tbody tr').filter({ hasText: 'c0' }).first();
    await row.waitFor();
    const cells = await row.locator('td').allTextContents();
    // side by side, 30 mm from middle to middle, 6 mm thick
    assert.ok(cells.some((cell) => Math.abs(Number(cell) - 24) < 0.5), cells.join(' | '));
    await row.click();
    await page.waitForFunction((name) => window.filum.resting() && window.filum.selection().kind === 'rod' && window.filum.selection().name === name, cells[0]);
    const { s } = await page.evaluate(() => window.filum.selection());
    const points = await pointsOf(page, cells[0]);
    const { x, y } = await onScreen(page, points[Math.round((s / 0.55) * 30)]);
    const canvas = await page.locator('canvas').first().boundingBox();
    assert.ok(Math.hypot(x - canvas.x - canvas.width / 2, y - canvas.y - canvas.height / 2) < 30, `${x}, ${y}`);
    await page.getByLabel('Tables', { exact: true }).click();
  });
});

describe('a cable that passes through a mesh', () => {
  it('is told where, until the mesh is moved away', async () => {
    await tell(page, 'open', { text: field(1, 1, 30), name: 'one cable' });
    await inScene(() => window.filum.scene().rods.length === 1);
    const [x, y, z] = (await pointsOf(page, 'c0'))[15];
    // a plate across its middle
    const mesh = path.join(server.folder, 'plate.obj');
    writeFileSync(mesh, `v ${x} ${y - 0.1} ${z - 0.1}\nv ${x} ${y + 0.1} ${z - 0.1}\nv ${x} ${y + 0.1} ${z + 0.1}\nv ${x} ${y - 0.1} ${z + 0.1}\nf 1 2 3 4\n`);
    await dropFiles(page, [mesh]);
    const row = page.locator('.alarm.violated').filter({ hasText: "scenery 'plate'" });
    await row.waitFor();
    const [alarm] = (await stateOf(page)).alarms.filter(({ violated }) => violated);
    assert.equal(alarm.name, 'passes through');
    assert.ok(Math.hypot(alarm.position[0] - x, alarm.position[1] - y, alarm.position[2] - z) < 0.02, JSON.stringify(alarm));
    assert.ok((await tell(page, 'check')).checks.some(({ violated, object }) => violated && object.includes('plate')));
    assert.match(await page.evaluate(async () => (await fetch(`/api/report.html${location.search}`)).text()), /scenery .{0,6}plate/);
    await leaf('plate').click();
    await type('Position, y', '500');
    await row.waitFor({ state: 'detached' });
  });
});

describe('what holds a cable off', () => {
  const lowest = async () => Math.min(...(await pointsOf(page, 'c0')).map(([, , z]) => z));
  const touching = () => page.evaluate(() => window.filum.contacts().length);

  it('is added from the tree, typed, dragged by its handles, undone and removed', async () => {
    await tell(page, 'open', { text: field(1, 1, 30), name: 'one cable' });
    await inScene(() => window.filum.scene().rods.length === 1);
    const hangs = await lowest();
    await page.getByLabel('New obstacle', { exact: true }).click();
    await page.getByLabel('Add a cylinder', { exact: true }).click();
    await inScene(() => window.filum.scene().obstacles[0]?.kind === 'cylinder' && window.filum.selection().kind === 'obstacle');
    // a post across the cable, its top 20 mm above where the cable hangs
    const [x, z] = [0.25, hangs + 0.02 - 0.03];
    const place = [['From, z', -0.3], ['To, z', -0.3], ['From, x', x], ['To, x', x], ['From, y', -0.1], ['To, y', 0.1], ['Radius', 0.03], ['From, z', z], ['To, z', z]];
    // from below, so that it does not depend on where one looks
    for (const [label, value] of place) await type(label, `${value} m`);
    // it lies on the post, half its own thickness above
    await page.waitForFunction((z) => window.filum.contacts().length > 0 && window.filum.state().solve.converged && Math.abs(window.filum.rod('c0')[15][2] - z) < 5e-4, hangs + 0.02 + 0.003);
    const middle = (await pointsOf(page, 'c0'))[15][2];
    assert.deepEqual((await stateOf(page)).alarms.filter(({ violated }) => violated), []);
    // its handle pulls it up, and the cable with it
    await dragHandle(page, 'z', 20);
    await page.waitForFunction((was) => window.filum.rod('c0')[15][2] > was + 0.002 && window.filum.state().solve.converged, middle);
    const moved = await page.evaluate(() => window.filum.scene().obstacles[0]);
    assert.ok(moved.from[2] > z + 0.002 && Math.abs(moved.from[2] - moved.to[2]) < 1e-9 && moved.radius === 0.03, JSON.stringify(moved));
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+z');
    await inScene((was) => Math.abs(window.filum.scene().obstacles[0].from[2] - was) < 1e-9, z);
    await leaf('cylinder 1').click();
    await type('Name', 'post');
    await inScene(() => window.filum.scene().obstacles[0].name === 'post' && window.filum.selection().path === 'obstacles.post');
    await page.getByLabel('Remove the obstacle', { exact: true }).click();
    await inScene(() => window.filum.scene().obstacles.length === 0);
    await page.waitForFunction((was) => Math.abs(Math.min(...window.filum.rod('c0').map(([, , z]) => z)) - was) < 1e-6, hangs);
  });

  it('is a plane below all there is, which touches nothing until something is lowered onto it', async () => {
    await tell(page, 'open', { text: field(1, 1, 30), name: 'one cable' });
    await page.waitForFunction(() => window.filum.scene().rods.length === 1 && window.filum.resting());
    const { hash } = await frameOf(page);
    await page.getByLabel('New obstacle', { exact: true }).click();
    await page.getByLabel('Add a plane', { exact: true }).click();
    await inScene(() => window.filum.scene().obstacles[0]?.kind === 'plane' && window.filum.selection().kind === 'obstacle');
    const [{ point }] = (await sceneOf(page)).obstacles;
    assert.ok(point[2] < (await lowest()) - 0.003, `the plane at ${point[2]}`);
    await page.waitForFunction((was) => window.filum.frame().hash === was, hash);
    await type('Through, z', `${(await lowest()) + 0.01} m`);
    await page.waitForFunction(() => window.filum.contacts().length > 0 && window.filum.state().solve.converged);
    await tell(page, 'undo');
    await tell(page, 'undo');
    await inScene(() => window.filum.scene().obstacles.length === 0);
  });

  it('is a mesh that was dropped and made solid; the hand carries the cable against it', async () => {
    await tell(page, 'open', { text: field(1, 1, 30), name: 'one cable' });
    await inScene(() => window.filum.scene().rods.length === 1 && window.filum.scene().scenery.length === 0);
    const hangs = await lowest();
    const mesh = path.join(server.folder, 'bracket.obj');
    const top = hangs + 0.01;
    const corner = (k) => `v ${k & 1 ? 0.35 : 0.15} ${k & 2 ? 0.1 : -0.1} ${k & 4 ? top : top - 0.1}`;
    writeFileSync(mesh, `${[0, 1, 2, 3, 4, 5, 6, 7].map(corner).join('\n')}\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n`);
    await dropFiles(page, [mesh]);
    await page.locator('.alarm.violated').filter({ hasText: "scenery 'bracket'" }).waitFor();
    await leaf('bracket').click();
    await page.getByLabel('holds cables off').click();
    await page.waitForFunction(() => window.filum.contacts().length > 0 && window.filum.state().solve.converged);
    await page.waitForFunction(() => !window.filum.state().alarms.some(({ violated }) => violated));
    const lies = (await pointsOf(page, 'c0'))[15][2];
    assert.ok(Math.abs(lies - top - 0.003) < 3e-4, `${lies} on ${top}`);
    await type('Friction', '0.3');
    await inScene(() => window.filum.scene().scenery[0].friction === 0.3);
    // both ends lowered: the cable stays on it
    for (const end of ['a0', 'b0']) {
      await leaf(end).click();
      await type('Position, z', '-30 mm');
    }
    await page.waitForFunction(() => window.filum.state().solve.converged && window.filum.hold('b0')[2] < -0.029);
    assert.ok((await touching()) > 0);
    assert.ok((await pointsOf(page, 'c0')).filter(([px]) => px > 0.16 && px < 0.34).every(([, , pz]) => pz > top + 0.0028));
    await leaf('bracket').click();
    // ticked is what the program says it is: not at once
    await page.getByLabel('holds cables off').click();
    await page.waitForFunction(() => window.filum.contacts().length === 0);
  });
});

/** Counts in the page what a drag costs: its turns, moves sent, changes of the tree; by picture, draws, corners of triangles drawn, and bytes given to the graphics card. */
function countWork() {
  const work = { turns: 0, moves: 0, tree: 0, bytes: [], draws: [], corners: [] };
  window.work = work;
  const wrap = (target, name, before) => {
    const plain = target[name];
    target[name] = function (...given) {
      before(...given);
      return plain.apply(this, given);
    };
  };
  let [bytes, draws, corners] = [0, 0, 0];
  const gl = WebGL2RenderingContext.prototype;
  const drawn = (count, times = 1) => {
    draws += 1;
    corners += count * times;
  };
  wrap(gl, 'drawElements', (_, count) => drawn(count));
  wrap(gl, 'drawElementsInstanced', (_, count, type, from, times) => drawn(count, times));
  wrap(gl, 'drawArrays', (_, from, count) => drawn(count));
  wrap(gl, 'bufferData', (_, data) => (bytes += data.byteLength ?? 0));
  wrap(gl, 'bufferSubData', (_, offset, data, start, length) => (bytes += length === undefined ? data.byteLength : length * data.BYTES_PER_ELEMENT));
  wrap(window.openSockets.at(-1), 'send', (said) => (work.moves += String(said).includes('"cmd":"move"') ? 1 : 0));
  new MutationObserver((list) => (work.tree += list.length)).observe(document.querySelector('.side.left .scroll'), { subtree: true, childList: true, attributes: true, characterData: true });
  const turn = () => {
    work.turns += 1;
    if (draws > 0) {
      work.bytes.push(bytes);
      work.draws.push(draws);
      work.corners.push(corners);
    }
    [bytes, draws, corners] = [0, 0, 0];
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
  return true;
}

describe('one of eighty cables', () => {
  it('follows the pointer, and the others keep every bit', async () => {
    await tell(page, 'open', { text: field(4, 20, 60), name: 'eighty cables' });
    await inScene(() => window.filum.scene().rods.length === 80);
    await page.waitForFunction(() => window.filum.rod('c79').length === 61 && window.filum.resting());
    const before = await page.evaluate(() => window.filum.scene().rods.map(({ name }) => JSON.stringify(window.filum.rod(name))));
    const from = await onScreen(page, await page.evaluate(() => window.filum.hold('b0')));
    await page.mouse.move(from.x, from.y);
    await page.waitForFunction(() => document.querySelector('.canvas-host canvas').style.cursor === 'grab');
    await page.mouse.down();
    for (let k = 1; k <= 12; ++k) await page.mouse.move(from.x - 4 * k, from.y + 2 * k);
    await page.waitForFunction(() => window.filum.state().grabbed.length === 1);
    await page.waitForFunction((x) => window.filum.toScreen(window.filum.hold('b0')).x < x - 20, from.x);
    const moved = await page.evaluate(() => window.filum.scene().rods.map(({ name }) => JSON.stringify(window.filum.rod(name))));
    assert.deepEqual(moved.map((points, k) => points !== before[k]), moved.map((_, k) => k === 0), 'the first alone has moved');
    assert.equal((await stateOf(page)).solve.converged, true);
    await page.mouse.up();
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
    const { hash } = await frameOf(page);
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+z');
    await page.waitForFunction((last) => window.filum.frame().hash !== last, hash);
    assert.deepEqual(await page.evaluate(() => JSON.stringify(window.filum.rod('c0'))), before[0]);
  });

  it('costs little more than one: of the graphics card, and one move a picture of the server', async () => {
    // without the handles that an earlier obstacle left switched on
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Escape');
    const from = await onScreen(page, await page.evaluate(() => window.filum.hold('b0')));
    await page.mouse.move(from.x, from.y);
    await page.waitForFunction(() => document.querySelector('.canvas-host canvas').style.cursor === 'grab');
    await page.mouse.down();
    await page.mouse.move(from.x - 6, from.y);
    await page.waitForFunction(() => window.filum.state().grabbed.length === 1);
    await page.evaluate(countWork);
    const input = await page.context().newCDPSession(page);
    // a mouse that tells of itself far more often than pictures are drawn
    // long enough that most pictures come after the first, in which it turns out what stands
    for (let k = 1; k <= 30; ++k) {
      const { received } = await frameOf(page);
      await Promise.all(Array.from({ length: 12 }, (_, j) => input.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: from.x - 1.4 * k - j / 9, y: from.y + k / 3, button: 'left', buttons: 1 })));
      await page.waitForFunction((number) => window.filum.frame().drawn > number, received);
    }
    const { turns, moves, bytes, draws, corners, tree } = await page.evaluate(() => window.work);
    assert.ok(moves >= 10 && moves <= turns + 1, `${moves} moves in ${turns} turns of the page`);
    const usual = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
    assert.ok(usual(draws) < 20, `draws a picture: ${draws.join(' ')}`);
    // what stands is not drawn again where the processor draws, as it does here: of eighty cables with their marks a quarter at most
    assert.ok(usual(corners) < 27_000, `corners of triangles a picture: ${corners.join(' ')}`);
    assert.ok(usual(bytes) < 80_000, `bytes a picture: ${bytes.join(' ')}`);
    assert.equal(tree, 0, 'the tree is not written anew');
    const atOnce = await page.evaluate(({ x, y }) => {
      const { moves: before } = window.work;
      for (let k = 0; k < 12; ++k) dispatchEvent(new PointerEvent('pointermove', { pointerId: 1, pointerType: 'mouse', clientX: x - 40 - k, clientY: y }));
      return window.work.moves - before;
    }, from);
    assert.ok(atOnce <= 1, `${atOnce} moves before the next picture`);
    await page.mouse.up();
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
  });
});

describe('in the end', () => {
  it('there is nothing to complain about', () => assert.deepEqual(complaints, []));
});
