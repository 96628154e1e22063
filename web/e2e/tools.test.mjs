// The tools of the workbench, end to end: runs, modes, drawing, many things, looking, tours, other hands.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { dropFiles, frameOf, holdAt, onScreen, openExample, pointsOf, sceneOf, stateOf, tell } from './bench.mjs';
import { complaints, discardIfAsked, inScene, leaf, page, server, type } from './shared_page.mjs';

describe('what takes long', () => {
  it('says so and is stopped by a key, and all is as it was', async () => {
    await openExample(page, 'laid-cable');
    const { hash } = await frameOf(page);
    const [rod] = (await sceneOf(page)).rods;
    await leaf(rod.name).click();
    await type('Segments', '20000');
    await page.locator('.banner progress').waitFor();
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Escape');
    await page.locator('.banner progress').waitFor({ state: 'detached' });
    assert.equal((await sceneOf(page)).rods[0].segments, rod.segments);
    await page.waitForFunction((wanted) => window.filum.frame().hash === wanted, hash);
    await page.locator('.row .problem').first().waitFor();
    await type('Segments', String(rod.segments));
  });

  it('leaves the picture alive: the pointer asks the program for nothing, things light up under it and the view turns', async () => {
    const [rod] = (await sceneOf(page)).rods;
    const points = await pointsOf(page, rod.name);
    const on = await onScreen(page, points[points.length >> 1]);
    const cursor = (wanted) => page.waitForFunction((shape) => document.querySelector('.canvas-host canvas').style.cursor === shape, wanted);
    const off = { x: on.x, y: on.y + 150 };
    await page.mouse.move(off.x, off.y);
    await cursor('');
    await leaf(rod.name).click();
    await type('Segments', '20000');
    const progress = page.locator('.banner progress');
    await progress.waitFor();
    await page.evaluate(() => {
      window.said = [];
      window.draws = 0;
      const socket = window.openSockets.at(-1);
      const send = socket.send;
      socket.send = function (text) {
        window.said.push(JSON.parse(text).cmd);
        return send.call(this, text);
      };
      const { drawElements } = WebGL2RenderingContext.prototype;
      WebGL2RenderingContext.prototype.drawElements = function (...given) {
        window.draws += 1;
        return drawElements.apply(this, given);
      };
    });
    for (let k = 0; k < 3; ++k) {
      await page.mouse.move(on.x, on.y);
      await cursor('grab');
      await page.mouse.move(off.x, off.y);
      await cursor('');
    }
    const before = await page.evaluate((end) => ({ draws: window.draws, end, at: window.filum.toScreen(end) }), points[0]);
    await page.mouse.down();
    await page.mouse.move(off.x + 60, off.y, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(({ draws, end, at }) => window.draws > draws && Math.abs(window.filum.toScreen(end).x - at.x) > 2, before);
    assert.ok(await progress.isVisible(), 'all of this while it computes');
    assert.deepEqual(await page.evaluate(() => window.said), []);
    await page.getByRole('button', { name: 'Stop' }).click();
    await progress.waitFor({ state: 'detached' });
    assert.equal((await sceneOf(page)).rods[0].segments, rod.segments);
    await type('Segments', String(rod.segments));
  });
});

describe('what is stopped', () => {
  /** A cable between two clamps half a metre apart, one of which goes its way. */
  const hose = (segments, path, simulation = 'start: as-shaped') => `filum: 1\ntitle: long\nsections: {w: {shape: circle, radius: 3 mm}}\nmaterials: {m: {young: 20 MPa, poisson: 0.45, density: 1200}}\nrods:\n  c: {material: m, section: w, length: 0.55, segments: ${segments}, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}\nholds:\n  - {name: a, rod: c, at: start, fix: [position, orientation]}\n  - {name: b, rod: c, at: end, fix: [position, orientation]}\ndrivers:\n  - {hold: b, path: [${path}]}\nsimulation: {mode: dynamics, ${simulation}}\n`;
  const turned = (segments) => hose(segments, '{t: 0, turns: 0}, {t: 1, turns: 3}');
  /** One step brings the ends together, for which it is divided many times. */
  const thrown = (segments) => hose(segments, '{t: 0, position: [0.5, 0, 0]}, {t: 0.1, position: [0.1, 0.1, 0]}', 'start: as-shaped, step: 0.1');
  /** Of as many rigid parts, which come to rest step by step. */
  const chain = (segments) => hose(segments, '{t: 0, position: [0.5, 0, 0]}', 'formulation: chain');
  const MOST = 100_000;

  /** From now on: what became of the next command of this name. */
  const listen = (command) => {
    const socket = window.openSockets.at(-1);
    const { send } = socket;
    let asked;
    window.outcome = undefined;
    socket.send = function (text) {
      const said = JSON.parse(text);
      if (said.cmd === command) asked ??= said.id;
      return send.call(this, text);
    };
    const hear = ({ data }) => {
      const said = typeof data === 'string' ? JSON.parse(data) : {};
      if (asked === undefined || said.type !== 'reply' || said.id !== asked) return;
      window.outcome = said.ok ? 'done' : said.stopped ? 'stopped' : said.error;
      socket.send = send;
      socket.removeEventListener('message', hear);
    };
    socket.addEventListener('message', hear);
  };

  // what a quick machine does before anybody can stop it is asked for again, of a longer cable: nothing here depends on how quick it is
  const compared = async () => {
    await page.getByLabel('Compare').click();
    await page.getByRole('menuitem', { name: 'cosserat' }).click();
  };
  for (const [command, scene, begin] of [
    ['modes', turned, () => page.getByRole('button', { name: 'Find them' }).click()],
    ['path', turned, () => page.getByRole('button', { name: 'Follow it at rest' }).click()],
    ['compare', turned, compared],
    ['settle', chain, () => page.keyboard.press('e')],
    ['step', thrown, () => page.keyboard.press('.')],
  ])
    it(`is ${command}, by Escape, and all is as it was`, async (test) => {
      for (let segments = 3000, outcome = 'done'; outcome !== 'stopped'; segments *= 4) {
        assert.ok(segments < MOST, `${command} of ${segments / 4} segments was done before it was stopped`);
        await tell(page, 'open', { text: scene(segments), name: 'long' });
        await leaf('long').click();
        await page.locator('.canvas-host').focus();
        const { hash } = await frameOf(page);
        await page.evaluate(listen, command);
        await begin();
        await page.waitForFunction(() => window.outcome || document.querySelector('.banner progress'));
        const began = performance.now();
        await page.locator('.canvas-host').focus();
        await page.keyboard.press('Escape');
        await page.waitForFunction(() => window.outcome);
        outcome = await page.evaluate(() => window.outcome);
        await page.locator('.banner progress').waitFor({ state: 'detached' });
        assert.match(outcome, /^(done|stopped)$/);
        if (outcome === 'done') continue;
        assert.equal((await frameOf(page)).hash, hash);
        test.diagnostic(`${segments} segments, stopped after ${(performance.now() - began).toFixed(0)} ms`);
      }
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

describe('how a scene is computed', () => {
  const choose = (formulation) => page.getByLabel('Formulation', { exact: true }).selectOption(formulation);
  const simulation = async () => (await sceneOf(page)).simulation;

  it('is chosen in the inspector: integrators, knots that follow the shape, a chain\'s damping and detail; each is undone', async () => {
    await openExample(page, 'brake-hose');
    const first = await simulation();
    const start = (await stateOf(page)).undo.depth;
    await page.locator('[role=treeitem]').first().click();
    await choose('spline');
    await inScene(() => window.filum.scene().simulation.formulation === 'spline');
    await type('Adaptive knots', '1e-5');
    await inScene(() => window.filum.scene().simulation.spline.detail === 1e-5);
    await leaf('hose').click();
    await page.locator('[data-fact="Knots"]').filter({ hasText: /adapted: \d+ segments/ }).waitFor();
    await page.locator('[role=treeitem]').first().click();
    await page.getByLabel('Integrator', { exact: true }).selectOption('runge-kutta');
    await inScene(() => window.filum.scene().simulation.integrator === 'runge-kutta');
    await page.getByLabel('Integrator', { exact: true }).selectOption('implicit-euler');
    await inScene(() => window.filum.scene().simulation.integrator === 'implicit-euler');
    await page.getByLabel('have rotary inertia').check();
    await inScene(() => window.filum.scene().simulation.rotary_inertia);
    await page.getByLabel('have rotary inertia').uncheck();
    await inScene(() => !window.filum.scene().simulation.rotary_inertia);
    await choose('kirchhoff');
    await inScene(() => window.filum.scene().simulation.formulation === 'kirchhoff');
    await page.getByLabel('Integrator', { exact: true }).selectOption('generalised-alpha');
    await type('Spectral radius', '0.8');
    await inScene(() => window.filum.scene().simulation.spectral_radius === 0.8);
    await choose('chain');
    await inScene(() => window.filum.scene().simulation.formulation === 'chain');
    await type('Joint damping', '5 ms');
    await inScene(() => window.filum.scene().simulation.chain.damping === 0.005);
    await type('Level of detail', '1e-3');
    await inScene(() => window.filum.scene().simulation.chain.detail === 1e-3);
    for (let { depth } = (await stateOf(page)).undo; depth > start; depth -= 1) {
      await tell(page, 'undo');
      await page.waitForFunction((wanted) => window.filum.state().undo.depth === wanted, depth - 1);
    }
    assert.deepEqual(await simulation(), first);
  });

  it('has what was refused beside its field only as long as that is there', async () => {
    await page.locator('[role=treeitem]').first().click();
    await choose('spline');
    await type('Adaptive knots', '0.7');
    await page.locator('.row .problem').getByText('at most 0.5').waitFor();
    await leaf('hose').click();
    await page.locator('[role=treeitem]').first().click();
    await page.getByLabel('Adaptive knots', { exact: true }).waitFor();
    assert.equal(await page.locator('.row .problem').count(), 0);
    await tell(page, 'undo');
  });
});

describe('natural modes', () => {
  it('are found, and swing', async () => {
    await openExample(page, 'wiring-harness');
    await leaf('Wiring harness').click();
    await page.getByRole('button', { name: 'Find them' }).click();
    await page.locator('[data-mode="0"]').waitFor();
    assert.match(await page.locator('[data-mode="0"]').textContent(), /Hz/);
    await page.locator('[data-mode="0"]').click();
    const first = await page.waitForFunction(() => window.filum.ghost()).then((found) => found.jsonValue());
    await page.waitForFunction((at) => Math.hypot(...window.filum.ghost().map((c, k) => c - at[k])) > 1e-3, first);
    await page.locator('[data-mode="0"]').click();
    await page.waitForFunction(() => window.filum.ghost() === undefined);
  });
});

describe('the movement of the drivers', () => {
  it('is followed at rest, looked at by a slider, and tells what is too short', async () => {
    await openExample(page, 'cluster-removal');
    const { hash } = await frameOf(page);
    const now = await page.evaluate(() => window.filum.body('cluster'));
    await leaf('Taking out an instrument cluster with its cables').click();
    await page.getByLabel('Number of states').selectOption('11');
    await page.getByRole('button', { name: 'Follow it at rest' }).click();
    const slider = page.getByRole('slider', { name: 'State of the movement' });
    await slider.waitFor();
    const lacks = page.locator('[data-lacks]');
    assert.match(await lacks.first().textContent(), /mm.*too short between/);
    // the last state is where the driver leads the body, and the cables go along
    await slider.fill('10');
    await page.waitForFunction(() => Math.hypot(window.filum.body('cluster')[0] - 0.42, window.filum.body('cluster')[2] - 0.1) < 1e-6);
    const [plug, end] = await page.evaluate(() => [window.filum.hold('main plug'), window.filum.rod('main').at(-1)]);
    assert.ok(Math.hypot(...plug.map((c, k) => c - end[k])) < 1e-6);
    // and nothing has changed
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.waitForFunction((at) => window.filum.body('cluster').every((c, k) => c === at[k]), now);
    assert.equal((await frameOf(page)).hash, hash);
    // with what it lacks it reaches the end
    while ((await lacks.count()) > 0) {
      const rod = await lacks.first().getAttribute('data-lacks');
      const { length } = (await sceneOf(page)).rods.find(({ name }) => name === rod);
      await lacks.first().getByRole('button', { name: 'Give it' }).click();
      await inScene(([name, before]) => window.filum.scene().rods.find((candidate) => candidate.name === name).length > before, [rod, length]);
      await slider.waitFor();
    }
    await page.getByText('No cable is too short for it.').waitFor();
    assert.deepEqual(complaints, []);
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

  it('meets junctions, and corners, edges and faces of meshes, on which clamped ends stand upright', async () => {
    await openExample(page, 'wiring-harness');
    const { junctions } = await sceneOf(page);
    const member = junctions[0].rods[0];
    const at = await page.evaluate(({ rod, s }) => {
      const points = window.filum.rod(rod);
      return points[Math.round((s / window.filum.length(rod)) * (points.length - 1))];
    }, member);
    const box = await page.locator('.canvas-host').boundingBox();
    const label = page.locator('.label-measure');
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('c');
    const there = await onScreen(page, at);
    await page.mouse.move(there.x, there.y);
    await label.filter({ hasText: junctions[0].name }).first().waitFor();
    await page.mouse.click(there.x, there.y);
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.85 * box.height);
    await inScene((count) => window.filum.scene().junctions[0].rods.length === count + 1, junctions[0].rods.length);
    assert.equal((await sceneOf(page)).junctions.length, junctions.length, 'the branch belongs to the junction that was there');
    // a square that stands upright and faces −y
    await tell(page, 'new');
    const wall = path.join(server.folder, 'wall.obj');
    writeFileSync(wall, 'v 0 0 0\nv 0.4 0 0\nv 0.4 0 0.4\nv 0 0 0.4\nf 1 2 3\nf 1 3 4\n');
    await dropFiles(page, [wall]);
    await page.waitForFunction(() => window.filum.scene().scenery[0]?.address);
    await page.getByLabel('Look from: Front').click();
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('c');
    for (const [point, what] of [[[0.2, 0, 0.1], 'face'], [[0.2, 0, 0], 'edge'], [[0.4, 0, 0.4], 'vertex']]) {
      const { x, y } = await onScreen(page, point);
      // from within the face
      const inside = await onScreen(page, [0.25, 0, 0.15]);
      const towards = what === 'face' ? { x, y } : { x: x + 4 * Math.sign(inside.x - x), y: y + 4 * Math.sign(inside.y - y) };
      await page.mouse.move(inside.x, inside.y);
      await page.mouse.move(towards.x, towards.y);
      await label.filter({ hasText: `${what} of wall` }).first().waitFor();
    }
    await page.getByLabel('View', { exact: true }).click();
    await page.getByLabel('Ends of new cables').selectOption('clamped');
    await page.keyboard.press('Escape');
    await page.locator('.canvas-host').focus();
    for (const point of [[0.1, 0, 0.1], [0.3, 0, 0.12]]) {
      const { x, y } = await onScreen(page, point);
      await page.mouse.move(x - 1, y);
      await page.mouse.click(x, y);
    }
    await inScene(() => window.filum.scene().holds.length === 2 && window.filum.scene().holds.every(({ orientation }) => orientation));
    const points = await pointsOf(page, (await sceneOf(page)).rods[0].name);
    // it leaves the wall towards the viewer, and comes back to it
    const [out, back] = [points[1].map((c, k) => c - points[0][k]), points.at(-1).map((c, k) => c - points.at(-2)[k])];
    assert.ok(out[1] < -0.9 * Math.hypot(...out) && back[1] > 0.9 * Math.hypot(...back), `${out}, ${back}`);
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+z');
    await inScene(() => window.filum.scene().rods.length === 0);
    await openExample(page, 'brake-hose');
  });

  it('makes a cable by numbers, without a pointer, with clamped ends', async () => {
    await page.locator('.canvas-host').focus();
    const keys = page.keyboard;
    /** Tab until this has the focus. */
    const goTo = async (name) => {
      const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
      for (let k = 0; k < 40 && (await focused()) !== name; ++k) await keys.press('Tab');
      assert.equal(await focused(), name);
    };
    await keys.press('c');
    await goTo('By numbers…');
    await keys.press('Enter');
    await page.getByRole('dialog', { name: 'New cable' }).waitFor();
    for (const [label, text] of [['To, x', '300'], ['To, z', '40'], ['Length of the new cable', '350']]) {
      await goTo(label);
      await keys.type(text);
    }
    await goTo('Ends of new cables');
    await keys.press('ArrowDown');
    await goTo('Name of the new cable');
    await keys.type('by keys');
    // Enter is done with the field, and once more with all of it
    await keys.press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent === 'Make it');
    await keys.press('Enter');
    await inScene(() => window.filum.scene().rods.length === 2);
    const { rods, holds } = await sceneOf(page);
    assert.equal(rods[1].length, 0.35);
    assert.equal(rods[1].name, 'by keys');
    assert.deepEqual(holds.at(-1).fix.orientation, [true, true, true]);
    assert.deepEqual(holds.at(-1).position, [0.3, 0, 0.04]);
    await tell(page, 'undo');
  });
});

describe('numbers', () => {
  it('make a hold and a body, and a place that is none is refused beside its field', async () => {
    await openExample(page, 'brake-hose');
    await leaf('hose').click();
    await type('New hold at', '600');
    await page.locator('.row .problem').first().waitFor();
    assert.equal((await sceneOf(page)).holds.length, 2);
    await type('New hold at', '150');
    await inScene(() => window.filum.scene().holds.length === 3);
    const { name, s: at } = (await sceneOf(page)).holds.at(-1);
    assert.ok(Math.abs(at - 0.15) < 1e-12);
    await page.waitForFunction((wanted) => window.filum.selection().name === wanted, name);
    await type('Position, z', '-20');
    await inScene(() => window.filum.scene().holds.at(-1).position?.[2] === -0.02);
    await leaf('hose').click();
    await type('New hold at', '50 %');
    await inScene(() => window.filum.scene().holds.length === 4 && Math.abs(window.filum.scene().holds.at(-1).s - 0.21) < 1e-12);
    await page.getByLabel('New body').press('Enter');
    await inScene(() => window.filum.scene().bodies.length === 1);
    await type('Position, x', '300');
    await type('Mass', '2.5');
    await inScene(() => window.filum.scene().bodies[0].mass === 2.5 && window.filum.scene().bodies[0].position[0] === 0.3);
    assert.deepEqual(complaints, []);
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
    // copied here, put in elsewhere
    await leaf('lamp').click();
    await page.keyboard.press('Control+c');
    await leaf('trunk').click();
    await page.keyboard.press('Control+v');
    await inScene(() => window.filum.scene().rods.some(({ name }) => name === 'lamp 2') && window.filum.scene().holds.some(({ rod }) => rod === 'lamp 2'));
    await page.keyboard.press('Control+z');
    await inScene(() => window.filum.scene().rods.length === 5);
    // reflected across y: a point of the copy for each of the original, at the other side of a plane
    const points = await pointsOf(page, 'lamp');
    await leaf('lamp').click();
    await leaf('motor').click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: 'Mirror y' }).click();
    await inScene(() => window.filum.scene().rods.length === 7 && window.filum.rod('lamp 2').length > 0 && window.filum.rod('motor 2').length > 0);
    const drawn = (await sceneOf(page)).rods.find(({ name }) => name === 'lamp 2').shape;
    const mirrored = drawn.points ?? drawn.spline;
    const sums = points.map(([, y], k) => y + mirrored[k][1]);
    assert.ok(sums.every((sum) => Math.abs(sum - sums[0]) < 1e-6), 'as far before the plane as behind it');
    points.forEach(([x, , z], k) => assert.ok(Math.hypot(x - mirrored[k][0], z - mirrored[k][2]) < 1e-6));
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+z');
    await inScene(() => window.filum.scene().rods.length === 5);
  });

  it('have a name together, by which they are selected and hidden, and which the browser keeps', async () => {
    await leaf('lamp').click();
    await leaf('motor').click({ modifiers: ['Control'] });
    await page.getByLabel('Name of the group').fill('front');
    await page.getByLabel('Name of the group').press('Enter');
    await page.locator('[data-group="front"]').waitFor();
    await leaf('trunk').click();
    await page.locator('[data-group="front"]').click();
    await page.getByText('2 things selected').waitFor();
    await page.getByLabel('Hide front').click();
    assert.equal(await page.locator('.leaf-row.hidden').count(), 3, 'the group and its two cables');
    await page.getByLabel('Show front').click();
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('filum.workbench')).groups);
    assert.deepEqual(kept.map(({ name, things }) => [name, things.length]), [['front', 2]]);
    await page.getByLabel('Dissolve front').click();
    assert.equal(await page.locator('[data-group]').count(), 0);
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
    // what is locked is not taken by a drag
    const { x, y } = await onScreen(page, await holdAt(page, 'lamp plug'));
    await leaf('lamp plug').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Lock' }).click();
    await leaf('lamp').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Lock' }).click();
    await leaf('trunk').click();
    await page.mouse.click(x, y);
    assert.notEqual((await page.evaluate(() => window.filum.selection())).name, 'lamp plug');
    await page.getByLabel('Unlock lamp plug').click();
    await page.mouse.click(x, y);
    await page.waitForFunction(() => window.filum.selection().name === 'lamp plug');
    await page.getByLabel('Unlock lamp', { exact: true }).click();
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

describe('the camera', () => {
  before(async () => {
    await openExample(page, 'brake-hose');
  });

  /** Over how many pixels a length along x is seen, near and a quarter of a metre behind. */
  const seen = () =>
    page.evaluate(() => {
      const length = (y) => {
        const [a, b] = [window.filum.toScreen([0, y, 0]), window.filum.toScreen([0.2, y, 0])];
        return Math.hypot(a.x - b.x, a.y - b.y);
      };
      return [length(0), length(0.25)];
    });
  const parallel = async () => {
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByText('Parallel projection').click();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => window.filum.resting());
  };

  it('sees parallel lines as such when asked to, and the hand works there too', async () => {
    await page.getByLabel('Look from: Front').click();
    await page.waitForFunction(() => window.filum.resting());
    const [near, far] = await seen();
    assert.ok(far < 0.9 * near, `${near} and ${far} pixels in perspective`);
    await parallel();
    const [before, behind] = await seen();
    assert.ok(Math.abs(behind - before) < 0.01 * before, `${before} and ${behind} pixels in parallel`);
    // as large as it was seen before, where it is looked at
    assert.ok(before > far && before < 1.5 * near, `${before} pixels, ${near} before`);
    const { depth } = (await stateOf(page)).undo;
    const from = await onScreen(page, await holdAt(page, 'wheel end'));
    await page.mouse.move(from.x, from.y);
    await page.waitForFunction(() => document.querySelector('.canvas-host canvas').style.cursor === 'grab');
    await page.mouse.down();
    await page.mouse.move(from.x - 30, from.y - 20, { steps: 5 });
    await inScene(({ x, y }) => {
      const at = window.filum.toScreen(window.filum.hold('wheel end'));
      return Math.hypot(at.x - x + 30, at.y - y + 20) < 3;
    }, from);
    await page.mouse.up();
    await page.waitForFunction((before) => window.filum.state().undo.depth === before + 1 && window.filum.state().grabbed.length === 0, depth);
    await tell(page, 'undo');
    await parallel();
    const again = await seen();
    assert.ok(Math.abs(again[1] - far) < 0.02 * far, `${again} pixels in perspective again`);
  });

  it('goes back to views that were saved of the document', async () => {
    const end = await holdAt(page, 'wheel end');
    const views = () => page.getByRole('button', { name: 'Saved views' }).click();
    const look = async (key) => {
      await page.locator('.canvas-host').focus();
      await page.keyboard.press(key);
    };
    await look('3');
    const at = await onScreen(page, end);
    await views();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    const goThere = async () => {
      await look('7');
      const other = await onScreen(page, end);
      assert.ok(Math.hypot(other.x - at.x, other.y - at.y) > 20);
      await views();
      await page.getByRole('menuitem', { name: 'View 1' }).click();
      await inScene(({ point, x, y }) => {
        const now = window.filum.toScreen(point);
        return window.filum.resting() && Math.hypot(now.x - x, now.y - y) < 1;
      }, { point: end, ...at });
    };
    await goThere();
    // the saved ones are the browser's, by document; another document has none of them
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('filum.workbench')).views);
    assert.ok(kept.length >= 1);
    await openExample(page, 'catenary');
    await views();
    assert.equal(await page.getByRole('menuitem', { name: 'View 1' }).count(), 0);
    await page.keyboard.press('Escape');
    await openExample(page, 'brake-hose');
    await goThere();
    await views();
    await page.getByRole('menuitem', { name: 'Forget them' }).click();
    await views();
    assert.equal(await page.getByRole('menuitem', { name: 'View 1' }).count(), 0);
    await page.keyboard.press('Escape');
  });
});

describe('a section plane', () => {
  it('cuts the picture open, and nothing else', async () => {
    await openExample(page, 'wiring-harness');
    const { hash } = await frameOf(page);
    const choose = async (axis) => {
      await page.getByLabel('View', { exact: true }).click();
      await page.getByLabel('Section plane across').selectOption(axis);
      await page.keyboard.press('Escape');
      await page.mouse.move(2, 2);
      await page.waitForTimeout(500);
      return page.locator('.canvas-host canvas').first().screenshot();
    };
    // of the cables' own colours, how many points there are
    const lit = async (picture) =>
      page.evaluate(async (data) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
        canvas.drawImage(image, 0, 0);
        const { data: points } = canvas.getImageData(0, 0, image.width, image.height);
        let count = 0;
        for (let k = 0; k < points.length; k += 4) if (points[k] + points[k + 1] + points[k + 2] > 240) count += 1;
        return count;
      }, picture.toString('base64'));
    const [whole, half, again] = [await lit(await choose('none')), await lit(await choose('x')), await lit(await choose('none'))];
    assert.ok(half < 0.85 * whole, `${whole} points of light, cut open ${half}`);
    assert.ok(Math.abs(again - whole) < 0.02 * whole, `${again} in the end`);
    assert.equal((await frameOf(page)).hash, hash);
  });
});

describe('the gallery', () => {
  it('is searched, and the words of an example stay readable', async () => {
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+o');
    await page.locator('[data-example]').first().waitFor();
    await page.getByLabel('Search the examples').fill('brake');
    await page.waitForFunction(() => document.querySelectorAll('[data-example]').length < 8);
    await page.locator('[data-example="brake-hose"]').click();
    await discardIfAsked();
    await page.locator('.about').filter({ hasText: 'fittings' }).waitFor();
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

  it('has a tour that lifts a load, and one that twists a ring', async () => {
    const card = page.locator('.tour');
    const begin = async (title) => {
      await page.locator('.canvas-host').focus();
      await page.keyboard.press('Control+o');
      await page.locator(`[data-tour="${title}"]`).click();
      await discardIfAsked();
      await card.getByText('step 1 of').waitFor();
      await page.waitForTimeout(500);
      await page.locator('.canvas-host').focus();
    };
    await begin('Lift a load');
    await page.keyboard.press('Space');
    await card.getByText('step 2 of 4').waitFor();
    const lengths = await page.evaluate(() => window.filum.state().ropes.map(({ length }) => length));
    await page.getByLabel('Lead all ropes').focus();
    for (let k = 0; k < 12; ++k) await page.keyboard.press('PageDown');
    await card.getByText('step 3 of 4').waitFor();
    assert.ok((await page.evaluate(() => window.filum.state().ropes[0].length)) < lengths[0] - 0.4);
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !window.filum.state().playing);
    const track = await page.getByRole('slider', { name: 'Course of the run' }).boundingBox();
    await page.mouse.click(track.x + 1, track.y + track.height / 2);
    await card.getByText('step 4 of 4').waitFor();
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Escape');
    await card.getByText('done').waitFor();
    await card.getByRole('button', { name: 'Close' }).click();
    await begin('Twist a ring');
    await leaf('ring').click();
    const twistAndPlay = async (turns) => {
      await type('Built-in twist', turns);
      await page.locator('.canvas-host').focus();
      await page.keyboard.press('Space');
    };
    await twistAndPlay('1');
    await card.getByText('step 2 of 3').waitFor();
    await page.keyboard.press('Home');
    await page.waitForFunction(() => window.filum.frame().time === 0 && !window.filum.state().playing);
    await twistAndPlay('1.9');
    await card.getByText('step 3 of 3').waitFor();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !window.filum.state().playing);
    for (let k = 0; k < 4 && !(await card.getByText('done').isVisible()); ++k) {
      const { depth } = (await stateOf(page)).undo;
      await page.keyboard.press('Control+z');
      await page.waitForFunction((before) => window.filum.state().undo.depth < before, depth);
      await page.waitForTimeout(300);
    }
    await card.getByText('done').waitFor();
    await card.getByRole('button', { name: 'Close' }).click();
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

  it('has fields wide enough for their numbers at 900 pixels', async () => {
    await page.setViewportSize({ width: 900, height: 640 });
    await openExample(page, 'brake-hose');
    for (const name of ['hose', 'wheel end']) {
      await leaf(name).click();
      await page.getByRole('textbox', { name: name === 'hose' ? 'Unstretched length' : 'Place along the cable' }).waitFor();
      // what is left between the paddings, and what the number takes
      const cut = await page.locator('.side.right input.field').evaluateAll((fields) => {
        const pen = document.createElement('canvas').getContext('2d');
        return fields.flatMap((field) => {
          const style = getComputedStyle(field);
          pen.font = style.font;
          const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
          return pen.measureText(field.value).width > room + 1 ? [`${field.ariaLabel}: ${field.value}`] : [];
        });
      });
      assert.deepEqual(cut, []);
    }
    await page.setViewportSize({ width: 1024, height: 640 });
  });

  it('has menus that are seen whole and can be pressed, in narrow and in low windows', async () => {
    for (const size of [{ width: 900, height: 640 }, { width: 640, height: 480 }]) {
      await page.setViewportSize(size);
      const buttons = page.locator('.toolbar [aria-haspopup=menu]');
      assert.ok((await buttons.count()) >= 3);
      for (let k = 0; k < (await buttons.count()); ++k) {
        await buttons.nth(k).click();
        const name = await buttons.nth(k).getAttribute('aria-label');
        const within = await page.locator('.toolbar .menu').evaluate((menu) => {
          const seen = (item) => {
            item.scrollIntoView({ block: 'nearest' });
            const { left, top, width, height } = item.getBoundingClientRect();
            return menu.contains(document.elementFromPoint(left + width / 2, top + height / 2));
          };
          const { left, top, right, bottom } = menu.getBoundingClientRect();
          const items = [...menu.querySelectorAll('button, label')];
          return { box: left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight, hidden: items.filter((item) => !seen(item)).map((item) => item.textContent) };
        });
        assert.deepEqual(within, { box: true, hidden: [] }, `${name} at ${size.width}`);
        await page.keyboard.press('Escape');
        await page.locator('.toolbar .menu').waitFor({ state: 'detached' });
      }
    }
    await page.setViewportSize({ width: 1024, height: 640 });
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

describe('a beam in a channel', () => {
  it('is opened, pushed, looked at step by step, and its channel is drawn anew', async () => {
    await page.getByRole('button', { name: 'File', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Beam in a channel…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Beam in a channel' });
    await dialog.locator('.shape.chosen').waitFor();
    // walls that rub and give
    await dialog.getByLabel('Channel file', { exact: true }).selectOption('rough-vessel');
    await dialog.locator('[data-channel="Insertion force"]').waitFor();
    await dialog.locator('[data-channel="Into the walls"]').waitFor();
    // several shapes, the lowest first, which touch the walls
    await dialog.getByLabel('Channel file', { exact: true }).selectOption('guide-wire-in-bend');
    const shapes = dialog.getByRole('slider', { name: 'Shape' });
    await page.waitForFunction(() => Number(document.querySelector('[aria-label="Shape"]')?.max) > 0);
    const first = await dialog.locator('[data-channel="Energy"]').textContent();
    assert.ok((await dialog.locator('.force').count()) > 0);
    await shapes.fill('1');
    await page.waitForFunction((before) => document.querySelector('[data-channel="Energy"]').textContent !== before, first);
    // pushed in, the force falls where it snaps
    await dialog.getByLabel('Channel file', { exact: true }).selectOption('insertion');
    const step = dialog.getByRole('slider', { name: 'Step of the push' });
    await step.waitFor();
    await page.getByLabel('Push in by').fill('3 mm');
    await page.getByLabel('Push in by').press('Enter');
    await dialog.getByRole('button', { name: 'Push', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('.channel textarea').value.includes('to: 3 mm'));
    const snap = dialog.locator('.curve .snap').first();
    await snap.waitFor();
    await snap.click();
    await dialog.locator('[data-channel="Snaps"]').waitFor();
    // the end of the channel is led elsewhere
    const handle = dialog.locator('[data-handle="1"]');
    const before = await dialog.locator('.wall').first().getAttribute('points');
    const at = await handle.boundingBox();
    await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
    await page.mouse.down();
    await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2 + 20, { steps: 3 });
    await page.mouse.up();
    await page.waitForFunction((was) => document.querySelector('.channel .wall').getAttribute('points') !== was, before);
    // what cannot be read says so and takes nothing away
    await dialog.getByLabel('Text of the file').fill('channel: 3');
    await dialog.getByRole('button', { name: 'Solve' }).click();
    await dialog.getByRole('alert').waitFor();
    assert.equal(await dialog.locator('.shape.chosen').count(), 1);
    await page.keyboard.press('Escape');
    assert.deepEqual(complaints, []);
  });

  it('in a tube is turned to be looked at, saved, and opened again from where it was saved', async () => {
    await page.getByRole('button', { name: 'File', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Beam in a channel…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Beam in a channel' });
    await dialog.getByLabel('Channel file', { exact: true }).selectOption('tube');
    const picture = dialog.getByRole('img', { name: /The tube/ });
    await picture.locator('.shape.chosen').waitFor();
    await dialog.locator('[data-channel="Energy"]').waitFor();
    // dragged, it is seen from elsewhere
    const before = await picture.locator('.shape.chosen').getAttribute('points');
    const { x, y, width, height } = await picture.boundingBox();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 60, y + height / 2 + 20, { steps: 3 });
    await page.mouse.up();
    assert.notEqual(await picture.locator('.shape.chosen').getAttribute('points'), before);
    // kept in a file of the server, and as a download
    const file = path.join(server.folder, 'wire.yaml');
    const written = (await dialog.getByLabel('Text of the file').inputValue()).replace('8 mm', '9 mm');
    await dialog.getByLabel('Text of the file').fill(written);
    await dialog.getByLabel('File of the channel').fill(file);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(`saved to ${file}`).waitFor();
    assert.equal(readFileSync(file, 'utf8'), written);
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download', exact: true }).click();
    assert.equal(readFileSync(await (await download).path(), 'utf8'), written);
    await page.keyboard.press('Escape');
    // it is not the scene, whose unsaved changes stay, so nobody asks about them
    await tell(page, 'set', { path: 'title', value: 'not saved' });
    await page.getByRole('button', { name: 'File', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Open where the simulation runs…' }).click();
    await page.locator('[data-file="wire.yaml"]').click();
    await page.getByRole('dialog', { name: /Unsaved changes|Beam in a channel/ }).waitFor();
    assert.equal(await dialog.getByLabel('Text of the file').inputValue(), written);
    assert.equal((await stateOf(page)).document.dirty, true);
    await page.keyboard.press('Escape');
    assert.deepEqual(complaints, []);
  });
});
