// Records that were deleted, or may no longer be seen, while somebody had them open.

const gone = new Set<string>();
const listeners = new Set<() => void>();

export function isGone(type: string, id: string): boolean {
  return gone.has(keyOf(type, id));
}

export function followGone(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteGone(type: string, id: string): void {
  gone.add(keyOf(type, id));
  for (const listener of listeners) listener();
}

export function noteThere(type: string, id: string): void {
  if (gone.delete(keyOf(type, id))) for (const listener of listeners) listener();
}

function keyOf(type: string, id: string): string {
  return `${type} ${id}`;
}
