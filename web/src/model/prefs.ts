// What a person prefers, kept by the browser from one visit to the next.
import { effect, signal, type Signal } from '@preact/signals';

export type Theme = 'dark' | 'light';
/** «plain», or a channel of the frames */
export type ColourBy = string;

const KEY = 'filum.workbench';

const stored: Record<string, unknown> = read();

function read(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

const all: Record<string, Signal<unknown>> = {};

function preference<T>(name: string, value: T): Signal<T> {
  const known = stored[name];
  const made = signal(typeof known === typeof value ? (known as T) : value);
  all[name] = made as Signal<unknown>;
  return made;
}

const darkWished = !matchMedia('(prefers-color-scheme: light)').matches;

export const theme = preference<Theme>('theme', darkWished ? 'dark' : 'light');
export const colourBy = preference<ColourBy>('colourBy', 'plain');
/** on a small screen the view comes first */
const roomy = innerWidth > 900;
export const showTree = preference('tree', roomy);
/** limits below the tree, and how much of the height they take, per cent */
export const showLimits = preference('limits', true);
export const limitsShare = preference('limitsShare', 36);
export const showInspector = preference('inspector', roomy);
export const showTimeline = preference('timeline', roomy);
export const showGrid = preference('grid', true);
export const showStripe = preference('stripe', true);
export const showForces = preference('forces', true);
export const showMoments = preference('moments', false);
export const showLabels = preference('labels', true);
export const showShadows = preference('shadows', true);
/** full resolution of the picture; without it half, for machines without graphics hardware */
export const finePicture = preference('fine', true);
/** drawn thickness of cables over their true one */
export const thicken = preference('thicken', 1);
/** what a click on a point of a cable leaves behind when it is dropped */
export const dropAttaches = preference('dropAttaches', true);

/** meshes that are not shown on this page */
export const hiddenScenery = signal<readonly string[]>([]);

effect(() => {
  const values = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value.value]));
  try {
    localStorage.setItem(KEY, JSON.stringify(values));
  } catch {
    // a browser that keeps nothing: preferences last as long as the page
  }
});

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});
