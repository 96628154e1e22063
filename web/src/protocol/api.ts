// The server's files over HTTP. The token comes with the page's own address and goes with every request.
import { Away, refusal } from './connection';
import { checked, isObject, list, object, text, type Guarded } from './guard';

const token = new URLSearchParams(location.search).get('token') ?? '';

export type ExportFormat = 'csv' | 'vtk' | 'obj' | 'gltf';

const example = object({ name: text, title: text, about: text, thumbnail: text });
export type Example = Guarded<typeof example>;

/** The address of something of the server, token included. */
export function address(path: string, query: Record<string, string> = {}): string {
  const url = new URL(path, location.origin);
  for (const [key, value] of Object.entries({ ...query, token })) url.searchParams.set(key, value);
  return url.href;
}

/** The name by which the server knows this page when its connection breaks and it comes again. */
const page = [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(16).padStart(8, '0')).join('');

/** The address of the WebSocket. */
export function socketAddress(): string {
  const url = new URL(address('/ws', { page }));
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

export async function examples(): Promise<Example[]> {
  const answer = await good(await fetch(address('/api/examples')));
  return checked(await answer.json(), list(example), 'list of examples');
}

/** The licences of all that the program contains. */
export async function licences(): Promise<string> {
  return (await good(await fetch(address('/api/licences')))).text();
}

/** How a scene is opened: as unsaved changes, of the file at a path; only on a server that has done nothing yet; and the number of this change. */
interface Opening {
  change: number;
  path?: string;
  unsaved?: boolean;
  untouched?: boolean;
}

export async function openScene(name: string, scene: string, { change, path, unsaved, untouched }: Opening): Promise<void> {
  await upload('/api/scene', scene, { name, ...numbered(change), ...(path && { path }), ...(unsaved && { unsaved: '1' }), ...(untouched && { untouched: '1' }) });
}

/** Opens harness data (KBL, VEC) as a scene; what there is to tell of it. */
export async function openHarness(file: File, change: number): Promise<readonly string[]> {
  return checked(await upload('/api/harness', file, { name: file.name, ...numbered(change) }), object({ notes: list(text) }), 'answer').notes;
}

const addedMesh = object({ scenery: text, mesh: text });

/** Adds a mesh to the scene; the name of the scenery it became, and of the file as the scene has it. */
export async function addMesh(file: File, change: number): Promise<Guarded<typeof addedMesh>> {
  return checked(await upload('/api/meshes', file, { name: file.name, ...numbered(change) }), addedMesh, 'answer');
}

/** Gives the server the file of a mesh that a scene names or will name, and changes nothing. */
export async function keepMesh(file: File, name: string): Promise<void> {
  await upload('/api/meshes', file, { name, keep: '1' });
}

/** The bytes of a mesh that was dropped, by the name that the scene has for it. */
export async function droppedMesh(name: string): Promise<Blob> {
  const answer = await fetch(address('/api/meshes', { name }));
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.blob();
}

const numbered = (change: number): Record<string, string> => ({ page, number: String(change) });

/** The answer to something brought, if it is a good one; otherwise an error in the server's words. */
async function upload(path: string, body: string | File, query: Record<string, string>): Promise<unknown> {
  let answer: Response;
  let said: string;
  try {
    answer = await fetch(address(path, query), { method: 'POST', body });
    said = await answer.text();
  } catch {
    throw new Away('the connection to the server broke');
  }
  if (answer.ok) return JSON.parse(said);
  throw refusal(errorIn(said) ?? { error: `${answer.status} ${answer.statusText}` });
}

function errorIn(said: string): { error: string; touched: boolean } | undefined {
  try {
    const value: unknown = JSON.parse(said);
    return isObject(value) && text(value['error']) ? { error: value['error'], touched: value['touched'] === true } : undefined;
  } catch {
    // not JSON: the status says it
    return undefined;
  }
}

async function good(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  throw refusal(errorIn(await answer.text()) ?? { error: `${answer.status} ${answer.statusText}` });
}
