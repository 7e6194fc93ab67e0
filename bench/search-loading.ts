// A database of its own with organisations, written by the service; gone afterwards.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadModel } from '../src/control/workspace/workspaces.ts';
import { openEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';
import type { WriteContext } from '../src/flow/records/write-group.ts';
import { requireImporter } from '../src/import/importer.ts';
import type { ObjectModel, WorkspaceModel } from '../src/model/definition/model.ts';
import type { Database } from '../src/postgres/db.ts';
import { openDatabase } from '../src/postgres/open-server.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { migrate } from '../src/workspaces/migrations.ts';
import { writeThrough } from './load-records.ts';
import type { MadeContact } from './made-contacts.ts';
import { ORGANISATIONS_DEFINITION, type Organisation } from './organisations.ts';

export interface Loaded {
  readonly context: WriteContext;
  /** The id of each organisation, in their order. */
  readonly ids: readonly string[];
}

/** Create the workspace `search` with these companies. */
export async function loadOrganisations(
  db: Database,
  organisations: readonly Organisation[],
): Promise<Loaded> {
  await migrate(db);
  const { id } = await createWorkspace(db, { slug: 'search', document: ORGANISATIONS_DEFINITION });
  const model = (await loadModel(db, id)) as WorkspaceModel;
  const caller = await requireImporter(db, model, undefined);
  const context: WriteContext = { db, model, caller, requestId: null };
  const companies = model.objects.get('companies') as ObjectModel;
  const fieldsOf = (number: number) => ({ ...(organisations[number] as Organisation) });
  await writeThrough(context, companies, { from: 0, to: organisations.length, fieldsOf });
  await db.query({ text: 'vacuum (analyze)', values: [] }, { prepare: false });
  return { context, ids: await idsOf(db, 'companies', organisations) };
}

/** Add these contacts to it; answers their ids, in their order. */
export async function loadContacts(
  context: WriteContext,
  contacts: readonly MadeContact[],
): Promise<readonly string[]> {
  const { db, model } = context;
  const object = model.objects.get('contacts') as ObjectModel;
  const fieldsOf = (number: number) => ({ name: (contacts[number] as MadeContact).name });
  await writeThrough(context, object, { from: 0, to: contacts.length, fieldsOf });
  await db.query({ text: 'vacuum (analyze)', values: [] }, { prepare: false });
  return idsOf(db, 'contacts', contacts);
}

async function idsOf(
  db: Database,
  table: 'companies' | 'contacts',
  named: readonly { readonly name: string }[],
): Promise<readonly string[]> {
  const rows = await db.query({ text: `select id, name from ws_search.${table}`, values: [] });
  const byName = new Map(rows.map((row) => [row.name, String(row.id)]));
  return named.map(({ name }) => byName.get(name) as string);
}

/** A server of PostgreSQL in a folder of its own, for one piece of work. */
export async function withServer(work: (db: Database) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'records-search-'));
  const postgres = await openEmbeddedPostgres({
    dataDirectory: join(folder, 'data'),
    purpose: 'command',
    durable: false,
  });
  const db = openDatabase({
    connection: postgres.connection,
    poolSize: 4,
    statementTimeout: 0,
  });
  try {
    await work(db);
  } finally {
    await db.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
