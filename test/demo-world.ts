// A running service with the demo in a database of its own, as its first start leaves it, and the lines
// of the CSV file it was loaded from.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { assembleService } from '../src/cli/assemble.ts';
import { loadDemo } from '../src/cli/demo.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/store/migrations.ts';
import { type Client, openClient } from './client.ts';
import { createOwnDatabase, type OwnDatabase } from './own-database.ts';

export interface DemoWorld {
  readonly own: OwnDatabase;
  /** A client with the key that the load announces. */
  readonly admin: Client;
  close(): Promise<void>;
}

/** Load the demo and serve it. */
export async function openDemoWorld(): Promise<DemoWorld> {
  const own = await createOwnDatabase();
  await migrate(own.db);
  const config = readConfig({ REQUESTS_PER_MINUTE: '1000000' });
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text) };
  const announce = await loadDemo({ db: own.db, config }, output);
  const server = await assembleService({ db: own.db, config, logger: pino({ level: 'silent' }) });
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  announce(`http://127.0.0.1:${port}`);
  const [, secret = ''] = /Bearer (\S+)'/.exec(said.join('')) ?? [];
  return {
    own,
    admin: openClient({ port, secret, canary: undefined }),
    async close() {
      await server.close();
      await own.drop();
    },
  };
}

export type Line = Readonly<Record<string, string>>;

/** The deals of the demo as the file has them. */
export function pipelineLines(): readonly Line[] {
  const folder = join(import.meta.dirname, '..', 'examples', 'crm-sales');
  return parse(readFileSync(join(folder, 'sales_pipeline.csv')), { columns: true });
}
