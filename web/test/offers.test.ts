// Notices that offer something, and what becomes of them when what they are about is gone.
import { expect, it, vi } from 'vitest';
import { sceneWith, stubBrowser } from './support/server';

stubBrowser();
vi.stubGlobal('matchMedia', () => ({ matches: false }));
vi.stubGlobal('innerWidth', 1400);
vi.stubGlobal('document', { documentElement: { dataset: {}, style: {} } });
const { scene } = await import('../src/model/store');
const { notices, notify } = await import('../src/model/trouble');
await import('../src/model/mesh_units');

it('are withdrawn with the document; what was merely told stays for its time', () => {
  vi.useFakeTimers();
  scene.value = sceneWith({ document: 1 });
  notify('told');
  notify('taken as millimetres', 'info', [{ label: 'metres', act: () => undefined }]);
  scene.value = sceneWith({ document: 1 });
  expect(notices.value.map(({ text }) => text)).toEqual(['told', 'taken as millimetres']);
  scene.value = sceneWith({ document: 2 });
  expect(notices.value.map(({ text }) => text)).toEqual(['told']);
  vi.useRealTimers();
});
