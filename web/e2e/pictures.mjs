// Pictures of every example in the workbench, for docs/pictures/workbench: `npm run pictures [NAME…]`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPage, sceneOf, startBrowser, startServer, tell } from './bench.mjs';

const out = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../docs/pictures/workbench');
mkdirSync(out, { recursive: true });

/** What to show of an example besides the scene as it opens. */
const shown = {
  'brake-hose': { select: 'wheel end', colour: 'curvature' },
  'steering-sweep': { light: true },
  'wiring-harness': { colour: 'curvature' },
  catenary: { colour: 'tension' },
  'twisted-ring': { colour: 'twist' },
  'flexible-pendulum': { steps: 40 },
  'free-rod': { steps: 60 },
  'tumbling-rod': { steps: 40 },
  'torsional-pendulum': { steps: 40 },
  wilberforce: { steps: 60 },
  'roll-up': { light: true },
  'gantry-crane': { steps: 330 },
  'hoisting-winch': { steps: 90, light: true },
};

const server = await startServer();
const browser = await startBrowser();
const { page, complaints } = await openPage(browser, server.address, { viewport: { width: 1366, height: 768 } }, { shadows: true, fine: true, timeline: true });

const examples = await page.evaluate(async () => (await fetch(`/api/examples${location.search}`)).json());
const wanted = process.argv.slice(2);
for (const { name } of examples) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const wish = shown[name] ?? {};
  try {
    await tell(page, 'open', { example: name });
  } catch (error) {
    console.log(`${name}: ${error.message.split('\n')[0]}`);
    continue;
  }
  if (wish.steps) await tell(page, 'step', { n: wish.steps });
  await page.getByLabel('Colour of the cables').selectOption(wish.colour ?? 'plain');
  const theme = await page.evaluate(() => document.documentElement.dataset.theme);
  if ((theme === 'light') !== (wish.light ?? false)) await page.getByLabel('Dark or light').click();
  await page.locator(`[data-leaf="${wish.select ?? (await sceneOf(page)).rods[0].name}"]`).click();
  await page.getByLabel('Show all').click();
  await page.waitForFunction(() => window.filum.resting());
  await page.screenshot({ path: path.join(out, `${name}.jpg`), type: 'jpeg', quality: 84 });
  console.log(name);
}
if (complaints.length > 0) console.log('the console said:', complaints);
await browser.close();
await server.stop();
