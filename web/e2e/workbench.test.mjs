// The workbench end to end: the real program, real Chromium, real mouse, keys and fingers.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  distance, dragHandle, dragMouse, drawn, dropFiles, frameOf, holdAt, onScreen, openPage, pointsOf, sceneOf, startBrowser, startServer, stateOf, tell, undoDepth,
} from './bench.mjs';

let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

/** A server and a page for each group of tests. */
function bench(scene) {
  const at = {};
  before(async () => {
    at.server = await startServer(scene);
    Object.assign(at, await openPage(browser, at.server.address));
  });
  after(async () => {
    await at.close?.();
    assert.equal(await at.server?.stop(), 0, 'the server ends cleanly');
  });
  return at;
}

describe('a brake hose in the hand', () => {
  const at = bench('brake-hose.yaml');

  it('loads with nothing to complain about', async () => {
    const { page, complaints } = at;
    assert.equal((await sceneOf(page)).title, 'Brake hose');
    assert.equal(await page.locator('.document b').textContent(), 'Brake hose');
    assert.deepEqual(complaints, []);
  });

  it('follows the mouse: the hold and the end of the cable move, and undo restores every bit', async () => {
    const { page } = at;
    const first = await frameOf(page);
    const start = await holdAt(page, 'wheel end');
    const from = await onScreen(page, start);
    await dragMouse(page, from, { x: from.x - 60, y: from.y + 50 });
    await undoDepth(page, 1);
    const end = await holdAt(page, 'wheel end');
    assert.ok(distance(start, end) > 0.02, `moved by ${distance(start, end)} m`);
    const points = await pointsOf(page, 'hose');
    // frames are in single precision
    assert.ok(distance(points.at(-1), end) < 1e-5, 'the cable ends where it is held');
    const to = await onScreen(page, end);
    assert.ok(Math.hypot(to.x - from.x + 60, to.y - from.y - 50) < 3, 'it is where the pointer left it, to three pixels');
    assert.equal((await stateOf(page)).solve.converged, true);
    assert.notEqual((await frameOf(page)).hash, first.hash);

    await page.keyboard.press('Control+z');
    await undoDepth(page, 0);
    await page.waitForFunction((hash) => window.filum.frame().hash === hash, first.hash);
    assert.deepEqual(await holdAt(page, 'wheel end'), start);

    await page.keyboard.press('Control+Shift+z');
    await undoDepth(page, 1);
    assert.deepEqual(await holdAt(page, 'wheel end'), end);
    await tell(page, 'undo');
  });

  it('moves along one axis only when asked to', async () => {
    const { page } = at;
    const start = await holdAt(page, 'wheel end');
    const from = await onScreen(page, start);
    await dragMouse(page, from, { x: from.x + 40, y: from.y - 60 }, { keys: ['z'] });
    await undoDepth(page, 1);
    const end = await holdAt(page, 'wheel end');
    assert.ok(Math.abs(end[2] - start[2]) > 0.005);
    await tell(page, 'undo');
    // the first step of the drag was free; what counts is where it ends: on the vertical through its start
    assert.ok(Math.hypot(end[0] - start[0], end[1] - start[1]) < 1e-6);
  });

  it('takes any point of the cable, and what is dropped stays attached', async () => {
    const { page } = at;
    const points = await pointsOf(page, 'hose');
    const from = await onScreen(page, points[30]);
    await dragMouse(page, from, { x: from.x + 10, y: from.y - 50 });
    await page.waitForFunction(() => window.filum.scene().holds.length === 3);
    const { holds } = await sceneOf(page);
    assert.ok(Math.abs(holds.at(-1).s - 0.21) < 0.02, `held at ${holds.at(-1).s} m`);
    await page.waitForFunction((name) => window.filum.selection().name === name, holds.at(-1).name);
    await page.keyboard.press('Delete');
    await page.waitForFunction(() => window.filum.scene().holds.length === 2);
    await tell(page, 'undo');
    await tell(page, 'undo');
    assert.equal((await sceneOf(page)).holds.length, 2);
  });

  it('is moved and twisted by keys, as one thing to undo', async () => {
    const { page } = at;
    const start = await holdAt(page, 'wheel end');
    const { turns } = await page.evaluate(() => window.filum.figures('hose'));
    await page.locator('[data-leaf="wheel end"]').click();
    await page.locator('canvas').first().hover();
    for (const key of ['ArrowUp', 'ArrowUp', ']', ']', ']']) await page.keyboard.press(key);
    await undoDepth(page, 1);
    const end = await holdAt(page, 'wheel end');
    assert.ok(end[2] > start[2]);
    const twisted = await page.evaluate(() => window.filum.figures('hose'));
    // three presses of 15 degrees; a moved end changes the writhe a little, and so the twist
    assert.ok(Math.abs(twisted.turns - turns - 0.125) < 0.03, `twisted by ${twisted.turns - turns} turns`);
    await tell(page, 'undo');
  });

  it('is twisted and turned by handles', async () => {
    const { page } = at;
    const before = { ...(await page.evaluate(() => window.filum.figures('hose'))), points: await pointsOf(page, 'hose') };
    await page.keyboard.press('t');
    await dragHandle(page, 'z', 60);
    await undoDepth(page, 1);
    const twisted = await page.evaluate(() => window.filum.figures('hose'));
    assert.ok(Math.abs(twisted.turns - before.turns) > 0.02, `twisted by ${twisted.turns - before.turns} turns`);
    await tell(page, 'undo');
    await page.keyboard.press('r');
    await dragHandle(page, 'x', 50);
    await undoDepth(page, 1);
    const points = await pointsOf(page, 'hose');
    // the end stays where it is and points elsewhere
    assert.ok(distance(points.at(-1), before.points.at(-1)) < 1e-5);
    assert.ok(distance(points.at(-4), before.points.at(-4)) > 1e-3, `its neighbour moved by ${distance(points.at(-4), before.points.at(-4))} m`);
    await tell(page, 'undo');
    await page.keyboard.press('r');
  });

  it('gets longer when it is pulled with Alt', async () => {
    const { page } = at;
    const from = await onScreen(page, (await pointsOf(page, 'hose'))[30]);
    await page.keyboard.down('Alt');
    await dragMouse(page, from, { x: from.x, y: from.y + 60 });
    await page.keyboard.up('Alt');
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0 && window.filum.scene().rods[0].length > 0.43);
    while ((await stateOf(page)).undo.depth > 0) await tell(page, 'undo');
    assert.equal((await sceneOf(page)).rods[0].length, 0.42);
  });

  it('tells how soon a drag is seen', async () => {
    const times = [...(await at.page.evaluate(() => window.filum.latencies()))].sort((a, b) => a - b);
    assert.ok(times.length > 10);
    // told and not judged: the picture is drawn without graphics hardware
    console.log(`drag, from the pointer's event to the picture: median ${times[times.length >> 1].toFixed(1)} ms of ${times.length}`);
  });

  it('takes typed numbers with units, and shows an error beside the field', async () => {
    const { page } = at;
    await page.locator('[data-leaf="hose"]').click();
    const field = page.getByLabel('Unstretched length');
    await field.fill('45 cm');
    await field.press('Enter');
    await page.waitForFunction(() => window.filum.scene().rods[0].length === 0.45);
    await field.fill('-3');
    await field.press('Enter');
    const problem = page.locator('.row .problem').first();
    await problem.waitFor();
    assert.match(await problem.textContent(), /length/i);
    assert.equal((await sceneOf(page)).rods[0].length, 0.45);
    await field.fill('0.43 m');
    await field.press('Enter');
    await page.waitForFunction(() => window.filum.scene().rods[0].length === 0.43);
    assert.equal(await page.locator('.row .problem').count(), 0, 'what is right again has no error beside it');
  });

  it('is saved with its comments and is the same when reopened', async () => {
    const { page, server } = at;
    const original = readFileSync(path.resolve(server.file), 'utf8');
    const held = await holdAt(page, 'wheel end');
    await page.keyboard.press('Control+s');
    await page.waitForFunction(() => !window.filum.state().document.dirty);
    const saved = readFileSync(server.file, 'utf8');
    assert.notEqual(saved, original);
    for (const comment of original.split('\n').filter((line) => line.startsWith('#'))) assert.ok(saved.includes(comment), comment);
    const before = await sceneOf(page);
    await tell(page, 'new');
    await page.waitForFunction(() => window.filum.scene().empty);
    await page.getByText('Take a cable in the hand').waitFor();
    await tell(page, 'open', { path: server.file });
    await page.waitForFunction(() => window.filum.scene().rods.length === 1);
    const after = await sceneOf(page);
    assert.deepEqual({ ...after, revision: 0, document: 0 }, { ...before, revision: 0, document: 0 });
    assert.ok(distance(await holdAt(page, 'wheel end'), held) < 1e-6);
  });

  it('offers to replace a file that is in the way, and nothing else', async () => {
    const { page, server } = at;
    const taken = path.join(server.folder, 'taken.yaml');
    writeFileSync(taken, '# not a scene yet\n');
    await page.keyboard.press('Control+Shift+S');
    const dialog = page.getByRole('dialog', { name: 'Save the scene as' });
    const replace = dialog.getByRole('button', { name: 'Replace it' });
    await dialog.getByLabel('File').fill(path.join(server.folder, 'taken.txt'));
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.locator('.problem').waitFor();
    assert.equal(await replace.count(), 0);
    await dialog.getByLabel('File').fill(taken);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await replace.click();
    await dialog.waitFor({ state: 'detached' });
    assert.match(readFileSync(taken, 'utf8'), /filum: 1/);
    // back to its own file
    await tell(page, 'save', { path: server.file, overwrite: true });
  });

  it('shows two pages the same state', async () => {
    const { page, server } = at;
    const other = await openPage(browser, server.address);
    const reply = await tell(page, 'place_hold', { hold: 'wheel end', position: [0.25, 0.05, -0.12] });
    await drawn(other.page, reply.frame);
    assert.equal((await frameOf(other.page)).hash, (await frameOf(page)).hash);
    assert.deepEqual(await pointsOf(other.page, 'hose'), await pointsOf(page, 'hose'));
    assert.deepEqual(other.complaints, []);
    await other.close();
  });

  it('connects again by itself and has lost nothing', async () => {
    const { page } = at;
    const before = await frameOf(page);
    await page.evaluate(() => window.openSockets.at(-1).close());
    await page.waitForFunction(() => window.openSockets.length > 1 && window.filum.connected());
    await page.waitForFunction((hash) => window.filum.frame().hash === hash, before.hash);
    await tell(page, 'place_hold', { hold: 'wheel end', position: [0.26, 0.05, -0.12] });
  });

  it('compares with another formulation', async () => {
    const { page } = at;
    await page.getByLabel('Compare').click();
    await page.getByRole('menuitem', { name: 'cosserat' }).click();
    await page.locator('.figures').getByText('cosserat apart by').waitFor();
    await page.getByLabel('End the comparison').click();
  });

  it('counts the turns of its ends', async () => {
    const { page } = at;
    await tell(page, 'place_hold', { hold: 'wheel end', turns: 0.5 });
    await page.locator('[data-leaf="hose"]').click();
    await page.locator('[data-fact="Balance"]').getByText('no turn was lost').waitFor();
    await tell(page, 'undo');
  });

  it('still has nothing to complain about', () => assert.deepEqual(at.complaints, []));
});

describe('a cable that falls', () => {
  const at = bench('flexible-pendulum.yaml');

  it('falls when its hold lets go', async () => {
    const { page } = at;
    const { holds, rods } = await sceneOf(page);
    await tell(page, 'release', { hold: holds[0].name });
    await page.waitForFunction(() => window.filum.scene().holds.length === 0);
    const before = await pointsOf(page, rods[0].name);
    const { time } = await frameOf(page);
    await page.keyboard.press('Space');
    await page.waitForFunction((t) => window.filum.frame().time > t + 0.25, time);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !window.filum.state().playing);
    const after = await pointsOf(page, rods[0].name);
    const middle = (points) => points.reduce((sum, point) => sum + point[2], 0) / points.length;
    const fallen = middle(before) - middle(after);
    const passed = (await frameOf(page)).time - time;
    // its centre falls freely from rest: g t² / 2, to the accuracy of points that stand for lengths
    assert.ok(Math.abs(fallen - 0.5 * 9.81 * passed ** 2) < 0.1 * fallen, `fell ${fallen} m in ${passed} s`);
  });

  it('has nothing to complain about', () => assert.deepEqual(at.complaints, []));
});

describe('a body with a cable', () => {
  const at = bench('steering-sweep.yaml');

  it('takes its end of the cable along', async () => {
    const { page } = at;
    const before = { body: await page.evaluate(() => window.filum.body('carrier')), hold: await holdAt(page, 'carrier end') };
    const from = await onScreen(page, before.body);
    await dragMouse(page, from, { x: from.x + 20, y: from.y - 25 });
    await undoDepth(page, 1);
    const after = { body: await page.evaluate(() => window.filum.body('carrier')), hold: await holdAt(page, 'carrier end') };
    const moved = (key) => after[key].map((c, k) => c - before[key][k]);
    assert.ok(Math.hypot(...moved('body')) > 0.01, `moved by ${moved('body')} m`);
    // frames are in single precision
    assert.ok(distance(moved('body'), moved('hold')) < 1e-6);
    const points = await pointsOf(page, 'hose');
    assert.ok(Math.min(distance(points[0], after.hold), distance(points.at(-1), after.hold)) < 1e-5);
  });

  it('slides along an axis as a trolley does', async () => {
    const { page } = at;
    const start = await page.evaluate(() => window.filum.body('carrier'));
    await page.locator('[data-leaf="carrier"]').click();
    await page.getByLabel('Slide along z').focus();
    await page.keyboard.press('PageUp');
    await undoDepth(page, 2);
    const end = await page.evaluate(() => window.filum.body('carrier'));
    assert.ok(end[2] > start[2] && distance(end, start) - (end[2] - start[2]) < 1e-6);
    await tell(page, 'undo');
  });

  it('is led along its drive by a slider', async () => {
    const { page } = at;
    const start = await page.evaluate(() => window.filum.body('carrier'));
    await page.locator('[data-leaf="body carrier"]').click();
    await page.getByLabel('Along the motion').fill('1.8');
    await undoDepth(page, 2);
    assert.ok(distance(start, await page.evaluate(() => window.filum.body('carrier'))) > 0.01);
    assert.deepEqual(at.complaints, []);
  });

  it('pays a cable out while it plays, by a key, and the scene is not made anew', async () => {
    const { page } = at;
    await page.locator('[data-leaf="hose"]').click();
    const { revision, rods } = await sceneOf(page);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.filum.state().playing);
    await page.keyboard.down('+');
    await page.locator('[data-fact="Paid out"]').getByText('m/s').waitFor();
    await page.waitForFunction((length) => window.filum.length('hose') > 1.02 * length, rods[0].length);
    await page.keyboard.up('+');
    await page.waitForFunction(() => window.filum.state().reels.length === 0);
    const after = await sceneOf(page);
    assert.equal(after.revision, revision);
    assert.equal(after.rods[0].length, rods[0].length);
  });

  it('goes on in another formulation', async () => {
    const { page } = at;
    const { time } = await frameOf(page);
    await page.getByLabel('Formulation: how the scene is turned into equations').selectOption('cosserat');
    await page.waitForFunction((t) => window.filum.scene().simulation.formulation === 'cosserat' && window.filum.frame().time > t + 0.1, time);
    assert.ok((await stateOf(page)).playing);
    await page.getByRole('button', { name: 'Keep places' }).click();
    await page.waitForFunction(() => window.filum.scene().rods[0].length > 0.425);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !window.filum.state().playing);
  });

  it('has levers: a drive by its keys, a trolley that was pinned by its slider', async () => {
    const { page } = at;
    await tell(page, 'reset');
    const start = await page.evaluate(() => window.filum.body('carrier'));
    await page.keyboard.down('q');
    await page.waitForFunction((from) => Math.hypot(...window.filum.body('carrier').map((c, k) => c - from[k])) > 1e-3, start);
    await page.keyboard.up('q');
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
    await page.locator('[data-leaf="carrier"]').click();
    await page.getByLabel('Put it among the levers over the view, with keys').nth(2).click();
    const lever = page.locator('.levers').getByLabel('Lead carrier z');
    const before = await page.evaluate(() => window.filum.body('carrier'));
    await lever.focus();
    await page.keyboard.press('PageUp');
    await page.waitForFunction((from) => window.filum.body('carrier')[2] > from[2] + 1e-3, before);
    assert.deepEqual(at.complaints, []);
  });
});

describe('a gantry crane', () => {
  const at = bench('gantry-crane.yaml');

  it('has its ropes round the sheaves of the hook', async () => {
    const { page } = at;
    const path = await page.evaluate(() => window.filum.rope('left'));
    const hook = await page.evaluate(() => window.filum.body('hook'));
    // from the trolley, half round a wheel of 0.1 m on the hook, back to the trolley
    assert.ok(path.length > 10, `${path.length} points`);
    const round = path.slice(1, -1).map(([x, y, z]) => Math.hypot(x - hook[0] + 0.2, y - hook[1], z - hook[2]));
    assert.ok(round.every((radius) => Math.abs(radius - 0.1) < 1e-5), String(round));
    assert.ok(Math.abs(Math.min(...path.map((point) => point[2])) - (hook[2] - 0.1)) < 2e-3);
  });

  it('draws them, coloured by tension too, and follows', async () => {
    const { page } = at;
    await page.getByLabel('Colour of the cables').selectOption('tension');
    const before = await page.evaluate(() => window.filum.rope('left'));
    await tell(page, 'step', { n: 150 });
    const after = await page.evaluate(() => window.filum.rope('left'));
    assert.ok(after[0][0] > before[0][0] + 0.1, 'the trolley takes its rope along');
    assert.deepEqual(at.complaints, []);
  });
});

describe('an empty bench', () => {
  const at = bench(undefined);

  it('invites, and its examples open', async () => {
    const { page } = at;
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.locator('[data-example="wiring-harness"]').click();
    await page.waitForFunction(() => window.filum.scene().rods.length === 5);
    await page.waitForFunction(() => window.filum.resting());
  });

  it('draws a new cable between two clicks', async () => {
    const { page } = at;
    await page.keyboard.press('c');
    const box = await page.locator('.canvas-host').boundingBox();
    await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.8);
    await page.mouse.click(box.x + box.width * 0.6, box.y + box.height * 0.85);
    await page.waitForFunction(() => window.filum.scene().rods.length === 6);
    assert.equal((await page.evaluate(() => window.filum.selection())).kind, 'rod');
  });

  it('takes a mesh that is dropped onto it, moves it by a handle, and saves it beside the scene', async () => {
    const { page, server } = at;
    const mesh = path.join(server.folder, 'plate.obj');
    writeFileSync(mesh, 'v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n');
    await dropFiles(page, [mesh]);
    await page.locator('[data-leaf="plate"]').waitFor();
    await page.waitForFunction(() => window.filum.selection().name === 'plate');
    await page.keyboard.press('g');
    await dragHandle(page, 'x', 40);
    const moved = await page.waitForFunction(() => window.filum.scene().scenery[0].position[0] > 0.01);
    assert.ok(await moved.jsonValue());
    await page.keyboard.press('g');
    mkdirSync(path.join(server.folder, 'kept'));
    await tell(page, 'save', { path: path.join(server.folder, 'kept', 'harness.yaml') });
    assert.ok(existsSync(path.join(server.folder, 'kept', 'plate.obj')));
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => window.filum.scene().scenery[0].position[0] === 0);
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => window.filum.scene().scenery.length === 0);
  });

  it('spreads holds at equal distances', async () => {
    const { page } = at;
    await page.locator('[data-leaf="lamp"]').click();
    const before = (await sceneOf(page)).holds.length;
    const { depth } = (await stateOf(page)).undo;
    await page.getByRole('button', { name: 'Spread' }).click();
    await page.waitForFunction((count) => window.filum.scene().holds.length === count + 3, before);
    const places = (await sceneOf(page)).holds.filter((hold) => hold.rod === 'lamp').map((hold) => hold.s).sort();
    // quarters of 0.3 m; the plug holds its end
    assert.deepEqual(places.map((s) => Math.round(s * 1e6)), [75000, 150000, 225000, 300000]);
    await undoDepth(page, depth + 1);
  });

  it('pays a cable out by a slider', async () => {
    const { page } = at;
    const { length } = (await sceneOf(page)).rods.find((rod) => rod.name === 'lamp');
    await page.getByLabel('Pay out or haul in').fill(String(1.1 * length));
    await page.waitForFunction((longer) => Math.abs(window.filum.scene().rods.find((rod) => rod.name === 'lamp').length - longer) < 0.01 * longer, 1.1 * length);
  });

  it('asks before it leaves unsaved changes', async () => {
    const { page } = at;
    await page.keyboard.press('Control+o');
    await page.locator('[data-example="catenary"]').click();
    await page.getByRole('dialog', { name: 'Unsaved changes' }).waitFor();
    await page.getByRole('button', { name: 'Discard them' }).click();
    await page.waitForFunction(() => window.filum.scene().rods.length === 1);
  });

  it('has help, both themes, and panels that fold', async () => {
    const { page } = at;
    await page.keyboard.press('F1');
    await page.getByText('Taking in the hand').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Dark or light').click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    await page.keyboard.press('F4');
    assert.equal(await page.locator('.side.right').count(), 0);
    await page.keyboard.press('F4');
    assert.deepEqual(at.complaints, []);
  });
});

describe('a finger', () => {
  let server;
  let opened;
  before(async () => {
    server = await startServer('brake-hose.yaml');
    opened = await openPage(browser, server.address, { hasTouch: true });
  });
  after(async () => {
    await opened?.close();
    await server?.stop();
  });

  it('drags a hold', async () => {
    const { page } = opened;
    const start = await holdAt(page, 'wheel end');
    const from = await onScreen(page, start);
    const touch = await page.context().newCDPSession(page);
    const send = (type, points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await send('touchStart', [from]);
    for (let k = 1; k <= 5; ++k) await send('touchMove', [{ x: from.x - 10 * k, y: from.y + 6 * k }]);
    await send('touchEnd', []);
    await undoDepth(page, 1);
    assert.ok(distance(start, await holdAt(page, 'wheel end')) > 0.01);
    assert.deepEqual(opened.complaints, []);
  });

  it('that rests asks what can be done here, and one that moves does not', async () => {
    const { page } = opened;
    const from = await onScreen(page, await holdAt(page, 'wheel end'));
    const touch = await page.context().newCDPSession(page);
    const send = (type, points) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    const before = await holdAt(page, 'wheel end');
    const { depth } = (await stateOf(page)).undo;
    await send('touchStart', [from]);
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Let go' }).waitFor();
    await send('touchEnd', []);
    // it stays when the finger leaves, is of what was under it, and nothing was moved
    assert.ok(await menu.isVisible());
    assert.deepEqual(await page.evaluate(() => window.filum.selection()), { kind: 'hold', name: 'wheel end' });
    assert.deepEqual(await holdAt(page, 'wheel end'), before);
    assert.equal((await stateOf(page)).undo.depth, depth);
    const { x, y, width, height } = await menu.getByRole('menuitem', { name: 'Let go' }).boundingBox();
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await page.waitForFunction(() => window.filum.scene().holds.length === 1);
    await tell(page, 'undo');
    // a finger that wanders off turns the view
    await send('touchStart', [{ x: from.x - 200, y: from.y + 60 }]);
    await send('touchMove', [{ x: from.x - 160, y: from.y + 60 }]);
    await page.waitForTimeout(700);
    assert.equal(await menu.count(), 0);
    await send('touchEnd', []);
    assert.deepEqual(opened.complaints, []);
  });
});
