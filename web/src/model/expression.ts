// What people type where a number is wanted: a number with or without a unit, sums and products of them (25.4/2, 1 in + 3 mm), or a
// change of what is there (+20, *2, -=5).

/** SI value of one of a unit, by the names that people may type; undefined: not a unit of this quantity. */
export type UnitSizes = Readonly<Record<string, number>>;

interface Term {
  value: number;
  /** whether it has a unit: then its value is in SI */
  measured: boolean;
}

const NUMBER = /^(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?/i;
const CHANGE = /^([-+*/])=|^([+*/])/;

/** The SI value; bare terms are in a unit of `size`. `now` is what a change begins from. Undefined: not to be understood. */
export function evaluate(text: string, size: number, sizes: UnitSizes, now?: number): number | undefined {
  const typed = text.replace(/[−–]/g, '-').trim();
  const change = CHANGE.exec(typed);
  if (change && now !== undefined) {
    const by = new Sum(typed.slice(change[0].length), size, sizes).read();
    return by && finite(changed(now, change[1] ?? change[2]!, by, size));
  }
  const sum = new Sum(typed, size, sizes).read();
  return sum && finite(measured(sum, size));
}

function changed(now: number, operator: string, by: Term, size: number): number {
  if (operator === '+') return now + measured(by, size);
  if (operator === '-') return now - measured(by, size);
  // a factor has no unit
  if (by.measured) return NaN;
  return operator === '*' ? now * by.value : now / by.value;
}

const measured = (term: Term, size: number): number => (term.measured ? term.value : term.value * size);
const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

/** Reads a sum of products of numbers and brackets, from left to right. */
class Sum {
  private rest: string;
  private readonly names: readonly string[];

  constructor(text: string, private readonly size: number, private readonly sizes: UnitSizes) {
    this.rest = text;
    // the longest first: «N mm» before «N m» before «N»
    this.names = Object.keys(sizes).sort((a, b) => b.length - a.length);
  }

  read(): Term | undefined {
    const sum = this.sum();
    return this.rest.trim() === '' ? sum : undefined;
  }

  private sum(): Term | undefined {
    const sign = this.take('+-');
    let sum = this.product();
    if (sum && sign === '-') sum = { ...sum, value: -sum.value };
    for (let operator = this.take('+-'); sum && operator; operator = this.take('+-')) {
      const next = this.product();
      if (!next) return undefined;
      const [a, b] = sum.measured === next.measured ? [sum.value, next.value] : [measured(sum, this.size), measured(next, this.size)];
      sum = { value: operator === '+' ? a + b : a - b, measured: sum.measured || next.measured };
    }
    return sum;
  }

  private product(): Term | undefined {
    let product = this.factor();
    for (let operator = this.take('*/×'); product && operator; operator = this.take('*/×')) {
      const next = this.factor();
      // a product of two measures is none of this quantity
      if (!next || (next.measured && (product.measured || operator === '/'))) return undefined;
      product = { value: operator === '/' ? product.value / next.value : product.value * next.value, measured: product.measured || next.measured };
    }
    return product;
  }

  private factor(): Term | undefined {
    if (this.take('(')) {
      const inner = this.sum();
      return this.take(')') ? inner : undefined;
    }
    this.rest = this.rest.trimStart();
    const number = NUMBER.exec(this.rest)?.[0];
    if (!number) return undefined;
    this.rest = this.rest.slice(number.length);
    const value = Number(number.replace(',', '.'));
    const name = this.unit();
    return name === undefined ? { value, measured: false } : { value: value * this.sizes[name]!, measured: true };
  }

  /** The unit that stands here, if one does. */
  private unit(): string | undefined {
    const rest = this.rest.trimStart();
    const name = this.names.find((candidate) => candidate !== '' && rest.startsWith(candidate) && !/^[\p{L}²³]/u.test(rest.slice(candidate.length)));
    if (name !== undefined) this.rest = rest.slice(name.length);
    return name;
  }

  /** The next character, if it is one of these. */
  private take(characters: string): string {
    const rest = this.rest.trimStart();
    if (rest === '' || !characters.includes(rest[0]!)) return '';
    this.rest = rest.slice(1);
    return rest[0]!;
  }
}
