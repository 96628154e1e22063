// node read_usd.mjs FILE.usda…: whether tinyusdz reads each, as JSON, one line a file. Exit code 3: it is not installed.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// its build for the web asks for a browser's words
process.type = 'renderer';
globalThis.WorkerGlobalScope = class {};
let make;
let wasm;
try {
  const main = createRequire(process.env.FILUM_NODE_MODULES + '/').resolve('tinyusdz');
  make = (await import(pathToFileURL(main).href)).default;
  wasm = await readFile(main.replace(/\.js$/, '.wasm'));
} catch {
  process.exit(3);
}
const library = await make({ wasmBinary: wasm, print: () => {}, printErr: () => {} });
for (const file of process.argv.slice(2)) {
  const loader = new library.TinyUSDZLoaderNative();
  const bytes = await readFile(file);
  const read = loader.loadFromBinary(bytes, file) && loader.ok();
  console.log(JSON.stringify({ read, why: loader.error?.() ?? '' }));
}
