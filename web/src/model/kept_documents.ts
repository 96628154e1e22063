// Documents with unsaved changes, kept in this browser: the latest versions of each, so that neither the end of the server nor that of
// the page takes them along.

export interface Kept {
  /** counts up over all of them */
  id?: number;
  name: string;
  /** of its file, or empty */
  path: string;
  text: string;
  /** milliseconds since 1970 */
  when: number;
  /** whether it is in a file by now, or was given up */
  settled: boolean;
}

const DATABASE = 'filum';
const STORE = 'documents';
/** Versions of one document that are kept, and of all together. */
const VERSIONS = 20;
const MOST = 200;

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id', autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error('this browser keeps nothing'));
  });
  return opened;
}

async function inStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const transaction = (await database()).transaction(STORE, mode);
  const request = work(transaction.objectStore(STORE));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(new Error('this browser kept nothing more: its room is full'));
  });
}

/** All of them, the latest first. */
export async function keptDocuments(): Promise<Kept[]> {
  const all = await inStore<Kept[]>('readonly', (store) => store.getAll());
  return all.reverse();
}

/** Keeps a version. The oldest of the same document go, then the oldest of all. */
export async function keepDocument(version: Kept): Promise<void> {
  await inStore('readwrite', (store) => store.add(version));
  const all = await keptDocuments();
  const same = all.filter(({ name, path }) => name === version.name && path === version.path).slice(VERSIONS);
  for (const { id } of [...same, ...all.slice(MOST)]) await inStore('readwrite', (store) => store.delete(id!));
}

/** Nothing of this document needs to be offered any more. Its versions stay. */
export async function settleDocument(name: string, path: string): Promise<void> {
  for (const version of await keptDocuments()) {
    if (version.settled || version.name !== name || version.path !== path) continue;
    await inStore('readwrite', (store) => store.put({ ...version, settled: true }));
  }
}
