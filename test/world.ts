// The one named world of the interface tests: a running service over its own database, the workspace
// `acme` with people of every kind of right, and `globex`, whose data must never show in `acme`.

import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { assembleService } from '../src/cli/assemble.ts';
import { readConfig } from '../src/config.ts';
import { SCOPES } from '../src/model/access.ts';
import { hashOf, makeSecret, prefixOf } from '../src/model/api-key-form.ts';
import { announceKey, putApiKey } from '../src/store/api-keys.ts';
import type { Database, Row } from '../src/store/db.ts';
import { migrate } from '../src/store/migrations.ts';
import { applyDefinition, createWorkspace } from '../src/store/provision.ts';
import { findWorkspace, type WorkspaceRow } from '../src/store/workspaces.ts';
import { type Client, openClient } from './client.ts';
import { createOwnDatabase, type OwnDatabase } from './own-database.ts';

/** Part of every value of the other workspace. */
export const CANARY = 'globex-canary-7f3a';

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

export type PersonName = 'ada' | 'mia' | 'rob' | 'rae' | 'sam' | 'bea' | 'con' | 'zed' | 'bot';

const GLOBEX = {
  ...ACME,
  name: `Globex ${CANARY}`,
  users: {
    'ada@globex.example': { name: `Ada ${CANARY}`, roles: ['admin'] },
    'rob@globex.example': { name: `Rob ${CANARY}`, roles: ['rep'] },
  },
  teams: { North: { description: CANARY, members: ['rob@globex.example'] } },
};

export interface KeyOptions {
  readonly scopes?: readonly string[];
  readonly requestsPerMinute?: number;
  /** Seconds from now. */
  readonly expiresIn?: number;
  readonly workspace?: 'acme' | 'globex';
}

export interface World {
  readonly database: OwnDatabase;
  readonly port: number;
  /** User ids by the part of the e-mail before the @. */
  readonly users: Readonly<Record<PersonName, number>>;
  /** Make a key and a client that uses it. */
  as(email: string, options?: KeyOptions): Promise<Client>;
  /** Make a key; the secret. */
  key(
    email: string,
    options?: KeyOptions,
  ): Promise<{ readonly id: string; readonly secret: string }>;
  /** Change the definition of acme. */
  apply(document: unknown, allowDrop?: readonly string[]): Promise<void>;
  /** Rows of the schema of acme: `from('_audit')`. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** A digest of every table of the workspace: equal means nothing changed at all. */
  digest(): Promise<string>;
  /** Stop the service but keep the database, to be copied into other worlds. */
  freeze(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Start the service in this process, on real sockets and a database of its own: a new one with both
 * workspaces, or a copy of a frozen world's.
 */
export async function openWorld(
  settings: Readonly<Record<string, string>> = {},
  frozen?: string,
): Promise<World> {
  const database = await createOwnDatabase(frozen);
  const { db, rows } = database;
  if (frozen === undefined) await createWorkspaces(db);
  const acme = (await findWorkspace(db, 'acme')) as WorkspaceRow;
  const globex = (await findWorkspace(db, 'globex')) as WorkspaceRow;
  const config = readConfig(settings);
  const logger = pino({ level: 'silent' });
  const server = await assembleService({ db, config, logger });
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const people = await rows('select id, email from ws_acme._users');
  const users = Object.fromEntries(
    people.map(({ id, email }) => [String(email).split('@')[0], Number(id)]),
  ) as Record<PersonName, number>;

  async function key(email: string, options: KeyOptions = {}) {
    const workspace = options.workspace === 'globex' ? globex : acme;
    const [user] = await rows(
      `select id, kind from "${workspace.schema}"._users where email = $1`,
      [email.includes('@') ? email : `${email}@${workspace.slug}.example`],
    );
    if (user === undefined) throw new Error(`there is no ${email}`);
    const type = user.kind === 'agent' ? 'operational' : 'personal';
    const secret = makeSecret(type);
    const id = uuidv7();
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
    await announceKey(db, id);
    return { id, secret };
  }

  return {
    database,
    port,
    users,
    key,
    async as(email, options) {
      const { secret } = await key(email, options);
      const canary = options?.workspace === 'globex' ? undefined : CANARY;
      return openClient({ port, secret, canary });
    },
    async apply(document, allowDrop = []) {
      await applyDefinition(db, 'acme', document, { allowDrop });
      await new Promise((resolve) => setTimeout(resolve, 50));
    },
    rows: (text, values) => rows(text.replaceAll(/\bfrom (\w+)/g, 'from "ws_acme".$1'), values),
    async digest() {
      const tables = await rows(
        `select format('%I.%I', schemaname, tablename) as name from pg_tables
          where schemaname = 'ws_acme' order by 1`,
      );
      const digests = await Promise.all(
        tables.map(({ name }) =>
          rows(
            `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) d from ${name} t`,
          ),
        ),
      );
      return digests.map(([row]) => row?.d).join(' ');
    },
    async freeze() {
      await server.close();
      await database.leave();
      return String(database.connection.database);
    },
    async close() {
      await server.close();
      await database.drop();
    },
  };
}

async function createWorkspaces(db: Database): Promise<void> {
  await migrate(db);
  await createWorkspace(db, { slug: 'acme', document: ACME });
  await createWorkspace(db, { slug: 'globex', document: GLOBEX });
}
