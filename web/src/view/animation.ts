// A recording as an animated glTF: every cable is a tube of rings, each on a bone that moves as the point of the cable does; bodies move
// as they are. Distances are in metres, y is up, as glTF has it.
import {
  AnimationClip, Bone, BufferAttribute, BufferGeometry, Float32BufferAttribute, Group, Mesh, MeshStandardMaterial, Quaternion, QuaternionKeyframeTrack, Skeleton,
  SkinnedMesh, Uint16BufferAttribute, VectorKeyframeTrack, type KeyframeTrack,
} from 'three';
import { setQuaternion } from '../model/quaternions';
import type { Recording } from '../model/recording';
import { scene } from '../model/store';
import type { FrameStore, RodFrame } from '../protocol/frame';
import { bodyGeometry } from './bodies';
import { CABLE_COLOURS } from './cables';

const AROUND = 12;
/** Frames of the animation at most. */
const MOST_FRAMES = 600;

export async function animationOf(recording: Recording): Promise<ArrayBuffer> {
  const known = scene.peek();
  const step = Math.ceil(recording.frames.length / MOST_FRAMES);
  const frames = recording.frames.filter((_, k) => k % step === 0);
  const first = frames[0];
  if (!known || !first || frames.length < 2) throw new Error('nothing was recorded yet: let it play first');
  const times = frames.map(({ time }) => time - first.time);
  const root = new Group();
  root.rotation.x = -Math.PI / 2;
  const tracks: KeyframeTrack[] = [];
  first.rods.forEach((rod, k) => {
    // one whose points were counted anew meanwhile cannot be led along
    if (rod.count < 2 || frames.some((frame) => frame.rods[k]?.count !== rod.count)) return;
    root.add(tubeOf(rod, known.rods[k]?.name ?? `cable ${k}`, CABLE_COLOURS[k % CABLE_COLOURS.length]!));
    for (let point = 0; point < rod.count; ++point) {
      const name = `rod${k}_${point}`;
      tracks.push(new VectorKeyframeTrack(`${name}.position`, times, frames.flatMap((frame) => [...frame.rods[k]!.positions.subarray(3 * point, 3 * point + 3)])));
      tracks.push(new QuaternionKeyframeTrack(`${name}.quaternion`, times, turns(frames.map((frame) => frame.rods[k]!.frames.subarray(4 * point, 4 * point + 4)))));
    }
    renameBones(root.children.at(-1)!, k);
  });
  first.bodies.forEach((_, k) => addBody(root, tracks, frames, times, k));
  const { GLTFExporter } = await import('three/addons/exporters/GLTFExporter.js');
  const made = await new GLTFExporter().parseAsync(root, { binary: true, animations: [new AnimationClip('run', -1, tracks)] });
  if (!(made instanceof ArrayBuffer)) throw new Error('the animation could not be written');
  return made;
}

function addBody(root: Group, tracks: KeyframeTrack[], frames: readonly FrameStore[], times: number[], k: number): void {
  const described = scene.peek()!.bodies[k];
  if (!described) return;
  const mesh = new Mesh(bodyGeometry(described, 0.01), new MeshStandardMaterial({ color: '#7c8694' }));
  mesh.name = `body${k}`;
  mesh.position.fromArray(frames[0]!.bodies[k]!.position);
  setQuaternion(mesh.quaternion, frames[0]!.bodies[k]!.orientation);
  root.add(mesh);
  tracks.push(new VectorKeyframeTrack(`body${k}.position`, times, frames.flatMap((frame) => [...frame.bodies[k]!.position])));
  tracks.push(new QuaternionKeyframeTrack(`body${k}.quaternion`, times, turns(frames.map((frame) => frame.bodies[k]!.orientation))));
}

/** Orientations as three.js has them, each on the same side as the last. */
function turns(list: readonly ArrayLike<number>[]): number[] {
  const last = new Quaternion();
  return list.flatMap((wxyz, k) => {
    const now = setQuaternion(new Quaternion(), wxyz);
    if (k > 0 && now.dot(last) < 0) now.set(-now.x, -now.y, -now.z, -now.w);
    last.copy(now);
    return now.toArray();
  });
}

/** Rings about the points of a rod, each held by the bone of its point. */
function tubeOf(rod: RodFrame, name: string, color: string): SkinnedMesh {
  const bones = Array.from({ length: rod.count }, (_, k) => {
    const bone = new Bone();
    bone.position.fromArray(rod.positions, 3 * k);
    setQuaternion(bone.quaternion, rod.frames.subarray(4 * k, 4 * k + 4));
    return bone;
  });
  const positions: number[] = [];
  const normals: number[] = [];
  const joints: number[] = [];
  const weights: number[] = [];
  const place = bones[0]!.position.clone();
  const normal = place.clone();
  bones.forEach((bone, k) => {
    for (let j = 0; j <= AROUND; ++j) {
      const angle = (2 * Math.PI * j) / AROUND;
      normal.set(Math.cos(angle), Math.sin(angle), 0);
      place.set(rod.outline[2 * k]! * normal.x, rod.outline[2 * k + 1]! * normal.y, 0).applyQuaternion(bone.quaternion).add(bone.position);
      positions.push(...place.toArray());
      normals.push(...normal.applyQuaternion(bone.quaternion).toArray());
      joints.push(k, 0, 0, 0);
      weights.push(1, 0, 0, 0);
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  geometry.setAttribute('skinIndex', new Uint16BufferAttribute(joints, 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
  geometry.setIndex(new BufferAttribute(new Uint32Array(triangles(rod.count)), 1));
  const mesh = new SkinnedMesh(geometry, new MeshStandardMaterial({ color, roughness: 0.5 }));
  mesh.name = name;
  mesh.add(...bones);
  mesh.updateMatrixWorld(true);
  mesh.bind(new Skeleton(bones));
  return mesh;
}

/** Tracks find bones by their names. */
function renameBones(mesh: Group['children'][number], k: number): void {
  mesh.children.forEach((bone, point) => (bone.name = `rod${k}_${point}`));
}

function triangles(rings: number): number[] {
  const list: number[] = [];
  for (let k = 0; k + 1 < rings; ++k)
    for (let j = 0; j < AROUND; ++j) {
      const a = k * (AROUND + 1) + j;
      const b = a + AROUND + 1;
      list.push(a, a + 1, b, a + 1, b + 1, b);
    }
  return list;
}
