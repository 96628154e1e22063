// The server's files over HTTP. The token comes with the page's own address and goes with every request.
import type { Example } from './messages';

const token = new URLSearchParams(location.search).get('token') ?? '';

export type ExportFormat = 'csv' | 'vtk' | 'obj' | 'gltf';

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
  return (await checked(await fetch(address('/api/examples')))).json() as Promise<Example[]>;
}

export async function openScene(name: string, text: string): Promise<void> {
  await checked(await fetch(address('/api/scene', { name }), { method: 'POST', body: text }));
}

/** Adds a mesh to the scene; the name of the scenery it became. */
export async function addMesh(file: File): Promise<string> {
  const answer = await checked(await fetch(address('/api/meshes', { name: file.name }), { method: 'POST', body: file }));
  return ((await answer.json()) as { scenery: string }).scenery;
}

/** The answer if it is a good one; otherwise an error in the server's words. */
async function checked(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const text = await answer.text();
  let error = `${answer.status} ${answer.statusText}`;
  try {
    error = (JSON.parse(text) as { error?: string }).error ?? error;
  } catch {
    // not JSON: the status says it
  }
  throw new Error(error);
}
