// The server's files over HTTP. The token comes with the page's own address and goes with every request.
import { Refused } from './connection';
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

/** The address of the WebSocket. */
export function socketAddress(): string {
  const url = new URL(address('/ws'));
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

export async function openScene(name: string, scene: string): Promise<void> {
  await good(await fetch(address('/api/scene', { name }), { method: 'POST', body: scene }));
}

/** Opens harness data (KBL, VEC) as a scene; what there is to tell of it. */
export async function openHarness(file: File): Promise<readonly string[]> {
  const answer = await good(await fetch(address('/api/harness', { name: file.name }), { method: 'POST', body: file }));
  return checked(await answer.json(), object({ notes: list(text) }), 'answer').notes;
}

/** Adds a mesh to the scene; the name of the scenery it became. */
export async function addMesh(file: File): Promise<string> {
  const answer = await good(await fetch(address('/api/meshes', { name: file.name }), { method: 'POST', body: file }));
  return checked(await answer.json(), object({ scenery: text }), 'answer').scenery;
}

/** The answer if it is a good one; otherwise an error in the server's words. */
async function good(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  throw new Refused(errorIn(await answer.text()) ?? `${answer.status} ${answer.statusText}`, false, false);
}

function errorIn(said: string): string | undefined {
  try {
    const value: unknown = JSON.parse(said);
    return isObject(value) && text(value['error']) ? value['error'] : undefined;
  } catch {
    // not JSON: the status says it
    return undefined;
  }
}
