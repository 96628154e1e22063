// A box drawn with the pointer and Ctrl: what lies in it is selected.
import { Vector3 } from 'three';
import { selectAll, type Thing } from '../model/selection';
import { bodyFrame, frame, scene } from '../model/store';
import { isHidden, isLocked } from '../model/visibility';
import { toScreen } from '../view/screen';
import type { View } from '../view/view';

interface Corner {
  clientX: number;
  clientY: number;
}

/** Follows the pointer from its press to its end. */
export function boxSelect(view: View, from: Corner): void {
  const box = document.createElement('div');
  box.className = 'select-box';
  document.body.append(box);
  const draw = (to: Corner): DOMRect => {
    const rect = new DOMRect(Math.min(from.clientX, to.clientX), Math.min(from.clientY, to.clientY), Math.abs(to.clientX - from.clientX), Math.abs(to.clientY - from.clientY));
    Object.assign(box.style, { left: `${rect.x}px`, top: `${rect.y}px`, width: `${rect.width}px`, height: `${rect.height}px` });
    return rect;
  };
  draw(from);
  const move = (event: PointerEvent): void => void draw(event);
  const end = (event: PointerEvent): void => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
    box.remove();
    view.stage.controls.enabled = true;
    if (event.type === 'pointerup') selectAll(thingsIn(view, draw(event)));
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}

/** Cables that lie in it with every point, bodies with their middle; if there are none, holds. */
function thingsIn(view: View, rect: DOMRect): Thing[] {
  const known = scene.peek();
  if (!known) return [];
  const picture = view.stage.renderer.domElement.getBoundingClientRect();
  const at = new Vector3();
  const inside = (numbers: ArrayLike<number>, offset: number): boolean => {
    at.set(numbers[offset]!, numbers[offset + 1]!, numbers[offset + 2]!);
    const { x, y } = toScreen(at, view.stage.camera, picture, at);
    return x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom;
  };
  const rods = known.rods.filter((_, k) => Array.from({ length: frame.rods[k]?.count ?? 0 }, (_none, point) => point).every((point) => inside(frame.rods[k]!.positions, 3 * point)));
  const bodies = known.bodies.filter(({ name }) => inside(bodyFrame(name)?.position ?? [NaN, NaN, NaN], 0));
  const holds = known.holds.filter((_, k) => frame.holds[k] && inside(frame.holds[k]!.position, 0));
  const whole: Thing[] = [...rods.map(({ name }): Thing => ({ kind: 'rod', name })), ...bodies.map(({ name }): Thing => ({ kind: 'body', name }))];
  const found = whole.length > 0 ? whole : holds.map(({ name }): Thing => ({ kind: 'hold', name }));
  return found.filter((thing) => !isHidden(thing) && !isLocked(thing));
}
