// The keys that fields have had: rows of the history have those of their time (docs/design/history.md). Pure.

import type { ObjectModel } from '../../model/definition/model.ts';
import type { FieldChange } from '../../model/definition/revision.ts';

/** A field had this key in the definitions from `first` to before `until`. */
export interface KeySpan {
  /** The present key. */
  readonly field: string;
  readonly key: string;
  readonly first: number;
  readonly until: number;
}

/** The end of a span that continues. */
export const END_OF_SPANS = 2_147_483_647;

/** The history of all fields of an object. */
const ALL_FIELDS = '*';

/**
 * The spans of these fields, back to where the history of each begins: the field, or its type, was another one before. The
 * changes are those of all revisions, the first one first.
 */
export function keySpans(
  object: Pick<ObjectModel, 'object_type'>,
  fields: readonly string[],
  changes: readonly FieldChange[],
): readonly KeySpan[] {
  const own = changesOf(object.object_type, changes);
  return fields.flatMap((field) => spansOf(field, own));
}

/** The definition by which the present values of a field begin; 0: all that are kept. */
export function beginningOf(field: string, spans: readonly KeySpan[]): number {
  return Math.min(...spans.filter((span) => span.field === field).map(({ first }) => first));
}

/** The definition by which the history of an object begins; 0: all that is kept. */
export function historySince(
  { object_type }: Pick<ObjectModel, 'object_type'>,
  changes: readonly FieldChange[],
): number {
  const ended = changesOf(object_type, changes).find((one) => one.ended.has(ALL_FIELDS));
  return ended?.revision ?? 0;
}

/** The changes of one revision to an object: former keys by the present ones, and histories that end. */
interface RevisionOfFields {
  readonly revision: number;
  readonly former: Map<string, string>;
  readonly ended: Set<string>;
}

/** The last revision first. Renames come before other changes of a revision, which have the new keys. */
function changesOf(objectType: string, changes: readonly FieldChange[]): RevisionOfFields[] {
  const fieldChanges: RevisionOfFields[] = [];
  let key = objectType;
  let before = key;
  let revision = END_OF_SPANS;
  for (const change of changes.toReversed()) {
    if (change.revision < revision) key = before;
    revision = change.revision;
    const [, object, , field] = change.path.split('.');
    if (object !== key) continue;
    if (change.ends === null && field === undefined) before = change.from ?? key;
    else putChange(fieldChanges, change, field);
  }
  return fieldChanges;
}

function putChange(found: RevisionOfFields[], change: FieldChange, field = ''): void {
  const { revision, ends, from } = change;
  let last = found.at(-1);
  if (last?.revision !== revision) {
    last = { revision, former: new Map(), ended: new Set() };
    found.push(last);
  }
  if (ends !== null) last.ended.add(ends);
  else if (from !== null) last.former.set(field, from);
}

function spansOf(field: string, changes: readonly RevisionOfFields[]): readonly KeySpan[] {
  const spans: KeySpan[] = [];
  let key = field;
  let until = END_OF_SPANS;
  for (const { revision, former, ended } of changes) {
    const isEnded = ended.has(ALL_FIELDS) || ended.has(key);
    const from = former.get(key);
    if (!isEnded && from === undefined) continue;
    spans.push({ field, key, first: revision, until });
    if (isEnded || from === undefined) return spans;
    key = from;
    until = revision;
  }
  return [...spans, { field, key, first: 0, until }];
}
