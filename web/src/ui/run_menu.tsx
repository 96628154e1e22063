// The recording of the run: back to now, played back, put aside to compare with, exported.
import * as downloads from '../model/downloads';
import * as modes from '../model/modes';
import { goLive, lookedAt, otherRun, playback, playbackSpeed, recorded, recording, togglePlayback } from '../model/recording';
import { messageOf, notify } from '../model/trouble';
import { animationOf } from '../view/animation';
import { filmOf } from '../view/film';
import { view } from './canvas';
import { Choice } from './fields';
import { Icon } from './icons';
import { Item, Menu } from './menu';

const SPEEDS = ['0.1', '0.25', '0.5', '1', '2', '5'];

async function exportAnimation(): Promise<void> {
  try {
    downloads.downloadBlob(new Blob([await animationOf(recording)], { type: 'model/gltf-binary' }), downloads.named('glb'));
  } catch (error) {
    notify(messageOf(error), 'error');
  }
}

async function exportFilm(): Promise<void> {
  const shown = view();
  if (!shown) return;
  try {
    notify('The film is taken as it plays.');
    downloads.downloadBlob(await filmOf(shown, recording, playbackSpeed.peek()), downloads.named('webm'));
  } catch (error) {
    notify(messageOf(error), 'error');
  }
}

export function RunMenu() {
  const { count } = recorded.value;
  if (count < 2) return null;
  const playing = playback.value !== undefined;
  return (
    <div class="run">
      <button class="button small square" aria-label={playing ? 'Stop the recording' : 'Play the recording'} title={playing ? 'Stop' : 'Play back what was recorded'} onClick={togglePlayback}><Icon name={playing ? 'pause' : 'replay'} /></button>
      <div style={{ width: '4.6rem' }}>
        <Choice label="Speed of the recording" value={String(playbackSpeed.value)} options={SPEEDS.map((value) => ({ value, label: `${value} ×` }))} commit={(speed) => (playbackSpeed.value = Number(speed))} />
      </div>
      {lookedAt.value !== undefined && <button class="button small framed" title="Back to what is now (Esc)" onClick={goLive}>Back to now</button>}
      <Menu label="Recording" icon="camera" hint="Compare and export what was recorded" up>
        <Item icon="ghost" act={() => (otherRun.value = recording.copy())}>Put this run aside, to compare</Item>
        {otherRun.value && <Item icon="close" act={() => (otherRun.value = undefined)}>End the comparison</Item>}
        <hr />
        <Item icon="download" act={() => void exportAnimation()}>Animation (glTF)</Item>
        <Item icon="download" act={() => void exportFilm()}>Film (WebM)</Item>
        <Item icon="camera" act={() => (modes.dialog.value = 'picture')}>Picture of any size (PNG)…</Item>
      </Menu>
    </div>
  );
}
