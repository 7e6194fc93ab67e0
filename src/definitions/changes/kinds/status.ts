// Records of an object that have a status from now on, or no longer. Pure.

import { identifier, literal, sql } from '../../../sql/sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import { dropColumn, type Phased } from '../column-sql.ts';
import { type OfObject, objectPath, reshapesTable } from './parts.ts';

export interface AddStatus extends OfObject {
  readonly kind: 'add_status';
  /** The status of the records that exist. */
  readonly initial: string;
}

export interface DropStatus extends OfObject {
  readonly kind: 'drop_status';
}

export const addStatus: ChangeKind<AddStatus> = Object.freeze({
  kind: 'add_status',
  path: objectPath,
  locks: reshapesTable,
  statements: addColumn,
});

export const dropStatus: ChangeKind<DropStatus> = Object.freeze({
  kind: 'drop_status',
  path: objectPath,
  locks: reshapesTable,
  statements: (schema: string, { object }: DropStatus) => [dropColumn(schema, object, 'status')],
  loses: () => ({ of: 'records' as const }),
});

function addColumn(schema: string, { object, initial }: AddStatus): readonly Phased[] {
  const table = identifier(schema, object.table);
  return [
    {
      phase: 'columns',
      statement: sql`alter table ${table} add column status text collate "C" not null default ${literal(initial)}`,
    },
    // The default was for the records that exist; new ones get theirs from the workflow.
    { phase: 'columns', statement: sql`alter table ${table} alter column status drop default` },
  ];
}
