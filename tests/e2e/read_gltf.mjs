// node read_gltf.mjs FILE.glb…: what Khronos's reference validator says of each, as JSON, one line a file. Exit code 3: it is
// not installed.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

let validator;
try {
  validator = createRequire(process.env.FILUM_NODE_MODULES + '/')('gltf-validator');
} catch {
  process.exit(3);
}
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), { maxIssues: 20 });
  console.log(JSON.stringify({ issues: report.issues, info: report.info }));
}
