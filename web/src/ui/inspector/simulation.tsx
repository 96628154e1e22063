// How the scene is computed: formulation, steps, and what the chosen formulation lets be chosen.
import * as act from '../../model/actions';
import { tell } from '../../model/session';
import { hello, scene } from '../../model/store';
import type { Quantity } from '../../model/units';
import { Choice, Group, NumberField, Row, Tick } from '../fields';

/** Integrators of the stepper «implicit»; what a formulation has none of the program refuses, with its words. */
const INTEGRATORS = ['energy-momentum', 'implicit-euler', 'bdf2', 'generalised-alpha', 'runge-kutta'];

function Value({ at, label, value, quantity, hint }: { at: string; label: string; value: number | null; quantity: Quantity; hint: string }) {
  const path = `simulation.${at}`;
  return (
    <Row label={label} where={path} hint={hint}>
      <NumberField value={value} quantity={quantity} label={label} where={path} commit={(typed) => void act.set(path, typed)} />
    </Row>
  );
}

export function SimulationGroup() {
  const known = scene.value!;
  const { simulation } = known;
  return (
    <Group title="Simulation">
      <Row label="Formulation" hint="How the scene is turned into equations">
        <Choice label="Formulation" value={simulation.formulation} options={(hello.value?.formulations ?? []).map(({ name }) => ({ value: name, label: name, refused: known.refusals[name] }))} commit={(formulation) => void tell('formulation', { formulation })} />
      </Row>
      <Row label="Starts" where="simulation.mode" hint="statics: every edit finds its equilibrium; dynamics: edits wait for time to go on">
        <Choice label="Mode" value={simulation.mode} options={[{ value: 'statics', label: 'at rest' }, { value: 'dynamics', label: 'in motion' }]} commit={(mode) => void act.set('simulation.mode', mode)} />
      </Row>
      <Value at="step" label="Time step" value={simulation.step} quantity="time" hint="Length of a time step" />
      {simulation.formulation === 'chain' ? <ChainOptions /> : <ImplicitOptions />}
      {simulation.formulation === 'spline' && (
        <Value at="spline.detail" label="Adaptive knots" value={simulation.spline.detail} quantity="number" hint="At rest: how far the knots may leave the curve, as a share of the cable's length (1e-5 is a good value). 0: they stay as they are" />
      )}
    </Group>
  );
}

function ChainOptions() {
  const { chain } = scene.value!.simulation;
  return (
    <>
      <Value at="chain.damping" label="Joint damping" value={chain.damping} quantity="time" hint="Stress from the strain and so much time its rate" />
      <Value at="chain.detail" label="Level of detail" value={chain.detail} quantity="number" hint="How far the shape may differ from that of all segments, as a share of the cable's length (1e-3 is a good value). 0: segments stay as they are" />
    </>
  );
}

function ImplicitOptions() {
  const { integrator, spectral_radius, stepper, rotary_inertia } = scene.value!.simulation;
  if (stepper !== 'implicit') return null;
  return (
    <>
      <Row label="Integrator" where="simulation.integrator" hint="How a run goes from step to step">
        <Choice label="Integrator" value={integrator} options={INTEGRATORS} commit={(name) => void act.set('simulation.integrator', name)} />
      </Row>
      {integrator === 'generalised-alpha' && (
        <Row label="Spectral radius" hint="The share of the fastest oscillations that a step leaves, 0 to 1">
          <NumberField value={spectral_radius} quantity="number" label="Spectral radius" where="simulation.integrator" commit={(typed) => void act.set('simulation.integrator', { name: integrator, spectral_radius: typed })} />
        </Row>
      )}
      <Row label="Sections" where="simulation.rotary_inertia">
        <Tick checked={rotary_inertia} hint="About all three of their axes, with gyroscopic moments" commit={(on) => void act.set('simulation.rotary_inertia', on)}>have rotary inertia</Tick>
      </Row>
    </>
  );
}
