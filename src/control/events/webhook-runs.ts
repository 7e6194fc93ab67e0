// The process that sends for each workspace: one function, one statement.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';

/** NOTIFY channel: webhooks of a workspace have changed, or have something to send. Only a hint. */
export const WEBHOOKS_CHANNEL = 'workspace_records_webhooks';

const RUNNERS = identifier(CONTROL_SCHEMA, 'webhook_runners');

/** Tell the processes that send. After the commit. */
export async function announceWebhooks(db: Queryable, workspaceId: number): Promise<void> {
  await runOnce(db, sql`select pg_notify(${WEBHOOKS_CHANNEL}, ${`${workspaceId}`})`);
}

/** Some process is to look at the webhooks of this workspace. */
export async function wantRunner(tx: Queryable, workspaceId: number): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${RUNNERS} as r (workspace_id) values (${workspaceId}::integer)
      on conflict (workspace_id) do update set wanted_at = excluded.wanted_at`,
  );
}

/** A workspace whose webhooks this process sends; `wanted_at` is another one after each change of them. */
export interface HeldWorkspace {
  readonly workspace_id: number;
  readonly wanted_at: string;
}

/** Prolong the leases of this process, and take those that are free or over. */
export async function holdWorkspaces(
  db: Queryable,
  holder: string,
  lease: number,
): Promise<readonly HeldWorkspace[]> {
  const rows = await runOnce(
    db,
    sql`update ${RUNNERS} r set lease_holder = ${holder},
        lease_until = now() + ${lease}::float8 * interval '1 millisecond'
      from (select workspace_id from ${RUNNERS}
        where lease_holder = ${holder} or lease_until is null or lease_until < now()
        order by workspace_id for update skip locked) f
      where r.workspace_id = f.workspace_id
      returning r.workspace_id, r.wanted_at::text`,
  );
  return rows as unknown as readonly HeldWorkspace[];
}

/** True while this process has the lease of the workspace. */
export async function holdsWorkspace(
  db: Queryable,
  holder: string,
  workspaceId: number,
): Promise<boolean> {
  const rows = await runOnce(
    db,
    sql`select from ${RUNNERS} where workspace_id = ${workspaceId}::integer and lease_holder = ${holder}
      and lease_until > now()`,
  );
  return rows.length > 0;
}

/** Let another process continue at once. */
export async function releaseWorkspaces(db: Queryable, holder: string): Promise<void> {
  await runOnce(
    db,
    sql`update ${RUNNERS} set lease_holder = null, lease_until = null where lease_holder = ${holder}`,
  );
}

/** A workspace without webhooks needs no process, unless somebody has added one since. */
export async function forgetWorkspace(
  db: Queryable,
  { workspace_id, wanted_at }: HeldWorkspace,
): Promise<void> {
  await runOnce(
    db,
    sql`delete from ${RUNNERS} where workspace_id = ${workspace_id}::integer
      and wanted_at = ${wanted_at}::timestamptz`,
  );
}

/** Schemas of the workspaces that have webhooks, or had some. */
export async function listWebhookSchemas(db: Queryable): Promise<readonly string[]> {
  const rows = await runOnce(
    db,
    sql`select w.schema_name from ${RUNNERS} r
      join ${identifier(CONTROL_SCHEMA, 'workspaces')} w on w.id = r.workspace_id order by w.id`,
  );
  return rows.map(({ schema_name }) => String(schema_name));
}
