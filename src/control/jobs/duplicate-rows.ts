// The groups that a search for duplicates has found (docs/design/merge.md): one function, one statement.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';
import type { Job } from './jobs.ts';
import { isHeldBy } from './jobs.ts';

const GROUPS = identifier(CONTROL_SCHEMA, 'duplicate_groups');

/** Records of one object that are equal in these fields. */
export interface DuplicateGroup {
  readonly fields: readonly string[];
  readonly record_ids: readonly string[];
}

/** Keep the groups, the first of them with the highest number. An attempt that is repeated finds them kept. */
export async function putGroups(
  db: Queryable,
  job: Job,
  groups: readonly DuplicateGroup[],
): Promise<void> {
  const rows = groups.map((group, index) => ({ ...group, number: groups.length - index }));
  await runOnce(
    db,
    sql`insert into ${GROUPS} (job_id, number, fields, record_ids)
      select ${job.id}::uuid, g.number, g.fields, g.record_ids
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(number integer, fields text[], record_ids uuid[])
      join ${identifier(CONTROL_SCHEMA, 'jobs')} j on true
      where ${isHeldBy(job)} on conflict do nothing`,
  );
}

/** The groups with the highest numbers below this one, undefined: of all. */
export async function loadGroups(
  db: Queryable,
  jobId: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<readonly (DuplicateGroup & { readonly number: number })[]> {
  const rows = await runOnce(
    db,
    sql`select number, fields, record_ids from ${GROUPS}
      where job_id = ${jobId}::uuid and number < coalesce(${before ?? null}::integer, 2147483647)
      order by number desc limit ${limit}::integer`,
  );
  return rows as unknown as readonly (DuplicateGroup & { readonly number: number })[];
}
