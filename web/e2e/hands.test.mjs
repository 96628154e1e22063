// Hands other than a mouse, end to end: a gamepad, a 3-D mouse and a headset, each as the browser would give it.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { distance, holdAt, openExample, openPage, startBrowser, startServer, tell } from './bench.mjs';

let browser;
let server;
before(async () => {
  browser = await startBrowser();
  server = await startServer();
});
after(async () => {
  await server?.stop();
  await browser?.close();
});

/** A page with devices, which `prepare` gives it before it starts. */
async function pageWith(prepare, ...scripts) {
  const opened = await openPage(browser, server.address);
  for (const path of scripts) await opened.page.addInitScript({ path });
  await opened.page.addInitScript(prepare);
  await opened.page.reload();
  await opened.page.waitForFunction(() => window.filum?.connected() && window.filum.scene());
  return opened;
}

const leaf = (page, name) => page.locator(`[data-leaf="${name}"]`);

describe('a gamepad', () => {
  it('leads levers and plays', async () => {
    const { page, complaints, close } = await pageWith(() => {
      navigator.getGamepads = () => (window.pad ? [window.pad] : []);
    });
    await openExample(page, 'gantry-crane');
    const before = await page.evaluate(() => window.filum.body('trolley'));
    await page.evaluate(() => {
      window.pad = { axes: [0, -1, 0, 0], buttons: [{ pressed: true }] };
      dispatchEvent(new Event('gamepadconnected'));
    });
    await page.waitForFunction(() => window.filum.state().playing);
    await page.waitForFunction((from) => window.filum.body('trolley')[0] > from + 0.05, before[0]);
    await page.evaluate(() => (window.pad = undefined));
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
    await tell(page, 'pause');
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('a 3-D mouse', () => {
  it('moves and turns what is selected, as one thing to undo, and else the view', async () => {
    const { page, complaints, close } = await pageWith(() => {
      const device = Object.assign(new EventTarget(), { productName: 'SpaceMouse', opened: false, open: async () => (device.opened = true) });
      const hid = { getDevices: async () => [], requestDevice: async (asked) => ((window.askedFor = asked), [device]) };
      Object.defineProperty(navigator, 'hid', { get: () => hid });
      /** A report as the device sends it. */
      window.report = (reportId, numbers) => device.dispatchEvent(Object.assign(new Event('inputreport'), { reportId, data: new DataView(new Int16Array(numbers).buffer) }));
    });
    await openExample(page, 'brake-hose');
    await page.getByLabel('View', { exact: true }).click();
    await page.getByRole('menuitem', { name: '3-D mouse…' }).click();
    await page.waitForFunction(() => window.askedFor?.filters.length > 0);
    // pushed to the right and turned about the upright: the hold follows until it is let go of
    await leaf(page, 'wheel end').click();
    const from = await holdAt(page, 'wheel end');
    const { depth } = await page.evaluate(() => window.filum.state().undo);
    const screen = await page.evaluate((point) => window.filum.toScreen(point), from);
    await page.evaluate(() => (window.report(1, [200, 0, 0]), window.report(2, [0, 0, 150])));
    await page.waitForFunction((x) => window.filum.toScreen(window.filum.hold('wheel end')).x > x + 30, screen.x);
    await page.evaluate(() => (window.report(1, [0, 0, 0]), window.report(2, [0, 0, 0])));
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
    assert.equal((await page.evaluate(() => window.filum.state().undo)).depth, depth + 1);
    const { orientation } = await page.evaluate(() => window.filum.scene().holds[1]);
    await tell(page, 'undo');
    assert.notDeepEqual(await page.evaluate(() => window.filum.scene().holds[1].orientation), orientation);
    await page.waitForFunction((at) => window.filum.hold('wheel end').every((c, k) => Math.abs(c - at[k]) < 1e-7), from);
    // a newer device sends all six in one report; with nothing selected the view turns
    await leaf(page, 'Brake hose').click();
    const before = await page.evaluate((point) => window.filum.toScreen(point), from);
    await page.evaluate(() => window.report(1, [0, 0, 0, 0, 0, 300]));
    await page.waitForFunction(([point, at]) => Math.hypot(window.filum.toScreen(point).x - at.x, window.filum.toScreen(point).y - at.y) > 20, [from, before]);
    await page.evaluate(() => window.report(1, [0, 0, 0, 0, 0, 0]));
    assert.deepEqual(await holdAt(page, 'wheel end'), from, 'nothing of the scene has moved');
    // its second button plays
    await page.evaluate(() => window.report(3, [2]));
    await page.waitForFunction(() => window.filum.state().playing);
    await tell(page, 'pause');
    assert.deepEqual(complaints, []);
    await close();
  });
});

describe('a headset', () => {
  it('shows the scene, and its controllers are hands', async () => {
    const emulator = createRequire(import.meta.url).resolve('iwer/build/iwer.min.js');
    const { page, complaints, close } = await pageWith(() => {
      window.worn = new window.IWER.XRDevice(window.IWER.metaQuest3);
      window.worn.installRuntime({ forceInstall: true });
    }, emulator);
    await openExample(page, 'brake-hose');
    await page.getByLabel('View', { exact: true }).click();
    await page.getByRole('menuitem', { name: 'Look through the headset' }).click();
    await page.waitForFunction(() => window.worn.activeSession && window.filum.toHeadset([0, 0, 0]));
    const from = await holdAt(page, 'wheel end');
    // held before the hold and pointing at it: the room's origin is where the head was, the emulator's on the floor below it
    const place = (by) =>
      page.evaluate(([point, [x, y, z]]) => {
        const at = window.filum.toHeadset(point);
        const head = window.worn.position;
        window.worn.controllers.right.position.set(at[0] + head.x + x, at[1] + head.y + y, at[2] + head.z + z + 0.25);
        window.worn.controllers.right.quaternion.set(0, 0, 0, 1);
      }, [from, by]);
    const trigger = (value) => page.evaluate((to) => window.worn.controllers.right.updateButtonValue('trigger', to), value);
    await place([0, 0, 0]);
    await page.waitForTimeout(300);
    await trigger(1);
    await page.waitForFunction(() => window.filum.state().grabbed.length === 1);
    await place([0.02, 0.06, 0]);
    // what goes up in the room goes up in the scene
    await page.waitForFunction((z) => window.filum.hold('wheel end')[2] > z + 0.01, from[2]);
    await trigger(0);
    await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
    const to = await holdAt(page, 'wheel end');
    assert.ok(distance(to, from) > 0.01);
    assert.deepEqual(await page.evaluate(() => window.filum.selection()), { kind: 'hold', name: 'wheel end' });
    // taken off, the page is as it was
    await page.evaluate(() => window.worn.activeSession.end());
    await page.waitForFunction(() => window.filum.toHeadset([0, 0, 0]) === undefined);
    await tell(page, 'undo');
    await page.waitForFunction((at) => window.filum.hold('wheel end').every((c, k) => Math.abs(c - at[k]) < 1e-7), from);
    await page.waitForFunction(() => window.filum.resting());
    assert.deepEqual(complaints, []);
    await close();
  });
});
