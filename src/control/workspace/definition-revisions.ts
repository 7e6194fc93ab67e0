// The revisions of a definition: the author, the time and the changes of each. One function, one statement.

import { LIMITS } from '../../limits.ts';
import type { ChangeView, FieldChange, NameChange } from '../../model/definition/revision.ts';
import { LISTED_ANSWER } from '../../plan/read/answer-size.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { type Measuring, measuredSql } from '../../sql/read/measured-sql.ts';
import { EMPTY, identifier, type Sql, sql } from '../../sql/sql.ts';

/** A revision without its documents. */
export interface RevisionRow {
  readonly revision: number;
  readonly applied_at: string;
  readonly in_force: boolean;
  /** Null for revisions without a noted source. */
  readonly source: 'api' | 'import' | 'cli' | null;
  /** Null: an operator, or an unknown author. */
  readonly applied_by: {
    readonly id: number;
    readonly name: string | null;
    readonly email: string | null;
  } | null;
  readonly changes: readonly ChangeView[] | null;
}

/** A revision in a list: of many changes the first ones. */
export interface ListedRevision extends RevisionRow {
  readonly more_changes: number;
}

export interface RevisionDocuments extends RevisionRow {
  /** The document in force: the patch merged over the base of that time. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly patch: Readonly<Record<string, unknown>>;
}

const MEASURING: Measuring = {
  names: [
    ...['revision', 'applied_at', 'in_force', 'source', 'changes', 'more_changes', 'applied_by'],
  ],
  long: [{ name: 'changes', measure: 'stored' }],
  order: sql` order by t.revision desc`,
  size: LISTED_ANSWER,
};

/** Revisions before `before`, newest first; measured. */
export async function loadRevisions(
  db: Queryable,
  schema: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly ListedRevision[]> {
  const where = before === undefined ? EMPTY : sql`where d.revision < ${before}::integer`;
  const found = sql`${selectRevisions(schema, FIRST_CHANGES)} ${where}
      order by d.revision desc limit ${limit}::integer`;
  return (await runOnce(db, measuredSql(found, MEASURING))) as unknown as readonly ListedRevision[];
}

const most = LIMITS.changesOfRevision;
const FIRST_CHANGES = sql`case when d.changes is not null then coalesce(
      (select json_agg(change order by place)
        from json_array_elements(d.changes) with ordinality as listed (change, place)
        where place <= ${most}::integer), '[]') end as changes,
      coalesce(greatest(json_array_length(d.changes) - ${most}::integer, 0), 0) as more_changes`;

export async function loadRevisionDocuments(
  db: Queryable,
  schema: string,
  revision: number,
): Promise<RevisionDocuments | undefined> {
  const [row] = await runOnce(
    db,
    sql`${selectRevisions(schema, sql`d.changes, d.document, d.patch`)}
      where d.revision = ${revision}::integer`,
  );
  return row as RevisionDocuments | undefined;
}

/**
 * The renames up to this revision that were applied in the last days, oldest first. The document before a revision has
 * the ends of a relationship that is gone, and the records whose status has another id.
 */
export async function loadNameChanges(
  db: Queryable,
  schema: string,
  { until, days }: { readonly until: number; readonly days: number },
): Promise<readonly NameChange[]> {
  const rows = await runOnce(
    db,
    sql`select d.revision, d.applied_at, n.action, n.path, n."from", n.alters,
        case n.section when 'objects' then p.storage #>> array[n.old_key, 'table'] end as "table",
        case n.section when 'relationships' then json_build_object(
          'was', p.document #> array[n.section, n.old_key],
          'is', d.document #> array[n.section, n.key]) end as relationship,
        case n.section when 'workflows' then json_build_object(
          'object_types', ${usersOfWorkflow('objects')},
          'work_item_types', ${usersOfWorkflow('work_item_types')}) end as records
      from ${identifier(schema, '_definitions')} d
      join ${identifier(schema, '_definitions')} p on p.revision = d.revision - 1
      cross join lateral json_array_elements(d.changes) with ordinality as c (change, place)
      cross join lateral (select c.change ->> 'action' as action, c.change ->> 'path' as path,
        c.change ->> 'from' as "from", c.change ->> 'alters' is not null as alters,
        split_part(c.change ->> 'path', '.', 1) as section,
        split_part(c.change ->> 'path', '.', 2) as key,
        coalesce(c.change ->> 'from', split_part(c.change ->> 'path', '.', 2)) as old_key) n
      where d.revision <= ${until}::integer and d.applied_at > now() - make_interval(days => ${days}::integer)
        and (n.alters
          or n.action in ('rename', 'remove') and n.path ~ '^objects[.][^.]+([.]fields[.][^.]+)?$'
          or n.action = 'rename' and n.path ~ '^workflows[.][^.]+[.]statuses[.][^.]+$'
          or n.action <> 'add' and n.path ~ '^relationships[.][^.]+$')
      order by d.revision, c.place`,
  );
  return rows as unknown as readonly NameChange[];
}

/** The keys of the entries of a section that had the workflow `n.key` before the revision. */
function usersOfWorkflow(section: 'objects' | 'work_item_types'): Sql {
  return sql`(select json_agg(e.key) from json_each(p.document -> ${section}::text) e
            where e.value ->> 'workflow' = n.key)`;
}

/** The field changes of the revisions up to this one, oldest first. */
export async function loadFieldChanges(
  db: Queryable,
  schema: string,
  until: number,
): Promise<readonly FieldChange[]> {
  const rows = await runOnce(
    db,
    sql`select d.revision, c.change ->> 'path' as path, c.change ->> 'from' as "from",
        c.change ->> 'ends' as ends
      from ${identifier(schema, '_definitions')} d
      cross join lateral json_array_elements(d.changes) with ordinality as c (change, place)
      where d.revision <= ${until}::integer and (c.change ->> 'ends' is not null
        or c.change ->> 'action' = 'rename'
        and c.change ->> 'path' ~ '^objects[.][^.]+([.]fields[.][^.]+)?$')
      order by d.revision, c.place`,
  );
  return rows as unknown as readonly FieldChange[];
}

function selectRevisions(schema: string, more: Sql): Sql {
  return sql`select d.revision, d.applied_at, d.in_force, d.source, ${more},
      case when d.applied_by_user_id is not null then json_build_object(
        'id', d.applied_by_user_id, 'name', u.name, 'email', u.email) end as applied_by
    from ${identifier(schema, '_definitions')} d
    left join ${identifier(schema, '_users')} u on u.id = d.applied_by_user_id`;
}
