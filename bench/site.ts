// A running service over a cached data directory, and the same database for the floor and for the facts that the
// measurements need.

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { putApiKey } from '../src/control/people/api-keys.ts';
import { findWorkspace, loadModel } from '../src/control/workspace/workspaces.ts';
import { openEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';
import type { ReadContext } from '../src/flow/records/read/read-statement.ts';
import { requireImporter } from '../src/import/importer.ts';
import type { WorkspaceModel } from '../src/model/definition/model.ts';
import { SCOPES } from '../src/model/rights/access.ts';
import { hashOf, makeSecret, prefixOf } from '../src/model/rights/api-key-form.ts';
import type { Database } from '../src/postgres/db.ts';
import { openDatabase } from '../src/postgres/open-server.ts';
import type { FloorWork } from './floor.ts';
import type { Request, Side } from './measure.ts';
import { type FloorProcess, type ServiceProcess, startFloor, startService } from './processes.ts';

export interface Site {
  readonly service: ServiceProcess;
  readonly db: Database;
  /** An administrator of a workspace, the first by default: with a key for requests, and as a caller of the planner. */
  visit(slug: string, email?: string): Promise<Visitor>;
  /** Start a floor with these statements. */
  startFloor(routes: Readonly<Record<string, readonly FloorWork[]>>): Promise<FloorProcess>;
  close(): Promise<void>;
}

export interface Visitor {
  readonly context: ReadContext;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests of this visitor, as one side of a comparison. */
  asks(requests: readonly Request[]): Side;
  /** `Authorization` headers of so many new keys of this visitor. */
  authorizations(count: number): Promise<readonly string[]>;
}

export const POOL_SIZE = 10;

export async function openSite(
  dataDirectory: string,
  isProbed = false,
  more: NodeJS.ProcessEnv = {},
): Promise<Site> {
  const settings = { DEMO: 'off', POOL_SIZE: String(POOL_SIZE), ...more };
  const service = await startService(dataDirectory, settings, isProbed);
  const postgres = await openEmbeddedPostgres({ dataDirectory, purpose: 'command' });
  const connection = postgres.connection as pg.PoolConfig;
  const db = openDatabase({ connection: postgres.connection, poolSize: 4, statementTimeout: 0 });
  return {
    service,
    db,
    visit: (slug, email) => visit(db, service.url, { slug, email }),
    startFloor: (routes) => startFloor({ connection, poolSize: POOL_SIZE, routes }),
    async close() {
      // Whatever hangs, the service goes.
      await Promise.race([db.close().then(postgres.stop), sleep(10_000)]);
      await service.stop();
    },
  };
}

/** An administrator of a workspace of the database behind this URL. */
export async function visit(
  db: Database,
  url: string,
  { slug, email }: { readonly slug: string; readonly email?: string | undefined },
): Promise<Visitor> {
  const workspace = await findWorkspace(db, slug);
  if (workspace === undefined) throw new Error(`there is no workspace ${slug}`);
  const model = (await loadModel(db, workspace.id)) as WorkspaceModel;
  const caller = await requireImporter(db, model, email);
  async function authorize(): Promise<string> {
    const secret = makeSecret('personal');
    await putApiKey(db, {
      id: uuidv7(),
      workspace_id: model.workspace.id,
      user_id: caller.user.id,
      type: 'personal',
      name: 'bench',
      prefix: prefixOf(secret),
      secret_hash: hashOf(secret),
      scopes: SCOPES,
      requests_per_minute: 999_999_999,
      expires: 86_400,
    });
    return `Bearer ${secret}`;
  }
  const headers = { authorization: await authorize() };
  return {
    context: { db, model, caller },
    headers,
    asks: (requests) => ({
      url,
      requests: requests.map((request) => ({
        ...request,
        headers: {
          ...headers,
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      })),
    }),
    authorizations: (count) => Promise.all(Array.from({ length: count }, authorize)),
  };
}
