// The client: every endpoint of the service as a call, grouped as the interface is.

import {
  type Administration,
  administrationOf,
  type PeopleChanges,
  peopleChangesOf,
  type TeamChanges,
  teamChangesOf,
} from './administration.ts';
import { type StatusRequests, statusRequestsOf } from './approvals.ts';
import { type ObjectBatchResult, type ObjectOperations, objectBatches } from './batches.ts';
import { type ChangePage, type ChangesOptions, followChanges } from './changes.ts';
import { type ClientOptions, openConnection } from './connection.ts';
import { type Dashboards, dashboardsOf } from './dashboards.ts';
import { type Definitions, definitionOf } from './definition.ts';
import { type LiveEvent, type StreamOptions, streamEvents } from './events.ts';
import type { AnyFields, AnyObjects, ObjectFields } from './fields.ts';
import { type Notifications, notificationsOf } from './notifications.ts';
import { itemsFrom, type Page } from './pages.ts';
import {
  type ObjectAggregate,
  type ObjectQuestion,
  objectAggregates,
  objectQuestions,
  type QuestionPage,
} from './questions.ts';
import { openRecords, type Records } from './records.ts';
import { type CallOptions, openSender, type Send } from './request.ts';
import type {
  Endpoints,
  Group,
  KeyIdentity,
  ObjectDefinition,
  ObjectSummary,
  SearchHit,
  Team,
  User,
  Workflow,
} from './schema.ts';
import { type SecondFactor, secondFactorOf } from './second-factor.ts';
import { openSessions, type Sessions } from './sessions.ts';
import { openTransfers, type Transfers } from './transfers.ts';
import { type Views, viewsOf } from './views.ts';
import { type Webhooks, webhooksOf } from './webhooks.ts';

/** `'true' | 'false'` of a query string as a boolean. */
type Lenient<Query> = {
  readonly [Name in keyof Query]: [NonNullable<Query[Name]>] extends ['true' | 'false']
    ? boolean | undefined
    : Query[Name];
};

export type UserQuery = Lenient<Endpoints['listUsers']['query']>;
export type ObjectsQuery = Lenient<Endpoints['listObjects']['query']>;

export interface Client<Objects = AnyObjects> extends Administration, Transfers {
  /** The user, the workspace and the scopes of the key; in a session `sessions.me`. */
  me(options?: CallOptions): Promise<KeyIdentity>;
  readonly users: PeopleChanges & {
    list(query?: UserQuery, options?: CallOptions): Promise<Page<User>>;
    all(query?: UserQuery, options?: CallOptions): AsyncGenerator<User, void, undefined>;
    get(id: number, options?: CallOptions): Promise<User>;
  };
  readonly teams: TeamChanges & { list(options?: CallOptions): Promise<Team[]> };
  readonly objects: {
    list(query?: ObjectsQuery, options?: CallOptions): Promise<ObjectSummary[]>;
    get(
      objectType: string,
      query?: Endpoints['getObject']['query'],
      options?: CallOptions,
    ): Promise<ObjectDefinition>;
  };
  readonly workflows: {
    get(
      id: string,
      query?: Endpoints['getWorkflow']['query'],
      options?: CallOptions,
    ): Promise<Workflow>;
  };
  /** The definition of the workspace; only administrators can change it. */
  readonly definition: Definitions;
  /** The OpenAPI document of the workspace, with the parts that the key may see. */
  openApi(options?: CallOptions): Promise<Endpoints['getOpenApi']['result']>;
  readonly notifications: Notifications;
  readonly events: {
    /** Live events of the workspace, over as many connections as it takes. */
    stream(options?: StreamOptions): AsyncGenerator<LiveEvent, void, undefined>;
  };
  /**
   * Changes since a cursor, as pages: store the events of a page, then its cursor. Ends with `wait: 0`
   * only, and when the cursor or the key is no longer valid.
   */
  changes(options?: ChangesOptions): AsyncGenerator<ChangePage, void, undefined>;
  /** Questions that people keep. */
  readonly views: Views;
  readonly dashboards: Dashboards;
  /** Moves that were asked for, and decisions about them; `records(…).requestStatus` asks. */
  readonly statusRequests: StatusRequests;
  /** Events that are sent to other systems. */
  readonly webhooks: Webhooks;
  /** Signing in and out, in pages that the service itself serves. */
  readonly sessions: Sessions;
  /** Codes and passkeys of the person who has signed in. */
  readonly secondFactor: SecondFactor;
  /** Find records of every object, best first. */
  search(
    q: string,
    query?: Omit<Endpoints['search']['query'], 'q'>,
    options?: CallOptions,
  ): Promise<SearchHit[]>;
  /** Up to 100 operations on records of any objects, all or none; `earlier(0)` names a record. */
  batch(operations: ObjectOperations, options?: CallOptions): Promise<ObjectBatchResult[]>;
  /** Check the same operations; nothing changes. */
  batchDryRun(operations: ObjectOperations, options?: CallOptions): Promise<ObjectBatchResult[]>;
  /** Up to ten questions about records of any objects; their pages in the same order. */
  query(queries: readonly ObjectQuestion[], options?: CallOptions): Promise<QuestionPage[]>;
  /** Up to twelve aggregates of records of any objects; their groups in the same order. */
  aggregate(queries: readonly ObjectAggregate[], options?: CallOptions): Promise<Page<Group>[]>;
  /** The records of an object type. */
  records<Type extends keyof Objects & string>(
    objectType: Type,
  ): Records<Objects[Type] extends ObjectFields ? Objects[Type] : AnyFields>;
  /** The records of an object type with fields of this type: `records<Deal>('deals')`. */
  records<Fields extends object = never>(
    objectType: [Fields] extends [never] ? never : string,
  ): Records<{ read: Fields; write: Partial<Fields> }>;
}

/**
 * A client of the service. `Objects` is the type that `workspace-records types` writes: with it the fields of all
 * objects are known.
 */
export function createClient<Objects = AnyObjects>(options: ClientOptions): Client<Objects> {
  const connection = openConnection(options);
  const send = openSender(connection);
  const client: Client = {
    ...openTransfers(connection, send),
    ...peopleOf(send),
    ...schemaOf(send),
    ...administrationOf(send),
    definition: definitionOf(send),
    notifications: notificationsOf(send),
    events: { stream: (streamed) => streamEvents(connection, streamed) },
    changes: (followed) => followChanges({ ...connection, send }, followed),
    views: viewsOf(send),
    dashboards: dashboardsOf(send),
    statusRequests: statusRequestsOf(send),
    webhooks: webhooksOf(send),
    sessions: openSessions(send),
    secondFactor: secondFactorOf(send),
    search: async (q, query = {}, called = {}) =>
      (await send('search', { query: { ...query, q } }, called)).data,
    batch: objectBatches(send),
    batchDryRun: objectBatches(send, true),
    query: objectQuestions(send),
    aggregate: objectAggregates(send),
    records: (objectType: string) => openRecords<AnyFields>(send, objectType) as never,
  };
  return Object.freeze(client) as Client<Objects>;
}

function peopleOf(send: Send): Pick<Client, 'me' | 'users' | 'teams'> {
  const list = (query: UserQuery = {}, options?: CallOptions) =>
    send('listUsers', { query: spelled(query) }, options);
  return {
    me: async (options) => (await send('getMe', {}, options)).data as KeyIdentity,
    users: {
      list,
      all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
      get: async (user_id, options) =>
        (await send('getUser', { params: { user_id } }, options)).data,
      ...peopleChangesOf(send),
    },
    teams: {
      list: async (options) => (await send('listTeams', {}, options)).data,
      ...teamChangesOf(send),
    },
  };
}

function schemaOf(send: Send): Pick<Client, 'objects' | 'workflows' | 'openApi'> {
  return {
    objects: {
      list: async (query = {}, options) =>
        (await send('listObjects', { query: spelled(query) }, options)).data,
      get: async (object_type, query = {}, options) =>
        (await send('getObject', { params: { object_type }, query }, options)).data,
    },
    workflows: {
      get: async (workflow_id, query = {}, options) =>
        (await send('getWorkflow', { params: { workflow_id }, query }, options)).data,
    },
    openApi: (options) => send('getOpenApi', { query: { workspace: 'true' } }, options),
  };
}

/** A boolean is spelled out in a query string, which connection.ts does with every value. */
function spelled<Query extends object>(query: Query) {
  return query as { readonly [Name in keyof Query]: Exclude<Query[Name], boolean> };
}
