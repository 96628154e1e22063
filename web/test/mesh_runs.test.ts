// Rays into large meshes: the same hits as without runs, by looking at few triangles.
import { BufferAttribute, BufferGeometry, Mesh, MeshBasicMaterial, Raycaster, TorusKnotGeometry, Vector3 } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { quickenRays } from '../src/view/mesh_runs';

/** Some rays from a sphere towards its middle and past it. */
function rays(count: number): Raycaster[] {
  return Array.from({ length: count }, (_, k) => {
    const from = new Vector3(Math.cos(2.4 * k), Math.sin(2.4 * k), Math.cos(1.1 * k)).multiplyScalar(5);
    const to = new Vector3(Math.sin(0.7 * k), Math.cos(1.3 * k), Math.sin(1.9 * k));
    return new Raycaster(from, to.sub(from).normalize());
  });
}

describe('a large mesh', () => {
  const knot = new TorusKnotGeometry(1, 0.3, 400, 60);
  const soup = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(knot.toNonIndexed().getAttribute('position').array), 3));
  for (const [name, geometry] of [['with an index', knot], ['of loose triangles', soup]] as const) {
    it(`${name} is met at the same places, and few of its triangles are looked at`, () => {
      const [plain, quick] = [new Mesh(geometry, new MeshBasicMaterial()), new Mesh(geometry, new MeshBasicMaterial())];
      for (const mesh of [plain, quick]) {
        mesh.position.set(0.2, -0.1, 0.3);
        mesh.scale.setScalar(1.3);
        mesh.updateMatrixWorld(true);
      }
      quickenRays(quick);
      const corners = geometry.index?.count ?? geometry.getAttribute('position').count;
      let looked = 0;
      const spy = vi.spyOn(Mesh.prototype, 'raycast');
      let hits = 0;
      for (const ray of rays(60)) {
        const wanted = ray.intersectObject(plain).map(({ distance, faceIndex }) => ({ distance, faceIndex }));
        spy.mockClear();
        const found = ray.intersectObject(quick).map(({ distance, faceIndex }) => ({ distance, faceIndex }));
        looked += 768 * spy.mock.calls.length;
        hits += found.length;
        expect(found).toEqual(wanted);
      }
      spy.mockRestore();
      expect(hits).toBeGreaterThan(30);
      expect(looked).toBeLessThan(0.1 * 60 * corners);
      expect(geometry.drawRange).toEqual({ start: 0, count: Infinity });
    });
  }
});
