// The toolbar: files, undo, tools, formulation, colours, panels.
import { compareWith, comparison } from '../model/comparison';
import * as downloads from '../model/downloads';
import * as files from '../model/files';
import * as modes from '../model/modes';
import { redo, undo } from '../model/undo';
import * as prefs from '../model/prefs';
import { selection } from '../model/selection';
import { tell } from '../model/session';
import { connectionStatus, dirty, hello, scene, state } from '../model/store';
import { channelTitle } from '../view/colouring';
import { view } from './canvas';
import { Choice, Tick } from './fields';
import { Icon, type IconName } from './icons';
import { Item, Menu } from './menu';

export function Toolbar() {
  return (
    <header class="toolbar">
      <Brand />
      <FileMenu />
      <UndoRedo />
      <span class="gap" />
      <Tools />
      <span class="gap" />
      <Grips />
      <span class="spring" />
      <FormulationChoice />
      <ColourChoice />
      <ViewMenu />
      <span class="gap" />
      <Panels />
    </header>
  );
}

function Brand() {
  const known = state.value?.document;
  const title = scene.value?.title || known?.name || 'Untitled';
  return (
    <>
      <div class="brand" title={`Filum ${hello.value?.version ?? ''}`}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M6 9c0 16 20 4 20 15" fill="none" stroke="var(--accent)" stroke-width="4.5" stroke-linecap="round" />
          <circle cx="6" cy="8.5" r="3.6" fill="var(--teal)" />
          <circle cx="26" cy="24" r="3.6" fill="var(--teal)" />
        </svg>
      </div>
      <div class="document" title={known?.path || 'not saved to a file yet'}>
        <b>{title}</b>
        <span>{connectionStatus.value !== 'open' ? 'not connected' : dirty.value ? 'unsaved changes' : known?.path ? 'saved' : 'not a file yet'}</span>
      </div>
    </>
  );
}

function FileMenu() {
  return (
    <Menu label="File" text="File" hint="Open, save, export">
      <Item icon="plus" act={files.newScene}>New scene</Item>
      <Item icon="gallery" keys="Ctrl O" act={() => void files.showGallery()}>Examples…</Item>
      <Item icon="open" keys="Ctrl Shift O" act={files.chooseFiles}>Open a scene or mesh…</Item>
      <hr />
      <Item icon="save" keys="Ctrl S" act={() => void files.save()}>Save</Item>
      <Item keys="Ctrl Shift S" icon="save" act={() => (modes.dialog.value = 'save as')}>Save as…</Item>
      <Item icon="download" act={downloads.downloadScene}>Download the scene</Item>
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

function UndoRedo() {
  const known = state.value;
  return (
    <>
      <button class="button square" disabled={!known?.undo.depth} title={known?.undo.depth ? `Undo ${known.undo.label} (Ctrl Z)` : 'Nothing to undo'} aria-label="Undo" onClick={() => void undo()}>
        <Icon name="undo" />
      </button>
      <button class="button square" disabled={!known?.redo.depth} title={known?.redo.depth ? `Redo ${known.redo.label} (Ctrl Shift Z)` : 'Nothing to redo'} aria-label="Redo" onClick={() => void redo()}>
        <Icon name="redo" />
      </button>
    </>
  );
}

const tools: { name: modes.Tool; icon: IconName; hint: string }[] = [
  { name: 'select', icon: 'select', hint: 'Select and drag (V)' },
  { name: 'cable', icon: 'cable', hint: 'New cable between two points (C)' },
  { name: 'hold', icon: 'hold', hint: 'Add a hold to a cable (H)' },
  { name: 'join', icon: 'junction', hint: 'Join two cables (J)' },
  { name: 'measure', icon: 'measure', hint: 'Measure a distance (M)' },
];

function Tools() {
  return (
    <>
      {tools.map(({ name, icon, hint }) => (
        <button key={name} class="button square" aria-pressed={modes.tool.value === name} aria-label={hint} title={hint} onClick={() => (modes.tool.value = name)}>
          <Icon name={icon} />
        </button>
      ))}
    </>
  );
}

const grips: { name: modes.Grip; icon: IconName; hint: string }[] = [
  { name: 'move', icon: 'move', hint: 'Move along the axes (G)' },
  { name: 'turn', icon: 'rotate', hint: 'Turn (R)' },
  { name: 'twist', icon: 'twist', hint: 'Twist about the cable (T)' },
  { name: 'scale', icon: 'scale', hint: 'Size of a mesh (Y)' },
];

function Grips() {
  return (
    <>
      {grips.filter(({ name }) => (name === 'scale') === (selection.value.kind === 'scenery') || name === 'move' || name === 'turn').map(({ name, icon, hint }) => (
        <button
          key={name}
          class="button square"
          aria-pressed={modes.grip.value === name}
          aria-label={hint}
          title={hint}
          onClick={() => (modes.grip.value = modes.grip.value === name ? undefined : name)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </>
  );
}

function FormulationChoice() {
  const known = scene.value;
  const all = hello.value?.formulations ?? [];
  const present = known?.simulation.formulation ?? '';
  const others = all.filter((formulation) => formulation.name !== present);
  const compared = comparison.value;
  return (
    <>
      <div style={{ width: '8.2rem' }}>
        <Choice
          label="Formulation: how the scene is turned into equations"
          value={present}
          options={all.map(({ name, motion }) => ({ value: name, label: motion ? name : `${name} · at rest`, refused: known?.refusals[name] }))}
          commit={(formulation) => void tell('formulation', { formulation })}
        />
      </div>
      {compared ? (
        <button class="button square on" aria-label="End the comparison" title={`End the comparison with ${compared.formulation}`} onClick={() => (comparison.value = undefined)}>
          <Icon name="ghost" />
        </button>
      ) : (
        <Menu label="Compare" icon="ghost" hint="Compare with another formulation" right>
          <div class="title">Compare the equilibrium with</div>
          {others.map(({ name }) => (
            <Item key={name} icon="ghost" disabled={known?.refusals[name] !== undefined} hint={known?.refusals[name]} act={() => void compareWith(name)}>{name}</Item>
          ))}
        </Menu>
      )}
    </>
  );
}

function ColourChoice() {
  const channels = hello.value?.channels ?? [];
  return (
    <div style={{ width: '8.2rem' }}>
      <Choice
        label="Colour of the cables"
        value={channels.includes(prefs.colourBy.value) ? prefs.colourBy.value : 'plain'}
        options={[{ value: 'plain', label: 'Plain colours' }, ...channels.map((channel) => ({ value: channel, label: channelTitle(channel) }))]}
        commit={(channel) => (prefs.colourBy.value = channel)}
      />
    </div>
  );
}

function ViewMenu() {
  const tick = (signal: { value: boolean }, words: string, hint: string) => (
    <Tick checked={signal.value} commit={(checked) => (signal.value = checked)} hint={hint}>{words}</Tick>
  );
  return (
    <Menu label="View" icon="eye" hint="What is shown" right>
      <div class="title">Show</div>
      {tick(prefs.showForces, 'Forces of holds', 'Arrows, in newtons')}
      {tick(prefs.showMoments, 'Moments of holds', 'Arrows with two heads, in newton metres')}
      {tick(prefs.showLabels, 'Names', 'Names of holds')}
      {tick(prefs.showStripe, 'Stripe along the cable', 'Shows how the material is twisted')}
      {tick(prefs.showGrid, 'Grid', 'The floor below the scene')}
      {tick(prefs.showShadows, 'Shadows', 'Take time on a machine without graphics hardware')}
      {tick(prefs.finePicture, 'Fine picture', 'Full resolution; without it half, for a machine without graphics hardware')}
      <hr />
      <div class="title">Drawn thickness: {prefs.thicken.value} ×</div>
      <input
        type="range" min="0" max="4" step="1" aria-label="Drawn thickness of cables" title="Thin cables are easier to see when drawn thicker than they are"
        value={THICKNESSES.indexOf(prefs.thicken.value)}
        onInput={(event) => (prefs.thicken.value = THICKNESSES[Number(event.currentTarget.value)] ?? 1)}
      />
      <hr />
      <Tick checked={prefs.dropAttaches.value} commit={(checked) => (prefs.dropAttaches.value = checked)} hint="A point of a cable that is dragged stays where it is dropped, as a new hold. Shift does the opposite">
        Drop attaches
      </Tick>
    </Menu>
  );
}

const THICKNESSES = [1, 2, 4, 8, 16];

function Panels() {
  const panel = (signal: { value: boolean }, icon: IconName, hint: string) => (
    <button class="button square" aria-pressed={signal.value} aria-label={hint} title={hint} onClick={() => (signal.value = !signal.value)}>
      <Icon name={icon} />
    </button>
  );
  return (
    <>
      {panel(prefs.showTree, 'tree', 'Scene tree (F2)')}
      {panel(prefs.showTimeline, 'plot', 'Plots (F3)')}
      {panel(prefs.showInspector, 'panel', 'Inspector (F4)')}
      <button class="button square" aria-label="Dark or light" title="Dark or light" onClick={() => (prefs.theme.value = prefs.theme.value === 'dark' ? 'light' : 'dark')}>
        <Icon name={prefs.theme.value === 'dark' ? 'sun' : 'moon'} />
      </button>
      <button class="button square" aria-label="Help" title="Mouse and keys (F1)" onClick={() => (modes.dialog.value = 'help')}>
        <Icon name="help" />
      </button>
    </>
  );
}
