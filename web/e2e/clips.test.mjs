// Clips: a hold becomes one, a cable is dragged into it and out of it again, it is moved and given strengths.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dragHandle, sceneOf, tell } from './bench.mjs';
import { complaints, inScene, leaf, page, type } from './shared_page.mjs';

/** A cable without weight between two ends, above a clip that stands open 20 mm below its middle. */
const OVER_A_CLIP = `filum: 1
title: Over a clip
gravity: [0, 0, 0]
sections: {w: {shape: circle, radius: 3 mm}}
materials: {m: {young: 20 MPa, poisson: 0.45, density: 1200}}
rods: {c: {material: m, section: w, length: 0.5, segments: 40, shape: {line: [[0, 0, 0], [0.5, 0, 0]]}}}
holds:
  - {name: left, rod: c, at: start, fix: [position]}
  - {name: right, rod: c, at: end, fix: [position]}
  - {name: clip, rod: c, at: 0.1, fix: [], position: [0.26, 0, -0.02], clip: {capture: {radius: 5 mm}}}
`;
const clip = async () => (await sceneOf(page)).holds.find(({ name }) => name === 'clip');
const inIt = () => page.waitForFunction(() => window.filum.scene().holds[2].fix.position.every(Boolean) && window.filum.state().grabbed.length === 0);

describe('a cable and a clip', () => {
  it('that stands open is drawn where it waits; the cable that is dragged to it snaps in', async () => {
    await tell(page, 'open', { text: OVER_A_CLIP, name: 'clips' });
    await inScene(() => window.filum.scene().holds.length === 3 && window.filum.resting());
    const waits = await page.evaluate(() => window.filum.hold('clip'));
    assert.ok(Math.hypot(waits[0] - 0.26, waits[1], waits[2] + 0.02) < 1e-6, `${waits}`);
    await leaf('right').click();
    await page.locator('.inspector, aside').getByRole('button', { name: 'Move', exact: true }).first().click();
    // as far down as brings the middle of the cable to it
    const [from, to] = await page.evaluate(() => [window.filum.toScreen([0.5, 0, 0]), window.filum.toScreen([0.5, 0, -0.036])]);
    await dragHandle(page, 'z', -Math.hypot(to.x - from.x, to.y - from.y));
    await inIt();
    const caught = await clip();
    assert.ok(Math.abs(caught.s - 0.26) < 0.01, `${caught.s}`);
    const held = await page.evaluate(() => window.filum.hold('clip'));
    assert.ok(Math.hypot(held[0] - 0.26, held[1], held[2] + 0.02) < 1e-6, `${held}`);
    await page.locator('.notice').filter({ hasText: /clip.*caught.*at s = 26\d/ }).first().waitFor();
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/clip-caught.png` });
  });

  it('that is given a strength lets go when it is pulled harder', async () => {
    await leaf('clip').click();
    await page.getByText('holds the cable', { exact: true }).waitFor();
    await type('Pulled out at', '0.2');
    await inScene(() => window.filum.scene().holds[2].clip.strength.pull === 0.2);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/clip-inspector.png` });
    await leaf('right').click();
    await type('Position, z', '150 mm');
    await page.waitForFunction(() => !window.filum.scene().holds[2].fix.position.some(Boolean));
    await page.locator('.notice').filter({ hasText: /pulled open along its axis by [\d.]+ N/ }).first().waitFor();
    const waits = await page.evaluate(() => window.filum.hold('clip'));
    assert.ok(Math.hypot(waits[0] - 0.26, waits[1], waits[2] + 0.02) < 1e-6, 'it stays where it was');
    await leaf('clip').click();
    await page.getByText('was pulled open', { exact: true }).waitFor();
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/clip-popped.png` });
  });

  it('and one undo brings it back in', async () => {
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+z');
    await inIt();
  });

  it('an open one is moved by typing, and any hold becomes one by a tick', async () => {
    await leaf('clip').click();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.waitForFunction(() => !window.filum.scene().holds[2].fix.position.some(Boolean));
    await type('Position, z', '-60 mm');
    await page.waitForFunction(() => Math.abs(window.filum.hold('clip')[2] + 0.06) < 1e-6);
    await leaf('right').click();
    await page.getByLabel('that can open').check();
    await inScene(() => window.filum.scene().holds[1].clip?.capture?.radius > 0);
    await page.getByLabel('that can open').uncheck();
    await inScene(() => window.filum.scene().holds[1].clip === null);
  });

  it('there is nothing to complain about', () => assert.deepEqual(complaints, []));
});
