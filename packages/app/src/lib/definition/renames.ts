// The renames among the edits of a draft, and the edits that only follow one: they say the new key where the old one was.
// Pure.

import { isEntries, type Path, valueAt } from './document.ts';
import { type Edit, isSame } from './edits.ts';

export interface Rename {
  /** The path with the new key. */
  readonly path: Path;
  readonly old: string;
}

export function renamesOf(edits: readonly Edit[]): readonly Rename[] {
  return edits.flatMap(({ path, before, after }) => {
    const old = before === undefined ? valueAt(after, ['renamed_from']) : undefined;
    return typeof old === 'string' ? [{ path, old }] : [];
  });
}

/** The entry whose rename the edit follows. */
export function followedBy(edit: Edit, renames: readonly Rename[]): Path | undefined {
  return renames.find((rename) => isIn(edit.path, rename.path) && follows(edit, rename))?.path;
}

/** Keys of fields and statuses are named in their object or workflow, and by types of work items. */
function isIn(path: Path, renamed: Path): boolean {
  if (renamed.length === 2 || path[0] === 'work_item_types') return true;
  return path[0] === renamed[0] && path[1] === renamed[1];
}

const ORDERS: ReadonlySet<string | undefined> = new Set(['field_order', 'status_order']);

function follows({ path, before, after }: Edit, { path: entry, old }: Rename): boolean {
  const key = entry.at(-1) ?? '';
  if (after === undefined) return false;
  if (before !== undefined) return isSame(withKey(before, old, key), after);
  // An order that keeps the place of the entry.
  return ORDERS.has(path.at(-1)) && Array.isArray(after) && after.includes(key);
}

function withKey(value: unknown, old: string, key: string): unknown {
  if (value === old) return key;
  if (Array.isArray(value)) return value.map((one) => withKey(one, old, key));
  if (!isEntries(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([one, inner]) => [one, withKey(inner, old, key)]),
  );
}
