// What every end-to-end test needs: the real server, a real browser, and waiting on counters instead of time.
import { spawn } from 'node:child_process';
import { mkdtempSync, cpSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const program = process.env.FILUM ?? path.join(root, 'build/release/bin/filum');
const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium';
// software rendering, which needs patience on a busy machine
const flags = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-watchdog', '--disable-gpu-rasterization'];
const PATIENCE = Number(process.env.FILUM_PATIENCE ?? 60_000);
// a folder with the page, to be tested instead of the one in the program
const pageFolder = process.env.FILUM_PAGE;
/** None but what the machine needs: without a graphics card Chromium draws by the processor, page and WebGL alike. */
export const plainSwitches = ['--no-sandbox'];
if (pageFolder) for (const some of [flags, plainSwitches]) some.push('--disable-features=LocalNetworkAccessChecks');

/** A port that nobody else is about to take: not that where servers begin, below those that the system gives out by itself. */
const somePort = () => 10_000 + Math.floor(20_000 * Math.random());

/** A server with a scene of its own folder, which may be written to; or one that takes the place of another, in its folder and on its port. */
export async function startServer(scene, before) {
  const folder = before?.folder ?? mkdtempSync(path.join(tmpdir(), 'filum-e2e-'));
  const file = before ? before.file : scene && path.join(folder, scene);
  if (file && !before) cpSync(path.join(root, 'scenes', scene), file);
  const server = spawn(program, ['serve', ...(file ? [file] : []), '--no-open', '--port', String(before ? new URL(before.address).port : somePort())], { cwd: folder, env: { ...process.env, XDG_STATE_HOME: folder }, stdio: ['ignore', 'ignore', 'pipe'] });
  const address = await new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (text) => {
      said += text;
      const found = /http:\/\/\S+token=[0-9a-f]+/.exec(said);
      if (found) resolve(found[0]);
    });
    server.on('exit', (code) => reject(new Error(`filum serve ended with ${code}: ${said}`)));
  });
  // a test that fails before it stops it must not wait for it
  server.unref();
  server.stderr.unref();
  process.once('exit', () => server.kill('SIGKILL'));
  const stop = async () => {
    server.removeAllListeners('exit');
    const gone = new Promise((resolve) => server.on('exit', resolve));
    server.kill('SIGINT');
    const code = await gone;
    rmSync(folder, { recursive: true, force: true });
    return code;
  };
  const gone = () => server.exitCode !== null || server.signalCode !== null;
  /** Breaks it off: nothing is written, nobody is told. */
  const kill = async () => {
    if (gone()) return;
    server.removeAllListeners('exit');
    const ended = new Promise((resolve) => server.on('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  };
  return { address, folder, file, pid: server.pid, stop, kill, gone };
}

export function startBrowser(switches = flags) {
  return chromium.launch({ executablePath: browserPath, headless: true, args: switches });
}

/** A page on the server. It is given once a frame of the scene was drawn; `complaints` gathers what the console says. */
export async function openPage(browser, address, options = {}, preferences = { shadows: false, fine: false, timeline: false }) {
  const context = await browser.newContext({ viewport: { width: 1024, height: 640 }, colorScheme: 'dark', ...options });
  if (pageFolder) {
    await context.route(
      (url) => !url.pathname.startsWith('/api/'),
      (route) => route.fulfill({ path: path.join(pageFolder, new URL(route.request().url()).pathname.replace(/\/$/, '/index.html')) }),
    );
  }
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  // plain pictures are quicker, and the sockets can be broken from here
  await page.addInitScript((given) => {
    localStorage.setItem('filum.workbench', JSON.stringify(given));
    const Plain = window.WebSocket;
    window.openSockets = [];
    window.WebSocket = class extends Plain {
      constructor(...given) {
        super(...given);
        window.openSockets.push(this);
      }
    };
  }, preferences);
  await page.goto(address, { waitUntil: 'commit', timeout: PATIENCE });
  await page.waitForFunction(() => window.filum?.frame().drawn > 0);
  return { page, complaints, close: () => context.close() };
}

/** Sends a command as the page does and waits until a frame that shows it was drawn. */
export async function tell(page, cmd, fields = {}) {
  const reply = await page.evaluate(([name, given]) => window.filum.command(name, given), [cmd, fields]);
  if (reply.frame) await drawn(page, reply.frame);
  return reply;
}

/** Opens an example, whatever was open before, and waits until it is seen. */
export async function openExample(page, example) {
  await tell(page, 'open', { example });
  await page.waitForFunction(() => window.filum.resting());
}

/** Waits until this frame, or a later one, was drawn. */
export function drawn(page, frame) {
  return page.waitForFunction((number) => window.filum.frame().drawn >= number, frame);
}

/** Waits until no gesture is under way and the last one can be undone. */
export function undoDepth(page, depth) {
  return page.waitForFunction((wanted) => window.filum.state().undo.depth === wanted && window.filum.state().grabbed.length === 0, depth);
}

export const frameOf = (page) => page.evaluate(() => window.filum.frame());
export const sceneOf = (page) => page.evaluate(() => window.filum.scene());
export const stateOf = (page) => page.evaluate(() => window.filum.state());
export const holdAt = (page, name) => page.evaluate((hold) => window.filum.hold(hold), name);
export const pointsOf = (page, name) => page.evaluate((rod) => window.filum.rod(rod), name);

/** Where a hold is on the screen. */
export async function onScreen(page, point) {
  // the camera may still be on its way
  await page.waitForFunction(() => window.filum.resting());
  return page.evaluate((at) => window.filum.toScreen(at), point);
}

/** Drags the handle of an axis at what is selected by so many pixels. */
export async function dragHandle(page, axis, by) {
  await page.waitForFunction((name) => window.filum.resting() && window.filum.handles()[name] !== undefined, axis);
  const { x, y, dx, dy } = await page.evaluate((name) => window.filum.handles()[name], axis);
  // the handle is lit by a pointer that rests on it
  await page.mouse.move(x - 1, y);
  await page.mouse.move(x, y);
  await dragMouse(page, { x, y }, { x: x + dx * by, y: y + dy * by });
}

/** Drops files of the machine onto the page, as a file manager does. */
export async function dropFiles(page, files) {
  const input = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await input.send('Input.dispatchDragEvent', { type, x: 500, y: 300, data });
}

/** Drags with the real mouse, in several moves; each waits for the frame it causes. */
export async function dragMouse(page, from, to, { steps = 6, keys = [] } = {}) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let k = 1; k <= steps; ++k) {
    const before = (await frameOf(page)).received;
    await page.mouse.move(from.x + ((to.x - from.x) * k) / steps, from.y + ((to.y - from.y) * k) / steps);
    await page.waitForFunction((number) => window.filum.frame().received > number, before);
    if (k === 1) for (const key of keys) await page.keyboard.press(key);
  }
  await page.mouse.up();
}

export function distance(a, b) {
  return Math.hypot(...a.map((c, k) => c - b[k]));
}
