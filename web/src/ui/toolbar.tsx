// The toolbar: menus of files and view, undo, tools, formulation, colours, panels.
import { compareWith, comparison } from '../model/comparison';
import * as modes from '../model/modes';
import * as prefs from '../model/prefs';
import { selection } from '../model/selection';
import { tell } from '../model/session';
import { connectionStatus, dirty, hello, scene, state } from '../model/store';
import { redo, undo } from '../model/undo';
import { channelTitle } from '../view/colouring';
import { Choice } from './fields';
import { FileMenu } from './file_menu';
import { Icon, type IconName } from './icons';
import { Item, Menu } from './menu';
import { ViewMenu } from './view_menu';

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

/** A button that shows a picture and whether it is on. */
function Toggle({ icon, hint, on, act }: { icon: IconName; hint: string; on: boolean; act: () => void }) {
  return (
    <button class="button square" aria-pressed={on} aria-label={hint} title={hint} onClick={act}>
      <Icon name={icon} />
    </button>
  );
}

function Tools() {
  return <>{tools.map(({ name, icon, hint }) => <Toggle key={name} icon={icon} hint={hint} on={modes.tool.value === name} act={() => (modes.tool.value = name)} />)}</>;
}

const grips: { name: modes.Grip; icon: IconName; hint: string }[] = [
  { name: 'move', icon: 'move', hint: 'Move along the axes (G)' },
  { name: 'turn', icon: 'rotate', hint: 'Turn (R)' },
  { name: 'twist', icon: 'twist', hint: 'Twist about the cable (T)' },
  { name: 'scale', icon: 'scale', hint: 'Size of a mesh (Y)' },
];

function Grips() {
  const mesh = selection.value.kind === 'scenery';
  const offered = grips.filter(({ name }) => name === 'move' || name === 'turn' || (name === 'scale') === mesh);
  return <>{offered.map(({ name, icon, hint }) => <Toggle key={name} icon={icon} hint={hint} on={modes.grip.value === name} act={() => modes.toggleGrip(name)} />)}</>;
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

function Panels() {
  const panel = (shown: { value: boolean }, icon: IconName, hint: string) => <Toggle icon={icon} hint={hint} on={shown.value} act={() => (shown.value = !shown.value)} />;
  return (
    <>
      {panel(prefs.showTree, 'tree', 'Scene tree (F6)')}
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
