// A day's work in the workbench, end to end: what must never surprise. One server and one page serve all of it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { holdAt, openExample, openPage, sceneOf, startBrowser, startServer, stateOf, tell } from './bench.mjs';

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

describe('in the end', () => {
  it('there is nothing to complain about', () => assert.deepEqual(complaints, []));
});
