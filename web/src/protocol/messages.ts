// What the server says in text, as docs/workbench-protocol.md has it. Every message is checked as it comes in.
import { checked, flag, isObject, list, nullable, number, object, oneOf, text, ProtocolError, type Guarded } from './guard';
import { sceneMessage } from './scene';
import { stateMessage } from './state';

const helloMessage = object({
  type: oneOf('hello'),
  version: text,
  /** tells this start of the server from others */
  process: number,
  file_folder: text,
  /** what frames have along rods */
  channels: list(text),
  formulations: list(object({ name: text, motion: flag })),
  /** those that every scene knows */
  materials: list(object({ name: text, young: number, poisson: number, density: number })),
});

const event = object({ n: number, t: number, level: oneOf('info', 'warning', 'error'), what: text, event: text, target: text });

/** The answer to a command: what it has besides depends on the command. */
const reply = object({ type: oneOf('reply'), id: nullable(number), ok: flag }, { error: text, exists: flag, changed: flag, touched: flag });

/** A command that takes long; `cmd` null: it is done. Seconds so far, and the limit. */
const busyMessage = object({ type: oneOf('busy'), cmd: nullable(text), seconds: number, limit: number });

/** How much of what this page has changed is in the document, by the page's own numbers; and the document, if it is another than was told last. */
const documentMessage = object({ type: oneOf('document'), done: number }, { name: text, path: text, dirty: flag, text, meshes: list(text) });

const guards = {
  hello: helloMessage,
  scene: sceneMessage,
  state: stateMessage,
  events: object({ type: oneOf('events'), events: list(event) }),
  busy: busyMessage,
  document: documentMessage,
  reply,
  bye: object({ type: oneOf('bye') }),
};

export type HelloMessage = Guarded<typeof helloMessage>;
export type ServerEvent = Guarded<typeof event>;
export type DocumentMessage = Guarded<typeof documentMessage>;
export type BusyMessage = Guarded<typeof busyMessage>;
export type Reply = Guarded<typeof reply>;
export type ServerMessage = Guarded<(typeof guards)[keyof typeof guards]>;

const kind = oneOf('hello', 'scene', 'state', 'events', 'busy', 'document', 'reply', 'bye');

/** A message; undefined: of a kind that this page does not know, for a newer server may say more. */
export function readMessage(said: string): ServerMessage | undefined {
  const value: unknown = JSON.parse(said);
  if (!isObject(value) || !text(value['type'])) throw new ProtocolError("the server's message has no type");
  const type = value['type'];
  return kind(type) ? checked<ServerMessage>(value, guards[type], type) : undefined;
}
