// Dialogs: examples, help, save as, unsaved changes, a file that was changed outside, the check, licences.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import * as downloads from '../model/downloads';
import * as files from '../model/files';
import * as modes from '../model/modes';
import { ask } from '../model/session';
import { hello, state } from '../model/store';
import { messageOf, problems, trouble } from '../model/trouble';
import { show } from '../model/units';
import { address, licences as fetchLicences } from '../protocol/api';
import type { Alarm } from '../protocol/state';
import { KeyMap } from './help';
import { Icon } from './icons';
import { trapTab } from './roving';

export function Dialogs() {
  switch (modes.dialog.value) {
    case 'gallery':
      return <Gallery />;
    case 'help':
      return <Frame title="Mouse and keys" footer={<button class="button framed" onClick={() => (modes.dialog.value = 'licences')}>Licences</button>}><KeyMap /></Frame>;
    case 'save as':
      return <SaveAs />;
    case 'unsaved':
      return <Unsaved />;
    case 'changed':
      return <Changed />;
    case 'licences':
      return <Licences />;
    case 'check':
      return <Check />;
    case undefined:
      return null;
  }
}

function Frame({ title, children, footer, narrow = false }: { title: string; children: ComponentChildren; footer?: ComponentChildren; narrow?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const close = (): void => {
    if (modes.dialog.peek() === 'unsaved') void files.answerUnsaved('cancel');
    else modes.dialog.value = undefined;
  };
  useLayoutEffect(() => {
    const before = document.activeElement;
    const first = box.current!.querySelector<HTMLElement>('.body input, .body select') ?? box.current!.querySelector<HTMLElement>('.primary');
    (first ?? box.current!).focus();
    if (first instanceof HTMLInputElement) first.select();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  const key = (event: KeyboardEvent): void => {
    trapTab(event, box.current!);
    if (event.key === 'Escape') close();
  };
  return (
    <div class="veil" onPointerDown={(event) => event.target === event.currentTarget && close()}>
      <div class={narrow ? 'dialog narrow' : 'dialog'} role="dialog" aria-modal="true" aria-label={title} tabIndex={-1} ref={box} onKeyDown={key} style={{ outline: 'none' }}>
        <header>
          <h2>{title}</h2>
          <button class="button square" aria-label="Close" title="Close (Esc)" onClick={close}><Icon name="close" /></button>
        </header>
        <div class="body">{children}</div>
        {footer && <footer>{footer}</footer>}
      </div>
    </div>
  );
}

function Gallery() {
  const problem = problems.value['gallery'];
  const list = files.examples.value;
  return (
    <Frame title="Examples">
      {problem && <p class="problem">{problem}</p>}
      {list.length === 0 && !problem && <p class="quiet">Loading…</p>}
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

function SaveAs() {
  const known = state.value?.document;
  const folder = hello.value?.file_folder ?? '';
  const [path, setPath] = useState(known?.path || `${folder}/${known?.name || 'scene'}.yaml`);
  const problem = problems.value['save as'];
  const exists = problem !== undefined && files.inTheWay.value === path;
  useEffect(() => () => trouble.clear('save as'), []);
  return (
    <Frame
      title="Save the scene as"
      narrow
      footer={
        <>
          <button class="button framed" onClick={downloads.downloadScene}>Download instead</button>
          {exists && <button class="button framed danger" onClick={() => void files.saveAs(path, true)}>Replace it</button>}
          <button class="button primary" onClick={() => void files.saveAs(path, false)}>Save</button>
        </>
      }
    >
      <p style={{ marginTop: 0 }}>A file on the machine where the simulation runs. Comments and order of the scene are kept.</p>
      <input
        class={problem ? 'field bad' : 'field'} value={path} aria-label="File" spellcheck={false}
        onInput={(event) => setPath(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void files.saveAs(path, false);
        }}
      />
      {problem && <div class="problem" role="alert">{problem}</div>}
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
        const quantity = check.unit === 'm' ? 'length' : 'force';
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
