// Numbers as people read them: so many digits, decimals, round ones.

/** A number with `digits` significant digits and without trailing zeros. */
export function digits(value: number, count = 4): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(count - 1).replace(/\.?0+e/, 'e').replace('-', '−').replace('e+', 'e');
  const fixed = value.toPrecision(count);
  const plain = fixed.includes('e') ? Number(fixed).toString() : fixed;
  return (plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain).replace('-', '−');
}

/** A number with so many decimals, and no sign on zero. */
export function decimals(value: number, count: number): string {
  const text = value.toFixed(count);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

/** «1 cable», «3 cables». */
export function many(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** 1, 2 or 5 times a power of ten, at most the value. */
export function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Number((power * ([5, 2, 1].find((digit) => digit * power <= value * (1 + 1e-9)) ?? 1)).toPrecision(6));
}

/** 1, 2 or 5 times a power of ten, not below the value: ranges that rest while values move. */
export function roundAbove(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const share = value / power;
  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}
