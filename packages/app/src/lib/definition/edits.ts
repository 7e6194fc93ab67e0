// The difference between two documents as a list of edits, each with the value before it, so that they can be made to a
// newer document as well, and what does not fit there any longer is found. Pure.

import { isTranslated } from '../definition-text.ts';
import { type DefinitionDocument, isEntries, type Path, valueAt, withValue } from './document.ts';

export interface Edit {
  readonly path: Path;
  /** Undefined: there was nothing. */
  readonly before?: unknown;
  /** Undefined: removed. */
  readonly after?: unknown;
}

/** People and teams change without a revision, on pages of their own. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['users', 'teams']);

export function editsBetween(
  before: DefinitionDocument,
  after: DefinitionDocument,
): readonly Edit[] {
  const found: Edit[] = [];
  for (const key of keysOf(before, after)) {
    if (!OF_PEOPLE.has(key)) collect([key], valueAt(before, [key]), valueAt(after, [key]), found);
  }
  return found;
}

interface BothForms {
  /** The document with names in all languages. */
  readonly stored: unknown;
  /** The document in one language, as pages show it. */
  readonly document: DefinitionDocument;
}

/** The edits of the document in force to one that has names in all languages, such as a file or an earlier revision. */
export function editsToStored(
  { stored, document }: BothForms,
  wanted: DefinitionDocument,
): readonly Edit[] {
  return editsBetween(stored as DefinitionDocument, wanted).map((edit) => ({
    ...edit,
    before: valueAt(document, edit.path),
  }));
}

function collect(path: Path, before: unknown, after: unknown, found: Edit[]): void {
  if (before === after) return;
  // A section that comes or goes is the edits of its entries: others may add to it at the same time.
  const isSection = path.length === 1;
  const [old, now] = isSection ? [before ?? {}, after ?? {}] : [before, after];
  // A name in several languages is one value.
  const isName = isTranslated(path.at(-1), old) || isTranslated(path.at(-1), now);
  if (isEntries(old) && isEntries(now) && !isName) {
    for (const key of keysOf(old, now)) collect([...path, key], old[key], now[key], found);
    return;
  }
  if (!isSame(before, after)) found.push({ path, before, after });
}

function keysOf(before: object, after: object): ReadonlySet<string> {
  return new Set([...Object.keys(after), ...Object.keys(before)]);
}

/** Null and nothing are the same: a merge patch cannot tell them apart. */
export function isSame(one: unknown, other: unknown): boolean {
  return printed(one) === printed(other);
}

function printed(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part) =>
    isEntries(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Edits of entries that are gone are left out: half an entry would be none. */
export function withEdits(
  document: DefinitionDocument,
  edits: readonly Edit[],
): DefinitionDocument {
  return edits.reduce(
    (now, { path, after }) => (hasPlace(now, path) ? withValue(now, path, after) : now),
    document,
  );
}

function hasPlace(document: DefinitionDocument, path: Path): boolean {
  return path.length <= 2 || isEntries(valueAt(document, path.slice(0, -1)));
}

/** The patch that `POST /definition/plan` merges onto the definition in force. */
export function patchOf(edits: readonly Edit[]): Readonly<Record<string, unknown>> {
  return edits.reduce<Readonly<Record<string, unknown>>>(
    (patch, { path, after }) => withValue(patch, path, after ?? null),
    {},
  );
}

export interface EditConflict {
  readonly edit: Edit;
  /** `gone`: somebody has removed what it is an edit of. */
  readonly kind: 'changed' | 'gone';
  readonly theirs: unknown;
}

/** Edits of what somebody else has changed since; those that come to the same are none. */
export function conflictsOf(
  document: DefinitionDocument,
  edits: readonly Edit[],
): readonly EditConflict[] {
  const conflicts: EditConflict[] = [];
  let now = document;
  for (const edit of edits) {
    const { path, before, after } = edit;
    const theirs = valueAt(document, path);
    if (!hasPlace(now, path)) {
      if (after !== undefined) conflicts.push({ edit, kind: 'gone', theirs: undefined });
      continue;
    }
    const isOurs = isSame(theirs, before) || isSame(theirs, after);
    if (!isOurs) conflicts.push({ edit, kind: 'changed', theirs });
    now = withValue(now, path, after);
  }
  return conflicts;
}

/** The edits that the document does not have yet. */
export function stillNeeded(document: DefinitionDocument, edits: readonly Edit[]): readonly Edit[] {
  return edits.filter(({ path, after }) => !isSame(valueAt(document, path), after));
}

/** The edits that lead from the present value to the wanted one. */
export function ontoPresent(document: DefinitionDocument, { path, after }: Edit): readonly Edit[] {
  const found: Edit[] = [];
  collect(path, valueAt(document, path), after, found);
  return found;
}

export function isSamePath(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

/** A JSON merge patch (RFC 7396), as a definition file is one over the base. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isEntries(patch)) return patch;
  const merged = new Map(isEntries(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
