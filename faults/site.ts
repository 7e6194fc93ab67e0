// The site of a fault: a database of its own in the throw-away PostgreSQL, with a workspace that clients write to and
// another that is hidden from all users of the first, and the service in front of it.

import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { putApiKey } from '../src/control/people/api-keys.ts';
import { applyDefinition } from '../src/definitions/apply/apply-definition.ts';
import { SCOPES } from '../src/model/rights/access.ts';
import { hashOf, makeSecret, prefixOf } from '../src/model/rights/api-key-form.ts';
import type { ConnectionOptions, Database, Row } from '../src/postgres/db.ts';
import { openDatabase } from '../src/postgres/open-server.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { migrate } from '../src/workspaces/migrations.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../test/faults/database-proxy.ts';
import type { Cluster } from './cluster.ts';
import { freePort, type Program, startProgram } from './program.ts';
import { CANARY, OWN_MARK, openRecorder, type Recorder } from './recorder.ts';
import { openWire, type Wire } from './wire.ts';

export interface Key {
  readonly id: string;
  readonly secret: string;
  readonly userId: number;
}

export interface Site {
  readonly cluster: Cluster;
  readonly connection: ConnectionOptions;
  readonly workspaceId: number;
  /** How the service is started; a fault may put a proxy between it and PostgreSQL. */
  readonly place: {
    databaseUrl: string;
    settings: NodeJS.ProcessEnv;
    probed: boolean;
    logFile: string | undefined;
    /** Removes what was put there, when the site is closed. */
    remove: () => Promise<void>;
  };
  /** The address for clients. */
  url: string;
  /** The service that was started last. */
  program: Program;
  readonly recorder: Recorder;
  wire: Wire;
  /** Keys of administrators of the first workspace, one for each client. */
  readonly keys: readonly Key[];
  /** Somebody who may read records, and somebody who may not. */
  readonly people: { readonly reader: number; readonly blind: number };
  readonly other: { readonly key: Key; readonly wire: Wire };
  /** Every service this site had. */
  readonly programs: Program[];
  /** Query the database itself; `s.` means the schema of the first workspace. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Start the service at the same port, and wait until it answers; the milliseconds that took. */
  startService(): Promise<number>;
  /** True when a read of records is answered with 200; by another process of this site at `url`. */
  isWell(url?: string): Promise<boolean>;
  close(): Promise<void>;
}

const CLIENTS = 8;
export const SCHEMA = 'ws_acme';
export const RECORDS_PATH = '/v1/objects/deals/records';

const everything = {
  create: 'organisation',
  read: 'organisation',
  update: 'organisation',
  delete: 'organisation',
} as const;

const DEFINITION = {
  name: 'Acme',
  objects: {
    deals: {
      workflow: 'pipeline',
      fields: {
        token: { type: 'text', indexed: true },
        grp: { type: 'text', indexed: true },
        mark: { type: 'text' },
        note: { type: 'text' },
      },
    },
    companies: { fields: { memo: { type: 'long_text' } } },
  },
  work_item_types: { task: { name: 'Task', prefix: 'TASK', workflow: 'pipeline' } },
  workflows: {
    pipeline: {
      name: 'Pipeline',
      initial: 'open',
      statuses: {
        open: { name: 'Open', transitions: ['won', 'lost'] },
        won: { name: 'Won', transitions: ['open'] },
        lost: { name: 'Lost', transitions: ['open'] },
      },
    },
  },
  roles: {
    reader: { developer: true, objects: { deals: { read: 'organisation' } } },
    blind: { developer: true, objects: { products: everything } },
  },
  users: {
    [`ada${OWN_MARK}`]: { name: 'Ada', roles: ['admin'] },
    [`mia${OWN_MARK}`]: { name: 'Mia', roles: ['admin'] },
    [`rob${OWN_MARK}`]: { name: 'Rob', roles: ['reader'] },
    [`bea${OWN_MARK}`]: { name: 'Bea', roles: ['blind'] },
  },
};

const OTHER_DEFINITION = {
  name: 'Globex',
  users: { 'gil@globex.example': { name: `Gil ${CANARY}`, roles: ['admin'] } },
};

let databases = 0;

/** Make the database and both workspaces; `startService` starts the service. */
export async function openSite(cluster: Cluster): Promise<Site> {
  databases += 1;
  const name = `faults_${databases}`;
  await onServer(cluster, `create database ${name} template template0 encoding 'UTF8'`);
  const connection = cluster.connection(name);
  const { otherKey, ...people } = await makeWorkspaces(connection);
  const recorder = openRecorder();
  const port = await freePort();
  const place = {
    databaseUrl: urlOf(connection),
    settings: {},
    probed: false,
    logFile: undefined,
    remove: async () => undefined,
  };
  const site: Site = {
    ...people,
    cluster,
    connection,
    place,
    url: `http://127.0.0.1:${port}`,
    program: undefined as unknown as Program,
    recorder,
    wire: openWire(recorder, CANARY),
    other: { key: otherKey, wire: openWire(recorder, OWN_MARK) },
    programs: [],
    // Each time on a connection of its own: it is not to be met by what happens to PostgreSQL.
    rows: (text, values = []) =>
      onDatabase(connection, (db) => {
        const placed = text.replaceAll(/\bs\./g, `"${SCHEMA}".`);
        return db.query({ text: placed, values: [...values] }, { prepare: false });
      }),
    async startService() {
      const begun = performance.now();
      site.program = startProgram({ ...place, port });
      site.programs.push(site.program);
      await site.program.ready(() => site.isWell());
      return performance.now() - begun;
    },
    async isWell(url = site.url) {
      const sent = { method: 'GET', path: `${RECORDS_PATH}?limit=1` } as const;
      return (await site.wire.send(url, site.keys[0]?.secret ?? '', sent)).status === 200;
    },
    async close() {
      site.wire.close();
      site.other.wire.close();
      await Promise.all(site.programs.map(endProgram));
      await site.place.remove();
      // When PostgreSQL did not come back, that is the failure to report.
      await onServer(cluster, `drop database ${name} with (force)`).catch(() => undefined);
    },
  };
  return site;
}

function makeWorkspaces(connection: ConnectionOptions) {
  return onDatabase(connection, async (db) => {
    await migrate(db);
    const acme = await createWorkspace(db, { slug: 'acme', document: DEFINITION });
    const globex = await createWorkspace(db, { slug: 'globex', document: OTHER_DEFINITION });
    const users = await usersOf(db, acme.schema);
    const idOf = (person: string) => users.get(`${person}${OWN_MARK}`) as number;
    const keys: Key[] = [];
    for (let client = 0; client < CLIENTS; client += 1) {
      const userId = idOf(client % 2 === 0 ? 'ada' : 'mia');
      keys.push(await putKey(db, { workspace: acme.id, userId }));
    }
    const [gil] = (await usersOf(db, globex.schema)).values();
    return {
      workspaceId: acme.id,
      keys,
      people: { reader: idOf('rob'), blind: idOf('bea') },
      otherKey: await putKey(db, { workspace: globex.id, userId: gil as number }),
    };
  });
}

/** Milliseconds; what PostgreSQL never answers must not delay the run. */
const ASKED_WITHIN = 60_000;

async function onDatabase<Result>(
  connection: ConnectionOptions,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase({ connection, poolSize: 3, statementTimeout: ASKED_WITHIN });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

async function endProgram(program: Program): Promise<void> {
  if (program.ended() !== undefined) return;
  program.signal('SIGKILL');
  await program.exit;
}

async function usersOf(db: Database, schema: string): Promise<ReadonlyMap<unknown, number>> {
  const text = `select id, email from "${schema}"._users`;
  const rows = await db.query({ text, values: [] }, { prepare: false });
  return new Map(rows.map(({ id, email }) => [email, Number(id)]));
}

interface KeyOptions {
  readonly requestsPerMinute?: number;
  /** Seconds from now. */
  readonly expires?: number;
  /** An administrator, unless said otherwise. */
  readonly userId?: number;
}

/** Give the first workspace another name, by a new definition. */
export function applyName({ connection }: Site, name: string): Promise<void> {
  return onDatabase(connection, async (db) => {
    // Without people: they stay as they are.
    const { users: _, ...document } = DEFINITION;
    await applyDefinition(db, 'acme', { ...document, name });
  });
}

/** Milliseconds in which jobs must have come to their end. */
const SETTLED_WITHIN = 60_000;

/** Until no job of the first workspace waits or runs. */
export async function settleJobs({ rows, workspaceId }: Site): Promise<void> {
  const giveUp = performance.now() + SETTLED_WITHIN;
  for (;;) {
    const jobs = await rows(
      `select state from workspace_records.jobs
        where workspace_id = $1 and state in ('queued', 'running')`,
      [workspaceId],
    );
    if (jobs.length === 0) return;
    if (performance.now() > giveUp) throw new Error('V9 jobs came to no end');
    await sleep(50);
  }
}

/** The process of every job that runs is gone: another one may take it. */
export async function endLeases({ rows }: Site): Promise<void> {
  await rows('update workspace_records.jobs set lease_until = now() where lease_until is not null');
}

/** One more key of the first workspace. */
export function makeKey(site: Site, options: KeyOptions): Promise<Key> {
  const { connection, workspaceId: workspace, keys } = site;
  const userId = keys[0]?.userId as number;
  return onDatabase(connection, (db) => putKey(db, { workspace, userId, ...options }));
}

async function putKey(
  db: Database,
  options: KeyOptions & { readonly workspace: number; readonly userId: number },
): Promise<Key> {
  const { workspace, userId, requestsPerMinute = 999_999_999, expires = null } = options;
  const secret = makeSecret('personal');
  const id = uuidv7();
  await putApiKey(db, {
    id,
    workspace_id: workspace,
    user_id: userId,
    type: 'personal',
    name: 'faults',
    prefix: prefixOf(secret),
    secret_hash: hashOf(secret),
    scopes: SCOPES,
    requests_per_minute: requestsPerMinute,
    expires,
  });
  return { id, secret, userId };
}

/** A proxy between the service, when it starts, and PostgreSQL; it is closed with the site. */
export async function openProxyOf({ connection, place }: Site): Promise<DatabaseProxy> {
  const proxy = await openDatabaseProxy(connection);
  const { host: _, port: __, ...login } = connection;
  place.databaseUrl = urlOf({ ...login, host: '127.0.0.1', port: proxy.port });
  place.remove = () => proxy.close();
  return proxy;
}

export function urlOf({ host = '', port, user, database }: ConnectionOptions): string {
  if (!host.startsWith('/'))
    return `postgres://${user}@${host}:${port}/${database}?sslmode=disable`;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

async function onServer(cluster: Cluster, text: string): Promise<void> {
  await onDatabase(cluster.connection('postgres'), (db) =>
    db.query({ text, values: [] }, { prepare: false }),
  );
}
