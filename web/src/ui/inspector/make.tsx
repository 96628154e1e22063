// Materials and sections: every number live.
import * as act from '../../model/actions';
import type { Quantity } from '../../model/units';
import type { Material, Section } from '../../protocol/scene';
import { Group, NumberField, Row } from '../fields';
import { takeNumber } from '../typed';
import { Subject } from './subject';

function ValueRow({ path, label, value, quantity, hint }: { path: string; label: string; value: number; quantity: Quantity; hint?: string }) {
  return (
    <Row label={label} where={path} hint={hint}>
      <NumberField value={value} quantity={quantity} label={label} where={path} commit={(typed) => void act.set(path, typed)} />
    </Row>
  );
}

export function MaterialInspector({ material }: { material: Material }) {
  const path = material.path ?? `materials.${material.name}`;
  return (
    <>
      <Subject thing={{ kind: 'material', name: material.name }} icon="layers" kind="Material" name={material.name} renamed="material" removeHint="Remove the material" />
      <Group>
        <ValueRow path={`${path}.young`} label="Young's modulus" value={material.young} quantity="modulus" />
        <ValueRow path={`${path}.poisson`} label="Poisson's ratio" value={material.poisson} quantity="number" hint="Above −1, at most 0.5" />
        <ValueRow path={`${path}.density`} label="Density" value={material.density} quantity="density" />
      </Group>
    </>
  );
}

export function SectionInspector({ section }: { section: Section }) {
  const row = (key: keyof Section, label: string, quantity: Quantity, hint?: string) => {
    const value = section[key];
    return typeof value === 'number' ? <ValueRow path={`${section.path}.${key}`} label={label} value={value} quantity={quantity} {...(hint ? { hint } : {})} /> : null;
  };
  // the file has radii; people measure diameters
  const diameter = (key: 'radius' | 'outer_radius' | 'inner_radius', label: string) => {
    const value = section[key];
    const path = `${section.path}.${key}`;
    return typeof value === 'number' && (
      <Row label={label}>
        <NumberField value={2 * value} quantity="length" label={label} where={path} commit={takeNumber(path, (typed) => void act.set(path, typed / 2))} />
      </Row>
    );
  };
  const pair = (key: 'radii' | 'EI', label: string, quantity: Quantity) =>
    section[key]?.map((value, k) => <ValueRow key={`${key}${k}`} path={`${section.path}.${key}.${k}`} label={`${label} d${k + 1}`} value={value} quantity={quantity} />);
  return (
    <>
      <Subject thing={{ kind: 'section', name: section.name }} icon="target" kind={`Section: ${section.shape}`} name={section.name} renamed="section" removeHint="Remove the section" />
      <Group>
        {row('radius', 'Radius', 'length')}
        {diameter('radius', 'Diameter')}
        {row('outer_radius', 'Outer radius', 'length')}
        {diameter('outer_radius', 'Outer diameter')}
        {row('inner_radius', 'Inner radius', 'length')}
        {diameter('inner_radius', 'Inner diameter')}
        {row('fill_density', 'Filled with', 'density', 'Density of what fills the bore: weight, no stiffness')}
        {row('width', 'Width', 'length', 'Along d1')}
        {row('height', 'Height', 'length', 'Along d2')}
        {pair('radii', 'Radius', 'length')}
        {row('tape', 'Tape', 'length', 'Thickness of what is wrapped round the wires')}
        {row('bond', 'Bond', 'number', '0: the wires slip on each other; 1: they stick together')}
        {row('EA', 'Stretching EA', 'stretching')}
        {pair('EI', 'Bending EI', 'bending')}
        {row('GJ', 'Twisting GJ', 'bending')}
        {row('mass_per_length', 'Mass per length', 'mass per length')}
      </Group>
    </>
  );
}
