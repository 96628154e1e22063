// What a person prefers, kept by the browser from one visit to the next.
import { effect, signal, type Signal } from '@preact/signals';
import { flag, isObject, list, number, object, oneOf, text, type Guard, type Guarded } from '../protocol/guard';
import { vec3 } from '../protocol/vectors';

export type Theme = 'dark' | 'light';

const KEY = 'filum.workbench';

const stored = read();

function read(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const all: Record<string, () => unknown> = {};

/** A value that is kept; one of another kind than the guard's, from another version perhaps, is forgotten. */
function preference<T>(name: string, guard: Guard<T>, usual: T): Signal<T> {
  const known = stored[name];
  const made = signal(guard(known) ? known : usual);
  all[name] = () => made.value;
  return made;
}

const darkWished = !matchMedia('(prefers-color-scheme: light)').matches;

export const theme = preference('theme', oneOf('dark', 'light'), darkWished ? 'dark' : 'light');
/** «plain», or a channel of the frames */
export const colourBy = preference('colourBy', text, 'plain');
/** on a small screen the view comes first */
const roomy = innerWidth > 900;
export const showTree = preference('tree', flag, roomy);
/** limits below the tree, and how much of the height they take, per cent */
export const showLimits = preference('limits', flag, true);
export const limitsShare = preference('limitsShare', number, 36);
export const showInspector = preference('inspector', flag, roomy);
export const showTimeline = preference('timeline', flag, roomy);
export const showGrid = preference('grid', flag, true);
export const showStripe = preference('stripe', flag, true);
export const showForces = preference('forces', flag, true);
export const showMoments = preference('moments', flag, false);
export const showLabels = preference('labels', flag, true);
export const showShadows = preference('shadows', flag, true);
/** full resolution of the picture; without it half, for machines without graphics hardware */
export const finePicture = preference('fine', flag, true);
/** drawn thickness of cables over their true one */
export const thicken = preference('thicken', number, 1);
/** units of the document; «fit»: as the scene's size suggests */
export const lengthUnit = preference('lengthUnit', oneOf('fit', 'mm', 'm', 'in'), 'fit');
export const forceUnit = preference('forceUnit', oneOf('fit', 'N', 'kN'), 'fit');
/** scene files of the server that were open last, the latest first */
export const recent = preference('recent', list(text), []);
/** clicks in space fall on the grid, clicks on meshes on their vertices */
export const snapping = preference('snapping', flag, true);
/** how the ends of new cables are held */
export const newEnds = preference('newEnds', oneOf('pinned', 'clamped'), 'pinned');
/** the smallest distance between what is selected and the rest */
export const showClearance = preference('clearance', flag, false);
/** seen from very far: lines that are parallel look so */
export const parallel = preference('parallel', flag, false);
/** tables instead of plots */
export const showTables = preference('tables', flag, false);
/** views that were saved, by document */
export const views = preference('views', list(object({ document: text, name: text, position: vec3, target: vec3 })), []);
const member = object({ kind: oneOf('rod', 'hold', 'body', 'junction', 'scenery'), name: text });
/** whether a thing can belong to a group */
export const isMember = member;
const group = object({ document: text, name: text, things: list(member) });
export type Group = Guarded<typeof group>;
/** things under one name, by document */
export const groups = preference('groups', list(group), []);
/** widths of the panels at the sides, rem */
export const treeWidth = preference('treeWidth', number, 16.5);
export const inspectorWidth = preference('inspectorWidth', number, 20);
/** where the picture is cut open */
export const sectionPlane = signal<{ axis: 'none' | 'x' | 'y' | 'z'; share: number; flipped: boolean }>({ axis: 'none', share: 0, flipped: false });
/** what a click on a point of a cable leaves behind when it is dropped */
export const dropAttaches = preference('dropAttaches', flag, true);

effect(() => {
  const values = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value()]));
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // a browser that keeps nothing: preferences last as long as the page
  }
});

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});
