// Who may know whom in the page: each folder of src imports from those it is allowed to, and from nowhere else of the page.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** By folder: the folders it may import from besides itself. «.» is src itself, where the page starts. */
const allowed: Record<string, readonly string[]> = {
  protocol: [],
  model: ['protocol'],
  view: ['model', 'protocol'],
  hands: ['view', 'model', 'protocol'],
  ui: ['hands', 'view', 'model', 'protocol'],
  '.': ['ui', 'hands', 'view', 'model', 'protocol', 'style'],
};
/** Packages that only these folders may import. */
const packages: Record<string, readonly string[]> = {
  three: ['model', 'view', 'hands', 'ui', '.'],
  preact: ['ui', '.'],
  uplot: ['ui'],
};

const root = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

const folderOf = (file: string): string => (file.includes(path.sep) ? file.split(path.sep)[0]! : '.');

/** What a source imports, by whatever form of import. */
function importsOf(source: string): string[] {
  return ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** Imports of a file that are not allowed, as «to whom». */
function wrongIn(file: string, source: string): string[] {
  const from = folderOf(file);
  return importsOf(source).filter((to) => {
    if (!to.startsWith('.')) {
      const only = packages[to.split('/')[0]!];
      return only !== undefined && !only.includes(from);
    }
    const target = folderOf(path.join(path.dirname(file), to));
    return target !== from && !allowed[from]?.includes(target);
  });
}

describe('layers of the page', () => {
  it('has files to look at, all in folders of the table', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => !(folderOf(file) in allowed))).toEqual([]);
  });

  it.each(files)('%s', (file) => {
    expect(wrongIn(file, readFileSync(path.join(root, file), 'utf8'))).toEqual([]);
  });

  it('finds what is wrong, in every form of import', () => {
    const file = path.join('model', 'some.ts');
    expect(wrongIn(file, "import { view } from '../ui/canvas';")).toEqual(['../ui/canvas']);
    expect(wrongIn(file, "import type {\n  Hit,\n} from '../view/pick';")).toEqual(['../view/pick']);
    expect(wrongIn(file, "export * from '../hands/hands';")).toEqual(['../hands/hands']);
    expect(wrongIn(file, "const later = await import('../view/view');")).toEqual(['../view/view']);
    expect(wrongIn(file, "import '../main';")).toEqual(['../main']);
    expect(wrongIn(file, "import { render } from 'preact';")).toEqual(['preact']);
    expect(wrongIn(file, "import { text } from '../protocol/guard';\nimport { state } from './store';\nimport { Vector3 } from 'three';")).toEqual([]);
    expect(wrongIn(path.join('ui', 'inspector', 'rod.tsx'), "import { show } from '../../model/units';\nimport { Row } from '../fields';")).toEqual([]);
  });
});
