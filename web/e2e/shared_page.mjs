// One server and one page for all tests of a file, and what they do most: type into fields, press rows of the tree, wait for the scene.
import { after, before } from 'node:test';
import { openPage, startBrowser, startServer } from './bench.mjs';

export let browser;
export let server;
export let page;
export let complaints;

let close;
before(async () => {
  browser = await startBrowser();
  server = await startServer();
  ({ page, complaints, close } = await openPage(browser, server.address));
});
after(async () => {
  await close?.();
  await server?.stop();
  await browser?.close();
});

/** Types into a field of the inspector and presses Enter. */
export async function type(label, text) {
  const field = page.getByLabel(label, { exact: true });
  await field.fill(text);
  await field.press('Enter');
}
export const leaf = (name) => page.locator(`[data-leaf="${name}"]`);
export const inScene = (test, given) => page.waitForFunction(test, given);

/** Changes of the scene before are not wanted any more. Nobody waits for the question beyond this: it might be that of a later test. */
export async function discardIfAsked() {
  await page.waitForFunction(() => (document.querySelector('[role=dialog]')?.ariaLabel ?? 'Unsaved changes') === 'Unsaved changes');
  const discard = page.getByRole('button', { name: 'Discard them' });
  if (await discard.isVisible()) await discard.click();
}
