// Words can be read in both themes: a contrast of at least 4.5 to 1 [WCAG 2.2, 1.4.3] on every panel they stand on.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('../src/style/theme.css', import.meta.url), 'utf8');

function colours(theme: string): Record<string, string> {
  const block = new RegExp(`\\[data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)![1]!;
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1]!, match[2]!]));
}

/** Relative luminance of sRGB. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

describe.each(['dark', 'light'])('the %s theme', (theme) => {
  const known = colours(theme);
  it.each(['text', 'text-2', 'text-3'].flatMap((ink) => ['ground', 'panel', 'panel-2', 'raised'].map((paper) => [ink, paper] as const)))('%s on %s', (ink, paper) => {
    expect(contrast(known[ink]!, known[paper]!)).toBeGreaterThanOrEqual(4.5);
  });
  it('ink on its accent', () => expect(contrast(known['accent-ink']!, known['accent']!)).toBeGreaterThanOrEqual(4.5));
});
