// The parts of a restored workspace outside its tables: the next numbers of its sequences, and the API keys, which
// belong to the whole server; and the end of what must not continue in a copy: webhooks.

import { pauseRestoredWebhooks } from '../control/events/webhook-rows.ts';
import { wantRunner } from '../control/events/webhook-runs.ts';
import { operatorError } from '../errors.ts';
import { publicIdSequence } from '../model/definition/physical-names.ts';
import { REASONS } from '../plan/events/webhook-reasons.ts';
import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../sql/sql.ts';
import { numberingSql } from '../sql/write/work-item-sql.ts';
import type { ExportHeader, KeysLine } from './export-format.ts';

export interface RestoredKeys {
  readonly restored: number;
  /** Keys that this server has already, such as those of the workspace that was exported. */
  readonly left_out: number;
}

const PUBLIC_ID_SEQUENCE = publicIdSequence('');
const API_KEYS = identifier(CONTROL_SCHEMA, 'api_keys');

/** No number comes twice. Prefixes that the definition had once keep their counter. */
export async function restoreSequences(
  tx: Queryable,
  schema: string,
  sequences: ExportHeader['sequences'],
): Promise<void> {
  for (const [name, last] of Object.entries(sequences)) {
    const prefix = name.slice(PUBLIC_ID_SEQUENCE.length);
    if (name === publicIdSequence(prefix)) await runOnce(tx, numberingSql(schema, prefix));
    const [row] = await runOnce(
      tx,
      sql`select to_regclass(format('%I.%I', ${schema}::text, ${name}::text)) as sequence`,
    );
    if (row?.sequence == null) {
      throw operatorError(`The file does not fit this release: it has a sequence ${name}.`);
    }
    if (last === null) continue;
    await runOnce(
      tx,
      sql`select setval(format('%I.%I', ${schema}::text, ${name}::text)::regclass, ${last}::bigint)`,
    );
  }
}

/** A key works in one workspace only, so one that this server has stays where it is. */
export async function restoreKeys(
  tx: Queryable,
  workspaceId: number,
  keys: KeysLine['api_keys'],
): Promise<RestoredKeys> {
  const rows = await runOnce(
    tx,
    sql`insert into ${API_KEYS} (id, workspace_id, user_id, type, name, prefix, secret_hash, scopes,
        requests_per_minute, gates, expires_at, revoked_at, created_at)
      select k.id, ${workspaceId}, k.user_id, k.type, k.name, k.prefix, k.secret_hash, k.scopes,
        k.requests_per_minute, coalesce(k.gates, true), k.expires_at, k.revoked_at, k.created_at
      from jsonb_populate_recordset(null::${API_KEYS}, ${JSON.stringify(keys)}::jsonb) k
      on conflict do nothing returning id`,
  );
  return { restored: rows.length, left_out: keys.length - rows.length };
}

/** The webhooks of a copy send no events until somebody has made new secrets. */
export async function restoreWebhooks(
  tx: Queryable,
  { id, schema }: { readonly id: number; readonly schema: string },
): Promise<void> {
  const told = { reason: 'restored', message: REASONS.restored.text } as const;
  if ((await pauseRestoredWebhooks(tx, schema, told)) > 0) await wantRunner(tx, id);
}
