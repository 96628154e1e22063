// The menu of files: new, open, save, check, report, picture, exports.
import { showChannels } from '../model/channel';
import * as downloads from '../model/downloads';
import * as files from '../model/files';
import * as modes from '../model/modes';
import * as prefs from '../model/prefs';
import { state } from '../model/store';
import { view } from './canvas';
import { Item, Menu } from './menu';

/** Scene files that were open last. */
function Recent() {
  const others = prefs.recent.value.filter((path) => path !== state.value?.document.path);
  return (
    <>
      {others.length > 0 && <div class="title">Recent</div>}
      {others.map((path) => <Item key={path} hint={path} act={() => void files.openPath(path)}>{path.split('/').at(-1)}</Item>)}
    </>
  );
}

export function FileMenu() {
  return (
    <Menu label="File" text="File" hint="Open, save, export">
      <Item icon="plus" act={files.newScene}>New scene</Item>
      <Item icon="gallery" keys="Ctrl O" act={() => void files.showGallery()}>Examples…</Item>
      <Item icon="open" keys="Ctrl Shift O" act={files.chooseFiles}>Open a scene or mesh of this machine…</Item>
      <Item icon="open" act={() => (modes.dialog.value = 'open')}>Open where the simulation runs…</Item>
      <Item icon="twist" hint="A guide wire or an endoscope between the walls of a channel" act={() => void showChannels()}>Beam in a channel…</Item>
      <Recent />
      <hr />
      <Item icon="save" keys="Ctrl S" act={() => void files.save()}>Save</Item>
      <Item keys="Ctrl Shift S" icon="save" act={() => (modes.dialog.value = 'save as')}>Save as…</Item>
      <Item icon="download" act={downloads.downloadScene}>Download the scene</Item>
      <Item icon="reset" act={() => (modes.dialog.value = 'versions')}>Kept versions…</Item>
      <hr />
      <Item icon="report" act={() => (modes.dialog.value = 'check')}>Check against the limits</Item>
      <Item icon="report" act={downloads.openReport}>Report of the present state</Item>
      <Item icon="camera" keys="F12" act={() => void view()?.stage.picture().then(downloads.downloadPicture)}>Picture of the view (PNG)</Item>
      <hr />
      <div class="title">Export the present state</div>
      <Item icon="download" act={downloads.downloadResult}>Result (JSON)</Item>
      <Item icon="download" act={() => downloads.exportTo('csv')}>Tables (CSV)</Item>
      <Item icon="download" act={() => downloads.exportTo('vtk')}>ParaView (VTK)</Item>
      <Item icon="download" act={() => downloads.exportTo('gltf')}>Mesh (glTF)</Item>
      <Item icon="download" act={() => downloads.exportTo('obj')}>Mesh (OBJ)</Item>
    </Menu>
  );
}
