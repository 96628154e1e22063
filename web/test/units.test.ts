import { describe, expect, it } from 'vitest';
import { digits } from '../src/model/numbers';
import { parse, show, unitFor } from '../src/model/units';

describe('show', () => {
  it.each([
    [0.025, 'length', '25 mm'],
    [12.5, 'length', '12.5 m'],
    [7e6, 'modulus', '7 MPa'],
    [2.1e11, 'modulus', '210 GPa'],
    [0.1257, 'force', '125.7 mN'],
    [0, 'force', '0 N'],
    [Infinity, 'length', '∞'],
    [-0.5, 'length', '−500 mm'],
    [0.999999, 'length', '1 m'],
    [Math.PI / 2, 'angle', '90 °'],
  ] as const)('%s of %s is %s', (value, quantity, text) => {
    expect(show(value, quantity)).toBe(text);
  });

  it('says nothing of what is not known', () => {
    expect(show(null, 'length')).toBe('–');
    expect(show(NaN, 'length')).toBe('–');
  });
});

describe('digits', () => {
  it.each([
    [1234567, '1.235e6'],
    [0.00001, '1e−5'],
    [-1.5, '−1.5'],
    [100, '100'],
    [0.1 + 0.2, '0.3'],
  ])('%s is %s', (value, text) => {
    expect(digits(value)).toBe(text);
  });
});

describe('parse', () => {
  const mm = unitFor(0.025, 'length');
  it.each([
    ['30', 0.03],
    ['30 mm', 0.03],
    ['0.4 m', 0.4],
    ['3,5', 0.0035],
    ['−2', -0.002],
    ['1e1', 0.01],
    ['5 cm', '5 cm'],
    ['2 in', '2 in'],
  ])('%s is %s', (text, value) => {
    expect(parse(text, mm, 'length')).toBe(value);
  });

  it('leaves alone what is no number', () => {
    for (const text of ['', 'long', 'mm 3', '1.2.3']) expect(parse(text, mm, 'length')).toBeUndefined();
  });

  it('writes units as the scene file does', () => {
    expect(parse('30 °', unitFor(1, 'turns'), 'turns')).toBe('30 deg');
  });
});
