// Nothing in the page is called another type than the compiler finds it to be: what comes from outside goes through a guard.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../src', import.meta.url));

/** Casts of a source, but for «as const», as they are written. */
function castsIn(file: string, source: string): string[] {
  const found: string[] = [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if ((ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) && node.type.getText() !== 'const') found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

describe('casts', () => {
  it('are nowhere in the page', () => {
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    const found = files.flatMap((file) => castsIn(file, readFileSync(path.join(root, file), 'utf8')).map((cast) => `${file}: ${cast}`));
    expect(found).toEqual([]);
  });

  it('are found where there are some', () => {
    expect(castsIn('a.ts', "const a = reply['name'] as string;\nconst b = <number>c;\nconst d = ['x'] as const; // as it is")).toEqual(["reply['name'] as string", '<number>c']);
    expect(castsIn('a.tsx', '<b onClick={(event) => go(event.target as Node)}>as is</b>')).toEqual(['event.target as Node']);
  });
});
