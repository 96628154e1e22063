// The pointer in the view: hovering, selecting, dragging with mouse and fingers, tools, the context menu.
import { effect, signal } from '@preact/signals';
import * as modes from '../model/modes';
import { lookedAt } from '../model/recording';
import { hovered, sameThing, selectAlso, selection, type Thing } from '../model/selection';
import type { Vector3 } from 'three';
import type { Hit } from '../view/pick';
import type { View } from '../view/view';
import { boxSelect } from './box_select';
import { listenToCaps } from './cap';
import { aimTool, clickTool } from './click_tools';
import { Drag, type Constraint, type Motion } from './drag';
import { listenToGamepads } from './gamepad';
import { Gizmo } from './gizmo';
import { grabbed, positionOf } from './grabbed';
import { lookForHeadset } from './headset';
import { listenToKeys } from './keys';
import { stopped } from './mover';
import { Nudge } from './nudge';

/** what a right press asks for */
export const context = signal<{ x: number; y: number; thing?: Thing; point?: Vector3 } | undefined>(undefined);
/** what is being dragged, for the hint line */
export const dragging = signal<{ kind: string; name: string; constraint: Constraint } | undefined>(undefined);

/** Pixels the pointer moves before a press becomes a drag. */
const SLACK = 4;
/** Milliseconds that a finger rests for the menu. */
const LONG_PRESS = 550;

/** Keys while something is dragged: along an axis; with Shift in the plane across it. */
const axisKeys: Record<string, { along: Constraint; across: Constraint }> = {
  x: { along: 'x', across: 'yz' },
  y: { along: 'y', across: 'xz' },
  z: { along: 'z', across: 'xy' },
};

interface Press {
  x: number;
  y: number;
  button: number;
  hit: Hit | undefined;
  drag: Drag | undefined;
  moved: boolean;
  alt: boolean;
}

class Hands {
  private readonly presses = new Map<number, Press>();
  readonly gizmo: Gizmo;
  private readonly canvas: HTMLCanvasElement;
  private hoverAt: { x: number; y: number; touch: boolean } | undefined;

  constructor(private readonly view: View) {
    this.canvas = view.stage.renderer.domElement;
    this.gizmo = new Gizmo(view);
    const host = this.canvas.parentElement!;
    // before the camera's own listeners, so that a press on a thing is not also an orbit
    host.addEventListener('pointerdown', (event) => this.down(event), true);
    addEventListener('pointermove', (event) => this.move(event));
    addEventListener('pointerup', (event) => this.up(event));
    addEventListener('pointercancel', (event) => this.up(event));
    host.addEventListener('wheel', (event) => this.wheel(event), { capture: true, passive: false });
    host.addEventListener('contextmenu', (event) => event.preventDefault());
    host.addEventListener('pointerleave', () => {
      this.hoverAt = undefined;
      if (this.presses.size === 0) hovered.value = undefined;
    });
    listenToKeys(view, new Nudge(view), (event, down) => this.dragKey(event, down));
    effect(() => {
      const tool = modes.tool.value;
      if (tool === 'select') view.draft.show(undefined);
      this.canvas.style.cursor = tool === 'select' ? (hovered.value ? 'grab' : '') : 'crosshair';
    });
    const loop = (): void => {
      requestAnimationFrame(loop);
      this.hover();
    };
    requestAnimationFrame(loop);
  }

  private down(event: PointerEvent): void {
    if (event.target !== this.canvas) return;
    // a press on the view gives it the keys
    this.canvas.parentElement!.focus();
    context.value = undefined;
    if (this.gizmo.takes(event)) return;
    const touch = event.pointerType === 'touch';
    const hit = this.view.pick(event.clientX, event.clientY, touch);
    if (event.button === 0 && event.ctrlKey && !hit && modes.tool.peek() === 'select') {
      this.view.stage.controls.enabled = false;
      return boxSelect(this.view, event);
    }
    const draggable = lookedAt.peek() === undefined && event.button === 0 && modes.tool.peek() === 'select' && hit !== undefined && grabbed(hit) !== undefined;
    if (draggable) {
      this.view.stage.controls.enabled = false;
      const adding = event.shiftKey || event.ctrlKey;
      if (!adding && (!sameThing(selection.peek(), hit.thing) || hit.thing.kind === 'rod')) selection.value = hit.thing;
      this.canvas.setPointerCapture(event.pointerId);
    }
    if (touch) this.awaitLongPress(event, hit);
    this.presses.set(event.pointerId, { x: event.clientX, y: event.clientY, button: event.button, hit, drag: undefined, moved: false, alt: event.altKey });
  }

  /** A finger that rests asks for the menu, as a right press does. */
  private awaitLongPress({ pointerId, clientX, clientY }: PointerEvent, hit: Hit | undefined): void {
    setTimeout(() => {
      const press = this.presses.get(pointerId);
      if (!press || press.moved || press.x !== clientX) return;
      this.presses.delete(pointerId);
      // the finger that leaves then is no click on the menu, which opens below it
      this.canvas.addEventListener('touchend', (ended) => ended.preventDefault(), { once: true, passive: false });
      if (hit) selection.value = hit.thing;
      context.value = { x: clientX, y: clientY, ...(hit && { thing: hit.thing, point: hit.point }) };
    }, LONG_PRESS);
  }

  private move(event: PointerEvent): void {
    const press = this.presses.get(event.pointerId);
    if (!press) {
      this.hoverAt = event.target === this.canvas ? { x: event.clientX, y: event.clientY, touch: event.pointerType === 'touch' } : undefined;
      return;
    }
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLACK) return;
    press.moved = true;
    if (!press.drag && !this.view.stage.controls.enabled && press.button === 0 && press.hit) this.beginDrag(event, press, press.hit);
    const ray = this.view.picker.rayAt(event.clientX, event.clientY).ray;
    press.drag?.follow(ray, event.movementX, event.movementY, event.timeStamp);
  }

  private beginDrag(event: PointerEvent, press: Press, hit: Hit): void {
    const what = grabbed(hit);
    if (!what) return;
    const hand = event.pointerType === 'touch' ? `finger ${event.pointerId}` : 'mouse';
    const position = positionOf(hit);
    press.drag = new Drag(hand, what, position, hit.point, this.view.stage.camera, 'body' in what ? { reach: true } : 'rod' in what ? { pull: press.alt } : {});
    const thing = hit.thing;
    dragging.value = { kind: thing.kind, name: 'name' in thing ? thing.name : '', constraint: 'free' };
  }

  private up(event: PointerEvent): void {
    const press = this.presses.get(event.pointerId);
    this.presses.delete(event.pointerId);
    if (![...this.presses.values()].some((other) => other.drag)) this.view.stage.controls.enabled = true;
    if (!press) return;
    if (press.drag) {
      dragging.value = undefined;
      stopped.value = '';
      const thing = press.hit?.thing;
      void press.drag.drop(event.shiftKey, this.view.bodyAt(event.clientX, event.clientY)).then((name) => {
        if (name && thing?.kind === 'rod') selection.value = { kind: 'hold', name };
      });
      return;
    }
    if (press.moved || event.type === 'pointercancel') return;
    this.click(event, press);
  }

  private click(event: PointerEvent, press: Press): void {
    if (press.button === 2) {
      if (press.hit) selection.value = press.hit.thing;
      context.value = { x: event.clientX, y: event.clientY, ...(press.hit && { thing: press.hit.thing, point: press.hit.point }) };
      return;
    }
    if (press.button !== 0 || clickTool(this.view, event.clientX, event.clientY, press.hit)) return;
    if ((event.shiftKey || event.ctrlKey) && press.hit) return selectAlso(press.hit.thing);
    selection.value = press.hit?.thing ?? { kind: 'scene' };
  }

  private wheel(event: WheelEvent): void {
    for (const press of this.presses.values()) {
      if (!press.drag) continue;
      event.preventDefault();
      event.stopPropagation();
      press.drag.deepen(-Math.sign(event.deltaY) * 0.03);
    }
  }

  /** Keys while something is dragged: axes, turning, twisting. */
  private dragKey(event: KeyboardEvent, down: boolean): boolean {
    const drag = [...this.presses.values()].find((press) => press.drag)?.drag;
    if (!drag) return false;
    const key = event.key.toLowerCase();
    if (key === 'r' || key === 't') {
      const motion: Motion = key === 'r' ? 'turn' : 'twist';
      drag.doing = down ? motion : 'move';
      return true;
    }
    const axis = axisKeys[key];
    if (!down || event.repeat || !axis) return false;
    drag.constrain(event.shiftKey ? axis.across : axis.along);
    dragging.value = { ...dragging.peek()!, constraint: drag.constraint };
    return true;
  }

  /** What is under a resting pointer, once a picture. */
  private hover(): void {
    const at = this.hoverAt;
    if (!at || this.presses.size > 0) return;
    this.hoverAt = undefined;
    const hit = this.view.pick(at.x, at.y, at.touch);
    if (!sameThing(hit?.thing, hovered.peek()) || hit?.thing.kind === 'rod') hovered.value = hit?.thing;
    aimTool(this.view, at.x, at.y, hit);
  }
}

let hands: Hands | undefined;

export function startHands(view: View): void {
  hands = new Hands(view);
  listenToGamepads();
  void listenToCaps(view);
  void lookForHeadset();
}

/** The handles in the view, for those who want to find them. */
export function gizmoHandles(): ReturnType<Gizmo['handles']> {
  return hands?.gizmo.handles() ?? {};
}
