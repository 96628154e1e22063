// A plane that cuts the picture open: what lies beyond it along an axis is not drawn.
import { effect } from '@preact/signals';
import { Plane, Vector3 } from 'three';
import * as prefs from '../model/prefs';
import type { Stage } from './stage';

const AXES = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) };

/** Follows what is chosen: an axis and a share of the scene's size from its middle, −1 to 1. */
export function startSectionPlane(stage: Stage): void {
  const plane = new Plane();
  effect(() => {
    const { axis, share, flipped } = prefs.sectionPlane.value;
    stage.renderer.clippingPlanes = axis === 'none' ? [] : [plane];
    if (axis !== 'none') {
      const normal = AXES[axis].clone().multiplyScalar(flipped ? 1 : -1);
      plane.setFromNormalAndCoplanarPoint(normal, stage.centre.clone().addScaledVector(AXES[axis], share * stage.radius));
    }
    stage.invalidate();
  });
}
