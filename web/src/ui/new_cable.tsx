// A new cable by numbers, without a pointer: where it begins and ends, how long it is, how its ends are held.
import { useState } from 'preact/hooks';
import * as modes from '../model/modes';
import * as prefs from '../model/prefs';
import { selection } from '../model/selection';
import { tell } from '../model/session';
import { hello, scene } from '../model/store';
import { problems } from '../model/trouble';
import type { Vec3 } from '../protocol/vectors';
import { Frame } from './dialog_frame';
import { Choice, NumberField, Row, TextField, VectorField } from './fields';
import { takeVector } from './typed';

const WHERE = 'new cable';

export function NewCable() {
  const known = scene.value;
  const last = known?.rods.at(-1);
  const [from, setFrom] = useState<Vec3>([0, 0, 0]);
  const [to, setTo] = useState<Vec3>([0.5, 0, 0]);
  const [length, setLength] = useState<number | null>(null);
  const [name, setName] = useState('');
  const [material, setMaterial] = useState(last?.material ?? '');
  const [section, setSection] = useState(last?.section ?? '');
  const make = async (): Promise<void> => {
    const given = { ...(name && { name }), ...(material && { material }), ...(section && { section }), ...(length !== null && { length }) };
    const answer = await tell('new_cable', { from, to, pose: prefs.newEnds.peek() === 'clamped', ...given }, WHERE);
    if (!answer) return;
    modes.dialog.value = undefined;
    selection.value = { kind: 'rod', name: answer.rod };
  };
  const materials = [...new Set([...(known?.materials ?? []), ...(hello.value?.materials ?? [])].map((one) => one.name))];
  return (
    <Frame title="New cable" narrow footer={<button class="button primary" onClick={() => void make()}>Make it</button>}>
      <Row label="From"><VectorField value={from} quantity="length" label="From" commit={takeVector(WHERE, setFrom)} /></Row>
      <Row label="To"><VectorField value={to} quantity="length" label="To" commit={takeVector(WHERE, setTo)} /></Row>
      <Row label="Length" hint="Empty: a twentieth more than the way"><NumberField value={length} quantity="length" label="Length of the new cable" absent="a little slack" commit={(typed) => (typeof typed === 'number' || typed === null) && setLength(typed)} /></Row>
      <Row label="Ends"><EndsChoice /></Row>
      <Row label="Name"><TextField value={name} label="Name of the new cable" commit={setName} /></Row>
      <Row label="Material"><Choice label="Material of the new cable" value={material} options={[{ value: '', label: 'as usual' }, ...materials]} commit={setMaterial} /></Row>
      <Row label="Section"><Choice label="Section of the new cable" value={section} options={[{ value: '', label: 'as usual' }, ...(known?.sections.map((one) => one.name) ?? [])]} commit={setSection} /></Row>
      {problems.value[WHERE] && <div class="problem" role="alert">{problems.value[WHERE]}</div>}
    </Frame>
  );
}

/** How the ends of new cables are held. */
export function EndsChoice() {
  return <Choice label="Ends of new cables" value={prefs.newEnds.value} options={[{ value: 'pinned', label: 'pinned: free to turn' }, { value: 'clamped', label: 'clamped' }]} commit={(ends) => (ends === 'pinned' || ends === 'clamped') && (prefs.newEnds.value = ends)} />;
}
