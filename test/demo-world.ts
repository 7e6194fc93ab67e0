// A running service with the demo in a database of its own, as its first start leaves it, and the lines
// of the CSV files it was loaded from.

import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { createKey } from '../src/cli/commands/keys.ts';
import { assembleService } from '../src/cli/service/assemble.ts';
import { loadDemo } from '../src/cli/service/demo.ts';
import { type Config, readConfig } from '../src/config.ts';
import { findWorkspace, type WorkspaceRow } from '../src/control/workspace/workspaces.ts';
import { SCOPES } from '../src/model/rights/access.ts';
import { migrate } from '../src/workspaces/migrations.ts';
import { type Client, openClient } from './client.ts';
import { createCopy, type OwnDatabase } from './own-database.ts';

export interface DemoWorld {
  readonly own: OwnDatabase;
  readonly config: Config;
  /** Where the service listens. */
  readonly origin: string;
  /** A client with the key that the load announces. */
  readonly admin: Client;
  /** A client with a new key of this person. */
  as(name: string): Promise<Client>;
  close(): Promise<void>;
}

/** A database as the first start leaves it; its table `announced` has the output and the duration of that start. */
export function createDemo(): Promise<OwnDatabase> {
  return createCopy('demo', async ({ db, rows, stats }) => {
    await migrate(db);
    const said: string[] = [];
    const output = { write: (text: string) => said.push(text) };
    const before = stats.statements;
    const announce = await loadDemo({ db, config: readConfig({}) }, output);
    await announce('http://127.0.0.1:3000');
    const announced = [said.join(''), stats.statements - before];
    await rows('create table announced as select $1::text said, $2::integer statements', announced);
  });
}

/** Serve a loaded demo. */
export async function openDemoWorld(): Promise<DemoWorld> {
  const own = await createDemo();
  const DATA_DIRECTORY = join(tmpdir(), `demo-${String(own.connection.database)}`);
  const config = readConfig({
    DATA_DIRECTORY,
    ...{ REQUESTS_PER_MINUTE: '1000000', WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' },
    SECRETS_KEY: own.environment.SECRETS_KEY,
  });
  const server = await assembleService({ ...own, config, logger: pino({ level: 'silent' }) });
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${port}`;
  const [announced] = await own.rows('select said from announced');
  const [, secret = ''] = /Bearer (\S+)'/.exec(String(announced?.said)) ?? [];
  return {
    own,
    config,
    origin,
    admin: openClient({ port, secret }),
    async as(name) {
      const workspace = (await findWorkspace(own.db, 'demo')) as WorkspaceRow;
      const made = await createKey(own.db, {
        workspace,
        email: emailOf(name),
        name,
        scopes: SCOPES,
        requests_per_minute: null,
        expires: null,
        type: undefined,
      });
      return openClient({ port, secret: made.secret });
    },
    async close() {
      await server.close();
      await rm(DATA_DIRECTORY, { recursive: true, force: true });
      await own.drop();
    },
  };
}

export type Line = Readonly<Record<string, string>>;

/** The rows of a file of the demo. */
export function linesOf(file: string): readonly Line[] {
  const folder = join(import.meta.dirname, '..', 'examples', 'crm-sales');
  return parse(readFileSync(join(folder, file)), { columns: true });
}

/** The deals of the demo as the file has them. */
export function pipelineLines(): readonly Line[] {
  return linesOf('sales_pipeline.csv');
}

/** The address of a person of the demo. */
export function emailOf(name: string): string {
  return `${name.toLowerCase().replaceAll(/[ -]/g, '.')}@demo.example`;
}
