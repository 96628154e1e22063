// node read_usd.mjs FILE.usda…: whether tinyusdz reads each, and the curves that three's parser finds in it (times, points
// at the first and the last of them, flat), as JSON, one line a file. Exit code 3: they are not installed.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// its build for the web asks for a browser's words
process.type = 'renderer';
globalThis.WorkerGlobalScope = class {};
let make;
let wasm;
let Parser;
try {
  const require = createRequire(process.env.FILUM_NODE_MODULES + '/');
  const main = require.resolve('tinyusdz');
  Parser = (await import(pathToFileURL(require.resolve('three/addons/loaders/usd/USDAParser.js')).href)).USDAParser;
  make = (await import(pathToFileURL(main).href)).default;
  wasm = await readFile(main.replace(/\.js$/, '.wasm'));
} catch {
  process.exit(3);
}
// By name. Types, since three draws none of these curves itself, are those of UsdGeomBasisCurves.
function curvesIn(text) {
  const specs = new Parser().parseData(text).specsByPath;
  const found = {};
  for (const [path, spec] of Object.entries(specs)) {
    if (spec.fields.typeName !== 'BasisCurves') continue;
    const field = (name, type) => {
      const attribute = specs[`${path}.${name}`];
      if (attribute?.fields.typeName !== type) throw new Error(`${path}.${name} is no ${type}`);
      return attribute.fields;
    };
    const { times, values } = field('points', 'point3f[]').timeSamples;
    found[path.split('/').pop()] = {
      times,
      first: [...values[0]].flat(),
      last: [...values.at(-1)].flat(),
      counts: [...field('curveVertexCounts', 'int[]').default],
      widths: [...field('widths', 'float[]').default],
      extents: field('extent', 'float3[]').timeSamples.times.length,
    };
  }
  return found;
}

const library = await make({ wasmBinary: wasm, print: () => {}, printErr: () => {} });
for (const file of process.argv.slice(2)) {
  const loader = new library.TinyUSDZLoaderNative();
  const bytes = await readFile(file);
  const read = loader.loadFromBinary(bytes, file) && loader.ok();
  console.log(JSON.stringify({ read, why: loader.error?.() ?? '', curves: read ? curvesIn(bytes.toString()) : {} }));
}
