// A deleted record that is to come back, and the other records that must be looked up before: targets of references, other
// ends of links, records that lost their reference to it (docs/design/trash.md). Pure.

import type { Field, ObjectModel, Relationship } from '../../model/definition/model.ts';
import { filesIn } from './file-values.ts';
import type { TrashScope } from './trash-plan.ts';
import { currentValue, type LinkedPair } from './write-validation.ts';

type Row = Readonly<Record<string, unknown>>;

/** A record in the trash, from its locked row: its values by column, and what was attached to it. */
export interface TrashedRecord {
  readonly id: string;
  readonly row: Row;
  readonly revision: number;
  readonly commented: boolean;
  readonly links: readonly TrashedLink[];
  readonly cleared: readonly ClearedReference[];
}

/** A row of `_links`. */
export interface TrashedLink {
  readonly relationship: string;
  readonly from_id: string;
  readonly to_id: string;
}

/** The table, record and column of a reference that became null. */
export type ClearedReference = readonly [table: string, id: string, column: string];

/** The record, and what must be looked up before it can come back. */
export interface RestoreQuestion {
  readonly record: TrashedRecord;
  readonly references: readonly OwnReference[];
  readonly links: readonly OwnLink[];
  readonly cleared: readonly OtherReference[];
  /** Ids of the files in its values. */
  readonly files: readonly string[];
}

/** A reference of the record to another one. */
export interface OwnReference {
  readonly field: Field;
  readonly target: ObjectModel;
  readonly id: string;
}

/** A link of the record, as seen from it. */
export interface OwnLink {
  readonly link: TrashedLink;
  readonly pair: LinkedPair;
  readonly relationship: Relationship;
  readonly other: ObjectModel;
  readonly id: string;
}

/** A reference of another record to this one that became null with its delete. */
export interface OtherReference {
  readonly object: ObjectModel;
  readonly id: string;
  readonly field: Field;
}

/** The state of the other records. */
export interface RestoreFindings {
  /** The existing targets of references and other ends of links, by `recordKey`. */
  readonly present: ReadonlySet<string>;
  /** The records that lost their reference to this one, by `recordKey`. */
  readonly referrers: ReadonlyMap<string, Row>;
  /** The records in the trash, by `recordKey`. */
  readonly trashed: ReadonlySet<string>;
  /** Links of ends that can have one only. */
  readonly taken: readonly TrashedLink[];
  /** The files that are still those of the record, and not those of one that it was merged into. */
  readonly files: ReadonlySet<string>;
}

/** References of one record that come back. */
export interface ReturningReferences {
  readonly object: ObjectModel;
  readonly id: string;
  readonly before: Row;
  readonly fields: readonly Field[];
}

/** The parts that a record in the trash remembers until it comes back. */
export interface WaitingFor {
  readonly object: ObjectModel;
  readonly id: string;
  readonly links: readonly TrashedLink[];
  readonly cleared: readonly ClearedReference[];
  readonly columns: readonly string[];
}

/** The question of a row of `lockTrashedSql`. Relationships and fields that are gone, or lead elsewhere, are left out. */
export function restoreQuestion({ model, object }: TrashScope, locked: Row): RestoreQuestion {
  const record = trashedRecord(locked);
  const tables = new Map([...model.objects.values()].map((one) => [one.table, one]));
  return {
    record,
    references: [...object.fields.values()].flatMap((field): OwnReference[] => {
      const target = model.objects.get(field.reference_object_type ?? '');
      const value = currentValue(record.row, field);
      return target === undefined || value === null ? [] : [{ field, target, id: String(value) }];
    }),
    links: record.links.flatMap((link): OwnLink[] => {
      const relationship = relationshipOf(object, record.id, link);
      const other = model.objects.get(relationship?.object_type ?? '');
      if (relationship?.via.kind !== 'link' || other === undefined) return [];
      const { from_id, to_id } = link;
      const id = from_id === record.id ? to_id : from_id;
      return [{ link, pair: { via: relationship.via, from_id, to_id }, relationship, other, id }];
    }),
    cleared: record.cleared.flatMap(([table, id, column]): OtherReference[] => {
      const referring = tables.get(table);
      const fields = [...(referring?.fields.values() ?? [])];
      const field = fields.find(
        (one) => one.column === column && one.reference_object_type === object.object_type,
      );
      return referring === undefined || field === undefined
        ? []
        : [{ object: referring, id, field }];
    }),
    files: object.file_fields.flatMap((field) => filesIn(record.row, field).map(({ id }) => id)),
  };
}

function trashedRecord(locked: Row): TrashedRecord {
  const { _revision, _commented, _links, _cleared, ...row } = locked;
  return {
    id: String(row.id),
    row,
    revision: Number(_revision),
    commented: _commented === true,
    links: (_links ?? []) as readonly TrashedLink[],
    cleared: (_cleared ?? []) as readonly ClearedReference[],
  };
}

/** A link of an object with itself is stored in both directions; it counts once. */
function relationshipOf(
  { relationships }: ObjectModel,
  id: string,
  { relationship, from_id }: TrashedLink,
): Relationship | undefined {
  return relationships.find(({ via }) => {
    if (via.kind !== 'link' || via.key !== relationship) return false;
    return (via.side === 'to') === (from_id !== id);
  });
}
