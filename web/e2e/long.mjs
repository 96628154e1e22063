// Long tests of the workbench: a monkey over all examples, and a server that breaks off again and again.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dropFiles, frameOf, holdAt, onScreen, openExample, openPage, sceneOf, startBrowser, startServer, stateOf, tell } from './bench.mjs';

const ACTIONS = Number(process.env.FILUM_MONKEY ?? 2000);
const KILLS = Number(process.env.FILUM_KILLS ?? 20);

const scenes = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../scenes');

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

/** Examples as the gallery lists them; `FILUM_EXAMPLES` has some by name. */
const EXAMPLES = process.env.FILUM_EXAMPLES?.split(',') ?? readdirSync(scenes).filter((file) => file.endsWith('.yaml')).map((file) => file.replace('.yaml', '')).sort();
const EACH = Math.ceil(ACTIONS / EXAMPLES.length);

describe(`a monkey that does ${ACTIONS} things`, () => {
  let server;
  let opened;
  let first = 0;
  const heap = async () => (await (await opened.page.context().newCDPSession(opened.page)).send('Runtime.getHeapUsage')).usedSize;
  before(async () => {
    server = await startServer();
    opened = await openPage(browser, server.address);
  });
  after(async () => {
    await opened?.close();
    await server?.stop();
  });

  // each with numbers of its own, so that one example can be done again alone
  EXAMPLES.forEach((example, k) => {
    it(`breaks nothing in ${example}`, async (test) => {
      const { page, complaints } = opened;
      const random = seeded(22 + [...example].reduce((sum, letter) => 31 * sum + letter.charCodeAt(0), 0));
      await page.keyboard.press('Escape');
      await openExample(page, example);
      const start = (await stateOf(page)).undo.depth;
      const { hash } = await frameOf(page);
      let slowest = { ms: 0, what: '' };
      for (let n = 0; n < EACH; ++n) {
        const began = performance.now();
        const what = await act(page, random, start).catch((error) => {
          throw new Error(`action ${n} of ${EACH}, the slowest before took ${slowest.ms.toFixed(0)} ms (${slowest.what})`, { cause: error });
        });
        const ms = performance.now() - began;
        if (ms > slowest.ms) slowest = { ms, what };
      }
      await quieten(page);
      const points = await page.evaluate(() => window.filum.scene().rods.flatMap(({ name }) => window.filum.rod(name)));
      assert.ok(points.every((point) => point.every(Number.isFinite)), 'every number is one');
      // undo leads back to the opening, as long as it reaches that far
      const { depth } = (await stateOf(page)).undo;
      if (depth < MOST_UNDONE) await undoTo(page, start, hash);
      assert.deepEqual(complaints.splice(0), []);
      const now = await heap();
      if (k === 0) first = now;
      assert.ok(now < first + 2e8, `${first} bytes in the beginning, now ${now}`);
      test.diagnostic(`${EACH} actions, the slowest ${slowest.ms.toFixed(0)} ms (${slowest.what}), ${depth < MOST_UNDONE ? 'undone to the opening' : 'more than can be undone'}, ${(now / 1e6).toFixed(1)} MB`);
    });
  });
});

/** Of a hundred things that can be undone. */
const MOST_UNDONE = 95;

/** Nothing is dragged, played or computed any more. */
async function quieten(page) {
  await page.keyboard.press('Escape');
  // each that waits for its turn may take long
  await page.evaluate(async () => {
    const { command, idle } = window.filum;
    let over = false;
    const rest = async () => {
      await command('pause');
      // what was still on its way is answered by then
      do await command('text');
      while (!idle());
      over = true;
    };
    const quiet = rest();
    while (!over) {
      await command('cancel');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await quiet;
  });
  await page.waitForFunction(() => !window.filum.state().playing && window.filum.state().grabbed.length === 0);
}

/** Undoes one thing after the other until the document is as it was opened. */
async function undoTo(page, start, hash) {
  for (let { depth } = (await stateOf(page)).undo; depth > start; depth -= 1) {
    await page.evaluate(() => window.filum.command('undo'));
    await page.waitForFunction((wanted) => window.filum.state().undo.depth <= wanted, depth - 1).catch(async (error) => {
      const { undo, redo, playing, grabbed } = await stateOf(page);
      throw new Error(`after undo from ${depth}: ${JSON.stringify({ undo, redo, playing, grabbed })}`, { cause: error });
    });
  }
  await page.waitForFunction((wanted) => window.filum.frame().hash === wanted, hash);
}

/** One thing that a person might do, sensible or not, in words; but for undoing the opening, which is at this depth. */
async function act(page, random, start) {
  const box = await page.locator('.canvas-host').boundingBox();
  const point = () => [box.x + random() * box.width, box.y + random() * box.height];
  const what = random();
  if (what < 0.35) {
    const key = KEYS[Math.floor(random() * KEYS.length)];
    const undoes = key === 'Control+z' && (await stateOf(page)).undo.depth <= start;
    await page.keyboard.press(undoes ? 'Escape' : key);
    return `key ${key}`;
  }
  if (what < 0.5) {
    await page.mouse.click(...point(), { button: random() < 0.2 ? 'right' : 'left' });
    return 'click';
  }
  if (what < 0.75) {
    await page.mouse.move(...point());
    await page.mouse.down();
    await page.mouse.move(...point(), { steps: 4 });
    await page.mouse.up();
    return 'drag';
  }
  if (what < 0.9) {
    const rows = page.locator('[data-leaf]');
    const count = await rows.count();
    if (count > 0) await rows.nth(Math.floor(random() * count)).click({ timeout: 2000, force: true }).catch(() => undefined);
    return 'row';
  }
  const fields = page.locator('.side.right input.field');
  const count = await fields.count();
  if (count === 0) return 'nothing';
  const field = fields.nth(Math.floor(random() * count));
  const typed = ['12', '+5', '*1.1', '-3', '0', 'x', '1e9', ''][Math.floor(random() * 8)];
  await field.fill(typed, { timeout: 2000 }).catch(() => undefined);
  await field.press('Enter', { timeout: 2000 }).catch(() => undefined);
  return `typed ${typed}`;
}

describe('a server that breaks off', () => {
  let server;
  let opened;
  before(async () => {
    server = await startServer('brake-hose.yaml');
    opened = await openPage(browser, server.address);
  });
  after(async () => {
    await opened?.close();
    await server?.stop();
  });

  it(`${KILLS} times at any moment takes nothing along`, async () => {
    const { page } = opened;
    const random = seeded(3);
    let length = 0;
    for (let k = 1; k <= KILLS; ++k) {
      // something is typed, and the server dies before, while or after it gets it, answers, or is asked for the text
      const x = Number((0.15 + 0.1 * random()).toFixed(4));
      await page.locator('[data-leaf="wheel end"]').click();
      const field = page.getByLabel('Position, x', { exact: true });
      await field.fill(String(1000 * x));
      const typed = field.press('Enter');
      if (k % 3 === 0) {
        length = Number((0.4 + 0.05 * random()).toFixed(4));
        void page.evaluate((to) => window.filum.command('set_length', { rod: 'hose', length: to }), length).catch(() => undefined);
      }
      await typed;
      await new Promise((resolve) => setTimeout(resolve, 60 * random()));
      await server.kill();
      server = await startServer(undefined, server);
      const there = page.waitForFunction(
        ([wanted, long]) => window.filum.connected() && window.filum.scene().holds[1].position?.[0] === wanted && (long === 0 || window.filum.scene().rods[0].length === long),
        [x, length],
      );
      await there.catch(async (error) => {
        const { holds, rods } = await sceneOf(page);
        throw new Error(`after kill ${k}: ${JSON.stringify([x, holds[1].position, length, rods[0].length])}`, { cause: error });
      });
      assert.equal((await sceneOf(page)).holds.length, 2, `after ${k}`);
    }
  });

  it(`${KILLS} times, in the midst of whatever is done and of its giving back, does nothing twice either`, async () => {
    let own = await startServer('brake-hose.yaml');
    const opened = await openPage(browser, own.address);
    const at = opened.page;
    const random = seeded(5);
    const soon = (most) => new Promise((resolve) => setTimeout(resolve, most * random()));
    const { holds, rods } = await sceneOf(at);
    const expected = { length: rods[0].length, holds: holds.length, meshes: 0, x: undefined };
    const command = (name, fields) => at.evaluate(([cmd, given]) => void window.filum.command(cmd, given).catch(() => undefined), [name, fields]);
    // each adds to what is there: done twice it would show
    const doings = [
      async () => {
        await command('change_length', { rod: 'hose', by: 0.001 });
        expected.length += 0.001;
      },
      async (k) => {
        await command('add_hold', { rod: 'hose', at: `${5 + 4 * k} %` });
        expected.holds += 1;
      },
      async (k) => {
        const mesh = path.join(own.folder, `m${k}.obj`);
        writeFileSync(mesh, `v 0 0 ${k}\nv 0.1 0 ${k}\nv 0 0.1 ${k}\nf 1 2 3\n`);
        await dropFiles(at, [mesh]);
        expected.meshes += 1;
      },
      async () => {
        // a drag, which is let go of while the server breaks off, or after that
        const from = await onScreen(at, await holdAt(at, 'wheel end'));
        expected.x = (await sceneOf(at)).holds.find(({ name }) => name === 'wheel end').position?.[0] ?? null;
        await at.mouse.move(from.x, from.y);
        await at.mouse.down();
        await at.mouse.move(from.x + (random() < 0.5 ? 12 : -12), from.y, { steps: 3 });
        if (random() < 0.5) {
          await own.kill();
          await at.getByText('Trying again').waitFor();
        }
        await at.mouse.up();
      },
    ];
    const there = (wanted) =>
      at.waitForFunction(({ length, holds: count, meshes, x }) => {
        const { rods: [rod], holds: all, scenery } = window.filum.scene();
        const moved = x === undefined || all.find(({ name }) => name === 'wheel end')?.position?.[0] !== x;
        return window.filum.connected() && Math.abs(rod.length - length) < 1e-9 && all.length === count && scenery.length === meshes && scenery.every(({ address }) => address) && moved;
      }, wanted);
    for (let k = 1; k <= KILLS; ++k) {
      expected.x = undefined;
      await doings[Math.floor(doings.length * random())](k);
      await soon(40);
      if (random() < 0.25) {
        // the connection alone
        await at.evaluate(() => window.openSockets.at(-1).close());
      }
      if (random() < 0.8) {
        await own.kill();
        own = await startServer(undefined, own);
        // and once more in the midst of giving back
        if (random() < 0.4) {
          await at.waitForFunction(() => window.filum.connected());
          await soon(60);
          await own.kill();
          own = await startServer(undefined, own);
        }
      } else if (own.gone()) own = await startServer(undefined, own);
      await there(expected).catch(async (error) => {
        const { rods: [{ length }], holds: all, scenery } = await sceneOf(at);
        throw new Error(`after ${k}: ${JSON.stringify([expected, length, all.map(({ name, position }) => [name, position]), scenery])}`, { cause: error });
      });
    }
    // nothing comes late
    await tell(at, 'check');
    await there({ ...expected, x: undefined });
    await opened.close();
    await own.stop();
  });

  it('gets the document of two pages once', async () => {
    let own = await startServer('brake-hose.yaml');
    const pages = [await openPage(browser, own.address), await openPage(browser, own.address)];
    const [one, other] = pages.map(({ page }) => page);
    for (let k = 1; k <= 4; ++k) {
      await Promise.all([tell(one, 'change_length', { rod: 'hose', by: 0.001 }), tell(other, 'add_hold', { rod: 'hose', at: `${20 * k - 5} %` })]);
      const { text } = await tell(one, 'text');
      for (const page of [one, other]) await page.waitForFunction((wanted) => window.filum.kept() === wanted, text);
      await own.kill();
      own = await startServer(undefined, own);
      for (const page of [one, other])
        await page.waitForFunction(([length, holds]) => window.filum.connected() && Math.abs(window.filum.scene().rods[0].length - length) < 1e-9 && window.filum.scene().holds.length === holds, [0.42 + 0.001 * k, 2 + k]);
      // both are back before the next
      for (const page of [one, other]) await tell(page, 'check');
      assert.equal((await stateOf(one)).undo.depth, 1, 'it was given back once');
    }
    for (const { close } of pages) await close();
    await own.stop();
  });

  // what only the last moment has heard of: neither the browser nor the server's journal has kept it yet
  it('takes along neither a mesh nor a document of the last moment', async () => {
    let own = await startServer('brake-hose.yaml');
    const opened = await openPage(browser, own.address);
    const at = opened.page;
    // a mesh that was dropped
    const mesh = path.join(own.folder, 'flap.obj');
    writeFileSync(mesh, 'v 0 0 0\nv 0.3 0 0\nv 0 0.08 0\nf 1 2 3\n');
    await dropFiles(at, [mesh]);
    await at.waitForFunction(() => window.filum.scene().scenery[0]?.address);
    // it is chosen once the page was told that it has been taken
    await at.locator('[data-leaf="flap"][aria-selected="true"]').waitFor();
    rmSync(mesh);
    await own.kill();
    own = await startServer(undefined, own);
    await at.getByText('Your unsaved changes are back').waitFor();
    await at.waitForFunction(() => window.filum.connected() && window.filum.scene().scenery[0]?.address);
    assert.equal((await sceneOf(at)).scenery.length, 1);
    // another document, changed before its text can have been kept
    await at.evaluate(() => {
      void window.filum.command('open', { example: 'catenary' });
      void window.filum.command('set_length', { rod: 'line', length: 41.5 });
    });
    await at.waitForFunction(() => window.filum.scene().rods[0].length === 41.5);
    await own.kill();
    own = await startServer(undefined, own);
    await at.waitForFunction(() => window.filum.connected() && window.filum.scene().rods[0].name === 'line' && window.filum.scene().rods[0].length === 41.5);
    await opened.close();
    await own.stop();
  });
});
