// How quickly one of eighty cables of sixty segments follows the pointer, and who takes the time: the program, the page, or the
// drawing, which where there is no graphics card is done by the processor and grows with pixels and triangles. Times are told, not
// judged: they depend on the machine and on who else is at work on it. What is judged are counts.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { holdAt, onScreen, openPage, plainSwitches, startBrowser, startServer, stateOf, tell } from './bench.mjs';
import { field } from './field.mjs';

/** seconds of dragging, and places of the pointer that the mouse tells a second */
const SECONDS = Number(process.env.FILUM_DRAG_SECONDS ?? 5);
const POINTER = 125;

/** Windows, in pixels of CSS; `dense`: device pixels for one of them; `undrawn`: no triangle reaches the rasteriser, all else is as ever. */
const WINDOWS = [
  { width: 1400, height: 900 },
  { width: 1400, height: 900, dense: 2 },
  { width: 700, height: 450 },
  { width: 320, height: 200 },
  { width: 320, height: 200, dense: 2 },
  { width: 320, height: 200, undrawn: true },
  { width: 700, height: 450, undrawn: true },
  { width: 1400, height: 900, undrawn: true },
];
const nameOf = ({ width, height, dense = 1, undrawn }) => `${width} × ${height}${dense > 1 ? `, ${dense} device pixels each` : ''}${undrawn ? ', triangles left out' : ''}`;
const wanted = process.env.FILUM_DRAG_WINDOWS;

let browser;
before(async () => {
  browser = await startBrowser(plainSwitches);
});
after(() => browser?.close());

/** Milliseconds of processor time that the threads of a process have had, all of them or the first. */
function busy(pid, { firstOnly = false } = {}) {
  const threads = firstOnly ? [String(pid)] : readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    try {
      return sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      // it has just ended
      return sum;
    }
  }, 0);
}

/** Who takes how much, ms: the program, the page's main thread (script, layout, what is told to the graphics card), and all that draws: what does WebGL and puts the page together. */
async function meters(server) {
  const { processInfo } = await (await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo');
  const newest = (type) => Math.max(...processInfo.filter((one) => one.type === type).map(({ id }) => id));
  const [page, drawing] = [newest('renderer'), newest('GPU')];
  return () => {
    const script = busy(page, { firstOnly: true });
    return { program: busy(server.pid), page: script, drawing: busy(drawing) + busy(page) - script };
  };
}

/** Counts in the page: its turns (pictures that the browser asks for), those that showed a later move than the one before, moves that were sent, and after how many turns each was shown. */
function count() {
  const counts = { turns: 0, shown: 0, moves: 0, lags: [] };
  window.counts = counts;
  const sent = new Map();
  const answered = [];
  const socket = window.openSockets.at(-1);
  const plain = socket.send;
  socket.send = function (said) {
    const message = JSON.parse(said);
    if (message.cmd === 'move') {
      counts.moves += 1;
      sent.set(message.id, counts.turns);
    }
    return plain.call(this, said);
  };
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string' || !data.includes('"reply"')) return;
    const { id, frame } = JSON.parse(data);
    if (sent.has(id)) answered.push({ frame, turn: sent.get(id) });
  });
  // after the picture of this turn: the page's own loop was asked for before
  const turn = () => {
    const { drawn } = window.filum.frame();
    if (answered.length > 0 && answered[0].frame <= drawn) counts.shown += 1;
    while (answered.length > 0 && answered[0].frame <= drawn) counts.lags.push(counts.turns - answered.shift().turn);
    counts.turns += 1;
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
}

/** Moves the pointer round, as often as a mouse tells of itself; does not wait for anybody. */
async function goRound(page, { x, y }, radius, seconds) {
  const input = await page.context().newCDPSession(page);
  const began = performance.now();
  let last;
  for (let k = 1; k <= seconds * POINTER; ++k) {
    const angle = (3 * k) / POINTER;
    last = { x: x - radius * (1 + Math.sin(angle)), y: y + radius * Math.cos(angle) };
    void input.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...last, button: 'left', buttons: 1 });
    const due = began + (1000 * k) / POINTER - performance.now();
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
  }
  return { seconds: (performance.now() - began) / 1000, last };
}

describe('one of eighty cables of sixty segments', () => {
  let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  for (const window of WINDOWS.filter((one) => wanted === undefined || nameOf(one).includes(wanted))) {
    it(`is dragged in a window of ${nameOf(window)}`, async (test) => {
      const { width, height, dense = 1, undrawn = false } = window;
      // as the page comes: with shadows, at full resolution, with all the panels that fit
      const { page, close } = await openPage(browser, server.address, { viewport: { width, height }, deviceScaleFactor: dense }, {});
      await tell(page, 'open', { text: field(4, 20, 60), name: 'eighty cables' });
      await page.waitForFunction(() => window.filum.rod('c79').length === 61 && window.filum.resting());
      if (undrawn) await page.evaluate(() => ['drawElements', 'drawElementsInstanced', 'drawArrays'].forEach((name) => (WebGL2RenderingContext.prototype[name] = () => undefined)));
      // one that no panel lies over
      const hold = await page.evaluate(() =>
        window.filum.scene().holds.map(({ name }) => name).find((name) => {
          const { x, y } = window.filum.toScreen(window.filum.hold(name));
          return document.elementFromPoint(x, y)?.tagName === 'CANVAS';
        }),
      );
      const from = await onScreen(page, await holdAt(page, hold));
      await page.mouse.move(from.x, from.y);
      await page.waitForFunction(() => document.querySelector('.canvas-host canvas').style.cursor === 'grab');
      await page.mouse.down();
      const radius = 0.02 * width;
      await goRound(page, from, radius, 1);
      await page.waitForFunction(() => window.filum.state().grabbed.length === 1);
      const [{ name }] = (await stateOf(page)).grabbed;

      await page.evaluate(count);
      const read = await meters(server);
      const before = read();
      const { seconds, last } = await goRound(page, from, radius, SECONDS);
      const { turns, shown, moves, lags } = await page.evaluate(() => window.counts);
      const now = read();
      const late = [...(await page.evaluate(() => window.filum.latencies()))].slice(-moves).sort((a, b) => a - b);

      const rate = (number) => (number / seconds).toFixed(0);
      const each = Object.entries(now).map(([who, ms]) => `${who} ${((ms - before[who]) / shown).toFixed(1)}`).join(', ');
      const within = [1, 2].map((most) => `${((100 * lags.filter((lag) => lag <= most).length) / lags.length).toFixed(0)} % within ${most}`).join(', ');
      test.diagnostic(`${rate(turns)} pictures a second, ${rate(shown)} that show a later move, ${rate(moves)} moves; ms of processor time for each of these: ${each}; shown after ${late[late.length >> 1]?.toFixed(0)} ms in the median, by pictures: ${within}; load ${readFileSync('/proc/loadavg', 'utf8').split(' ')[0]}`);

      // one move a picture at most, each is answered and shown, and nothing but what was shown is counted
      assert.ok(moves <= turns + 1, `${moves} moves in ${turns} turns`);
      assert.ok(shown > 0 && shown <= turns, `${shown} of ${turns}`);
      assert.ok(lags.length >= moves - 3, `${lags.length} of ${moves} moves were shown`);
      // it ends where the pointer is
      await page.waitForFunction(([held, { x, y }]) => {
        const at = window.filum.toScreen(window.filum.hold(held));
        return Math.hypot(at.x - x, at.y - y) < 6;
      }, [name, last]);
      await page.mouse.up();
      await page.waitForFunction(() => window.filum.state().grabbed.length === 0);
      assert.equal((await stateOf(page)).solve.converged, true);
      await close();
    });
  }
});
