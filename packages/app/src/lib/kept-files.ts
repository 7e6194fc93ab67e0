// Files that a person has chosen, kept in this browser until they are imported or the session ends (IndexedDB). Where that
// is forbidden or full, a file is lost at a reload without an error.

const DATABASE = 'wrs.files';
const STORE = 'files';

/** The name of the stored file that a person imports as records of an object. */
export function keptFileName(workspace: string, userId: number, objectType: string): string {
  return `import:${workspace}:${userId}:${objectType}`;
}

/** Undefined: nothing is kept under this name. */
export async function readKept(name: string): Promise<unknown> {
  return run('readonly', (store) => store.get(name)).catch(() => undefined);
}

/** Undefined forgets it. */
export async function writeKept(name: string, value: unknown): Promise<void> {
  await run('readwrite', (store) =>
    value === undefined ? store.delete(name) : store.put(value, name),
  ).catch(() => undefined);
}

/** Deletes the stored files at the end of a session. */
export function forgetKept(): void {
  globalThis.indexedDB?.deleteDatabase(DATABASE);
}

async function run(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const database = await opened();
  try {
    return await answerOf(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return answerOf(request);
}

function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
}
