// Where the service listens, as the process that started last has noted it, and where people find the application. One
// statement each.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';

const SERVICE_ORIGIN = identifier(CONTROL_SCHEMA, 'service_origin');

/**
 * The address of the service, such as `http://127.0.0.1:3000`; undefined when none has started on this database yet.
 */
async function loadListeningOrigin(db: Queryable): Promise<string | undefined> {
  const [row] = await runOnce(db, sql`select origin from ${SERVICE_ORIGIN}`);
  return row === undefined ? undefined : String(row.origin);
}

export interface OriginSettings {
  readonly baseDomain: string | undefined;
  readonly publicUrl: string | undefined;
  readonly port: number;
}

/**
 * The origin at which people find the application of a workspace. It never comes from a request: a link in a mail must
 * not lead elsewhere.
 */
export async function loadApplicationOrigin(
  db: Queryable,
  { baseDomain, publicUrl, port }: OriginSettings,
  slug: string,
): Promise<string> {
  if (baseDomain !== undefined) return `https://${slug}.${baseDomain}`;
  return publicUrl ?? (await loadListeningOrigin(db)) ?? `http://localhost:${port}`;
}

export async function putListeningOrigin(db: Queryable, origin: string): Promise<void> {
  await runOnce(
    db,
    sql`insert into ${SERVICE_ORIGIN} (origin) values (${origin})
      on conflict (only_row) do update set origin = excluded.origin, noted_at = now()`,
  );
}
