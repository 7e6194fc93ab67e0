// Records that references of a file name and that do not exist yet: their names, and the import that makes them. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { csvText } from '../../../../tables/src/csv-text.ts';
import type { Rejects } from '../../lib/reject-rows.ts';
import type { ImportDraft, Target } from './import-draft.ts';
import { importFields, isNeeded, referenceOf } from './import-fields.ts';
import type { MappingDocument } from './mapping-document.ts';

export interface RejectedNames {
  readonly heading: string;
  /** The reference. */
  readonly field: Field;
  /** The object of the records, and its field that the file has. */
  readonly other: ObjectDefinition;
  readonly by: Field;
  readonly names: readonly string[];
}

/** The cells of references for which rows were rejected; the service gives ids and numbers itself. */
export function rejectedNames(
  { object, others }: Target,
  draft: ImportDraft,
  { headings, rows }: Rejects,
): readonly RejectedNames[] {
  const fields = new Map(importFields(object).map((field) => [field.key, field]));
  return draft.columns.flatMap(({ heading, field: key, naming }) => {
    const field = fields.get(key ?? '');
    const other = field === undefined ? undefined : others.get(referenceOf(field) ?? '');
    const by = other?.fields.find((one) => one.key === naming && one.editable);
    if (field === undefined || other === undefined || by === undefined) return [];
    const index = headings.indexOf(heading);
    const names = rows
      .filter(({ problems }) => problems.some((problem) => problem.heading === heading))
      .map(({ cells }) => (cells[index] ?? '').trim());
    const distinct = [...new Set(names)].filter((name) => name !== '');
    return distinct.length === 0 ? [] : [{ heading, field, other, by, names: distinct }];
  });
}

/** Fields besides the name that a new record must have. */
export function otherNeeds(other: ObjectDefinition, by: Field): readonly Field[] {
  return importFields(other).filter((field) => isNeeded(field) && field.key !== by.key);
}

/** Repeated, it makes no record a second time. */
export function recordsImport(
  { object_type }: ObjectDefinition,
  { key }: Field,
  names: readonly string[],
): { readonly content: Blob; readonly mapping: MappingDocument } {
  const content = new Blob([csvText([[key], ...names.map((name) => [name])])], {
    type: 'text/csv',
  });
  return { content, mapping: { object_type, match: [key], columns: { [key]: key } } };
}
