// Files of meshes that the document names and that lie beside no scene: dropped in this page or made by the server. A server that was started anew gets them from here.
import { droppedMesh, keepMesh } from '../protocol/api';

const given = new Map<string, File>();

/** A file that this page was given, by the name that the scene has for it. */
export function remember(file: File, name = file.name): void {
  given.set(name, file);
}

/** Which of these this page lacks. */
export const lacking = (names: readonly string[]): readonly string[] => names.filter((name) => !given.has(name));

/** Fetches those that this page lacks. What fails is tried with the next change. */
export async function fetchLacking(names: readonly string[]): Promise<void> {
  for (const name of lacking(names)) {
    const bytes = await droppedMesh(name).catch(() => undefined);
    if (bytes) given.set(name, new File([bytes], name));
  }
}

/** Gives them to a server; twice is as good as once. */
export async function giveMeshes(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const file = given.get(name);
    if (file) await keepMesh(file, name);
  }
}
