// Things of a scene for tests: plain ones, with what a test wants of them.
import type { Hold, Keyframe, Rod, SceneMessage } from '../../src/protocol/scene';

export function rodWith(parts: Partial<Rod>): Rod {
  return {
    name: 'hose', path: 'rods.hose', material: '', section: '', length: 1, length_given: false, segments: 10, shape: { kind: 'line', file: '' },
    rest: { kind: 'straight', curvature: [0, 0], twist_rate: 0 }, normal: null, closed: false, twist: 0, stations: [], extensible: true,
    limits: { min_bend_radius: null, max_tension: null, max_hold_force: null, max_transverse_force: null, breaking_tension: null, breaking_strain: { tension: null, compression: null, shear: null }, max_length: null, min_clearance: null, max_contact_force: null, max_contact_pressure: null, max_chafing: null },
    velocity: [0, 0, 0], spin: [0, 0, 0], lay: { torque_factor: 0 }, damping: { mass: 0, stiffness: 0, bend: 0, twist: 0, stretch: 0, air: 0 },
    stiffness: { EA: 1, EI: [1, 1], GJ: 1 }, mass_per_length: 1, mass: 1, outline: [0.01, 0.01], bend_radius_limit: null, ...parts,
  };
}

export function holdWith(parts: Partial<Hold>): Hold {
  return {
    name: 'end', path: 'holds.end', rod: 'hose', at: '0', s: 0, fix: { position: [true, true, true], orientation: [true, true, true] }, slide: false, friction: 0,
    body: '', position: null, orientation: null, max_pull: null, max_shear: null, axis: [0, 0, 1], clip: null, driven: false, ...parts,
  };
}

export function keyframeWith(parts: Partial<Keyframe>): Keyframe {
  return { t: 0, position: null, orientation: null, turns: null, scale: null, length: null, speed: null, tied: null, fix: null, ...parts };
}

export const simulation: SceneMessage['simulation'] = {
  formulation: 'kirchhoff', mode: 'statics', stepper: 'implicit', integrator: 'energy-momentum', spectral_radius: 0.5,
  rotary_inertia: false, step: 1e-3, tolerance: null, iterations: 0, end: 0, start: 'as-shaped', start_result: '',
  chain: { sweeps: 0, damping: 0, detail: 0 }, spline: { basis: 'b-spline', detail: 0 },
};
