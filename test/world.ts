// The one named world of the interface tests: a running service over its own database, the
// workspace `acme` with people of every kind of right, and `globex`, whose data must never show in
// `acme`.

import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import type { ServiceContext } from '../src/api/context.ts';
import { assembleService, openFeeds } from '../src/cli/service/assemble.ts';
import { type Config, readConfig } from '../src/config.ts';
import { putApiKey } from '../src/control/people/api-keys.ts';
import { appendSession } from '../src/control/people/session-rows.ts';
import { CHANNEL, findWorkspace, type WorkspaceRow } from '../src/control/workspace/workspaces.ts';
import { applyDefinition } from '../src/definitions/apply/apply-definition.ts';
import type { EventFeeds } from '../src/flow/events/event-feed.ts';
import { openPasswordHasher } from '../src/flow/people/password-hash.ts';
import { openMetrics } from '../src/http/answer/metrics.ts';
import type { RunningServer } from '../src/http/socket/server.ts';
import { SCOPES } from '../src/model/rights/access.ts';
import { hashOf, makeSecret, prefixOf } from '../src/model/rights/api-key-form.ts';
import { makeToken } from '../src/model/rights/session-token.ts';
import type { Row } from '../src/postgres/db.ts';
import type { Listeners } from '../src/postgres/listen.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { migrate } from '../src/workspaces/migrations.ts';
import { CANARY, guardKey } from './access/canary.ts';
import { fillShadow, withCanary } from './access/shadow.ts';
import { type Client, openClient } from './client.ts';
import { contentName, createCopy, createOwnDatabase, type OwnDatabase } from './own-database.ts';
import { until } from './until.ts';

export { CANARY };

/** Part of every address of acme. */
export const ACME_CANARY = '@acme.example';

const everything = {
  create: 'organisation',
  read: 'organisation',
  update: 'organisation',
  delete: 'organisation',
} as const;

export const ACME = {
  name: 'Acme',
  objects: {
    companies: {
      history: { keep: '90d' },
      fields: {
        tier: { type: 'select', options: [{ value: 'gold', label: 'Gold' }, { value: 'silver' }] },
        revenue: { type: 'currency', currency: 'USD', indexed: true },
        founded: { type: 'date' },
        note: { type: 'text', storage: 'jsonb' },
        score: { type: 'integer', storage: 'jsonb' },
      },
    },
    deals: {
      workflow: 'pipeline',
      fields: {
        code: { type: 'text', unique: true },
        amount: { type: 'currency', currency: 'USD', minimum: 0, indexed: true },
        closes_on: { type: 'date' },
        tags: { type: 'multi_select', options: [{ value: 'new' }, { value: 'hot' }] },
        secret: { type: 'text' },
        origin: { type: 'text', editable: false },
      },
    },
    boats: {
      name: 'Boats',
      singular_name: 'Boat',
      owned: false,
      display_field: 'name',
      trash: { keep: '30d' },
      fields: {
        name: { type: 'text', required: true },
        company_id: { type: 'reference', reference_object_type: 'companies', required: true },
      },
    },
    readings: {
      name: 'Readings',
      singular_name: 'Reading',
      capabilities: { delete: false, update: false },
      fields: { value: { type: 'number' } },
    },
  },
  workflows: {
    pipeline: {
      name: 'Pipeline',
      initial: 'open',
      statuses: {
        open: { name: 'Open', transitions: ['won', 'lost'] },
        won: { name: 'Won' },
        lost: { name: 'Lost', transitions: ['open'] },
      },
    },
  },
  roles: {
    rep: {
      developer: true,
      objects: {
        deals: {
          create: 'own',
          read: 'own',
          update: 'own',
          fields: { secret: 'none', code: 'read' },
        },
        companies: { read: 'organisation', fields: { revenue: 'none' } },
        boats: { create: 'own', read: 'own' },
      },
    },
    manager: {
      developer: true,
      directory: true,
      assign_owner: true,
      objects: {
        deals: { read: 'team', update: 'team', delete: 'team', create: 'team' },
        companies: { read: 'organisation', update: 'organisation', fields: { revenue: 'read' } },
      },
    },
    contractor: { objects: { deals: everything } },
    blind: {
      developer: true,
      objects: { companies: { read: 'organisation', fields: { name: 'none' } } },
    },
  },
  users: {
    'ada@acme.example': { name: 'Ada', roles: ['admin'], title: 'Administrator' },
    'mia@acme.example': { name: 'Mia', roles: ['manager'] },
    'rob@acme.example': { name: 'Rob', roles: ['rep'] },
    'rae@acme.example': { name: 'Rae', roles: ['rep'] },
    'sam@acme.example': { name: 'Sam', roles: ['rep'] },
    'bea@acme.example': { name: 'Bea', roles: ['blind'] },
    'con@acme.example': { name: 'Con', roles: ['contractor'] },
    'zed@acme.example': { name: 'Zed', roles: ['admin'], active: false },
    'bot@acme.example': { name: 'Bot', roles: ['admin'], kind: 'agent' },
  },
  teams: {
    North: {
      description: 'The north',
      members: ['mia@acme.example', 'rob@acme.example', 'rae@acme.example', 'zed@acme.example'],
    },
    South: { members: ['sam@acme.example'] },
  },
} as const;

/** The same with a move that needs the approval of Mia. */
export const GATED_ACME = {
  ...ACME,
  workflows: {
    pipeline: {
      ...ACME.workflows.pipeline,
      statuses: {
        ...ACME.workflows.pipeline.statuses,
        lost: {
          name: 'Lost',
          transitions: ['open', { to: 'won', approvers: { users: ['mia@acme.example'] } }],
        },
      },
    },
  },
} as const;

export type PersonName = 'ada' | 'mia' | 'rob' | 'rae' | 'sam' | 'bea' | 'con' | 'zed' | 'bot';

const inGlobex = (email: string) => email.replace('acme', 'globex');

/** The same people, and some more, so that there are user ids that acme does not have. */
const GLOBEX_USERS = Object.fromEntries([
  ...Object.entries(ACME.users).map(([email, user]) => {
    return [inGlobex(email), { ...user, name: `${user.name} ${CANARY}`, title: CANARY }];
  }),
  ...['gil', 'gus'].map((name) => {
    return [`${name}@globex.example`, { name: `${name} ${CANARY}`, roles: ['admin'] }];
  }),
]);

const GLOBEX = {
  ...(withCanary(ACME) as typeof ACME),
  name: `Globex ${CANARY}`,
  users: GLOBEX_USERS,
  teams: Object.fromEntries(
    Object.entries(ACME.teams).map(([name, { members }]) => {
      return [name, { description: CANARY, members: members.map(inGlobex) }];
    }),
  ),
};

export interface KeyOptions {
  readonly scopes?: readonly string[];
  readonly requestsPerMinute?: number;
  /** Seconds from now. */
  readonly expiresIn?: number;
  readonly workspace?: 'acme' | 'globex';
}

export interface SessionClient extends Client {
  readonly sessionId: string;
  readonly cookie: string;
}

export interface World {
  readonly database: OwnDatabase;
  readonly config: Config;
  readonly events: EventFeeds;
  readonly port: number;
  /** The number of open streams of events, and of requests that wait. */
  waiting(): Promise<number>;
  /** The metrics of the service, in the format of Prometheus. */
  metrics(): Promise<string>;
  /** Call a route without a socket. */
  readonly invoke: RunningServer<ServiceContext>['invoke'];
  /** User ids by the part of the e-mail before the @. */
  readonly users: Readonly<Record<PersonName, number>>;
  /** Make a key and a client that uses it. */
  as(email: string, options?: KeyOptions): Promise<Client>;
  /** Make a key; the secret. */
  key(
    email: string,
    options?: KeyOptions,
  ): Promise<{ readonly id: string; readonly secret: string }>;
  /** A client in a browser of a person who has just signed in. */
  inSession(email: string, options?: Pick<KeyOptions, 'workspace'>): Promise<SessionClient>;
  /** Change the definition of acme. */
  apply(document: unknown, allowDrop?: readonly string[]): Promise<void>;
  /** Rows of the schema of acme: `from('_audit')`. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** A digest of every table of the workspace: an equal one means no change at all. */
  digest(): Promise<string>;
  /** Stop the service but keep the database, to be copied into other worlds. */
  freeze(): Promise<string>;
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/**
 * Start the service in this process, on real sockets and a database of its own: a new one with both
 * workspaces, or a copy of a frozen world's.
 */
export async function openWorld(settings: Settings = {}, frozen?: string): Promise<World> {
  return serve(
    await (frozen === undefined ? createWorkspaces() : createOwnDatabase(frozen)),
    settings,
  );
}

/** The same with another definition of acme, which was applied to that of the world. */
export async function openWorldWith(document: object, settings: Settings = {}): Promise<World> {
  const apply = ({ db }: OwnDatabase) => applyDefinition(db, 'acme', document);
  return serve(await createCopy(contentName('world', document), apply, createWorkspaces), settings);
}

/** The same over a database that has both workspaces. */
export async function serve(database: OwnDatabase, settings: Settings = {}): Promise<World> {
  const { db, rows } = database;
  const acme = (await findWorkspace(db, 'acme')) as WorkspaceRow;
  const globex = (await findWorkspace(db, 'globex')) as WorkspaceRow;
  const DATA_DIRECTORY = join(tmpdir(), `world-${String(database.connection.database)}`);
  const { SECRETS_KEY } = database.environment;
  const config = readConfig({ DATA_DIRECTORY, SECRETS_KEY, ...settings });
  const logger = pino({ level: 'silent' });
  const events = openFeeds({ ...database, config, logger });
  // Passwords that are cheap to try; test/flow/password-hash.test.ts tests their cost.
  const passwords = openPasswordHasher({ parameters: { N: 16, r: 8, p: 1 }, waiting: 100 });
  const metrics = openMetrics(false);
  const { listeners, heard } = openHearing(database);
  const parts = { ...database, listeners, config, logger, passwords, events, metrics };
  const server = await assembleService(parts);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const people = await rows('select id, email from ws_acme._users');
  const users = Object.fromEntries(
    people.map(({ id, email }) => [String(email).split('@')[0], Number(id)]),
  ) as Record<PersonName, number>;

  const whose = (email: string, options: Pick<KeyOptions, 'workspace'>) => {
    const workspace = options.workspace === 'globex' ? globex : acme;
    const address = email.includes('@') ? email : `${email}@${workspace.slug}.example`;
    return [workspace, address] as const;
  };

  async function key(email: string, options: KeyOptions = {}) {
    return makeKey(database, ...whose(email, options), options);
  }

  return {
    database,
    config,
    events,
    port,
    async waiting() {
      const gauge = metrics.registry.getSingleMetric('workspace_records_event_streams');
      return (await gauge?.get())?.values[0]?.value ?? 0;
    },
    metrics: metrics.text,
    invoke: server.invoke,
    users,
    key,
    async as(email, options) {
      const { secret } = await key(email, options);
      return openClient({ port, secret });
    },
    async inSession(email, options = {}) {
      const { id, token, cookie } = await makeSession(database, ...whose(email, options));
      const credential = { cookie, 'sec-fetch-site': 'same-origin' };
      return { ...openClient({ port, secret: token, credential }), sessionId: id, cookie };
    },
    async apply(document, allowDrop = []) {
      await applyDefinition(db, 'acme', document, { allowDrop });
      await heard();
    },
    rows: (text, values) => rows(text.replaceAll(/\bfrom (\w+)/g, 'from "ws_acme".$1'), values),
    digest: () => digestOf(database, ['ws_acme']),
    async freeze() {
      await server.close();
      await database.leave();
      return String(database.connection.database);
    },
    async close() {
      await server.close();
      await rm(DATA_DIRECTORY, { recursive: true, force: true });
      await database.drop();
    },
  };
}

/** Listeners of a service, and a wait until it has heard of all changes so far: notifications keep their order. */
function openHearing({ listeners, rows }: Pick<OwnDatabase, 'listeners' | 'rows'>) {
  const heard = new Set<string>();
  const listen: Listeners['listen'] = (channel, handler) =>
    listeners.listen(channel, (payload) => {
      handler(payload);
      heard.add(payload);
    });
  return {
    listeners: { ...listeners, listen },
    async heard(): Promise<void> {
      const mark = uuidv7();
      await rows('select pg_notify($1, $2)', [CHANNEL, mark]);
      await until(() => heard.has(mark));
    },
  };
}

/** A digest of every table of these schemas: of each the sum of what its rows hash to, and their number. */
export async function digestOf({ db }: OwnDatabase, schemas: readonly string[]): Promise<string> {
  // Prepared, for planning so many tables takes longer than reading the few rows in them.
  const text = `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname = any($1) order by 1`;
  const tables = await db.query({ text, values: [schemas] });
  const digests = tables.map(
    ({ name }) =>
      `(select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) from ${name} t)`,
  );
  const all = `select concat_ws(' ', ${digests.join(', ')}) as digest`;
  const [row] = await db.query({ text: all, values: [] });
  return String(row?.digest);
}

/**
 * A key of a person of a workspace. The data of the workspace `globex` must not be sent to any other, nor the
 * addresses of `acme` to it.
 */
export async function makeKey(
  { db, rows }: OwnDatabase,
  workspace: WorkspaceRow,
  email: string,
  options: KeyOptions = {},
): Promise<{ readonly id: string; readonly secret: string }> {
  const text = `select id, kind from "${workspace.schema}"._users where email = $1`;
  const [user] = await rows(text, [email]);
  if (user === undefined) throw new Error(`there is no ${email}`);
  const type = user.kind === 'agent' ? 'operational' : 'personal';
  const secret = makeSecret(type);
  const id = uuidv7();
  guardKey(secret, workspace.slug === 'globex' ? CANARY : ACME_CANARY);
  await putApiKey(db, {
    id,
    workspace_id: workspace.id,
    user_id: Number(user.id),
    type,
    name: 'test',
    prefix: prefixOf(secret),
    secret_hash: hashOf(secret),
    scopes: options.scopes ?? SCOPES,
    requests_per_minute: options.requestsPerMinute ?? 1_000_000,
    expires: options.expiresIn ?? null,
  });
  return { id, secret };
}

/** A session of a person of a workspace, as signing in by a password makes it. */
export async function makeSession(
  { db, rows }: OwnDatabase,
  workspace: WorkspaceRow,
  email: string,
): Promise<{ readonly id: string; readonly token: string; readonly cookie: string }> {
  const [user] = await rows(`select id from "${workspace.schema}"._users where email = $1`, [
    email,
  ]);
  if (user === undefined) throw new Error(`there is no ${email}`);
  const [id, token] = [uuidv7(), makeToken()];
  guardKey(token, workspace.slug === 'globex' ? CANARY : ACME_CANARY);
  await appendSession(db, {
    id,
    workspace_id: workspace.id,
    user_id: Number(user.id),
    token_hash: hashOf(token),
    method: 'password',
    second_factor: null,
    user_agent: '',
  });
  return { id, token, cookie: `wrs-${workspace.id}=${token}` };
}

function createWorkspaces(): Promise<OwnDatabase> {
  return createCopy('world', fillWorkspaces);
}

/** Both workspaces, in an empty database. */
export async function fillWorkspaces({ db }: Pick<OwnDatabase, 'db'>): Promise<void> {
  await migrate(db);
  await createWorkspace(db, { slug: 'acme', document: ACME });
  await createWorkspace(db, { slug: 'globex', document: GLOBEX });
  await fillShadow(db, 'globex', 'ada@globex.example');
}
