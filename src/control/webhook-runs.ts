// How far each webhook is, and which process sends for which workspace: one function, one statement.

import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { identifier, sql } from '../sql/sql.ts';

/** NOTIFY channel: webhooks of a workspace have changed, or have something to send. Only a hint. */
export const WEBHOOKS_CHANNEL = 'workspace_records_webhooks';

export interface WebhookPosition {
  readonly webhook_id: string;
  /** Null: none is kept. */
  readonly position: string | null;
}

export async function appendPosition(
  tx: Queryable,
  schema: string,
  { webhook_id, position }: WebhookPosition,
): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_webhook_positions')} (webhook_id, position)
      values (${webhook_id}::uuid, ${position}::text)`,
  );
}

/** Continue there; the process that sends for the workspace reads it again. */
export async function putPosition(
  tx: Queryable,
  schema: string,
  { webhook_id, position }: WebhookPosition,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_webhook_positions')}
      set position = ${position}::text, position_at = now(), lease_holder = null
      where webhook_id = ${webhook_id}::uuid`,
  );
}

/** Tell the processes that send. After the commit. */
export async function announceWebhooks(db: Queryable, workspaceId: number): Promise<void> {
  await runOnce(db, sql`select pg_notify(${WEBHOOKS_CHANNEL}, ${`${workspaceId}`})`);
}
