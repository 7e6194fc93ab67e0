// The statements of changes to record tables, in the order to run them. Those of a change are in the module of its
// kind (kinds/); people are written by definitions/apply/make-changes.ts. Pure.

import { identifier, joinSql, type Sql, sql } from '../../sql/sql.ts';
import { createIndexSql, indexStatisticsSql, type TableIndex } from '../../sql/write/index-sql.ts';
import type { Change } from './change.ts';
import type { Phase, Phased } from './column-sql.ts';
import { kindOf } from './kinds/index.ts';
import { type BuiltValue, swapSql } from './value-sql.ts';

const PHASES: readonly Phase[] = [
  'rename',
  'loosen',
  'drop_columns',
  'drop_tables',
  'create_tables',
  'columns',
  'computed',
  'tighten',
];

/** A statement and, for its failure, the change that caused it. */
export interface DdlStatement {
  readonly statement: Sql;
  readonly change: Change;
  /** The index that the statement creates, if any. */
  readonly index: TableIndex | undefined;
}

export interface DdlOptions {
  /** The schema of pg_trgm; without it no index of texts is made. */
  readonly trigrams?: string | undefined;
  /** Names of indexes that are there, or are made afterwards. */
  readonly without?: ReadonlySet<string>;
  /** Values that were rebuilt before. */
  readonly values?: readonly BuiltValue[];
}

/** The statements that make the changes in this workspace schema, in the order to run them. */
export function ddlSql(
  schema: string,
  changes: readonly Change[],
  { trigrams, without, values = [] }: DdlOptions,
): readonly DdlStatement[] {
  const steps = [
    ...changes.flatMap((change) =>
      kindOf(change)
        .statements(schema, change)
        .map((phased) => ({ ...phased, change })),
    ),
    ...values.flatMap((value) =>
      swapSql(schema, value).map((phased) => ({ ...phased, change: value.build.change })),
    ),
  ];
  const ordered = PHASES.flatMap((phase) => steps.filter((step) => step.phase === phase));
  const altered = new Set<string>();
  // Several changes of a field may need the same index.
  const indexNames = new Set(without);
  return ordered.flatMap((step): readonly DdlStatement[] => {
    const { change } = step;
    if ('alteration' in step) {
      if (altered.has(step.table)) return [];
      altered.add(step.table);
      return [{ statement: alterTableSql(schema, step.table, ordered), change, index: undefined }];
    }
    if ('statement' in step) return [{ statement: step.statement, change, index: undefined }];
    const { index } = step;
    if (indexNames.has(index.name) || (index.kind === 'text' && trigrams === undefined)) return [];
    indexNames.add(index.name);
    return [
      { statement: createIndexSql(schema, index, { trigrams }), change, index },
      ...indexStatisticsSql(schema, index).map((statement) => {
        return { statement, change, index: undefined };
      }),
    ];
  });
}

/** All alterations of the table in one statement. */
function alterTableSql(schema: string, table: string, steps: readonly Phased[]): Sql {
  const parts = steps.flatMap((step) =>
    'alteration' in step && step.table === table ? [step.alteration] : [],
  );
  return sql`alter table ${identifier(schema, table)} ${joinSql(parts, ', ')}`;
}
