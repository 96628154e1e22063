// A day's work in the workbench, end to end: what must never surprise.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { distance, dropFiles, frameOf, holdAt, onScreen, openExample, openPage, pointsOf, sceneOf, startServer, stateOf, tell } from './bench.mjs';
import { browser, complaints, discardIfAsked, inScene, leaf, page, server, type } from './shared_page.mjs';

describe('units', () => {
  before(() => openExample(page, 'brake-hose'));

  it('takes a bare number in the unit that stands beside the field, also where nothing or zero is', async () => {
    await leaf('hose').click();
    const limit = page.getByLabel('Bend radius ≥', { exact: true });
    assert.equal(await page.locator('.measured', { has: limit }).locator('.unit').textContent(), 'mm');
    await type('Bend radius ≥', '');
    await inScene(() => window.filum.scene().rods[0].bend_radius_limit === null);
    assert.equal(await page.locator('.measured', { has: limit }).locator('.unit').textContent(), 'mm');
    await type('Bend radius ≥', '40');
    await inScene(() => window.filum.scene().rods[0].bend_radius_limit === 0.04);
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

  it('has forces in newtons or kilonewtons, as chosen: fields, limits and tables alike', async () => {
    const choose = async (unit) => {
      await page.getByLabel('View', { exact: true }).click();
      await page.getByLabel('Unit of forces').selectOption(unit);
      await page.keyboard.press('Escape');
    };
    await leaf('hose').click();
    const reads = (value, unit) =>
      page.waitForFunction(([label, wanted]) => {
        const input = document.querySelector(`[aria-label="${label}"]`);
        return `${input?.value} ${input?.closest('.measured')?.querySelector('.unit')?.textContent}` === wanted;
      }, ['Tension ≤', `${value} ${unit}`]);
    await type('Tension ≤', '50');
    await inScene(() => window.filum.scene().rods[0].limits.max_tension === 50);
    await reads('50', 'N');
    await choose('kN');
    await reads('0.05', 'kN');
    await type('Tension ≤', '0.06');
    await inScene(() => window.filum.scene().rods[0].limits.max_tension === 60);
    await page.locator('.alarm').filter({ hasText: '0.06 kN' }).waitFor();
    await page.getByLabel('Tables', { exact: true }).click();
    await page.locator('.tables th').filter({ hasText: '[kN]' }).first().waitFor();
    assert.equal(await page.locator('.tables th').filter({ hasText: '[N]' }).count(), 0);
    await page.getByLabel('Tables', { exact: true }).click();
    await choose('fit');
    await reads('60', 'N');
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

  it('tells that there is no equilibrium until there is one, and in no other document', async () => {
    await openExample(page, 'brake-hose');
    const told = page.locator('.alarms .quiet').filter({ hasText: /no equilibrium|not converge/ });
    // held by one end; without a hold along z it falls for ever
    await tell(page, 'remove_hold', { hold: 'wheel end' });
    const fall = async () => {
      await tell(page, 'fix_hold', { hold: 'frame end', fix: { position: ['x', 'y'], orientation: false } });
      await told.first().waitFor();
    };
    await fall();
    await tell(page, 'fix_hold', { hold: 'frame end', fix: ['position', 'orientation'] });
    await told.first().waitFor({ state: 'detached' });
    assert.equal((await stateOf(page)).solve.converged, true);
    await fall();
    await openExample(page, 'catenary');
    await told.first().waitFor({ state: 'detached' });
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
    const forces = await page.evaluate(() => window.filum.forces());
    await page.mouse.up();
    // half as much again as all that weighs; the others may feel a load of a ton that the hoist jerks off the floor
    assert.ok(forces.at(-1) > 0 && forces.at(-1) < 17.9e3, `the hand: ${forces.at(-1)} N`);
    assert.ok(Math.max(...forces) < 5e5, `${forces} N`);
  });

  it('attaches to the body under the pointer, from then on, and Home is as it was', async () => {
    await page.keyboard.press('Home');
    await page.waitForFunction(() => window.filum.frame().time === 0 && !window.filum.state().playing);
    const start = await pointsOf(page, 'sling');
    await tell(page, 'step', { n: 3 });
    // taken where it hangs still, above the end that is the shackle's, and led while the crane moves
    const from = await onScreen(page, (await pointsOf(page, 'sling')).at(-2));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 5, from.y);
    await page.waitForFunction(() => window.filum.state().grabbed.length === 1);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.filum.state().playing);
    await page.keyboard.down('Shift');
    // it travels meanwhile
    for (let k = 1; k <= 4; ++k) {
      const to = await onScreen(page, await page.evaluate(() => window.filum.body('trolley')));
      await page.mouse.move(from.x + ((to.x - from.x) * k) / 4, from.y + ((to.y - from.y) * k) / 4);
    }
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

  it('takes hold again by the scene\'s own hold, whose drive stays, and Home is as it was to the last bit', async () => {
    await openExample(page, 'pick-and-place');
    const { hash } = await frameOf(page);
    // lowered onto the load, a moment before the shackle would take hold by itself
    await tell(page, 'step', { n: 160 });
    const from = await onScreen(page, (await pointsOf(page, 'sling')).at(-1));
    const to = await onScreen(page, await page.evaluate(() => window.filum.body('load')));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 5, from.y);
    await page.waitForFunction(() => window.filum.state().grabbed.length === 1);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => window.filum.state().playing);
    for (let k = 1; k <= 4; ++k) await page.mouse.move(from.x + ((to.x - from.x) * k) / 4, from.y + ((to.y - from.y) * k) / 4);
    await page.keyboard.down('Shift');
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await inScene(() => window.filum.scene().drivers.find(({ target }) => target === 'shackle')?.keys.length === 3);
    assert.deepEqual((await sceneOf(page)).holds.map(({ name, body }) => [name, body]), [['eye', 'hook'], ['shackle', 'load']]);
    await page.waitForFunction(() => window.filum.forces()[1] > 0);
    // what it holds now is told, though the scene has it hold nothing at the start; let go by a key, from then on
    await leaf('shackle').click();
    await page.locator('[data-fact="Now"]').filter({ hasText: 'position' }).waitFor();
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('l');
    await inScene(() => window.filum.scene().drivers.find(({ target }) => target === 'shackle')?.keys.length === 4);
    await page.keyboard.press('Home');
    await page.waitForFunction((wanted) => window.filum.frame().time === 0 && window.filum.frame().hash === wanted, hash);
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

describe('a lever', () => {
  it('leads a hold that nothing drives', async () => {
    await openExample(page, 'brake-hose');
    await leaf('wheel end').click();
    await page.getByLabel('Lever along z').click();
    const slider = page.getByLabel('Lead wheel end z');
    await slider.focus();
    const before = await holdAt(page, 'wheel end');
    await page.keyboard.press('PageUp');
    await page.waitForFunction((z) => window.filum.hold('wheel end')[2] > z + 0.01, before[2]);
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
    assert.ok(Math.abs((await holdAt(page, 'wheel end'))[0] - before[0]) < 1e-7, 'along one axis alone');
    await leaf('wheel end').click();
    await page.getByLabel('Lever along z').click();
    await slider.waitFor({ state: 'detached' });
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
    // a typed length is no work: the curves of energy are those of the shape alone
    const { columns, rows } = await tell(page, 'history', { since: 0 });
    assert.equal(rows.at(-1)[columns.indexOf('work')], 0);
    assert.ok(Math.abs(rows.at(-1)[columns.indexOf('elastic')]) < 0.1, 'J of a slack cable');
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
    let again = await startServer(undefined, own);
    await at.waitForFunction(() => window.filum.connected() && window.filum.scene().holds[1].position?.[0] === 0.21);
    await at.getByText('Your unsaved changes are back').waitFor();
    await at.waitForFunction((file) => {
      const { dirty, path } = window.filum.state().document;
      return dirty && path === file;
    }, own.file);
    await at.waitForFunction(() => window.filum.state().left_behind === null);
    // what is typed in the very moment before it breaks off is not lost either
    await at.locator('[data-leaf="wheel end"]').click();
    await at.getByLabel('Position, y', { exact: true }).fill('77');
    await at.getByLabel('Position, y', { exact: true }).press('Enter');
    await again.kill();
    again = await startServer(undefined, again);
    await at.waitForFunction(() => window.filum.connected() && window.filum.scene().holds[1].position?.[1] === 0.077);
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

  it('that is typed while the server is away is there when it is back', async () => {
    let own = await startServer('brake-hose.yaml');
    const opened = await openPage(browser, own.address);
    const at = opened.page;
    const wheel = (axis, value) => at.waitForFunction(([k, wanted]) => window.filum.connected() && window.filum.scene().holds[1]?.position?.[k] === wanted, [axis, value]);
    const typeInto = async (label, text) => {
      await at.getByLabel(label, { exact: true }).fill(text);
      await at.getByLabel(label, { exact: true }).press('Enter');
    };
    await at.locator('[data-leaf="wheel end"]').click();
    await own.kill();
    await at.getByText('Trying again').waitFor();
    await typeInto('Position, x', '233');
    await at.locator('.row .problem').getByText('as soon as it is back').waitFor();
    own = await startServer(undefined, own);
    await wheel(0, 0.233);
    await at.locator('.row .problem').waitFor({ state: 'detached' });
    // the same if only the connection was away: the same server hears it later
    await at.evaluate(() => {
      const Own = window.WebSocket;
      window.comeBack = () => (window.WebSocket = Own);
      window.WebSocket = class extends Own {
        constructor(address, ...rest) {
          super(new URL('/nowhere', address).href, ...rest);
        }
      };
      window.openSockets.at(-1).close();
    });
    await at.getByText('Trying again').waitFor();
    await typeInto('Position, x', '222');
    await at.evaluate(() => window.comeBack());
    await wheel(0, 0.222);
    await opened.close();
    await own.stop();
  });

  it('is opened from and saved to folders of the server, with one ending', async () => {
    const file = path.join(server.folder, 'task1.yaml');
    writeFileSync(file, (await tell(page, 'text')).text);
    await page.getByLabel('File', { exact: true }).click();
    await page.getByRole('menuitem', { name: 'Open where the simulation runs…' }).click();
    await page.locator('[data-file="task1.yaml"]').click();
    await discardIfAsked();
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

describe('in the end', () => {
  it('there is nothing to complain about', () => assert.deepEqual(complaints, []));
});
