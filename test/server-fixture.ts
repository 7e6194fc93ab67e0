// A fixture for tests of the request pipeline: a database with two workspaces of people and keys, and
// servers on ports of their own with small routes behind the real pipeline. It has no records.

import { pino } from 'pino';
import Type from 'typebox';
import { createKey } from '../src/cli/commands/keys.ts';
import { assembleServer } from '../src/cli/service/assemble.ts';
import { type Config, readConfig } from '../src/config.ts';
import { findWorkspace, type WorkspaceRow } from '../src/control/workspace/workspaces.ts';
import { ApiError } from '../src/errors.ts';
import type { About } from '../src/http/documents/openapi.ts';
import type { Route } from '../src/http/route/route.ts';
import type { RunningServer } from '../src/http/socket/server.ts';
import type { UnreadLimits } from '../src/http/socket/unread.ts';
import { SCOPES } from '../src/model/rights/access.ts';
import { createWorkspace } from '../src/workspaces/create-workspace.ts';
import { migrate } from '../src/workspaces/migrations.ts';
import { CANARY, guardKey } from './access/canary.ts';
import { withCanary } from './access/shadow.ts';
import { createCopy, type OwnDatabase } from './own-database.ts';

export const PEOPLE = {
  roles: {
    admin: { name: 'Administrator', administrator: true },
    member: { name: 'Member', developer: true, directory: true },
    hermit: { name: 'Hermit', developer: true },
    visitor: { name: 'Visitor' },
  },
  users: {
    'ann@example.com': { name: 'Ann', title: 'Head', roles: ['admin'] },
    'bob@example.com': { name: 'Bob', roles: ['member'] },
    'hal@example.com': { name: 'Hal', roles: ['hermit'] },
    'vic@example.com': { name: 'Vic', roles: ['visitor'] },
    'ina@example.com': { name: 'Ina', roles: ['member'], active: false },
    'bot@example.com': { name: 'Bot', roles: ['member'], kind: 'agent' },
    'ola@example.com': { name: 'Ödön 100%_x', roles: ['hermit'] },
    'nameless@example.com': { name: 'Nameless', roles: ['hermit'] },
  },
  teams: {
    North: { description: 'Up there', members: ['hal@example.com', 'bob@example.com'] },
    South: { members: ['bob@example.com', 'ina@example.com', 'bot@example.com'] },
  },
} as const;

export interface KeyOptions {
  readonly workspace?: string;
  readonly scopes?: readonly string[];
  readonly rpm?: number;
  readonly expires?: string | number;
}

export interface ServerFixture {
  readonly own: OwnDatabase;
  readonly workspaces: ReadonlyMap<string, WorkspaceRow>;
  /** The secret of a new key of this person (`ann`). */
  key(person: string, options?: KeyOptions): Promise<string>;
  /** A server of its own with toy routes, or with the given ones. */
  start(options?: StartOptions): Promise<Started>;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly routes?: readonly Route<unknown>[];
  readonly config?: Partial<Config>;
  readonly unreadLimits?: Partial<UnreadLimits>;
  readonly applicationFolder?: string;
  readonly documentationFolder?: string;
}

export interface Started {
  readonly port: number;
  /** Lines of the request log. */
  readonly log: readonly Record<string, unknown>[];
  close(): Promise<void>;
}

export async function openServerFixture(): Promise<ServerFixture> {
  const own = await createCopy('fixture', createWorkspaces);
  const workspaces = new Map<string, WorkspaceRow>();
  for (const slug of ['acme', 'globex']) {
    workspaces.set(slug, (await findWorkspace(own.db, slug)) as WorkspaceRow);
  }
  const running: RunningServer[] = [];
  return {
    own,
    workspaces,
    async key(person, { workspace = 'acme', scopes = SCOPES, rpm, expires } = {}) {
      const { secret } = await createKey(own.db, {
        workspace: workspaces.get(workspace) as WorkspaceRow,
        email: `${person}@example.com`,
        name: `Key of ${person}`,
        scopes,
        requests_per_minute: rpm ?? null,
        expires: expires ?? null,
        type: undefined,
      });
      if (workspace === 'globex') guardKey(secret, CANARY);
      return secret;
    },
    async start({ routes = TOYS, config = {}, unreadLimits = {}, ...built } = {}) {
      const log: Record<string, unknown>[] = [];
      const logger = pino({ base: null }, { write: (line: string) => log.push(JSON.parse(line)) });
      const settings = { ...readConfig({ REQUESTS_PER_MINUTE: '100000' }), ...config };
      const context = { tenants: own.tenants, config: settings };
      const parts = { ...own, config: settings, logger };
      const surface = { routes, about: TOY_ABOUT, context, unreadLimits, ...built };
      const server = await assembleServer(parts, surface);
      running.push(server);
      const port = await server.listen({ host: '127.0.0.1', port: 0 });
      return { port, log, close: () => server.close() };
    },
    async close() {
      await Promise.all(running.map((server) => server.close()));
      await own.drop();
    },
  };
}

async function createWorkspaces({ db }: OwnDatabase): Promise<void> {
  await migrate(db);
  await createWorkspace(db, { slug: 'acme', document: { name: 'acme', ...PEOPLE } });
  const people = withCanary(PEOPLE) as typeof PEOPLE;
  await createWorkspace(db, { slug: 'globex', document: { name: 'globex', ...people } });
}

export const TOY_ABOUT: About = {
  title: 'Toys',
  version: '1.0.0',
  description: 'Routes to try the fixture with.',
  tags: { Toys: 'Toys.' },
  webhooks: {},
};

const closed = { additionalProperties: false };
const nothing = Type.Object({}, closed);
const anything = Type.Object({ data: Type.Unknown() });
const toyId = Type.Object({ toy_id: Type.String({ minLength: 1, maxLength: 200 }) }, closed);

const shared = { tag: 'Toys', summary: 'A toy', params: nothing, query: nothing } as const;

export const TOYS: readonly Route<unknown>[] = [
  toy({
    ...shared,
    method: 'GET',
    path: '/toys',
    operationId: 'listToys',
    scope: 'records:read',
    query: Type.Object(
      {
        limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
        cursor: Type.Optional(Type.String({ maxLength: 20 })),
        q: Type.Optional(Type.String({ maxLength: 20 })),
        sort: Type.Optional(Type.String({ minLength: 1 })),
        mode: Type.Enum(['true', 'false'], { default: 'false' }),
      },
      closed,
    ),
    filters: true,
    status: 200,
    result: anything,
    errors: ['validation_failed', 'invalid_filter'],
    handle: async ({ query, filters }) => ({ body: { data: { query, filters } } }),
  }),
  toy({
    ...shared,
    method: 'POST',
    path: '/toys/search',
    operationId: 'searchToys',
    scope: 'records:read',
    body: Type.Object(
      { query: Type.Optional(Type.String()), limit: Type.Integer({ minimum: 1, default: 25 }) },
      closed,
    ),
    bodyOptional: true,
    status: 200,
    result: anything,
    errors: ['invalid_json', 'validation_failed'],
    handle: async ({ body }) => ({ body: { data: body } }),
  }),
  toy({
    ...shared,
    method: 'POST',
    path: '/toys',
    operationId: 'createToy',
    scope: 'records:write',
    body: Type.Object({ fields: Type.Record(Type.String(), Type.Unknown()) }, closed),
    idempotent: true,
    status: 201,
    result: anything,
    errors: ['invalid_json', 'validation_failed', 'conflict'],
    handle: async ({ body, claim }) => ({
      body: {
        data: {
          ...body,
          idempotencyKey: claim?.key,
          fingerprint: claim?.fingerprint.toString('hex'),
        },
      },
    }),
  }),
  toy({
    ...shared,
    method: 'GET',
    path: '/toys/{toy_id}',
    operationId: 'getToy',
    scope: 'records:read',
    params: toyId,
    status: 200,
    result: anything,
    etag: true,
    errors: ['validation_failed', 'record_not_found'],
    async handle({ params }) {
      if (params.toy_id !== '1') throw new ApiError('record_not_found', { param: 'toy_id' });
      return { body: { data: params }, headers: { ETag: '"one"' } };
    },
  }),
  toy({
    ...shared,
    method: 'DELETE',
    path: '/toys/{toy_id}',
    operationId: 'deleteToy',
    scope: 'records:delete',
    params: toyId,
    preconditions: true,
    status: 200,
    result: anything,
    errors: ['validation_failed', 'record_not_found'],
    handle: async ({ params, ifMatch }) => ({ body: { data: { ...params, ifMatch } } }),
  }),
  toy({
    ...shared,
    method: 'POST',
    path: '/json',
    operationId: 'takeJson',
    scope: null,
    body: Type.Object({}),
    bodyLimit: 'batch',
    status: 200,
    result: anything,
    errors: ['invalid_json', 'validation_failed'],
    handle: async ({ body }) => ({ body: { data: body } }),
  }),
  toy({
    ...shared,
    method: 'POST',
    path: '/batch',
    operationId: 'batchToys',
    scope: 'records:write',
    body: Type.Object(
      {
        operations: Type.Array(
          Type.Object({ action: Type.Enum(['make', 'break']), id: Type.String() }, closed),
          { minItems: 1, maxItems: 100 },
        ),
      },
      closed,
    ),
    bodyLimit: 'batch',
    status: 200,
    result: anything,
    errors: ['invalid_json', 'validation_failed'],
    handle: async ({ body }) => ({ body: { data: body } }),
  }),
  toy({
    ...shared,
    method: 'GET',
    path: '/gadgets/{gadget_id}',
    operationId: 'getGadget',
    scope: 'records:read',
    params: Type.Object({ gadget_id: Type.Integer({ minimum: 1 }) }, closed),
    status: 200,
    result: anything,
    errors: ['user_not_found'],
    handle: async ({ params }) => ({ body: { data: params } }),
  }),
  toy({
    ...shared,
    method: 'GET',
    path: '/me',
    operationId: 'getMe',
    scope: null,
    status: 200,
    result: anything,
    errors: [],
    handle: async ({ caller }) => ({
      body: { data: { user: caller.user, principal: caller.principal } },
    }),
  }),
  toy({
    ...shared,
    method: 'GET',
    path: '/broken',
    operationId: 'getBroken',
    scope: null,
    status: 200,
    result: anything,
    errors: [],
    async handle() {
      throw new Error('select secret from hidden', { cause: new Error('inner') });
    },
  }),
];

function toy<Params extends Type.TSchema, Query extends Type.TSchema, Body extends Type.TSchema>(
  route: Route<unknown, Params, Query, Body>,
): Route<unknown> {
  return route as unknown as Route<unknown>;
}
