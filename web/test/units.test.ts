import { afterEach, describe, expect, it } from 'vitest';
import { documentUnits, INCH, KILONEWTON, METRE, orNothing, parse, show, showAll, unitFor, type Quantity } from '../src/model/units';

/** All of them: a new one that is missing here does not compile. */
const quantities: Record<Quantity, true> = {
  length: true, 'small length': true, force: true, moment: true, modulus: true, density: true, mass: true, 'mass per length': true, time: true, angle: true,
  turns: true, number: true, bending: true, stretching: true, energy: true, curvature: true, 'twist rate': true, acceleration: true, milliseconds: true,
  'force per length': true, speed: true, factor: true,
};
const isQuantity = (name: string): name is Quantity => name in quantities;
const all = Object.keys(quantities).filter(isQuantity);

describe('show', () => {
  it.each([
    [0.025, 'length', '25 mm'],
    [12.5, 'length', '12500 mm'],
    [3e-6, 'small length', '3 µm'],
    [7e6, 'modulus', '7 MPa'],
    [2.1e11, 'modulus', '210 GPa'],
    [0.1257, 'force', '0.1257 N'],
    [-0.5, 'length', '−500 mm'],
    [0.0123, 'moment', '12.3 N mm'],
    [1e-6, 'bending', '1 N mm²'],
    [0.35, 'mass', '350 g'],
    [1500, 'mass', '1500 kg'],
    [Math.PI / 2, 'angle', '90 °'],
    [2, 'factor', '2 ×'],
    [0.45, 'number', '0.45'],
  ] as const)('%s of %s is %s', (value, quantity, text) => {
    expect(show(value, quantity)).toBe(text);
  });

  it('changes the unit before a thousand of it', () => {
    expect([0.9994, 0.99994, 0.999999, 1].map((value) => show(value, 'mass'))).toEqual(['999.4 g', '999.9 g', '1 kg', '1 kg']);
    expect(show(-0.999999, 'mass')).toBe('−1 kg');
  });

  it('stays with the smallest and the largest unit beyond them', () => {
    expect(show(1e-9, 'length')).toBe('1e−6 mm');
    expect(show(4e10, 'mass')).toBe('4e10 kg');
    expect(show(1e20, 'stretching')).toBe('1e14 MN');
  });

  it('shows nothing in the usual unit', () => {
    expect((['length', 'force', 'modulus', 'moment', 'number'] as const).map((quantity) => show(0, quantity))).toEqual(['0 mm', '0 N', '0 MPa', '0 N mm', '0']);
    expect(show(-0, 'length')).toBe('0 mm');
    expect([unitFor(null, 'mass').name, unitFor(0, 'time').name]).toEqual(['kg', 's']);
  });

  it('says what is infinite, and nothing of what is not known', () => {
    expect(show(Infinity, 'length')).toBe('∞');
    expect(show(-Infinity, 'force')).toBe('−∞');
    expect([show(null, 'length'), show(undefined, 'length'), show(NaN, 'length')]).toEqual(['–', '–', '–']);
  });

  it('shows as many digits as asked for', () => {
    expect(show(0.0123456, 'length', 2)).toBe('12 mm');
    expect(show(0.0123456, 'length', 6)).toBe('12.3456 mm');
  });
});

describe('parse', () => {
  const mm = unitFor(0.025, 'length');

  it.each([
    // a bare number is in the unit that is shown
    ['30', 0.03],
    ['  30  ', 0.03],
    ['.5', 0.0005],
    ['5.', 0.005],
    ['+3', 0.003],
    ['1e1', 0.01],
    ['1E1', 0.01],
    // as people write
    ['3,5', 0.0035],
    ['−2', -0.002],
    ['−2e−1', -0.0002],
    // with a unit, in its own
    ['30 mm', 0.03],
    ['30mm', 0.03],
    ['0.4 m', 0.4],
    ['2 km', 2000],
    ['5 cm', 0.05],
    ['2 in', 0.0508],
    ['−1,5 cm', -0.015],
    // sums, products, brackets
    ['25.4/2', 0.0127],
    ['300+150', 0.45],
    ['300 - 150', 0.15],
    ['1 in + 3 mm', 0.0284],
    ['1 in + 3', 0.0284],
    ['2*(10 + 5 mm)', 0.03],
    ['2 × 3', 0.006],
    // a unit that is not known is the server's to judge
    ['3 bananas', '3 bananas'],
    ['50 %', '50 %'],
  ])('%s is %s', (text, value) => {
    expect(parse(text, mm, 'length')).toBe(value);
  });

  it.each(['', ' ', 'long', 'mm 3', '1.2.3', '1,2,3', '1,234.5', '.', '-', 'e5', '--1', '1e999', '1/0', '3 / 2 mm', '(1', '1 +', 'end - 10 mm'])('leaves alone what is no number: «%s»', (text) => {
    expect(parse(text, mm, 'length')).toBeUndefined();
  });

  it('changes what is there', () => {
    const changed = (text: string) => parse(text, mm, 'length', 0.4);
    expect(['+20', '+ 2 cm', '*2', '/4', '-=100', '+=1 in'].map(changed)).toEqual([0.42, 0.42, 0.8, 0.1, 0.3, 0.4254]);
    // a minus is a sign: negative places are as usual as others
    expect(changed('-20')).toBe(-0.02);
    expect(changed('*2 mm')).toBeUndefined();
  });

  it('leaves no noise of the change of unit', () => {
    expect(parse('0.07', mm, 'length')).toBe(0.00007);
    expect(parse('0.13', mm, 'length')).toBe(0.00013);
    expect(parse('210', unitFor(2.1e11, 'modulus'), 'modulus')).toBe(2.1e11);
  });

  it('knows units as they are shown and as the scene file writes them', () => {
    const degree = unitFor(1, 'angle');
    for (const text of ['90', '90 °', '90°', '90 deg']) expect(parse(text, degree, 'angle'), text).toBeCloseTo(Math.PI / 2, 11);
    for (const text of ['7 kg/m³', '7 kg/m3']) expect(parse(text, unitFor(7, 'density'), 'density'), text).toBe(7);
    for (const text of ['2 N mm²', '2 N mm2']) expect(parse(text, unitFor(1, 'bending'), 'bending'), text).toBe(2e-6);
    expect(parse('30 °', unitFor(1, 'turns'), 'turns')).toBe('30 deg');
  });
});

describe('what is shown and typed again', () => {
  it.each(all)('is the same %s, to the digits shown', (quantity) => {
    for (let exponent = -9; exponent <= 12; ++exponent) {
      for (const lead of [1, 1.2345, 9.9994, 9.99996]) {
        for (const sign of [1, -1]) {
          const value = sign * lead * 10 ** exponent;
          const text = show(value, quantity, 5);
          const read = parse(text, unitFor(1, quantity), quantity);
          expect(typeof read, text).toBe('number');
          expect(Math.abs(Number(read) / value - 1), text).toBeLessThan(5.1e-5);
          // and once more it changes nothing
          expect(show(Number(read), quantity, 5)).toBe(text);
        }
      }
    }
  });

  it.each(all)('is the same %s without its unit', (quantity) => {
    for (const value of [0, 0.0123, -4.5, 678.9]) {
      const unit = unitFor(value, quantity);
      const text = show(value, quantity, 12);
      const bare = unit.name ? text.slice(0, -unit.name.length - 1) : text;
      expect(Number(parse(bare, unit, quantity)), text).toBeCloseTo(value, 7);
    }
  });
});

describe('units of the document', () => {
  const usual = documentUnits.peek();
  afterEach(() => void (documentUnits.value = usual));

  it('hold for every length and force, large or small', () => {
    documentUnits.value = { ...usual, length: METRE, force: KILONEWTON };
    expect([show(0.004, 'length'), show(12, 'length'), show(0, 'length'), show(20, 'force')]).toEqual(['0.004 m', '12 m', '0 m', '0.02 kN']);
    expect(parse('40', unitFor(null, 'length'), 'length')).toBe(40);
    documentUnits.value = { ...usual, length: INCH };
    expect(show(0.0254, 'length')).toBe('1 in');
    expect(parse('2', unitFor(null, 'length'), 'length')).toBe(0.0508);
  });

  it('show round-off as nothing', () => {
    documentUnits.value = { ...usual, least: { length: 1e-9, force: 1e-6, moment: 1e-6 } };
    expect([show(-1.98e-19, 'length'), show(2.67e-7, 'force'), show(1e-5, 'force')]).toEqual(['0 mm', '0 N', '1e−5 N']);
    expect(showAll([0.1, -1e-18, 0.25], 'length')).toBe('100, 0, 250 mm');
    documentUnits.value = { ...usual, least: { curvature: 1e-7 } };
    expect([show(4.1e-14, 'curvature'), orNothing(-4.1e-14, 'curvature'), orNothing(0.5, 'curvature')]).toEqual(['0 1/m', 0, 0.5]);
  });
});
