// Looks up and locks the other records of one that is restored, in one round trip: those it refers or links to, those
// that lost their reference to it, and those of all these that are in the trash as well.

import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { lockRanks } from '../../plan/write/lock-order.ts';
import type {
  RestoreFindings,
  RestoreQuestion,
  TrashedLink,
} from '../../plan/write/restore-question.ts';
import type { TrashScope } from '../../plan/write/trash-plan.ts';
import { recordKey } from '../../plan/write/write-validation.ts';
import type { Row, Transaction } from '../../postgres/db.ts';
import type { ReachableIds } from '../../sql/read/shared-ids-sql.ts';
import { type Statement, toStatement } from '../../sql/sql.ts';
import { heldFilesSql } from '../../sql/write/file-sql.ts';
import { takenEndsSql } from '../../sql/write/link-sql.ts';
import { lockSql, referencesSql } from '../../sql/write/lookup-sql.ts';
import { otherTrashedSql, type RecordPlace } from '../../sql/write/trash-sql.ts';

interface NamedRecord {
  readonly object: ObjectModel;
  readonly id: string;
}

/** A statement, and what its rows are about. */
interface OtherLookup {
  readonly kind: 'present' | 'referrers' | 'trashed' | 'taken' | 'files';
  readonly object: ObjectModel | undefined;
  readonly statement: Statement;
}

/** Whatever the caller may read: the values of a record do not depend on the person who restores it. */
export async function lookUpOthers(
  tx: Transaction,
  { model, object }: Pick<TrashScope, 'model' | 'object'>,
  question: RestoreQuestion,
): Promise<RestoreFindings> {
  const lookups = [...otherLookups(model, question), ...fileLookups(model, object, question)];
  const answers = await tx.queryAll(lookups.map(({ statement }) => statement));
  const rowsOf = (kind: OtherLookup['kind']) =>
    lookups.flatMap((lookup, index) => {
      const rows = lookup.kind === kind ? (answers[index] ?? []) : [];
      return rows.map((row) => ({ row, object: lookup.object as ObjectModel }));
    });
  const keyOf = ({ row, object }: { readonly row: Row; readonly object: ObjectModel }) =>
    recordKey(object, String(row.id));
  const tables = new Map([...model.objects.values()].map((object) => [object.table, object]));
  return {
    present: new Set(rowsOf('present').map(keyOf)),
    referrers: new Map(rowsOf('referrers').map((found) => [keyOf(found), found.row])),
    trashed: new Set(
      rowsOf('trashed').map(({ row }) => {
        const object = tables.get(String(row.table_name)) as ObjectModel;
        return recordKey(object, String(row.record_id));
      }),
    ),
    taken: rowsOf('taken').map(({ row }) => row as unknown as TrashedLink),
    files: new Set(rowsOf('files').map(({ row }) => String(row.id))),
  };
}

/**
 * Records are locked in the order of all writes (D284), and the links are read when the records are held. The trash is
 * looked into before and after: a record may come back or be deleted meanwhile, and is then waited for.
 */
function otherLookups(model: WorkspaceModel, question: RestoreQuestion): readonly OtherLookup[] {
  const { schema } = model;
  const { references, links, cleared } = question;
  const targets = [
    ...references.map(({ target, id }) => ({ object: target, id })),
    ...links.map(({ other, id }) => ({ object: other, id })),
  ];
  const places = placesOf([...targets, ...cleared]);
  if (places.length === 0) return [];
  const held = byObject(targets).map(({ object, ids }): OtherLookup => {
    const statement = toStatement(referencesSql(schema, object, wherever(ids)));
    return { kind: 'present', object, statement };
  });
  const changed = byObject(cleared).map(({ object, ids }): OtherLookup => {
    const statement = toStatement(lockSql(schema, object, wherever(ids), 'update'));
    return { kind: 'referrers', object, statement };
  });
  const ranks = lockRanks(model);
  const rankOf = ({ object }: OtherLookup) => ranks.get(object as ObjectModel) as number;
  const pairs = links.map(({ pair }) => pair).filter(({ via }) => via.from_one || via.to_one);
  const taken = pairs.length === 0 ? [] : [toStatement(takenEndsSql(schema, pairs))];
  const statement = toStatement(otherTrashedSql(schema, places));
  const trashed: OtherLookup = { kind: 'trashed', object: undefined, statement };
  return [
    trashed,
    ...[...held, ...changed].sort((one, other) => rankOf(one) - rankOf(other)),
    trashed,
    ...taken.map((statement) => ({ kind: 'taken', object: undefined, statement }) as const),
  ];
}

/** The record is in the trash, which keeps its files. */
function fileLookups(
  { schema }: WorkspaceModel,
  { table }: ObjectModel,
  { record: { id }, files }: RestoreQuestion,
): readonly OtherLookup[] {
  if (files.length === 0) return [];
  const statement = toStatement(heldFilesSql(schema, { table, id }, files));
  return [{ kind: 'files', object: undefined, statement }];
}

function placesOf(records: readonly NamedRecord[]): readonly RecordPlace[] {
  const named = new Map(records.map(({ object, id }) => [recordKey(object, id), { object, id }]));
  return [...named.values()].map(({ object, id }) => ({ table: object.table, id }));
}

function byObject(
  records: readonly NamedRecord[],
): readonly { readonly object: ObjectModel; readonly ids: readonly string[] }[] {
  const objects = new Map<ObjectModel, Set<string>>();
  for (const { object, id } of records) {
    objects.set(object, (objects.get(object) ?? new Set()).add(id));
  }
  return [...objects].map(([object, ids]) => ({ object, ids: [...ids] }));
}

function wherever(ids: readonly string[]): ReachableIds {
  return { ids, reaches: ids.map(() => null) };
}
