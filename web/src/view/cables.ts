// All cables of the scene as tubes.
import { Color, Group, Mesh, type Box3, type BufferGeometry, type Sphere } from 'three';
import type { FrameStore, RodFrame } from '../protocol/frame';
import type { Rod, SceneMessage } from '../protocol/scene';
import { CableMaterial } from './cable_material';
import { rampValues, type Legend } from './colouring';
import { gapsOf, turnOf } from './curve';
import { nextDetail, type Detail } from './detail';
import type { Outline } from './profile';
import { StillCables, type Still } from './still_cables';
import { Tube } from './tube';

/** Plain colours of cables, in the order of the scene. */
export const CABLE_COLOURS = ['#e8943a', '#4a9de0', '#5fbf77', '#c678d6', '#e0685f', '#4fc0c0', '#b9a84c', '#8d99ae'];

interface Cable extends Still {
  tube: Tube;
  mesh: Mesh<BufferGeometry, CableMaterial>;
  material: CableMaterial;
  /** whether it is seen: by its own mesh, or with those that are still */
  shown: boolean;
  /** lit up, or coloured by a ramp: then it is drawn by itself */
  lit: boolean;
  ramped: boolean;
  values: Float32Array;
  detail: Detail | undefined;
  /** how much neighbouring points turn where few of them do, radians; and of which version of the rod, coloured or not */
  turn: number;
  turned: { version: number; coloured: boolean };
  /** what its skin and its colours were made of */
  skin: Skin | undefined;
  colours: string;
}

interface Skin {
  version: number;
  outline: Outline;
  thicken: number;
  detail: Detail;
}

/** How many pixels of the screen a metre is at most, of what lies within this sphere. */
export type PixelsPerMetre = (sphere: Sphere) => number;

export class Cables {
  readonly group = new Group();
  private cables: Cable[] = [];
  private readonly still = new StillCables();

  constructor() {
    this.group.add(this.still.group);
  }

  /** Takes a new frame. A legend and the index of its channel: coloured by it. Rods that are not shown are not there for the pointer either. */
  update(frame: FrameStore, scene: SceneMessage, thicken: number, legend: Legend | undefined, channel: number, shown: (rod: string) => boolean, pixels: PixelsPerMetre): void {
    this.resize(frame.rods.length);
    const rectangles = new Set(scene.sections.filter(({ shape }) => shape === 'rectangle').map(({ name }) => name));
    frame.rods.forEach((rod, k) => {
      const cable = this.cables[k]!;
      const described = scene.rods[k]!;
      cable.shown = rod.count > 1 && shown(described.name);
      if (rod.count < 2) return;
      // what has not moved is not drawn anew
      const coloured = legend !== undefined;
      const { turned } = cable;
      if (turned.version !== rod.version || turned.coloured !== coloured) cable.turn = coloured || !isEven(rod) ? Infinity : turnOf(rod);
      Object.assign(turned, { version: rod.version, coloured });
      cable.detail = detailNow(cable, rod, thicken, pixels);
      const outline = rectangles.has(described.section) ? 'rectangle' : 'round';
      const same = cable.skin?.version === rod.version && cable.skin.outline === outline && cable.skin.thicken === thicken && cable.skin.detail === cable.detail;
      if (!same) {
        cable.tube.update(rod, rod.outline, outline, thicken, cable.detail);
        cable.material.setGirth(Math.min(rod.outline[0]!, rod.outline[1]!) * thicken);
        cable.look = cable.skin = { version: rod.version, outline, thicken, detail: cable.detail };
      }
      const colours = legend ? `${channel} ${legend.ramp} ${legend.low} ${legend.high} ${described.bend_radius_limit}` : '';
      if (colours !== cable.colours || !same) this.colour(cable, rod, described, legend, channel);
      cable.colours = colours;
    });
  }

  /** Whether one is so much nearer or farther than when it was drawn last that it is to be drawn otherwise. */
  stale(frame: FrameStore, thicken: number, pixels: PixelsPerMetre): boolean {
    return frame.rods.some((rod, k) => {
      const cable = this.cables[k];
      return cable?.shown && detailNow(cable, rod, thicken, pixels) !== cable.detail;
    });
  }

  private colour(cable: Cable, rod: RodFrame, described: Rod, legend: Legend | undefined, channel: number): void {
    if (cable.values.length !== rod.count) cable.values = new Float32Array(rod.count);
    const coloured = legend !== undefined && rampValues(legend, channel, rod, described, cable.values);
    cable.material.useRamp(coloured ? legend.ramp : undefined);
    cable.ramped = coloured;
    if (coloured) cable.tube.colour(cable.values);
  }

  setStripe(colour: string, shown: boolean): void {
    for (const cable of this.cables) cable.material.setStripe(colour, shown);
    this.still.setStripe(colour, shown);
  }

  /** Lights up cables by their indices. */
  highlight(selected: readonly number[], hovered: readonly number[]): void {
    this.cables.forEach((cable, k) => {
      const light = selected.includes(k) ? SELECTED : hovered.includes(k) ? HOVERED : NONE;
      cable.material.emissive.copy(light);
      cable.lit = light !== NONE;
    });
  }

  /** Before every picture: those that have been still for a while are drawn at once. */
  gatherStill(): void {
    for (const cable of this.cables) cable.plain = cable.shown && !cable.lit && !cable.ramped;
    this.still.update(this.cables);
    for (const cable of this.cables) cable.mesh.visible = cable.shown && !this.still.has(cable);
  }

  /** The tube of a rod that is shown: its samples serve picking. */
  tube(rod: number): Tube | undefined {
    const cable = this.cables[rod];
    return cable?.shown ? cable.tube : undefined;
  }

  /** Adds all centre lines to a box. */
  extend(box: Box3): void {
    for (const { tube, shown } of this.cables) if (shown) tube.extend(box);
  }

  private resize(count: number): void {
    while (this.cables.length < count) {
      const tube = new Tube();
      const material = new CableMaterial(CABLE_COLOURS[this.cables.length % CABLE_COLOURS.length]!);
      const mesh = new Mesh<BufferGeometry, CableMaterial>(tube.geometry, material);
      mesh.castShadow = mesh.receiveShadow = true;
      this.group.add(mesh);
      this.cables.push({ tube, mesh, material, shown: false, lit: false, ramped: false, look: {}, plain: false, before: undefined, still: 0, values: new Float32Array(0), detail: undefined, turn: Infinity, turned: { version: -1, coloured: false }, skin: undefined, colours: '' });
    }
    for (const gone of this.cables.splice(count)) {
      this.group.remove(gone.mesh);
      gone.tube.dispose();
      gone.material.dispose();
    }
  }
}

/** Whether all of it is as thick, and in one piece. */
function isEven(rod: RodFrame): boolean {
  for (let k = 2; k < rod.outline.length; ++k) if (rod.outline[k] !== rod.outline[k - 2]) return false;
  return gapsOf(rod) === 0;
}

function detailNow({ tube, detail, turn }: Cable, rod: RodFrame, thicken: number, pixels: PixelsPerMetre): Detail {
  const sphere = tube.geometry.boundingSphere;
  const perMetre = sphere ? pixels(sphere) : Infinity;
  return nextDetail(detail, rod.count - 1, Math.max(rod.outline[0]!, rod.outline[1]!) * thicken * perMetre, (rod.s.at(-1)! / (rod.count - 1)) * perMetre, turn);
}

const NONE = new Color(0);
const SELECTED = new Color('#3a2a10');
const HOVERED = new Color('#241c10');
