// What the browser is given to keep: the scene, the present state in several formats, its report, a picture.
import { address, type ExportFormat } from '../protocol/api';
import { state } from './store';

const documentName = (): string => state.peek()?.document.name || 'scene';

function download(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

export function downloadScene(): void {
  download(address('/api/scene.yaml'), `${documentName()}.yaml`);
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

export function downloadPicture(picture: Blob): void {
  const url = URL.createObjectURL(picture);
  download(url, `${documentName()}.png`);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
