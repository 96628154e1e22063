// A scene of many cables, of which one is moved.

/** Cables side by side along x, so many by so many. */
export function field(rows, columns, segments) {
  const rods = [];
  const holds = [];
  for (let k = 0; k < rows * columns; ++k) {
    const [y, z] = [(0.03 * (k % columns)).toFixed(3), (0.1 * Math.floor(k / columns)).toFixed(2)];
    rods.push(`  c${k}: {material: m, section: w, length: 0.55, segments: ${segments}, shape: {line: [[0, ${y}, ${z}], [0.5, ${y}, ${z}]]}}`);
    for (const [name, at] of [['a', 'start'], ['b', 'end']]) holds.push(`  - {name: ${name}${k}, rod: c${k}, at: ${at}, fix: [position, orientation]}`);
  }
  return `filum: 1\ntitle: A field of cables\nsections: {w: {shape: circle, radius: 3 mm}}\nmaterials: {m: {young: 20 MPa, poisson: 0.45, density: 1200}}\nrods:\n${rods.join('\n')}\nholds:\n${holds.join('\n')}\n`;
}
