// A beam in a channel: the text of its file, which the server solves, and what of the result is looked at. The text is what is kept: handles and
// fields of the page write into it.
import { computed, signal } from '@preact/signals';
import type { ChannelSolved } from '../protocol/answers';
import { Refused } from '../protocol/connection';
import { withValue } from './channel_text';
import { downloadBlob } from './downloads';
import { dialog } from './modes';
import { ask, tell } from './session';
import { messageOf, notify, trouble } from './trouble';

/** the place of the page where its errors stand */
export const CHANNEL = 'channel';

export const channelName = signal('channel');
/** where it came from or was saved, on the machine where the simulation runs; empty: nowhere */
export const channelPath = signal('');
export const channelText = signal('');
export const channelExamples = signal<readonly { name: string; text: string }[]>([]);
export const solved = signal<ChannelSolved | undefined>(undefined);
/** which shape, or which step of the load path */
export const looked = signal(0);

/** The states that are looked through: the steps of a load path if there is one, else the shapes. */
export const states = computed(() => (solved.value && solved.value.path.length > 0 ? solved.value.path : (solved.value?.shapes ?? [])));

export async function showChannels(): Promise<void> {
  dialog.value = 'channel';
  try {
    channelExamples.value = (await ask('channels')).channels;
    const first = channelExamples.peek()[0];
    if (!channelText.peek() && first) await openChannel(first.name, first.text);
  } catch (error) {
    notify(messageOf(error), 'error');
  }
}

export async function openChannel(name: string, text: string, path = ''): Promise<void> {
  dialog.value = 'channel';
  channelName.value = name;
  channelPath.value = path;
  channelText.value = text;
  await solve();
}

/** Solves the text as it is now. What was found before stays if it cannot be. */
export async function solve(): Promise<void> {
  const found = await tell('channel', { text: channelText.peek(), name: channelName.peek() }, CHANNEL);
  if (!found) return;
  solved.value = found;
  looked.value = Math.min(looked.peek(), Math.max(states.peek().length - 1, 0));
}

/** what the last try to save would have replaced */
export const inTheWay = signal('');

/** Saves the text on the machine where the simulation runs: over the file that it came from, over another one only if that is wanted. */
export async function saveChannel(path: string, overwrite = path === channelPath.peek()): Promise<void> {
  try {
    const saved = await ask('save_channel', { path, text: channelText.peek(), ...(overwrite && { overwrite }) });
    channelPath.value = saved.path;
    inTheWay.value = '';
    trouble.clear(CHANNEL);
    notify(`saved to ${saved.path}`);
  } catch (error) {
    inTheWay.value = error instanceof Refused && error.exists ? path : '';
    trouble.report(CHANNEL, messageOf(error));
  }
}

export function downloadChannel(): void {
  downloadBlob(new Blob([channelText.peek()], { type: 'application/yaml' }), `${channelName.peek()}.yaml`);
}

/** Numbers as a file has them: millimetres to a thousandth. */
const millimetres = (metres: number): string => `${Number((1e3 * metres).toFixed(3))} mm`;

/** The guide wire is pushed in, from nearly nothing to so many metres. */
export async function push(by: number, steps: number): Promise<void> {
  channelText.value = withValue(channelText.peek(), 'load', `{push: {from: ${millimetres(Math.min(5e-5, by / 10))}, to: ${millimetres(by)}, steps: ${steps}}, tip: centre}`);
  looked.value = 0;
  await solve();
}

/** The centreline through other points. */
export async function draw(points: readonly (readonly number[])[]): Promise<void> {
  const kind = points.length === 2 ? 'line' : 'spline';
  channelText.value = withValue(channelText.peek(), 'centreline', `{${kind}: [${points.map((point) => `[${point.map(millimetres).join(', ')}]`).join(', ')}]}`);
  await solve();
}
