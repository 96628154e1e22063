// What the browser is given to keep: the scene, the present state in several formats, its report, a picture.
import { address, type ExportFormat } from '../protocol/api';
import { outbox } from './session';
import { connectionStatus, state } from './store';

const documentName = (): string => state.peek()?.document.name || 'scene';

function download(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** The scene; without the server, as this page knew it last. */
export function downloadScene(): void {
  const kept = outbox.base;
  if (connectionStatus.peek() === 'open' || !kept) download(address('/api/scene.yaml'), `${documentName()}.yaml`);
  else downloadBlob(new Blob([kept.text], { type: 'application/yaml' }), `${kept.name}.yaml`);
}

export function exportTo(format: ExportFormat): void {
  download(address('/api/export', { format }), '');
}

export function downloadResult(): void {
  download(address('/api/result.json'), `${documentName()}.json`);
}

export function openReport(): void {
  window.open(address('/api/report.html'), '_blank', 'noopener');
}

/** The name of a file of this document. */
export function named(ending: string): string {
  return `${documentName()}.${ending}`;
}

export function downloadPicture(picture: Blob): void {
  downloadBlob(picture, `${documentName()}.png`);
}

/** Something that this page made. */
export function downloadBlob(made: Blob, name: string): void {
  const url = URL.createObjectURL(made);
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
