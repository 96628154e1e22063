// From CAD in the page, end to end: a mesh is dropped, its tubes are shown, made flexible in whole or between two clicks, undone; harness data are dropped and read as tables.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { dropFiles, holdAt, onScreen, sceneOf, tell } from './bench.mjs';
import { complaints, page } from './shared_page.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'filum-flexible-'));

/** An open tube of twelve sides, as lines of an OBJ file that has so many points already. */
function tube(from, along, across, other, radius, length, points) {
  const lines = [];
  for (const end of [0, length])
    for (let k = 0; k < 12; ++k) {
      const [c, s] = [Math.cos((Math.PI * k) / 6), Math.sin((Math.PI * k) / 6)];
      lines.push(`v ${from.map((x, i) => x + end * along[i] + radius * (c * across[i] + s * other[i])).join(' ')}`);
    }
  for (let k = 0; k < 12; ++k) {
    const [a, b] = [points + k + 1, points + ((k + 1) % 12) + 1];
    lines.push(`f ${a} ${b} ${b + 12}`, `f ${a} ${b + 12} ${a + 12}`);
  }
  return lines;
}

/** A trunk of 400 mm along x and a branch from its middle along y, in millimetres; and such a trunk in inches. */
const tee = path.join(folder, 'tee.obj');
writeFileSync(tee, [...tube([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], 8, 400, 0), ...tube([200, 3, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], 6, 197, 24)].join('\n') + '\n');
const inches = path.join(folder, 'inches.obj');
writeFileSync(inches, tube([0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], 0.1, 16, 0).join('\n') + '\n');

const number = (id, value) => `<${id} id="${id}${value}"><Unit_component>mm</Unit_component><Value_component>${value}</Value_component></${id}>`;
const kbl = path.join(folder, 'loom.kbl');
writeFileSync(kbl, `<?xml version="1.0"?>
<kbl:KBL_container xmlns:kbl="http://www.prostep.org/Car_electric_container/KBL2.3/KBLSchema" id="k">
${[[0, 0, 0], [300, 0, 0], [500, 150, 0], [500, -150, 0]].map((p, i) => `<Cartesian_point id="p${i}">${p.map((x) => `<Coordinates>${x}</Coordinates>`).join('')}</Cartesian_point>
<Node id="n${i}"><Id>N${i}</Id><Cartesian_point>p${i}</Cartesian_point></Node>`).join('\n')}
${[[0, 1, 306], [1, 2, 255], [1, 3, 256]].map(([a, b, l], i) => `<Segment id="s${i}"><Id>S${i}</Id>${number('Physical_length', l)}<End_node>n${b}</End_node><Start_node>n${a}</Start_node></Segment>`).join('\n')}
<Unit id="mm"><Unit_name>mm</Unit_name><Si_unit_name>metre</Si_unit_name><Si_prefix>milli</Si_prefix></Unit>
</kbl:KBL_container>
`);

const banner = () => page.locator('.banner', { hasText: 'tee' });

describe('a mesh that is dropped', () => {
  before(async () => {
    await tell(page, 'new');
    await dropFiles(page, [tee]);
    await banner().waitFor();
  });

  it('shows its tubes, in the unit that their thickness tells', async () => {
    assert.match(await banner().textContent(), /3 tubes, 3 ends, 1 bifurcation/);
    await page.waitForFunction(() => window.filum.scene().scenery[0].scale === 0.001);
  });

  it('is seen with all its ends, and the words of its offer in their buttons', async () => {
    await page.waitForFunction(() => window.filum.resting());
    const canvas = await page.locator('canvas').first().boundingBox();
    for (const end of [[0, 0, 0], [0.4, 0, 0], [0.2, 0.2, 0]]) {
      const { x, y } = await onScreen(page, end);
      assert.ok(x > canvas.x && x < canvas.x + canvas.width && y > canvas.y && y < canvas.y + canvas.height, `${end} is at ${x}, ${y}`);
    }
    for (const button of await banner().getByRole('button').all())
      assert.ok(await button.evaluate((element) => element.scrollWidth <= element.clientWidth + 1), await button.textContent());
  });

  it('becomes flexible by one press, and a mesh again by undo', async () => {
    await page.getByRole('button', { name: 'Make all of it flexible' }).click();
    await page.waitForFunction(() => window.filum.scene().rods.length === 3);
    const { rods, junctions, scenery } = await sceneOf(page);
    assert.equal(junctions.length, 1);
    assert.equal(scenery.length, 0);
    for (const rod of rods) assert.ok(Math.abs(rod.length - 0.2) < 1e-3, `${rod.name}: ${rod.length} m`);
    await banner().waitFor({ state: 'detached' });
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => window.filum.scene().rods.length === 0 && window.filum.scene().scenery.length === 1);
  });

  it('becomes flexible between two clicks, and the rest stays a mesh', async () => {
    await page.locator('[data-leaf="tee"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Make flexible…' }).click();
    await banner().waitFor();
    await page.waitForFunction(() => window.filum.resting());
    for (const place of [[0, 0, 0], [0.2, 0.2, 0]]) {
      const { x, y } = await onScreen(page, place);
      await page.mouse.click(x, y);
    }
    await page.waitForFunction(() => window.filum.scene().rods.length === 2);
    assert.equal((await sceneOf(page)).scenery[0].mesh, 'tee-rest.obj');
    await page.locator('.canvas-host').focus();
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => window.filum.scene().rods.length === 0);
  });

  it('stays a mesh if that is wanted', async () => {
    await page.locator('[data-leaf="tee"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Make flexible…' }).click();
    await page.getByRole('button', { name: 'Leave it a mesh' }).click();
    await banner().waitFor({ state: 'detached' });
    assert.equal((await sceneOf(page)).rods.length, 0);
  });
});

describe('a mesh in inches', () => {
  it('is taken for one where neither metres nor millimetres make a cable of it', async () => {
    await tell(page, 'new');
    await dropFiles(page, [inches]);
    await page.waitForFunction(() => window.filum.scene().scenery[0]?.scale === 0.0254);
    await page.getByText('taken as inches').waitFor();
    await page.getByRole('button', { name: 'millimetres', exact: true }).click();
    await page.waitForFunction(() => window.filum.scene().scenery[0].scale === 0.001);
  });
});

describe('harness data that are dropped', () => {
  it('are opened as a scene', async () => {
    await tell(page, 'new');
    await dropFiles(page, [kbl]);
    await page.waitForFunction(() => window.filum.scene().rods.length === 3);
    const lengths = (await sceneOf(page)).rods.map((rod) => Math.round(1e3 * rod.length)).sort();
    assert.deepEqual(lengths, [255, 256, 306]);
  });

  it('has the tables of the harness report', async () => {
    const { segments } = await tell(page, 'harness', { allowance: 0.01, round: 0.005 });
    assert.equal(segments.length, 3);
    assert.deepEqual(segments.map(({ adapted }) => Math.round(1e3 * adapted)).sort(), [265, 270, 320]);
  });

  it('goes where a row of its tables is pressed: what it tells of is selected and in the middle of the picture', async () => {
    await page.getByLabel('Tables', { exact: true }).click();
    const table = page.locator('.tables');
    await table.getByLabel('Which table').selectOption('clips');
    await page.waitForFunction(() => document.querySelectorAll('.tables tbody tr').length === 3);
    const canvas = await page.locator('canvas').first().boundingBox();
    const fromMiddle = async (name) => {
      const { x, y } = await onScreen(page, await holdAt(page, name));
      return Math.hypot(x - canvas.x - canvas.width / 2, y - canvas.y - canvas.height / 2);
    };
    for (const row of await table.locator('tbody tr').all()) {
      const name = await row.locator('td').first().textContent();
      // the ends lie far from each other: where the last flight ended this one is not in the middle
      assert.ok((await fromMiddle(name)) > 40, `${name} is in the middle already`);
      await row.click();
      await page.waitForFunction((hold) => window.filum.selection().kind === 'hold' && window.filum.selection().name === hold, name);
      assert.ok((await fromMiddle(name)) < 10, `${name} is not where the flight ended`);
    }
    await page.getByLabel('Tables', { exact: true }).click();
  });

  it('are refused in words if they are none', async () => {
    const broken = path.join(folder, 'broken.kbl');
    writeFileSync(broken, '<KBL_container>\n<oops');
    await tell(page, 'new');
    await dropFiles(page, [broken]);
    await page.locator('.notices', { hasText: 'broken.kbl' }).waitFor();
    assert.equal((await sceneOf(page)).rods.length, 0);
    assert.deepEqual(complaints.filter((text) => !text.includes('400')), []);
  });
});
