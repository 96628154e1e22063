// Pictures of every example in the workbench, for docs/pictures/workbench: `npm run pictures [NAME…]`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPage, startBrowser, startServer, tell } from './bench.mjs';

const out = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../docs/pictures/workbench');
mkdirSync(out, { recursive: true });

/** What to show of an example besides the scene as it opens. */
const shown = {
  'brake-hose': { select: 'hose', colour: 'curvature' },
  'steering-sweep': { select: 'hose', light: true },
  'wiring-harness': { colour: 'curvature' },
  catenary: { colour: 'tension', thicken: 4 },
  'twisted-ring': { colour: 'twist' },
  'flexible-pendulum': { steps: 40 },
  'free-rod': { steps: 60 },
  'tumbling-rod': { steps: 40 },
  'torsional-pendulum': { steps: 40 },
  wilberforce: { steps: 60 },
  'roll-up': { light: true },
};

const server = await startServer();
const browser = await startBrowser();
const { page, complaints } = await openPage(browser, server.address, { viewport: { width: 1366, height: 768 } });

/** Preferences of the page are kept by the browser: set them and load it anew. */
async function prefer(preferences) {
  await page.evaluate((given) => localStorage.setItem('filum.workbench', JSON.stringify({ theme: 'dark', colourBy: 'plain', thicken: 1, shadows: true, fine: true, timeline: true, ...given })), preferences);
  await page.evaluate(() => (window.onbeforeunload = null));
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => window.filum?.frame().drawn > 0);
}

const examples = await page.evaluate(async () => (await fetch(`/api/examples${location.search}`)).json());
const wanted = process.argv.slice(2);
page.on('dialog', (dialog) => dialog.accept());
for (const { name } of examples) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const wish = shown[name] ?? {};
  await tell(page, 'open', { example: name });
  if (wish.steps) await tell(page, 'step', { n: wish.steps });
  await prefer({ theme: wish.light ? 'light' : 'dark', colourBy: wish.colour ?? 'plain', thicken: wish.thicken ?? 1 });
  if (wish.select) await page.locator(`[data-leaf="${wish.select}"]`).click();
  await page.waitForFunction(() => window.filum.resting());
  await page.screenshot({ path: path.join(out, `${name}.png`) });
  console.log(name);
}
if (complaints.length > 0) console.log('the console said:', complaints);
await browser.close();
await server.stop();
