// The length of a cable: typed, by a share, found by itself, prolonged at an end, or longer between two places.
import { useState } from 'preact/hooks';
import { lengthLever } from '../../hands/levers/length_lever';
import * as act from '../../model/actions';
import { digits } from '../../model/numbers';
import { tell } from '../../model/session';
import { scene, slowFrame, state } from '../../model/store';
import { notify } from '../../model/trouble';
import { show } from '../../model/units';
import type { Rod } from '../../protocol/scene';
import { Fact, Group, NumberField, Row, Tick } from '../fields';
import { Icon } from '../icons';
import { LeverSlider, PinButton } from '../levers';
import type { Typed } from '../typed';

export function LengthGroup({ rod }: { rod: Rod }) {
  const path = `${rod.path}.length`;
  const setLength = (length: Typed): void => {
    // a number is even growth of everything on the rod; a text with a unit is the file's language
    if (typeof length === 'number') void tell('set_length', { rod: rod.name, length }, path);
    else void act.set(path, length);
  };
  const change = (by: number): void => void tell('change_length', { rod: rod.name, by, relative: true }, path);
  const prolong = (end: 'start' | 'end'): void => void tell('prolong', { rod: rod.name, by: Number((0.1 * rod.length).toPrecision(6)), end }, path);
  return (
    <Group title="Length">
      <Row label="Length" hint="Unstretched. Everything on the cable keeps its share" where={path}>
        <div class="with-button">
          <NumberField value={rod.length} quantity="length" label="Unstretched length" commit={setLength} where={path} />
          <button class="button small square framed" aria-label="Shorter by one per cent" title="Shorter by 1 %" onClick={() => change(-0.01)}><Icon name="minus" /></button>
          <button class="button small square framed" aria-label="Longer by one per cent" title="Longer by 1 %" onClick={() => change(0.01)}><Icon name="plus" /></button>
        </div>
      </Row>
      <LengthSlider rod={rod} />
      <SelfFinding rod={rod} />
      <div class="actions">
        <button class="button small framed" title="The length at which the cable is neither pulled nor pushed" onClick={() => void findLength(rod, path)}>Find its length</button>
        {!rod.closed && <button class="button small framed" title="A tenth more beyond its start" onClick={() => prolong('start')}>+ start</button>}
        {!rod.closed && <button class="button small framed" title="A tenth more beyond its end" onClick={() => prolong('end')}>+ end</button>}
      </div>
      {!rod.closed && <Between rod={rod} />}
    </Group>
  );
}

async function findLength(rod: Rod, where: string): Promise<void> {
  const answer = await tell('find_length', { rod: rod.name }, where);
  if (answer) notify(`${rod.name} found ${show(answer.length, 'length')}`);
}

/** Pays out and hauls in, as a winch does, while it is pulled. */
function LengthSlider({ rod }: { rod: Rod }) {
  void [slowFrame.value, state.value?.reels];
  const lever = lengthLever(rod);
  const now = lever.value();
  const moving = lever.moving();
  const paid = Math.abs(now - rod.length) > 1e-6 * rod.length;
  return (
    <>
      <div class="with-button">
        <LeverSlider lever={lever} label="Pay out or haul in" />
        <PinButton id={lever.id} />
      </div>
      {(paid || moving !== 0) && <Fact label="Paid out" value={`${show(now, 'length')}${moving === 0 ? '' : `, ${digits(moving, 2)} m/s`}`} hint="Its length now, and how fast it changes. «Keep places» makes it the scene's" />}
    </>
  );
}

/** A cable that takes the length at which it is in balance with a pull. */
function SelfFinding({ rod }: { rod: Rod }) {
  const routing = scene.value!.routing.find((candidate) => candidate.rod === rod.name);
  const found = state.value?.lengths.filter((length) => length.rod === rod.name) ?? [];
  const where = `routing of ${rod.name}`;
  // a pull that leaves a bend of about a fifth of the length: EI over the square of it
  const pull = Number((Math.max(...rod.stiffness.EI) / (0.2 * rod.length) ** 2).toPrecision(2));
  const toggle = (on: boolean): void => {
    if (on) void tell('add', { list: 'routing', value: { rod: rod.name, mode: 'self-finding', pull } }, where);
    else if (routing) void tell('remove', { path: routing.path }, where);
  };
  if (rod.closed) return null;
  return (
    <>
      <Row label="Finds itself" where={where} hint="Each part between holds takes the length at which bending is in balance with a pull">
        <div class="with-button">
          <Tick checked={routing !== undefined} commit={toggle}>pull</Tick>
          {routing && <NumberField value={routing.pull} quantity="force" label="Pull" where={`${routing.path}.pull`} commit={(value) => void act.set(`${routing.path}.pull`, value)} />}
        </div>
      </Row>
      {found.map((part, k) => (
        <div key={k} class="fact-more">{show(part.length, 'length')} {part.verdict}</div>
      ))}
    </>
  );
}

/** New material between two places, as when a cable is routed anew there. */
function Between({ rod }: { rod: Rod }) {
  const [from, setFrom] = useState(0.25);
  const [to, setTo] = useState(0.75);
  const where = `${rod.path} between`;
  const place = (share: number): number => Number((share * rod.length).toPrecision(6));
  const field = (share: number, take: (share: number) => void, label: string) => (
    <NumberField value={place(share)} quantity="length" label={label} digitsShown={3} commit={(s) => typeof s === 'number' && take(Math.min(Math.max(s / rod.length, 0), 1))} />
  );
  return (
    <Row label="More between" hint="A twentieth of its length, evenly between these two places" where={where}>
      <div class="triple">
        {field(from, setFrom, 'From')}
        {field(to, setTo, 'To')}
        <button class="button small square framed" aria-label="Lengthen between" title="Lengthen between these places" onClick={() => void tell('lengthen_between', { rod: rod.name, from: place(from), to: place(to), by: place(0.05) }, where)}><Icon name="plus" /></button>
      </div>
    </Row>
  );
}
