// Dialogs: examples, help, unsaved changes, a file that was changed outside, the check, licences.
import { useEffect, useState } from 'preact/hooks';
import * as downloads from '../model/downloads';
import * as files from '../model/files';
import * as modes from '../model/modes';
import { ask } from '../model/session';
import { state } from '../model/store';
import { startTour, tours } from '../model/tours';
import { messageOf, notify, problems } from '../model/trouble';
import { quantityOfUnit, show } from '../model/units';
import { address, licences as fetchLicences } from '../protocol/api';
import type { Alarm } from '../protocol/state';
import { view } from './canvas';
import { ChannelDialog } from './channel';
import { Frame } from './dialog_frame';
import { OpenPath, SaveAs, Versions } from './file_dialogs';
import { KeyMap } from './help';
import { NewCable } from './new_cable';
import { NewObstacle } from './new_obstacle';

export function Dialogs() {
  switch (modes.dialog.value) {
    case 'gallery':
      return <Gallery />;
    case 'help':
      return <Frame title="Mouse and keys" footer={<button class="button framed" onClick={() => (modes.dialog.value = 'licences')}>Licences</button>}><KeyMap /></Frame>;
    case 'open':
      return <OpenPath />;
    case 'save as':
      return <SaveAs />;
    case 'versions':
      return <Versions />;
    case 'unsaved':
      return <Unsaved />;
    case 'changed':
      return <Changed />;
    case 'new cable':
      return <NewCable />;
    case 'new obstacle':
      return <NewObstacle />;
    case 'picture':
      return <Picture />;
    case 'licences':
      return <Licences />;
    case 'check':
      return <Check />;
    case 'channel':
      return <ChannelDialog />;
    case undefined:
      return null;
  }
}

function Gallery() {
  const problem = problems.value['gallery'];
  const [wanted, setWanted] = useState('');
  const found = ({ name, title, about }: (typeof files.examples.value)[number]): boolean => `${name} ${title} ${about}`.toLowerCase().includes(wanted.trim().toLowerCase());
  const list = files.examples.value.filter(found);
  return (
    <Frame title="Examples">
      <input class="field" type="search" placeholder="Search" aria-label="Search the examples" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      {wanted === '' && (
        <div class="tours">
          {tours.map((tour) => (
            <button key={tour.title} class="card" data-tour={tour.title} onClick={() => startTour(tour)}>
              <span class="words"><b>Tour: {tour.title}</b><p>{tour.about}</p></span>
            </button>
          ))}
        </div>
      )}
      {problem && <p class="problem">{problem}</p>}
      {list.length === 0 && !problem && <p class="quiet">{wanted ? 'No example speaks of that.' : 'Loading…'}</p>}
      <div class="gallery">
        {list.map((example) => (
          <button key={example.name} class="card" data-example={example.name} onClick={() => files.openExample(example.name)}>
            <span class="picture">{example.thumbnail && <img src={address(example.thumbnail)} alt="" loading="lazy" />}</span>
            <span class="words">
              <b>{example.title || example.name}</b>
              <p>{example.about}</p>
            </span>
          </button>
        ))}
      </div>
    </Frame>
  );
}

function Unsaved() {
  return (
    <Frame
      title="Unsaved changes"
      narrow
      footer={
        <>
          <button class="button framed" onClick={() => void files.answerUnsaved('cancel')}>Stay here</button>
          <button class="button framed danger" onClick={() => void files.answerUnsaved('discard')}>Discard them</button>
          <button class="button primary" onClick={() => void files.answerUnsaved('save')}>Save first</button>
        </>
      }
    >
      <p style={{ margin: 0 }}>«{state.value?.document.name || 'The scene'}» has changes that are not in a file. Undo brings the scene back even after another one was opened.</p>
    </Frame>
  );
}

function Changed() {
  return (
    <Frame
      title="Changed outside: replace?"
      narrow
      footer={
        <>
          <button class="button framed" onClick={() => (modes.dialog.value = undefined)}>Do not save</button>
          <button class="button framed" onClick={() => (modes.dialog.value = 'save as')}>Save as…</button>
          <button class="button framed danger" onClick={() => void files.replaceChanged()}>Replace it</button>
        </>
      }
    >
      <p style={{ margin: 0 }}>«{state.value?.document.path}» was changed by somebody else since it was opened or saved here. Replacing it loses those changes.</p>
    </Frame>
  );
}

/** A picture of the view as large as one wants it. */
function Picture() {
  const [width, setWidth] = useState(3840);
  const [height, setHeight] = useState(2160);
  const take = (): void => {
    modes.dialog.value = undefined;
    view()?.stage.picture({ width, height }).then(downloads.downloadPicture, (error: unknown) => notify(messageOf(error), 'error'));
  };
  const field = (label: string, value: number, set: (value: number) => void) => (
    <label class="size">{label}<input class="field" type="number" min="16" max="8192" value={value} onInput={(event) => set(Math.min(Math.max(Number(event.currentTarget.value), 16), 8192))} /></label>
  );
  return (
    <Frame title="Picture of the view" narrow footer={<button class="button primary" onClick={take}>Download</button>}>
      <div class="pair">{field('Width', width, setWidth)}{field('Height', height, setHeight)} pixels</div>
    </Frame>
  );
}

/** What the program and this page are made of, as the server tells it. */
function Licences() {
  const [notice, setNotice] = useState('');
  useEffect(() => {
    fetchLicences().then(setNotice, (error: unknown) => setNotice(messageOf(error)));
  }, []);
  return (
    <Frame title="Licences"><pre style={{ whiteSpace: 'pre-wrap' }}>{notice}</pre></Frame>
  );
}

function Check() {
  const [checks, setChecks] = useState<Alarm[] | undefined>(undefined);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    ask('check').then(
      (answer) => setChecks(answer.checks),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, []);
  const bad = checks?.filter((check) => check.violated).length ?? 0;
  const words = checks === undefined ? '' : checks.length === 0 ? 'The scene sets no limits.' : bad === 0 ? 'Every limit is kept.' : `${bad} of ${checks.length} limits are exceeded.`;
  return (
    <Frame title="Check against the limits" narrow footer={<button class="button primary" onClick={downloads.openReport}>Open the whole report</button>}>
      {problem && <p class="problem">{problem}</p>}
      <p style={{ marginTop: 0 }}><b>{words}</b></p>
      {checks?.map((check) => {
        const quantity = quantityOfUnit[check.unit] ?? 'force';
        return (
          <div key={`${check.name} ${check.object}`} class={check.violated ? 'alarm violated' : 'alarm'}>
            <span class="lamp" />
            <span class="what">{check.object}: {check.name}</span>
            <span class="value">{check.value === null ? '∞' : show(check.value, quantity)}</span>
            <small>limit {show(check.limit, quantity)}, at {show(check.s, 'length', 3)}</small>
          </div>
        );
      })}
    </Frame>
  );
}
