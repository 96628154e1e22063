// A day's work in the workbench, end to end: what must never surprise. One server and one page serve all of it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { distance, dropFiles, frameOf, holdAt, onScreen, openExample, pointsOf, openPage, sceneOf, startBrowser, startServer, stateOf, tell } from './bench.mjs';

let browser;
let server;
let page;
let complaints;
let close;
before(async () => {
  browser = await startBrowser();
  server = await startServer();
  ({ page, complaints, close } = await openPage(browser, server.address));
});
after(async () => {
  await close?.();
  await server?.stop();
  await browser?.close();
});

/** Types into a field of the inspector and presses Enter. */
async function type(label, text) {
  const field = page.getByLabel(label, { exact: true });
  await field.fill(text);
  await field.press('Enter');
}
const leaf = (name) => page.locator(`[data-leaf="${name}"]`);
/** Changes of the scene before are not wanted any more. */
async function discardIfAsked() {
  const discard = page.getByRole('button', { name: 'Discard them' });
  await Promise.race([discard.waitFor().then(() => discard.click()), page.getByRole('dialog').waitFor({ state: 'detached' })]).catch(() => undefined);
}
const inScene = (test, given) => page.waitForFunction(test, given);

describe('units', () => {
  before(() => openExample(page, 'brake-hose'));

  it('takes a bare number in the unit that stands beside the field, also where nothing or zero is', async () => {
    await leaf('hose').click();
    const limit = page.getByLabel('Bend radius ≥', { exact: true });
    assert.equal(await page.locator('.measured', { has: limit }).locator('.unit').textContent(), 'mm');
    await type('Bend radius ≥', '');
    await inScene(() => window.filum.scene().rods[0].limits.min_bend_radius === null);
    assert.equal(await page.locator('.measured', { has: limit }).locator('.unit').textContent(), 'mm');
    await type('Bend radius ≥', '40');
    await inScene(() => window.filum.scene().rods[0].limits.min_bend_radius === 0.04);
    await leaf((await sceneOf(page)).holds[0].name).click();
    const along = page.getByRole('textbox', { name: 'Place along the cable' });
    assert.equal(await along.inputValue(), '0');
    await along.fill('100');
    await along.press('Enter');
    await inScene(() => window.filum.scene().holds[0].s === 0.1);
    await tell(page, 'undo');
  });

  it('reckons, and changes what is there', async () => {
    await leaf('hose').click();
    for (const [typed, length] of [['300+150', 0.45], ['+20', 0.47], ['*2', 0.94], ['25.4/2 * 30', 0.381], ['16 in', 0.4064], ['420', 0.42]]) {
      await type('Unstretched length', typed);
      await inScene((wanted) => window.filum.scene().rods[0].length === wanted, length);
    }
  });

  it('knows the diameter as well', async () => {
    await page.getByLabel('Edit the section').click();
    const diameter = page.getByLabel(/^(Outer d|D)iameter$/);
    const { radius, outer_radius: outer } = (await sceneOf(page)).sections[0];
    assert.ok(Math.abs(Number(await diameter.inputValue()) - 2000 * (outer ?? radius)) < 1e-9);
    await diameter.fill('*1.1');
    await diameter.press('Enter');
    await inScene((wanted) => Math.abs((window.filum.scene().sections[0].outer_radius ?? window.filum.scene().sections[0].radius) - wanted) < 1e-12, 1.1 * (outer ?? radius));
    await tell(page, 'undo');
  });

  it('keeps what was typed as it was typed', async () => {
    await leaf('wheel end').click();
    await type('Position, x', '260');
    await type('Position, y', '40');
    await inScene(() => window.filum.scene().holds[1].position?.[1] === 0.04);
    await page.locator('canvas').first().hover();
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0 && window.filum.state().undo.depth > 1);
    const { text } = await tell(page, 'text');
    assert.doesNotMatch(text, /\d{9}/, 'no noise of single precision in the file');
    assert.match(text, /260 mm|0\.26\b/);
  });

  it('has one unit in the whole document, as chosen', async () => {
    await page.getByLabel('View', { exact: true }).click();
    await page.getByLabel('Unit of lengths').selectOption('in');
    await page.keyboard.press('Escape');
    await leaf('hose').click();
    assert.equal(await page.getByLabel('Unstretched length').inputValue(), '16.535');
    await type('Unstretched length', '10');
    await inScene(() => window.filum.scene().rods[0].length === 0.254);
    await page.getByLabel('View', { exact: true }).click();
    await page.getByLabel('Unit of lengths').selectOption('fit');
    await page.keyboard.press('Escape');
  });

  it('never weighs in tonnes', async () => {
    await openExample(page, 'pick-and-place');
    await leaf('load').click();
    const { mass } = (await sceneOf(page)).bodies.find(({ name }) => name === 'load');
    assert.equal(await page.getByLabel('Mass', { exact: true }).inputValue(), String(mass));
    await type('Mass', String(mass + 100));
    await inScene((wanted) => window.filum.scene().bodies.find(({ name }) => name === 'load').mass === wanted, mass + 100);
  });
});

describe('keys', () => {
  before(() => openExample(page, 'brake-hose'));

  it('go through the rows of the tree that has the focus, and move nothing', async () => {
    const before = await holdAt(page, 'frame end');
    await leaf('hose').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => window.filum.selection().name === 'frame end');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => window.filum.selection().name === 'wheel end');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await leaf('wheel end').count(), 0, 'the branch is folded');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.leaf), 'frame end');
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    assert.deepEqual(await holdAt(page, 'frame end'), before);
    assert.match((await stateOf(page)).undo.label, /open/, 'nothing was done');
  });

  it('rename, hide and remove there', async () => {
    await leaf('wheel end').focus();
    await page.keyboard.press('F2');
    await page.waitForFunction(() => document.activeElement.ariaLabel === 'Name' || document.activeElement.getAttribute('aria-label') === 'Name');
    await page.keyboard.type('hub');
    await page.keyboard.press('Enter');
    await inScene(() => window.filum.scene().holds[1].name === 'hub');
    await leaf('hub').focus();
    await page.keyboard.press('h');
    await page.locator('.leaf-row.hidden [data-leaf="hub"]').waitFor();
    await page.keyboard.press('h');
    await page.keyboard.press('Delete');
    await inScene(() => window.filum.scene().holds.length === 1);
    await tell(page, 'undo');
    await tell(page, 'undo');
  });

  it('go through an open menu and reach nothing behind it', async () => {
    await leaf('wheel end').click();
    const before = await holdAt(page, 'wheel end');
    await page.getByLabel('File', { exact: true }).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Open a scene/);
    await page.keyboard.press('e');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('menu').count(), 0);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'File');
    assert.deepEqual(await holdAt(page, 'wheel end'), before);
    await page.getByLabel('File', { exact: true }).press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Examples' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('stay in a dialog, which begins with its first field', async () => {
    await page.keyboard.press('Control+Shift+S');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'File');
    for (let k = 0; k < 6; ++k) {
      await page.keyboard.press('Tab');
      assert.ok(await page.evaluate(() => document.querySelector('[role="dialog"]').contains(document.activeElement)), `Tab ${k + 1}`);
    }
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('are the view\'s after a press on it, and move what is selected', async () => {
    await leaf('wheel end').focus();
    await page.keyboard.press('Enter');
    const before = await holdAt(page, 'wheel end');
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction((z) => window.filum.hold('wheel end')[2] > z + 1e-4, before[2]);
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
    await tell(page, 'undo');
  });
});

describe('another document', () => {
  it('is looked at as if nothing had been there before', async () => {
    await openExample(page, 'gantry-crane');
    const { holds, ropes } = await sceneOf(page);
    await openExample(page, 'pick-and-place');
    // everything is within the picture, ropes and trolley included, and the floor lies below it
    const box = await page.locator('.canvas-host').boundingBox();
    const points = [await page.evaluate(() => window.filum.body('trolley')), await page.evaluate(() => window.filum.body('load')), ...(await page.evaluate(() => window.filum.rope('left')))];
    for (const point of points) {
      const { x, y } = await onScreen(page, point);
      assert.ok(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height, `${point} is seen at ${x}, ${y}`);
    }
    assert.ok(holds.length > 0 && ropes.length > 0);
    const floor = await page.evaluate(() => window.filum.floor());
    assert.ok(floor <= 0 && floor > -1.5, `the floor lies at ${floor} m`);
    assert.equal(await page.evaluate(() => window.filum.rows().length), 1, 'the curves begin anew');
  });

  it('has no ghost of the last one, and no trouble of it', async () => {
    await openExample(page, 'brake-hose');
    await page.getByLabel('Compare').click();
    await page.getByRole('menuitem', { name: 'cosserat' }).click();
    await page.locator('.figures').getByText('cosserat apart by').waitFor();
    const [here, there] = (await page.locator('[data-figure="bends"]').textContent()).split(' and ').map(Number.parseFloat);
    assert.ok(Math.abs(here - there) < 0.02 * here, `bend radii of ${here} and ${there} mm`);
    await openExample(page, 'wiring-harness');
    await page.locator('.figures').getByText('apart by').waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('End the comparison').count(), 0);
  });

  it('plots a run that was begun anew as one', async () => {
    await openExample(page, 'pick-and-place');
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('>');
    await page.waitForFunction(() => window.filum.rows().length > 9);
    await page.keyboard.press('Home');
    await page.waitForFunction(() => window.filum.frame().time === 0);
    await page.keyboard.press('.');
    await page.waitForFunction(() => window.filum.frame().time > 0);
    const times = await page.evaluate(() => window.filum.rows());
    assert.deepEqual(times, [...times].sort((a, b) => a - b));
    assert.ok(times.at(-1) < 0.1);
  });
});

describe('a hand on a crane', () => {
  before(() => openExample(page, 'pick-and-place'));

  it('pulls with a bounded force', async () => {
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.filum.frame().time > 0.3);
    const from = await onScreen(page, (await pointsOf(page, 'sling')).at(-1));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (let k = 1; k <= 8; ++k) await page.mouse.move(from.x + 30 * k, from.y - 10 * k);
    const { time } = await frameOf(page);
    await page.waitForFunction((t) => window.filum.frame().time > t + 0.5, time);
    const force = await page.evaluate(() => Math.max(...window.filum.forces()));
    // three times all that weighs, and a step of the stiff sling beyond it
    assert.ok(force < 1e5, `${force} N`);
    await page.mouse.up();
  });

  it('attaches to the body under the pointer, from then on, and Home is as it was', async () => {
    await page.keyboard.press('Home');
    await page.waitForFunction(() => window.filum.frame().time === 0 && !window.filum.state().playing);
    const start = await pointsOf(page, 'sling');
    await tell(page, 'step', { n: 3 });
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.filum.state().playing);
    const from = await onScreen(page, (await pointsOf(page, 'sling')).at(-1));
    const to = await onScreen(page, await page.evaluate(() => window.filum.body('trolley')));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (let k = 1; k <= 4; ++k) await page.mouse.move(from.x + ((to.x - from.x) * k) / 4, from.y + ((to.y - from.y) * k) / 4);
    await page.keyboard.down('Shift');
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await inScene(() => window.filum.scene().holds.length === 3);
    const hold = (await sceneOf(page)).holds.at(-1);
    assert.equal(hold.body, 'trolley');
    await page.keyboard.press('Home');
    await page.waitForFunction(() => window.filum.frame().time === 0 && !window.filum.state().playing);
    // the sling hangs as it did, and bears its own weight alone
    const again = await pointsOf(page, 'sling');
    assert.ok(distance(again[0], start[0]) < 1e-6 && distance(again.at(-1), start.at(-1)) < 1e-6);
    for (const [x, y] of again) assert.ok(Math.hypot(x, y) < 1e-6, `off the vertical by ${x}, ${y}`);
    assert.ok((await page.evaluate(() => Math.max(...window.filum.forces()))) < 1e3);
    await tell(page, 'undo');
  });

  it('moves all ropes by one lever, and reads drives as what they lead', async () => {
    await openExample(page, 'gantry-crane');
    assert.match(await page.locator('[data-lever="trolley"]').textContent(), /^0 m$/);
    const before = await page.evaluate(() => window.filum.state().ropes.map(({ length }) => length));
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.filum.state().playing);
    const slider = page.getByLabel('Lead all ropes');
    await slider.focus();
    await page.keyboard.press('PageDown');
    await page.waitForFunction((lengths) => window.filum.state().ropes.every(({ length }, k) => length < lengths[k] - 0.02), before);
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !window.filum.state().playing);
  });
});

describe('a gamepad', () => {
  it('leads levers and plays', async () => {
    await openExample(page, 'gantry-crane');
    const before = await page.evaluate(() => window.filum.body('trolley'));
    await page.evaluate(() => {
      window.pad = { axes: [0, -1, 0, 0], buttons: [{ pressed: true }] };
      navigator.getGamepads = () => (window.pad ? [window.pad] : []);
      dispatchEvent(new Event('gamepadconnected'));
    });
    await page.waitForFunction(() => window.filum.state().playing);
    await page.waitForFunction((from) => window.filum.body('trolley')[0] > from + 0.05, before[0]);
    await page.evaluate(() => (window.pad = undefined));
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
    await tell(page, 'pause');
  });
});

describe('figures', () => {
  it('say by how much a cable is too short', async () => {
    await openExample(page, 'brake-hose');
    await leaf('wheel end').click();
    await type('Position, x', '500');
    const row = page.locator('[data-short="hose"]');
    await row.waitFor();
    // the straight way less the length of 420 mm
    const position = await holdAt(page, 'wheel end');
    assert.ok(Math.abs(Number.parseFloat(await row.locator('.value').textContent()) - (1000 * Math.hypot(...position) - 420)) < 0.5);
    await type('Position, x', '200');
    await row.waitFor({ state: 'detached' });
    // a rope that bears a load is stretched and not too short
    await openExample(page, 'gantry-crane');
    await tell(page, 'step', { n: 5 });
    assert.equal(await page.locator('[data-short]').count(), 0);
  });

  it('do not count turns that nobody keeps, nor warn of a start that does not matter', async () => {
    await tell(page, 'new');
    await tell(page, 'new_cable', { from: [0, 0, 0], to: [0.5, 0, 0], length: 1.351 });
    const { holds, rods } = await sceneOf(page);
    await tell(page, 'place_hold', { hold: holds[1].name, position: [0, 0, 0.2] });
    await tell(page, 'set_length', { rod: rods[0].name, length: 0.52 });
    await leaf(rods[0].name).click();
    assert.equal(await page.getByText('Turns since the start').count(), 0);
    const { turns } = await stateOf(page);
    assert.deepEqual(turns.map(({ turns: of, crossings }) => [of, crossings]), [[0, 0]]);
    assert.deepEqual((await sceneOf(page)).warnings, []);
  });

  it('have one junction for three branches', async () => {
    const { rods } = await sceneOf(page);
    await tell(page, 'new_cable', { from: { rod: rods[0].name, at: '50 %' }, to: [0.6, 0, 0] });
    await tell(page, 'new_cable', { from: { rod: rods[0].name, at: '50 %' }, to: [0.6, 0.2, 0] });
    assert.deepEqual((await sceneOf(page)).junctions.map((junction) => junction.rods.length), [3]);
  });
});

describe('a mesh', () => {
  it('that is far too large in metres is taken as millimetres, said so, and changed by one press', async () => {
    await openExample(page, 'brake-hose');
    const mesh = path.join(server.folder, 'bracket.obj');
    writeFileSync(mesh, 'v 0 0 0\nv 300 0 0\nv 0 80 0\nf 1 2 3\n');
    await dropFiles(page, [mesh]);
    await inScene(() => window.filum.scene().scenery[0]?.scale === 0.001);
    await page.locator('.notice').getByText('taken as millimetres').waitFor();
    await page.locator('.notice').getByRole('button', { name: 'inches' }).click();
    await inScene(() => window.filum.scene().scenery[0]?.scale === 0.0254);
    await tell(page, 'undo');
  });

  it('that is missing is told in red, with a way to give it', async () => {
    const { text } = await tell(page, 'text');
    await tell(page, 'open', { text: text.replace('bracket.obj', 'gone.obj'), name: 'with a gap' });
    await page.locator('.banner.bad').getByText('gone.obj').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Give the file…' }).click();
    const given = path.join(server.folder, 'gone.obj');
    writeFileSync(given, 'v 0 0 0\nv 300 0 0\nv 0 80 0\nf 1 2 3\n');
    await (await chooser).setFiles(given);
    await page.locator('.banner.bad').waitFor({ state: 'detached' });
  });
});

describe('work', () => {
  it('is brought back when the server breaks off and is started anew', async () => {
    const own = await startServer('brake-hose.yaml');
    const opened = await openPage(browser, own.address);
    const at = opened.page;
    await tell(at, 'place_hold', { hold: 'wheel end', position: [0.21, 0.02, -0.1] });
    await at.waitForFunction(() => window.filum.kept()?.includes('0.21'));
    await own.kill();
    await at.getByText('Trying again').waitFor();
    // without a server the scene can still be saved
    const download = at.waitForEvent('download');
    await at.getByLabel('File', { exact: true }).click();
    await at.getByRole('menuitem', { name: 'Download the scene' }).click();
    assert.match(readFileSync(await (await download).path(), 'utf8'), /0\.21/);
    const again = await startServer(undefined, own);
    await at.waitForFunction(() => window.filum.connected() && window.filum.scene().holds[1].position?.[0] === 0.21);
    await at.getByText('Your unsaved changes are back').waitFor();
    assert.deepEqual([(await stateOf(at)).document.dirty, (await stateOf(at)).document.path], [true, own.file]);
    await at.waitForFunction(() => window.filum.state().left_behind === null);
    // both gone, the page ended: the next page offers it
    await at.waitForFunction(() => window.filum.kept()?.includes('0.21'));
    await again.kill();
    const next = await at.context().newPage();
    await at.close({ runBeforeUnload: false });
    const third = await startServer(undefined, { ...again, file: undefined });
    await next.goto(third.address);
    await next.getByText('This browser kept unsaved changes').waitFor();
    await next.getByRole('button', { name: 'Restore' }).click();
    await next.waitForFunction(() => window.filum.scene().holds[1]?.position?.[0] === 0.21);
    await next.getByLabel('File', { exact: true }).click();
    await next.getByRole('menuitem', { name: 'Kept versions…' }).click();
    await next.locator('.version').first().waitFor();
    await opened.close();
    await third.stop();
  });

  it('is opened from and saved to folders of the server, with one ending', async () => {
    const file = path.join(server.folder, 'task1.yaml');
    writeFileSync(file, (await tell(page, 'text')).text);
    await page.getByLabel('File', { exact: true }).click();
    await page.getByRole('menuitem', { name: 'Open where the simulation runs…' }).click();
    await page.locator('[data-file="task1.yaml"]').click();
    const discard = page.getByRole('button', { name: 'Discard them' });
    await Promise.race([discard.waitFor().then(() => discard.click()), page.waitForFunction(() => window.filum.state().document.name === 'task1')]).catch(() => undefined);
    await page.waitForFunction(() => window.filum.state().document.name === 'task1');
    await page.keyboard.press('Control+Shift+S');
    assert.equal(await page.getByRole('textbox', { name: 'File' }).inputValue(), file);
    await page.keyboard.press('Escape');
    // a file that was dropped keeps its name, once
    await dropFiles(page, [file]);
    await page.waitForFunction(() => window.filum.state().document.name === 'task1' && window.filum.state().document.path === '');
    await page.keyboard.press('Control+Shift+S');
    assert.equal(await page.getByRole('textbox', { name: 'File' }).inputValue(), 'task1.yaml');
    await page.keyboard.press('Escape');
    await page.getByLabel('File', { exact: true }).click();
    await page.getByRole('menuitem', { name: 'task1.yaml' }).click();
    await page.waitForFunction((wanted) => window.filum.state().document.path === wanted, file);
  });
});

describe('what takes long', () => {
  it('says so and is stopped by a key, and all is as it was', async () => {
    await openExample(page, 'brake-hose');
    const { hash } = await frameOf(page);
    await leaf('hose').click();
    await type('Segments', '20000');
    await page.locator('.banner progress').waitFor();
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Escape');
    await page.locator('.banner progress').waitFor({ state: 'detached' });
    assert.equal((await sceneOf(page)).rods[0].segments, 60);
    await page.waitForFunction((wanted) => window.filum.frame().hash === wanted, hash);
    await page.locator('.row .problem').first().waitFor();
    await type('Segments', '60');
  });
});

describe('the run', () => {
  before(async () => {
    await openExample(page, 'flexible-pendulum');
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.filum.frame().time > 0.4);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !window.filum.state().playing);
  });

  it('is looked back into, stepped and played back', async () => {
    const end = await frameOf(page);
    const { rods } = await sceneOf(page);
    const last = await pointsOf(page, rods[0].name);
    const track = page.getByRole('slider', { name: 'Course of the run' });
    await track.focus();
    for (let k = 0; k < 3; ++k) await page.keyboard.press('PageDown');
    await page.waitForFunction((t) => window.filum.frame().time < t, end.time);
    assert.notDeepEqual(await pointsOf(page, rods[0].name), last);
    const { x, y, width, height } = await track.boundingBox();
    await page.mouse.click(x + 1, y + height / 2);
    await page.waitForFunction((t) => window.filum.frame().time < t / 4, end.time);
    assert.ok(width > 50);
    await page.getByLabel('Play the recording').click();
    await page.waitForFunction((t) => window.filum.frame().time >= t - 0.05, end.time);
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Escape');
    await page.waitForFunction((hash) => window.filum.frame().hash === hash, end.hash);
  });

  it('is put aside and compared with the next', async () => {
    await page.getByLabel('Recording', { exact: true }).click();
    await page.getByRole('menuitem', { name: 'Put this run aside' }).click();
    await page.locator('[data-figure="apart"]').waitFor();
    assert.match(await page.locator('[data-figure="apart"]').textContent(), /^0 /);
  });

  it('is exported as an animation, as a film, and as a picture of any size', async () => {
    const given = async (item) => {
      const download = page.waitForEvent('download');
      await page.getByLabel('Recording', { exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
      if (item.startsWith('Picture')) await page.getByRole('button', { name: 'Download', exact: true }).click();
      return readFileSync(await (await download).path());
    };
    const animation = await given('Animation (glTF)');
    assert.equal(animation.subarray(0, 4).toString(), 'glTF');
    const json = JSON.parse(animation.subarray(20, 20 + animation.readUInt32LE(12)).toString());
    assert.equal(json.skins.length, 1);
    assert.ok(json.animations[0].channels.length > 20);
    const film = await given('Film (WebM)');
    assert.equal(film.readUInt32BE(0), 0x1a45dfa3, 'it is a Matroska file');
    const picture = await given('Picture of any size (PNG)…');
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [3840, 2160]);
  });
});

describe('drawing', () => {
  before(async () => {
    await openExample(page, 'brake-hose');
  });

  it('shows where it aims, on the grid, with a rubber band', async () => {
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('c');
    const box = await page.locator('.canvas-host').boundingBox();
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 0.75 * box.height);
    const label = page.locator('.label-measure');
    await label.filter({ hasText: 'grid' }).first().waitFor();
    await page.mouse.click(box.x + 0.3 * box.width, box.y + 0.75 * box.height);
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.8 * box.height);
    await label.filter({ hasText: /mm · .* mm · grid/ }).first().waitFor();
    await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.8 * box.height);
    await inScene(() => window.filum.scene().rods.length === 2);
    const { holds } = await sceneOf(page);
    // tenths of the grid's step are round numbers
    for (const hold of holds.slice(2)) for (const c of hold.position) assert.equal(Math.abs(Math.round(c * 1e4) - c * 1e4) < 1e-6, true, `${hold.position}`);
    await tell(page, 'undo');
  });

  it('makes a cable by numbers, without a pointer, with clamped ends', async () => {
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'By numbers…' }).press('Enter');
    await type('To, x', '300');
    await type('To, z', '40');
    await type('Length of the new cable', '350');
    await page.getByLabel('Ends of new cables').selectOption('clamped');
    await page.getByRole('button', { name: 'Make it' }).press('Enter');
    await inScene(() => window.filum.scene().rods.length === 2);
    const { rods, holds } = await sceneOf(page);
    assert.equal(rods[1].length, 0.35);
    assert.deepEqual(holds.at(-1).fix.orientation, [true, true, true]);
    assert.deepEqual(holds.at(-1).position, [0.3, 0, 0.04]);
    await tell(page, 'undo');
  });
});

describe('many things', () => {
  before(() => openExample(page, 'wiring-harness'));

  it('are selected in the tree and in a box, moved together, and removed, each as one thing to undo', async () => {
    await leaf('connector').click();
    await leaf('lamp plug').click({ modifiers: ['Control'] });
    await page.getByText('2 things selected').waitFor();
    const before = [await holdAt(page, 'connector'), await holdAt(page, 'lamp plug')];
    const { depth } = (await stateOf(page)).undo;
    await type('Move by, z', '20');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.waitForFunction(([a, b]) => Math.abs(window.filum.hold('connector')[2] - a - 0.02) < 1e-6 && Math.abs(window.filum.hold('lamp plug')[2] - b - 0.02) < 1e-6, before.map((point) => point[2]));
    assert.equal((await stateOf(page)).undo.depth, depth + 1);
    await tell(page, 'undo');
    // a box round everything
    const box = await page.locator('.canvas-host').boundingBox();
    await page.keyboard.down('Control');
    await page.mouse.move(box.x + 5, box.y + 150);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 80, box.y + box.height - 60, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Control');
    await page.getByText('5 things selected').waitFor();
  });

  it('are copied and mirrored', async () => {
    await leaf('lamp').click();
    await page.keyboard.press('Control+d');
    await inScene(() => window.filum.scene().rods.length === 6);
    await inScene(() => window.filum.scene().holds.some(({ rod }) => rod === 'lamp 2'));
    const { rods } = await sceneOf(page);
    assert.equal(rods.at(-1).name, 'lamp 2');
    assert.equal(rods.at(-1).length, rods.find(({ name }) => name === 'lamp').length);
    await page.keyboard.press('Control+z');
    await inScene(() => window.filum.scene().rods.length === 5);
    assert.equal((await sceneOf(page)).holds.length, 6, 'all of it is undone at once');
  });

  it('are found, isolated and locked', async () => {
    await page.getByLabel('Search the scene').fill('plug');
    assert.equal(await page.locator('[data-leaf]').count(), 3);
    await page.getByLabel('Search the scene').fill('');
    await leaf('trunk').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show nothing else' }).click();
    assert.ok((await page.locator('.leaf-row.hidden').count()) >= 4);
    await leaf('trunk').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show everything' }).click();
    assert.equal(await page.locator('.leaf-row.hidden').count(), 0);
  });
});

describe('looking', () => {
  before(() => openExample(page, 'wiring-harness'));

  it('has tables that are sorted, saved and flown to', async () => {
    await page.getByLabel('Tables', { exact: true }).click();
    const table = page.locator('.tables');
    await table.getByRole('button', { name: 'Length [mm]' }).click();
    const lengths = (await table.locator('tbody tr td:nth-child(2)').allTextContents()).map(Number);
    assert.deepEqual(lengths, [...lengths].sort((a, b) => a - b));
    const download = page.waitForEvent('download');
    await table.getByRole('button', { name: 'CSV' }).click();
    const csv = readFileSync(await (await download).path(), 'utf8');
    assert.match(csv, /^Cable,Length \[mm\]/);
    assert.equal(csv.trim().split('\n').length, 6);
    await table.locator('tbody tr').first().click();
    await page.waitForFunction(() => window.filum.selection().kind === 'rod');
    await page.getByLabel('Tables', { exact: true }).click();
  });

  it('tells the clearance of what is selected', async () => {
    await leaf('lamp').click();
    await page.getByLabel('View', { exact: true }).click();
    await page.getByText('Clearance of what is selected').click();
    await page.getByLabel('Section plane across').selectOption('y');
    await page.getByText('Parallel projection').click();
    await page.keyboard.press('Escape');
    // branches meet where they are joined
    await page.locator('.label').filter({ hasText: / to (trunk|middle|sensor|motor)/ }).first().waitFor();
    const points = await pointsOf(page, 'trunk');
    const [a, b] = [await onScreen(page, points[0]), await onScreen(page, points.at(-1))];
    assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 20);
    await page.getByLabel('Saved views').click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByLabel('Look from: Top').click();
    await page.waitForFunction(() => window.filum.resting());
    await page.getByLabel('Saved views').click();
    await page.getByRole('menuitem', { name: 'View 1' }).click();
    await page.waitForFunction(([point, at]) => window.filum.resting() && Math.abs(window.filum.toScreen(point).x - at.x) < 2, [points[0], a]);
    await page.getByLabel('View', { exact: true }).click();
    await page.getByText('Clearance of what is selected').click();
    await page.getByLabel('Section plane across').selectOption('none');
    await page.getByText('Parallel projection').click();
    await page.keyboard.press('Escape');
  });
});

describe('the gallery', () => {
  it('is searched, and the words of an example stay readable', async () => {
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+o');
    await page.locator('[data-example]').first().waitFor();
    await page.getByLabel('Search the examples').fill('brake');
    await page.waitForFunction(() => document.querySelectorAll('[data-example]').length < 4);
    await page.locator('[data-example="brake-hose"]').click();
    await discardIfAsked();
    await page.getByText('About this example').waitFor();
    assert.match(await page.locator('.about').textContent(), /fittings/);
  });

  it('has tours that see what was done', async () => {
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+o');
    await page.locator('[data-tour="Route a hose"]').click();
    await discardIfAsked();
    const card = page.locator('.tour');
    await card.getByText('step 1 of 4').waitFor();
    await page.waitForTimeout(500);
    await leaf('wheel end').click();
    await type('Position, z', '-=50');
    await card.getByText('step 2 of 4').waitFor();
    await leaf('hose').click();
    await type('Bend radius ≥', '60');
    await card.getByText('step 3 of 4').waitFor();
    await type('Unstretched length', '500');
    await card.getByText('step 4 of 4').waitFor();
    await page.getByLabel('Compare').click();
    await page.getByRole('menuitem', { name: 'cosserat' }).click();
    await card.getByText('done').waitFor();
    await card.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('End the comparison').click();
  });
});

describe('for everybody', () => {
  it('has targets of 24 pixels, a view with a name, and panels that can be made wider', async () => {
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('.button, .leaf, .fold, .mark')].filter((part) => part.offsetParent !== null).map((part) => ({ what: part.getAttribute('aria-label') ?? part.textContent, box: part.getBoundingClientRect() })).filter(({ box }) => box.width < 24 || box.height < 24).map(({ what, box }) => `${what}: ${box.width} × ${box.height}`),
    );
    assert.deepEqual(small, []);
    assert.match(await page.locator('.canvas-host').getAttribute('aria-label'), /view/);
    const edge = page.getByLabel('Width of the tree');
    const before = (await page.locator('.side.left').boundingBox()).width;
    await edge.focus();
    for (let k = 0; k < 3; ++k) await page.keyboard.press('ArrowLeft');
    assert.ok((await page.locator('.side.left').boundingBox()).width < before - 20);
  });

  it('leaves the view free at 900 pixels', async () => {
    await page.setViewportSize({ width: 900, height: 640 });
    const [left, view, right] = [await page.locator('.side.left').boundingBox(), await page.locator('.canvas-host').boundingBox(), await page.locator('.side.right').boundingBox()];
    assert.ok(left.x + left.width <= view.x + 1 && view.x + view.width <= right.x + 1 && view.width > 300);
    await page.setViewportSize({ width: 1024, height: 640 });
  });
});

describe('in the end', () => {
  it('there is nothing to complain about', () => assert.deepEqual(complaints, []));
});
