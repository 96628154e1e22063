// The message «scene»: all that a tree and an inspector show, as docs/workbench-protocol.md has it, in SI units. What the scene
// file has is generated from its description (scene_keys.generated.ts); here is what the server works out beside it.
import { byName, flag, list, nullable, number, object, oneOf, text, type Guarded } from './guard';
import * as keys from './scene_keys.generated';
import { pair, vec3 } from './vectors';

const placed = { path: text };

/** Of the scene; those that every scene may use have no path. */
export const material = object(keys.materialKeys, placed);

/** Which numbers there are depends on the shape. */
const section = object({ ...keys.sectionKeys, ...placed }, keys.sectionNumbers);

/** Its length is the one that it has, given or drawn; stiffness and mass are those of its start. */
const rod = object({
  ...keys.rodKeys,
  ...placed,
  length: number,
  length_given: flag,
  stiffness: object({ EA: number, EI: pair, GJ: number }),
  mass_per_length: number,
  mass: number,
  outline: pair,
  bend_radius_limit: nullable(number),
});

/** `kind` is the key of its shape; a point is a box without edges. */
const body = object({ ...keys.bodyKeys, ...placed, kind: oneOf('box', 'sphere', 'cylinder', 'capsule', 'mesh') });
const hold = object({ ...keys.holdKeys, ...placed, driven: flag });
const junction = object({ ...keys.junctionKeys, ...placed });

/** A force or a torque, on a place of a rod or on a body. */
const { force: _force, ...onSomething } = keys.forceKeys;
const load = object({ ...onSomething, ...placed }, { force: vec3, torque: vec3 });

/** What a keyframe does not say is null. */
const keyframe = object(keys.keyframeKeys);
const driver = object({ ...keys.driverKeys, ...placed });

const winch = object({ ...keys.winchKeys, ...placed });
const sheave = object({ ...keys.sheaveKeys, ...placed });
const rope = object({ ...keys.ropeKeys, ...placed });
/** The address of a mesh obstacle is that of its file; of other shapes, and where it is not to be found, ''. */
const obstacle = object({ ...keys.obstacleKeys, ...placed, bytes: number, address: text });

/** A mesh that is looked at. `mesh` is the file as the scene names it; an address of '' means that it is not to be found. */
const sceneryItem = object({ ...keys.sceneryKeys, ...placed, bytes: number, address: text });

export const sceneMessage = object({
  ...keys.sceneKeys,
  type: oneOf('scene'),
  revision: number,
  /** tells one document from another, whatever it is called */
  document: number,
  empty: flag,
  materials: list(material),
  rods: list(rod),
  bodies: list(body),
  holds: list(hold),
  forces: list(load),
  torques: list(load),
  obstacles: list(obstacle),
  scenery: list(sceneryItem),
  probes: list(object({ ...keys.probeKeys, ...placed })),
  /** by formulation: why it cannot take this scene */
  refusals: byName(text),
  /** holds of hands at points of rods: frames list them after the scene's holds */
  hands: list(object({ name: text, rod: text })),
  warnings: list(text),
});

export type Material = Guarded<typeof material>;
export type Section = Guarded<typeof section>;
export type Rod = Guarded<typeof rod>;
export type Body = Guarded<typeof body>;
export type Hold = Guarded<typeof hold>;
export type Junction = Guarded<typeof junction>;
export type Load = Guarded<typeof load>;
export type Keyframe = Guarded<typeof keyframe>;
export type Driver = Guarded<typeof driver>;
export type Winch = Guarded<typeof winch>;
export type Sheave = Guarded<typeof sheave>;
export type Rope = Guarded<typeof rope>;
export type Wheel = Rope['through'][number];
export type Obstacle = Guarded<typeof obstacle>;
export type SceneryItem = Guarded<typeof sceneryItem>;
export type SceneMessage = Guarded<typeof sceneMessage>;
