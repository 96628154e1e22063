// The picture where there is no graphics card: what stands is kept, what moves is drawn over it. That looks as all drawn anew does,
// pixel by pixel, but for the shadows of what moves.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { frameOf, holdAt, onScreen, openPage, plainSwitches, pointsOf, startBrowser, startServer, tell } from './bench.mjs';
import { field } from './field.mjs';

let browser;
let server;
before(async () => {
  // Chromium as it comes: it puts the page together by the processor too
  browser = await startBrowser(plainSwitches);
  server = await startServer();
});
after(async () => {
  await server?.stop();
  await browser?.close();
});

/** What lies over the view in words and numbers, some of which tell of time. */
const WITHOUT = '.workbench > :not(.centre), .centre > :not(.canvas-host), .labels { visibility: hidden !important }';

/**
 * How many pixels of one picture are none of the other: not within the colours of the nine pixels there. So edges may be smooth
 * in one of them and not in the other, and nothing may be elsewhere, missing, or of another colour.
 */
const compare = (page, pictures) =>
  page.evaluate(async (both) => {
    const [one, other] = await Promise.all(
      both.map(async (picture) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
        const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
        pen.drawImage(image, 0, 0);
        return pen.getImageData(0, 0, image.width, image.height);
      }),
    );
    const { width, height } = one;
    const among = (value, { data }, o) => {
      let [low, high] = [255, 0];
      for (const row of [-width, 0, width])
        for (const step of [-1, 0, 1]) {
          const there = data[o + 4 * (row + step)];
          low = Math.min(low, there);
          high = Math.max(high, there);
        }
      return low - 4 <= value && value <= high + 4;
    };
    const found = { pixels: width * height, apart: 0, differ: 0, where: [] };
    for (let y = 1; y + 1 < height; ++y)
      for (let x = 1; x + 1 < width; ++x) {
        const o = 4 * (y * width + x);
        const same = [0, 1, 2].every((k) => Math.abs(one.data[o + k] - other.data[o + k]) <= 4);
        if (same) continue;
        found.differ += 1;
        if ([0, 1, 2].every((k) => among(one.data[o + k], other, o + k)) || [0, 1, 2].every((k) => among(other.data[o + k], one, o + k))) continue;
        if (found.apart++ < 5) found.where.push([x, y]);
      }
    return found;
  }, pictures.map((picture) => picture.toString('base64')));

async function seen(page) {
  const { x, y, width, height } = await page.locator('.canvas-host').boundingBox();
  return page.screenshot({ clip: { x, y, width, height }, style: WITHOUT });
}

/** Moves the pointer there, and waits until a frame that this made is the last one and drawn. */
async function moveTo(page, { x, y }) {
  const { received } = await frameOf(page);
  await page.mouse.move(x, y);
  await page.waitForFunction((before) => window.filum.frame().received > before, received);
  await tell(page, 'text');
  await page.waitForFunction(() => window.filum.frame().received === window.filum.frame().drawn && window.filum.resting());
}

/** Where the pointer takes something that nothing lies over. */
const places = {
  hold: async (page) => {
    const hold = await page.evaluate(() =>
      window.filum.scene().holds.map(({ name }) => name).find((name) => {
        const { x, y } = window.filum.toScreen(window.filum.hold(name));
        return document.elementFromPoint(x, y)?.tagName === 'CANVAS';
      }),
    );
    return onScreen(page, await holdAt(page, hold));
  },
  cable: async (page) => onScreen(page, (await pointsOf(page, 'hose'))[25]),
};

describe('a picture of which a part moves', () => {
  // and the share of pixels that may be of other colours: thin things close before each other are
  const cases = [
    ['a hold of one of twenty cables', { text: field(2, 10, 60), name: 'twenty cables' }, places.hold, 1e-3],
    ['a point of a cable, which is marked by glass', { example: 'brake-hose' }, places.cable, 2e-5],
    ['a crane with ropes over a floor of glass', { example: 'pick-and-place' }, places.hold, 2e-5],
  ];
  for (const [what, scene, take, share] of cases) {
    it(`looks as one that is drawn anew: ${what}`, async (test) => {
      // without shadows: what moves throws none until it rests
      const { page, complaints, close } = await openPage(browser, server.address, {}, { shadows: false });
      await tell(page, 'open', scene);
      await page.waitForFunction(() => window.filum.resting());
      const from = await take(page);
      const inPart = () => page.evaluate(() => document.querySelector('.canvas-host .patch').style.display !== 'none');
      await page.mouse.move(from.x, from.y);
      await page.waitForFunction(() => document.querySelector('.canvas-host canvas').style.cursor === 'grab');
      await page.mouse.down();
      let last;
      for (const [dx, dy] of [[-20, -10], [-40, -30], [30, -50]]) {
        await moveTo(page, { x: from.x + dx / 2, y: from.y + dy / 2 });
        await moveTo(page, { x: from.x + dx, y: from.y + dy });
        assert.ok(await inPart());
        const part = await seen(page);
        // all of it is drawn anew for a picture that is kept
        const saved = page.waitForEvent('download');
        await page.keyboard.press('F12');
        await (await saved).delete();
        assert.ok(!(await inPart()));
        const whole = await seen(page);
        const found = await compare(page, [part, whole]);
        const moved = last && (await compare(page, [last, whole])).apart;
        test.diagnostic(`${found.apart} of ${found.pixels} pixels are none of the other picture, ${found.differ} are not the same; ${moved} moved`);
        if (process.env.PICTURES) for (const [name, picture] of [['part', part], ['whole', whole]]) writeFileSync(`${process.env.PICTURES}/${what.slice(0, 9)}-${dx}-${name}.png`, picture);
        assert.ok(found.apart < share * found.pixels, JSON.stringify(found));
        // it is not the picture of before
        if (last) assert.ok(moved > 100);
        last = whole;
      }
      await page.mouse.up();
      await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
      // of itself: where it puts the page together by the processor it fetches what WebGL has drawn
      assert.deepEqual(complaints.filter((text) => !text.includes('GPU stall due to ReadPixels')), []);
      await close();
    });
  }

  it('is drawn anew in that part alone, as long as a drag goes on', async (test) => {
    const { page, close } = await openPage(browser, server.address, { viewport: { width: 1400, height: 900 } }, {});
    await tell(page, 'open', { text: field(4, 20, 60), name: 'eighty cables' });
    await page.waitForFunction(() => window.filum.resting());
    const from = await places.hold(page);
    await page.mouse.move(from.x, from.y);
    await page.waitForFunction(() => document.querySelector('.canvas-host canvas').style.cursor === 'grab');
    await page.mouse.down();
    // round and round, so that the cable slackens and draws tight: marks and arrows come and go
    const round = async (k) => moveTo(page, { x: from.x - 20 * (1 + Math.sin(k / 4)), y: from.y + 20 * Math.cos(k / 4) });
    for (let k = 0; k < 5; ++k) await round(k);
    await page.evaluate(() => {
      const counts = (window.counts = { whole: 0, fetched: [] });
      const { blitFramebuffer, readPixels } = WebGL2RenderingContext.prototype;
      Object.assign(WebGL2RenderingContext.prototype, {
        blitFramebuffer(...given) {
          if (!this.getParameter(this.DRAW_FRAMEBUFFER_BINDING)) counts.whole += 1;
          return blitFramebuffer.apply(this, given);
        },
        readPixels(...given) {
          counts.fetched.push(given[2] * given[3]);
          return readPixels.apply(this, given);
        },
      });
    });
    for (let k = 5; k < 55; ++k) await round(k);
    const { whole, fetched } = await page.evaluate(() => window.counts);
    const { width, height } = await page.locator('.canvas-host').boundingBox();
    const most = Math.max(...fetched) / (width * height);
    test.diagnostic(`${fetched.length} pictures in parts, of at most ${(100 * most).toFixed(0)} % of all pixels, and ${whole} of all`);
    assert.ok(fetched.length >= 40);
    assert.ok(most < 0.6);
    assert.ok(whole <= 2, `${whole} times all of it`);
    await page.mouse.up();
    await close();
  });
});
