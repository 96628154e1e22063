// The menu of the view: what is shown, how thick cables are drawn, what a drop does.
import { askForCap, canHaveCap, capName } from '../hands/cap';
import { headset, wearHeadset } from '../hands/headset';
import { unitsOf } from '../model/document_units';
import * as prefs from '../model/prefs';
import { scene } from '../model/store';
import { oneOf } from '../protocol/guard';
import { view } from './canvas';
import { Choice, Tick } from './fields';
import { Item, Menu } from './menu';
import { EndsChoice } from './new_cable';

const isLength = oneOf('fit', 'mm', 'm', 'in');
const isAxis = oneOf('none', 'x', 'y', 'z');
const isForce = oneOf('fit', 'N', 'kN');
const THICKNESSES = [1, 2, 4, 8, 16];

/** Where the picture is cut open. */
function SectionRow() {
  const plane = prefs.sectionPlane.value;
  const change = (to: Partial<typeof plane>): void => void (prefs.sectionPlane.value = { ...plane, ...to });
  return (
    <div class="pair">
      <Choice label="Section plane across" value={plane.axis} options={[{ value: 'none', label: 'nowhere' }, 'x', 'y', 'z']} commit={(axis) => isAxis(axis) && change({ axis })} />
      {plane.axis !== 'none' && <input type="range" min="-1" max="1" step="0.01" aria-label="Place of the section plane" value={plane.share} onInput={(event) => change({ share: Number(event.currentTarget.value) })} />}
      {plane.axis !== 'none' && <button class="button small framed" title="The other side" onClick={(event) => (event.stopPropagation(), change({ flipped: !plane.flipped }))}>±</button>}
    </div>
  );
}

export function ViewMenu() {
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
      {tick(prefs.showClearance, 'Clearance of what is selected', 'The smallest distance to the rest, with a line and a number. Meshes are not looked at')}
      {tick(prefs.showGrid, 'Grid', 'The floor below the scene')}
      {tick(prefs.showShadows, 'Shadows', 'Take time on a machine without graphics hardware')}
      {tick(prefs.finePicture, 'Fine picture', 'Full resolution; without it half, for a machine without graphics hardware')}
      {tick(prefs.parallel, 'Parallel projection', 'Seen from so far that parallel lines look parallel')}
      {tick(prefs.snapping, 'Clicks snap', 'In space to tenths of the grid, on meshes to their vertices')}
      <hr />
      <div class="title">Cut open</div>
      <SectionRow />
      <hr />
      <div class="title">Ends of new cables</div>
      <div class="pair"><EndsChoice /></div>
      <hr />
      <div class="title">Drawn thickness: {prefs.thicken.value} ×</div>
      <input
        type="range" min="0" max="4" step="1" aria-label="Drawn thickness of cables" title="Thin cables are easier to see when drawn thicker than they are"
        value={THICKNESSES.indexOf(prefs.thicken.value)}
        onInput={(event) => (prefs.thicken.value = THICKNESSES[Number(event.currentTarget.value)] ?? 1)}
      />
      <hr />
      <div class="title">Units of the document</div>
      <div class="pair">
        <Choice label="Unit of lengths" value={prefs.lengthUnit.value} options={[{ value: 'fit', label: `fit: ${unitsOf(scene.value, 'fit', 'fit').length.name}` }, 'mm', 'm', { value: 'in', label: 'inch' }]} commit={(name) => isLength(name) && (prefs.lengthUnit.value = name)} />
        <Choice label="Unit of forces" value={prefs.forceUnit.value} options={[{ value: 'fit', label: `fit: ${unitsOf(scene.value, 'fit', 'fit').force.name}` }, 'N', 'kN']} commit={(name) => isForce(name) && (prefs.forceUnit.value = name)} />
      </div>
      <hr />
      <Tick checked={prefs.dropAttaches.value} commit={(checked) => (prefs.dropAttaches.value = checked)} hint="A point of a cable that is dragged stays where it is dropped, as a new hold. Shift does the opposite">
        Drop attaches
      </Tick>
      {canHaveCap() && <Item icon="move" hint="Its cap moves what is selected, or the view; the browser asks for it first" act={() => void askForCap()}>{capName.value || '3-D mouse…'}</Item>}
      {headset.value !== 'none' && <Item icon="eye" hint="The scene before you, its controllers as hands" disabled={headset.value === 'worn'} act={() => void wearHeadset(view()!)}>Look through the headset</Item>}
    </Menu>
  );
}
