// Dialogs of files: opening and saving where the simulation runs, and the versions that this browser kept.
import { useEffect, useState } from 'preact/hooks';
import * as downloads from '../model/downloads';
import * as files from '../model/files';
import { keptDocuments, type Kept } from '../model/kept_documents';
import { openKept } from '../model/keeping';
import * as modes from '../model/modes';
import { ask } from '../model/session';
import { state } from '../model/store';
import { messageOf, notify, problems, trouble } from '../model/trouble';
import type { Listed } from '../protocol/answers';
import { Frame } from './dialog_frame';
import { Icon } from './icons';

/** A folder of the machine where the simulation runs. */
function useFolder(where: string): { listed: Listed | undefined; go: (folder?: string) => void } {
  const [listed, setListed] = useState<Listed | undefined>(undefined);
  const go = (folder?: string): void => {
    ask('list', folder === undefined ? {} : { folder }).then(
      (answer) => {
        setListed(answer);
        trouble.clear(where);
      },
      (error: unknown) => trouble.report(where, messageOf(error)),
    );
  };
  useEffect(() => {
    go();
    return () => trouble.clear(where);
  }, []);
  return { listed, go };
}

function FolderList({ listed, go, choose }: { listed: Listed; go: (folder: string) => void; choose: (file: string) => void }) {
  const { folder, parent } = listed;
  return (
    <div class="folder" role="group" aria-label={`Folder ${folder}`}>
      <div class="path">{folder}</div>
      {parent !== null && <button class="button" onClick={() => go(parent)}><Icon name="undo" />One folder up</button>}
      {listed.folders.map((name) => <button key={name} class="button" onClick={() => go(`${folder}/${name}`)}><Icon name="open" />{name}</button>)}
      {listed.files.map((name) => <button key={name} class="button" data-file={name} onClick={() => choose(name)}><Icon name="report" />{name}</button>)}
      {listed.folders.length + listed.files.length === 0 && <p class="quiet">No scenes here.</p>}
    </div>
  );
}

export function OpenPath() {
  const { listed, go } = useFolder('open');
  const problem = problems.value['open'];
  return (
    <Frame title="Open a scene where the simulation runs" narrow>
      {problem && <div class="problem" role="alert">{problem}</div>}
      {listed && <FolderList listed={listed} go={go} choose={(name) => void files.openPath(`${listed.folder}/${name}`)} />}
    </Frame>
  );
}

export function SaveAs() {
  const known = state.value?.document;
  const { listed, go } = useFolder('save as');
  const [typed, setTyped] = useState(files.withEnding(known?.path || known?.name || 'scene'));
  const path = files.withEnding(typed.startsWith('/') || !listed ? typed : `${listed.folder}/${typed}`);
  const problem = problems.value['save as'];
  const exists = problem !== undefined && files.inTheWay.value === path;
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
        class={problem ? 'field bad' : 'field'} value={typed} aria-label="File" spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void files.saveAs(path, false);
        }}
      />
      {problem && <div class="problem" role="alert">{problem}</div>}
      {listed && (
        <FolderList
          listed={listed}
          go={(folder) => {
            go(folder);
            setTyped(typed.split('/').at(-1)!);
          }}
          choose={(name) => setTyped(`${listed.folder}/${name}`)}
        />
      )}
    </Frame>
  );
}

/** What this browser kept of documents with unsaved changes. */
export function Versions() {
  const [versions, setVersions] = useState<readonly Kept[] | undefined>(undefined);
  useEffect(() => {
    keptDocuments().then(setVersions, () => setVersions([]));
  }, []);
  const restore = (version: Kept): void => {
    modes.dialog.value = undefined;
    openKept(version).catch((error: unknown) => notify(messageOf(error), 'error'));
  };
  return (
    <Frame title="Versions that this browser kept" narrow>
      {versions?.length === 0 && <p class="quiet">None yet. Every change that is not saved is kept here.</p>}
      {versions?.map((version) => (
        <div key={version.id} class="version" title={version.path || 'not a file yet'}>
          <span>{version.name}</span>
          <span class="muted">{new Date(version.when).toLocaleString()}</span>
          <button class="button small framed" onClick={() => restore(version)}>Open</button>
          <button class="button small square" aria-label="Download" title="Download" onClick={() => downloads.downloadBlob(new Blob([version.text]), files.withEnding(version.name))}><Icon name="download" /></button>
        </div>
      ))}
    </Frame>
  );
}
