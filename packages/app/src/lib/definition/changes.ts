// The edits of a draft as people count them: a change is everything about one field, object, relationship, status or
// type. Pure.

import { isSame } from '../field-value.ts';
import { type DefinitionDocument, type Path, valueAt } from './document.ts';
import { type Edit, isSamePath } from './edits.ts';
import { followedBy, renamesOf } from './renames.ts';

export interface DraftChange {
  /** The path of the entry. */
  readonly path: Path;
  readonly action: 'add' | 'remove' | 'change' | 'rename';
  readonly edits: readonly Edit[];
}

export function changesOf(edits: readonly Edit[]): readonly DraftChange[] {
  const byEntry = new Map<string, { readonly path: Path; readonly edits: Edit[] }>();
  const renames = renamesOf(edits);
  const renamed = new Map(
    renames.map(({ path, old }) => [JSON.stringify([...path.slice(0, -1), old]), path]),
  );
  const whole = new Map(edits.map(({ path }) => [JSON.stringify(path), path]));
  for (const edit of edits) {
    const own = grantedIn(edit, whole) ?? placedIn(edit, whole) ?? entryOf(edit.path);
    const path = renamed.get(JSON.stringify(own)) ?? followedBy(edit, renames) ?? own;
    const key = JSON.stringify(path);
    const entry = byEntry.get(key) ?? { path, edits: [] };
    entry.edits.push(edit);
    byEntry.set(key, entry);
  }
  return [...byEntry.values()].map((entry) => ({ ...entry, action: actionOf(entry) }));
}

/**
 * The object or field that a grant of a role is of, when that comes or goes itself: `roles.rep.objects.deals.fields.code`
 * goes with `objects.deals.fields.code`.
 */
function grantedIn(edit: Edit, whole: ReadonlyMap<string, Path>): Path | undefined {
  const [section, , part, , , field] = edit.path;
  if (section !== 'roles' || part !== 'objects') return undefined;
  // The first and the last grant come and go with the map that they are in.
  const entries = Object.keys(Object(edit.after ?? edit.before));
  const only = entries.length === 1 ? entries[0] : undefined;
  const type = edit.path[3] ?? only ?? '';
  const key = field ?? (edit.path.length === 5 ? only : undefined);
  const granted = key === undefined ? ['objects', type] : ['objects', type, 'fields', key];
  return whole.get(JSON.stringify(granted));
}

const ORDERED: Readonly<Record<string, string>> = {
  field_order: 'fields',
  status_order: 'statuses',
};

/** The new field or status for which an order has a place, while the others keep theirs. */
function placedIn(
  { path, before, after }: Edit,
  whole: ReadonlyMap<string, Path>,
): Path | undefined {
  const entries = ORDERED[path.at(-1) ?? ''];
  if (entries === undefined || !Array.isArray(before) || !Array.isArray(after)) return undefined;
  const newKeys = after.filter((key) => !before.includes(key));
  const oldKeys = after.filter((key) => before.includes(key));
  if (!isSame(oldKeys, before)) return undefined;
  const paths = newKeys.map((key) => JSON.stringify([...path.slice(0, -1), entries, key]));
  return whole.get(paths.find((one) => whole.has(one)) ?? '');
}

/** The entry that a path is in. */
export function entryOf(path: Path): Path {
  const isDeep = path[2] === 'fields' || path[2] === 'statuses';
  return path.slice(0, isDeep && path.length > 3 && path[0] !== 'roles' ? 4 : 2);
}

function actionOf({ path, edits }: Pick<DraftChange, 'path' | 'edits'>): DraftChange['action'] {
  const whole = edits.find((edit) => isSamePath(edit.path, path));
  if (whole === undefined || path.length === 1) return 'change';
  if (valueAt(whole.after, ['renamed_from']) !== undefined) return 'rename';
  if (whole.before === undefined) return 'add';
  return whole.after === undefined ? 'remove' : 'change';
}

/** The name of an entry as people know it, in the first document that has one. */
export function nameAt(documents: readonly DefinitionDocument[], path: Path): string {
  for (const document of documents) {
    const name = valueAt(document, [...path, 'name']);
    if (typeof name === 'string') return name;
  }
  return path.at(-1) ?? '';
}
