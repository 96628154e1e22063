// Numbers as people read them: so many digits, decimals, round ones.

/** A number with so many significant digits and without trailing zeros; «–» for what is none. */
export function digits(value: number, count = 4): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : '–';
  if (value === 0) return '0';
  // how it is written goes by what is shown, so that it is written the same when it is typed again
  const rounded = Number(value.toPrecision(count));
  const size = Math.abs(rounded);
  const text = size >= 1e6 || size < 1e-4 ? rounded.toExponential().replace('e+', 'e') : String(rounded);
  return text.replaceAll('-', '−');
}

/** A number with so many decimals, and no sign on zero. */
export function decimals(value: number, count: number): string {
  if (!Number.isFinite(value)) return digits(value);
  const text = value.toFixed(count);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

/** «1 cable», «3 cables». */
export function many(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** Powers of ten are off by this much at most, by round-off. */
const ROUND_OFF = 1 + 1e-9;

/** 1, 2 or 5 times a power of ten, at most the value. */
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return times(power, [5, 2, 1].find((digit) => digit * power <= value * ROUND_OFF) ?? 1);
}

/** 1, 2 or 5 times a power of ten, not below the value: ranges that rest while values move. */
export function roundAbove(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return times(power, [1, 2, 5].find((digit) => digit * power * ROUND_OFF >= value) ?? 10);
}

/** Near a value, by steps of a tenth: what need not follow it closely rests meanwhile. */
export function inSteps(value: number): number {
  return 1.1 ** Math.round(Math.log(value) / Math.log(1.1));
}

function times(power: number, digit: number): number {
  return Number((power * digit).toPrecision(6));
}

/** Numbers of a frame, which are in single precision, as exact as they are known: the document's where it has the same, else the shortest
 * that reads alike. */
export function exactOf(shown: ArrayLike<number>, known?: ArrayLike<number> | null): number[] {
  return Array.from(shown, (value, k) => {
    const exact = known?.[k];
    return exact !== undefined && Math.fround(exact) === Math.fround(value) ? exact : Number(value.toPrecision(7));
  });
}
