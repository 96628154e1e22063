import { describe, expect, it } from 'vitest';
import { decimals, digits, many, roundAbove, roundBelow } from '../src/model/numbers';

describe('digits', () => {
  it.each([
    // no trailing zeros, no noise of binary fractions
    [100, '100'],
    [1.5, '1.5'],
    [0.1 + 0.2, '0.3'],
    [2.0000001, '2'],
    // rounding, also into the next power of ten
    [1.23456, '1.235'],
    [9.9996, '10'],
    [0.99999, '1'],
    [12345, '12350'],
    [999999.9, '1e6'],
    [0.000099999, '0.0001'],
    // tiny and huge
    [0.0001, '0.0001'],
    [0.000099, '9.9e−5'],
    [0.00001, '1e−5'],
    [1234567, '1.235e6'],
    [1e6, '1e6'],
    [9.9999e9, '1e10'],
    [5e-324, '5e−324'],
    [1.7e308, '1.7e308'],
    // signs: a minus as print has it, in the exponent too
    [-1.5, '−1.5'],
    [-12345, '−12350'],
    [-0.00001, '−1e−5'],
    [-2e9, '−2e9'],
    [0, '0'],
    [-0, '0'],
    // what is no number
    [Infinity, '∞'],
    [-Infinity, '−∞'],
    [NaN, '–'],
  ])('%s is %s', (value, text) => {
    expect(digits(value)).toBe(text);
  });

  it('are as many as asked for', () => {
    expect([1, 2, 3, 6].map((count) => digits(Math.PI, count))).toEqual(['3', '3.1', '3.14', '3.14159']);
    expect([1, 2, 3].map((count) => digits(25.4, count))).toEqual(['30', '25', '25.4']);
    expect(digits(1.5e7, 1)).toBe('2e7');
  });

  it('are never off by more than half of the last, whatever the size', () => {
    for (let exponent = -12; exponent <= 12; ++exponent) {
      for (const lead of [1, 1.23449, 1.2351, 4.9996, 7.7777, 9.9994, 9.9996]) {
        for (const sign of [1, -1]) {
          const value = sign * lead * 10 ** exponent;
          const read = Number(digits(value).replaceAll('−', '-'));
          expect(Math.abs(read - value), digits(value)).toBeLessThanOrEqual(0.5001 * 10 ** (exponent - 3));
        }
      }
    }
  });
});

describe('decimals', () => {
  it.each([
    [1, 3, '1.000'],
    [-1.25, 1, '−1.3'],
    [2.5, 0, '3'],
    [0.0004, 3, '0.000'],
    [-0.0004, 3, '0.000'],
    [-0, 2, '0.00'],
    [-0.0006, 3, '−0.001'],
    [123456.789, 2, '123456.79'],
    [NaN, 3, '–'],
    [Infinity, 3, '∞'],
  ])('%s with %s is %s', (value, count, text) => {
    expect(decimals(value, count)).toBe(text);
  });
});

describe('round numbers', () => {
  it.each([
    [1, 1, 1],
    [1.5, 1, 2],
    [2, 2, 2],
    [4.99, 2, 5],
    [7, 5, 10],
    [0.03, 0.02, 0.05],
    [0.84, 0.5, 1],
    [1234, 1000, 2000],
  ])('beside %s are %s and %s', (value, below, above) => {
    expect(roundBelow(value)).toBe(below);
    expect(roundAbove(value)).toBe(above);
  });

  it('are round already, whatever their size', () => {
    for (let exponent = -12; exponent <= 12; ++exponent) {
      for (const digit of [1, 2, 5]) {
        const value = Number(`${digit}e${exponent}`);
        expect([roundBelow(value), roundAbove(value)], String(value)).toEqual([value, value]);
      }
    }
  });

  it('are one where there is nothing to cover', () => {
    expect([0, -3, NaN].map(roundAbove)).toEqual([1, 1, 1]);
  });
});

describe('many', () => {
  it('is one or several', () => {
    expect([0, 1, 2].map((count) => many(count, 'cable'))).toEqual(['0 cables', '1 cable', '2 cables']);
  });
});
