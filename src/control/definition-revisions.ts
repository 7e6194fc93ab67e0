// The revisions of a definition: who applied which when, and what it changed. One function, one statement.

import type { ChangeView } from '../model/change-view.ts';
import { LISTED_ANSWER } from '../plan/answer-size.ts';
import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { type Measuring, measuredSql } from '../sql/measured-sql.ts';
import { EMPTY, identifier, type Sql, sql } from '../sql/sql.ts';

/** A revision without its documents. */
export interface RevisionRow {
  readonly revision: number;
  readonly applied_at: string;
  readonly in_force: boolean;
  /** Null for revisions of which nobody has noted it. */
  readonly source: 'api' | 'import' | 'cli' | null;
  /** Null: an operator, or somebody of whom nobody knows. */
  readonly applied_by: {
    readonly id: number;
    readonly name: string | null;
    readonly email: string | null;
  } | null;
  readonly changes: readonly ChangeView[] | null;
}

export interface RevisionDocuments extends RevisionRow {
  /** What was in force: the patch merged over the base of that time. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly patch: Readonly<Record<string, unknown>>;
}

const MEASURING: Measuring = {
  names: ['revision', 'applied_at', 'in_force', 'source', 'changes', 'applied_by'],
  long: [{ name: 'changes', measure: 'stored' }],
  order: sql` order by t.revision desc`,
  size: LISTED_ANSWER,
};

/** Revisions before `before`, newest first; measured. */
export async function loadRevisions(
  db: Queryable,
  schema: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly RevisionRow[]> {
  const where = before === undefined ? EMPTY : sql`where d.revision < ${before}::integer`;
  const found = sql`${selectRevisions(schema, EMPTY)} ${where}
      order by d.revision desc limit ${limit}::integer`;
  return (await runOnce(db, measuredSql(found, MEASURING))) as unknown as readonly RevisionRow[];
}

export async function loadRevisionDocuments(
  db: Queryable,
  schema: string,
  revision: number,
): Promise<RevisionDocuments | undefined> {
  const [row] = await runOnce(
    db,
    sql`${selectRevisions(schema, sql`, d.document, d.patch`)}
      where d.revision = ${revision}::integer`,
  );
  return row as RevisionDocuments | undefined;
}

function selectRevisions(schema: string, more: Sql): Sql {
  return sql`select d.revision, d.applied_at, d.in_force, d.source, d.changes,
      case when d.applied_by_user_id is not null then json_build_object(
        'id', d.applied_by_user_id, 'name', u.name, 'email', u.email) end as applied_by${more}
    from ${identifier(schema, '_definitions')} d
    left join ${identifier(schema, '_users')} u on u.id = d.applied_by_user_id`;
}
