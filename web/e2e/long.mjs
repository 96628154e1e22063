// Long tests of the workbench: a monkey over all examples, and a server that breaks off again and again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { frameOf, openExample, openPage, sceneOf, startBrowser, startServer, stateOf, tell } from './bench.mjs';

const ACTIONS = Number(process.env.FILUM_MONKEY ?? 2000);
const KILLS = Number(process.env.FILUM_KILLS ?? 20);

let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

/** The same numbers every time: mulberry32. */
function seeded(seed) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const KEYS = [
  'Space', '.', 'e', 'Home', 'v', 'c', 'h', 'j', 'm', 'g', 'r', 't', 'f', '0', '1', '3', '7', 'l', 'Delete', 'Escape', 'F2', 'F3', 'F4', 'F6', 'Tab', 'Enter',
  'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', '[', ']', '+', '-', 'q', 'a', 'Control+z', 'Control+Shift+z', 'Control+d', 'Control+c', 'Control+v', 'Control+a',
];

describe('a monkey', () => {
  it(`does ${ACTIONS} things and breaks nothing`, async (test) => {
    const server = await startServer();
    const { page, complaints, close } = await openPage(browser, server.address);
    const random = seeded(22);
    const examples = await page.evaluate(() => fetch(`/api/examples${location.search}`).then((answer) => answer.json()).then((list) => list.map(({ name }) => name)));
    const each = Math.ceil(ACTIONS / examples.length);
    const heap = async () => (await (await page.context().newCDPSession(page)).send('Runtime.getHeapUsage')).usedSize;
    let first = 0;
    for (const example of examples) {
      await page.keyboard.press('Escape');
      await openExample(page, example);
      const opened = (await stateOf(page)).undo.depth;
      const { hash } = await frameOf(page);
      for (let k = 0; k < each; ++k) await act(page, random);
      await page.keyboard.press('Escape');
      await page.evaluate(() => window.filum.command('pause'));
      await page.waitForFunction(() => !window.filum.state().playing);
      const points = await page.evaluate(() => window.filum.scene().rods.flatMap(({ name }) => window.filum.rod(name)));
      assert.ok(points.every((point) => point.every(Number.isFinite)), `${example}: every number is one`);
      // undo leads back to the opening, as long as it reaches that far
      await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
      await page.waitForTimeout(300);
      let { depth } = (await stateOf(page)).undo;
      const reaches = depth < 95;
      while (reaches && depth > opened) {
        await page.evaluate(() => window.filum.command('undo'));
        depth = await page.waitForFunction((before) => (window.filum.state().undo.depth < before ? window.filum.state().undo.depth + 1 : 0), depth).then((left) => left.jsonValue()) - 1;
      }
      if (depth === opened) await page.waitForFunction((wanted) => window.filum.frame().hash === wanted, hash);
      first ||= await heap();
      assert.deepEqual(complaints, [], `in ${example}`);
      test.diagnostic(`${example}: ${each} actions, ${depth === opened ? 'undone to the opening' : 'more than can be undone'}`);
    }
    const last = await heap();
    assert.ok(last < first + 2e8, `${first} bytes, then ${last}`);
    await close();
    await server.stop();
  });
});

/** One thing that a person might do, sensible or not. */
async function act(page, random) {
  const box = await page.locator('.canvas-host').boundingBox();
  const point = () => [box.x + random() * box.width, box.y + random() * box.height];
  const what = random();
  if (what < 0.35) await page.keyboard.press(KEYS[Math.floor(random() * KEYS.length)]);
  else if (what < 0.5) await page.mouse.click(...point(), { button: random() < 0.2 ? 'right' : 'left' });
  else if (what < 0.75) {
    await page.mouse.move(...point());
    await page.mouse.down();
    await page.mouse.move(...point(), { steps: 4 });
    await page.mouse.up();
  } else if (what < 0.9) {
    const rows = page.locator('[data-leaf]');
    const count = await rows.count();
    if (count > 0) await rows.nth(Math.floor(random() * count)).click({ timeout: 2000, force: true }).catch(() => undefined);
  } else {
    const fields = page.locator('.side.right input.field');
    const count = await fields.count();
    if (count === 0) return;
    const field = fields.nth(Math.floor(random() * count));
    await field.fill(['12', '+5', '*1.1', '-3', '0', 'x', '1e9', ''][Math.floor(random() * 8)], { timeout: 2000 }).catch(() => undefined);
    await field.press('Enter', { timeout: 2000 }).catch(() => undefined);
  }
}

describe('a server that breaks off', () => {
  it(`${KILLS} times at any moment takes nothing along`, async () => {
    let server = await startServer('brake-hose.yaml');
    const { page, close } = await openPage(browser, server.address);
    const random = seeded(3);
    for (let k = 1; k <= KILLS; ++k) {
      const x = Number((0.15 + 0.1 * random()).toFixed(4));
      await tell(page, 'place_hold', { hold: 'wheel end', position: [x, 0.05, -0.1] });
      await page.waitForFunction((wanted) => window.filum.kept()?.includes(String(wanted)), x);
      // in the midst of something else
      void page.evaluate(() => window.filum.command('settle')).catch(() => undefined);
      await page.waitForTimeout(50 * random());
      await server.kill();
      server = await startServer(undefined, server);
      await page.waitForFunction((wanted) => window.filum.connected() && window.filum.scene().holds[1].position?.[0] === wanted, x);
      assert.ok((await sceneOf(page)).rods.length === 1, `after ${k}`);
    }
    await close();
    await server.stop();
  });
});
