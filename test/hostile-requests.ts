// Requests of a megabyte for each endpoint that takes a body, of what costs it most: keys, values and texts just within the
// bounds that hold before anything is looked up, and texts far beyond those of a field.

import { LIMITS } from '../src/limits.ts';
import { mergePatch } from '../src/model/definition/definition.ts';
import { IS_LONG } from './until.ts';
import { ACME } from './world.ts';

const MEGABYTE = 1_000_000;

const fieldsNamed = (letter: string, field: object) =>
  Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${letter}${at}`, field]));
const options = Array.from({ length: 500 }, (_, at) => ({ value: `option ${at}` }));

/** An object with many fields of the types whose values cost most. */
export const HOSTILE_DOCUMENT = mergePatch(ACME, {
  objects: {
    things: {
      ...{ name: 'Things', singular_name: 'Thing', display_field: 't0' },
      fields: {
        ...fieldsNamed('t', { type: 'text' }),
        ...fieldsNamed('p', { type: 'text', pattern: '^(a|b)*[0-9]$' }),
        ...fieldsNamed('m', { type: 'multi_select', options }),
        ...fieldsNamed('n', { type: 'number' }),
        ...fieldsNamed('l', { type: 'long_text', searchable: true }),
        j: { type: 'json' },
        company_id: { type: 'reference', reference_object_type: 'companies' },
      },
    },
  },
}) as object;

export interface HostileRequest {
  readonly what: string;
  readonly path: string;
  readonly body: string;
  readonly type?: string;
  /** In place of the session. */
  readonly key?: string;
}

/** Ids that the paths need. */
export interface Places {
  readonly thing: string;
  readonly company: string;
  readonly view: string;
  readonly dashboard: string;
  readonly user: number;
  readonly team: number;
  readonly key: string;
  readonly webhook: string;
  readonly operatorKey: string;
}

const items = (count: number, item: (at: number) => unknown) =>
  Array.from({ length: count }, (_, at) => item(at));
const object = (count: number, key: string, value: (at: number) => unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${key}${at}`, value(at)]));

/** Anything at all, in a place that takes no such thing or some of it. */
const ANYTHING: Readonly<Record<string, () => unknown>> = {
  'a long text': () => 'x'.repeat(MEGABYTE),
  'a long text of ends of lines': () => '\n'.repeat(MEGABYTE / 2),
  'a long text of pairs': () => '😀'.repeat(MEGABYTE / 4),
  'a long text of spaces and one letter': () => `${' '.repeat(MEGABYTE)}x`,
  'a long text of digits': () => '1'.repeat(MEGABYTE),
  'a long address': () => `${'a.'.repeat(MEGABYTE / 4)}@${'b.'.repeat(MEGABYTE / 4)}`,
  'many keys': () => object(19_000, 'key ', (at) => 'v'.repeat(20) + at),
  'many short keys': () => object(19_000, 'k', () => null),
  'many texts': () => items(100_000, (at) => `t${at}`),
  'many numbers': () => items(118_000, (at) => at),
  'many lists': () => items(100_000, () => []),
};

/** Those that have cost most until now. */
const WORST: ReadonlySet<string> = new Set([
  ...['a long text of spaces and one letter', 'a long address'],
  ...['many keys', 'many texts', 'many numbers'],
]);

/** Each in each place, among what makes the rest of the body right. */
function anythingIn(path: string, places: Readonly<Record<string, object>>, wraps?: Wraps) {
  return Object.entries(places).flatMap(([place, rest]) =>
    namesOfAnything.map((name): HostileRequest => {
      const make = ANYTHING[name] as () => unknown;
      const value = wraps?.[place] === undefined ? make() : wraps[place](make());
      return { what: `${place}: ${name}`, path, body: JSON.stringify({ ...rest, [place]: value }) };
    }),
  );
}
const namesOfAnything = Object.keys(ANYTHING).filter((name) => IS_LONG || WORST.has(name));

type Wraps = Readonly<Record<string, (value: unknown) => unknown>>;

const named = (what: string, path: string, body: unknown): HostileRequest => ({
  what,
  path,
  body: JSON.stringify(body),
});

const RECORDS = '/objects/things/records';
const operands = (length: number) => items(100, (at) => String(at).padEnd(length, 'é'));
const FILTERS = object(LIMITS.filters, 't', () => ({ in: operands(300) }));
const WHERE = {
  any: items(LIMITS.conditions, (at) => ({ field: `t${at}`, op: 'in', value: operands(140) })),
};
const METRICS = [{ name: 'n', op: 'count' }];

const questions = (path: string) => [
  named('operands of filters', path, { filters: FILTERS }),
  named('operands of conditions', path, { where: WHERE }),
  named('operands that are too long', path, {
    filters: { t0: { in: items(100, () => 'é'.repeat(4900)) }, t1: 'x'.repeat(300_000) },
  }),
  named('conditions that are none', path, {
    where: { all: items(31, () => ({ any: items(300, () => ({ field: 'x', no: 1 })) })) },
  }),
  ...anythingIn(path, { query: {}, filters: {}, where: {}, fields: {}, sort: {}, timezone: {} }),
];

const PATTERNS = object(60, 'p', (at) => `${'ab'.repeat(249)}${at % 10}`);
const WRITTEN = {
  'values of all types': {
    ...object(60, 't', () => 'é'.repeat(500)),
    ...PATTERNS,
    ...object(60, 'm', () => items(100, (at) => `option ${at}`)),
    ...object(60, 'n', () => 0.123456789012345),
    ...object(4, 'l', () => 'word '.repeat(19_000)),
    j: { text: 'j'.repeat(90_000) },
  },
  'long texts of words': object(9, 'l', (at) => `w${at} `.repeat(30_000)),
  'values that are too long': object(60, 't', () => 'é'.repeat(8000)),
  'texts of spaces': object(9, 'l', () => ' '.repeat(100_000)),
  'unknown fields': object(9000, 'unknown field ', () => 'v'.repeat(80)),
  'wrong options': object(60, 'm', () => items(100, () => 'x'.repeat(100))),
};
const operations = (operation: (at: number) => object, count = LIMITS.batchOperations) => ({
  operations: items(count, operation),
});
const SMALL = {
  ...object(10, 't', () => 'é'.repeat(300)),
  ...object(4, 'p', () => 'ab'.repeat(249)),
};

const batches = (path: string, of: object) => [
  named(
    'creates',
    path,
    operations(() => ({ action: 'create', ...of, fields: SMALL })),
  ),
  named(
    'creates of long texts',
    path,
    operations(() => ({ action: 'create', ...of, fields: { l0: 'word '.repeat(1900) } })),
  ),
  named(
    'upserts',
    path,
    operations((at) => ({
      ...{ action: 'upsert', ...of, match: { t1: `match ${at}`.padEnd(400, 'x') }, fields: SMALL },
    })),
  ),
  named(
    'deletes',
    path,
    operations((at) => ({ action: 'delete', ...of, id: `x${at}`.repeat(900) })),
  ),
  ...anythingIn(path, { operations: {} }),
  ...anythingIn(
    path,
    { operations: {} },
    {
      operations: (fields) => [{ action: 'create', ...of, fields }],
    },
  ),
];

const VIEW = { object_type: 'things', name: 'A view', query: {} };
const viewBodies = (path: string, rest: object) => [
  named('a question of operands', path, { ...rest, query: { where: WHERE } }),
  named('columns', path, { ...rest, columns: items(100, (at) => ({ field: `t${at % 60}` })) }),
  ...anythingIn(path, { name: rest, query: rest, columns: rest, group_by: rest, metrics: rest }),
];

/** By the operation of the route; the paths have `{…}` in place of ids. */
export function hostileRequests(at: Places): Readonly<Record<string, readonly HostileRequest[]>> {
  const record = `${RECORDS}/${at.thing}`;
  const person = `/users/${at.user}`;
  const ROLE = { key: 'hostile', name: 'Hostile' };
  const granted = {
    ...object(400, 'o', () => ({ read: 'own', fields: object(20, 'field_', () => 'read') })),
    things: { read: 'own', fields: object(60, 't', () => 'none') },
  };
  return {
    searchRecords: questions(`${RECORDS}/search`),
    aggregateRecords: [
      named('operands', `${RECORDS}/aggregate`, { filters: FILTERS, metrics: METRICS }),
      ...anythingIn(`${RECORDS}/aggregate`, {
        ...{ filters: { metrics: METRICS }, group_by: { metrics: METRICS }, metrics: {} },
        order_by: { metrics: METRICS },
      }),
    ],
    queryRecords: questions(`${RECORDS}/query`),
    queryAggregates: [
      named('operands', `${RECORDS}/aggregate/query`, { where: WHERE, metrics: METRICS }),
      ...anythingIn(`${RECORDS}/aggregate/query`, {
        ...{ where: { metrics: METRICS }, group_by: { metrics: METRICS }, metrics: {} },
      }),
    ],
    queryObjects: [
      named('operands', '/query', {
        queries: items(10, () => ({
          object_type: 'things',
          where: { any: items(32, (n) => ({ field: `t${n}`, op: 'in', value: operands(20) })) },
        })),
      }),
      ...anythingIn('/query', { queries: {} }),
    ],
    aggregateObjects: [
      named('operands', '/aggregate', {
        queries: items(12, () => ({ object_type: 'things', where: WHERE, metrics: METRICS })),
      }),
      ...anythingIn('/aggregate', { queries: {} }),
    ],
    createRecord: [
      ...Object.entries(WRITTEN).map(([what, fields]) => named(what, RECORDS, { fields })),
      ...anythingIn(RECORDS, { fields: {} }),
      ...anythingIn(RECORDS, { fields: {} }, { fields: (j) => ({ j }) }),
      ...anythingIn(RECORDS, { fields: {} }, { fields: (l0) => ({ l0 }) }),
    ],
    updateRecord: [
      ...Object.entries(WRITTEN).map(([what, fields]) => named(what, record, { fields })),
      ...anythingIn(record, { fields: {}, expected_version: { fields: {} } }),
    ],
    restoreRecordValues: anythingIn(`${record}/restore`, {
      ...{ revision: { fields: ['name'] }, fields: { revision: 1 } },
    }),
    mergeRecords: anythingIn(`${record}/merge`, {
      ...{ from: { take: {} }, take: { from: [{ id: at.thing, expected_version: '1-x' }] } },
    }),
    unmergeRecord: anythingIn(`${record}/unmerge`, { merge: {} }),
    startDuplicates: anythingIn('/objects/deals/duplicates', { unknown: {} }),
    changeStatus: anythingIn(`/objects/deals/records/${at.thing}/status`, { status_id: {} }),
    createStatusRequest: anythingIn(`/objects/deals/records/${at.thing}/status_requests`, {
      ...{ status_id: {}, comment: { status_id: 'won' } },
    }),
    approveStatusRequest: anythingIn(`/status_requests/${at.thing}/approve`, {
      ...{ comment: {}, expected_version: {} },
    }),
    rejectStatusRequest: anythingIn(`/status_requests/${at.thing}/reject`, { comment: {} }),
    withdrawStatusRequest: anythingIn(`/status_requests/${at.thing}/withdraw`, { unknown: {} }),
    restoreRecord: anythingIn(`/objects/deals/deleted/${at.thing}/restore`, { unknown: {} }),
    batchRecords: batches(`${RECORDS}/batch`, {}),
    batchObjects: batches('/batch', { object_type: 'things' }),
    bulkRecords: [
      named('operands', `${RECORDS}/bulk`, {
        ...{ action: 'update', dry_run: true, where: WHERE, fields: SMALL },
      }),
      ...anythingIn(`${RECORDS}/bulk`, {
        ...{ where: { action: 'delete', dry_run: true } },
        ...{ fields: { action: 'update', dry_run: true, where: WHERE } },
      }),
    ],
    linkRecord: anythingIn(`${record}/relationships/ref.company_id`, { target_id: {} }),
    createComment: anythingIn(`/objects/companies/records/${at.company}/comments`, {
      ...{ body: {}, mention_user_ids: { body: 'x' } },
    }),
    createView: viewBodies('/views', VIEW),
    copyView: anythingIn(`/views/${at.view}/copy`, { name: {} }),
    createCalendarFeed: anythingIn(`/views/${at.view}/feed`, {
      ...{ name: {}, expires_at: { name: 'x' } },
    }),
    createDashboard: anythingIn('/dashboards', { name: {}, tiles: { name: 'x' } }),
    updateDashboard: anythingIn(`/dashboards/${at.dashboard}`, { name: {}, tiles: {} }),
    createWorkspace: anythingIn('/workspaces', {
      ...{ slug: {}, name: { slug: 'x' }, definition: { slug: 'x' }, admin: { slug: 'x' } },
    }).map((request) => ({ ...request, key: at.operatorKey })),
    orderViews: anythingIn('/views/order', {
      ...{ object_type: { view_ids: [] }, view_ids: { object_type: 'things' } },
    }),
    updateView: viewBodies(`/views/${at.view}`, {}),
    createUser: anythingIn('/users', {
      ...{ email: { name: 'x' }, name: { email: 'x@y.example' } },
      roles: { email: 'x@y.example', name: 'x' },
    }),
    updateUser: anythingIn(person, { email: {}, name: {}, title: {}, roles: {} }),
    updateTeamsOfUser: anythingIn(`${person}/teams`, { team_ids: {} }),
    createSignInLink: anythingIn(`${person}/sign_in_links`, { purpose: {}, expires_in_hours: {} }),
    createTeam: anythingIn('/teams', { name: {}, description: { name: 'x' } }),
    updateTeam: anythingIn(`/teams/${at.team}`, { name: {}, description: {} }),
    createRole: [
      named('grants', '/roles', { ...ROLE, objects: granted }),
      ...anythingIn('/roles', { key: { name: 'x' }, name: { key: 'x' }, objects: ROLE }),
    ],
    updateRole: [
      named('grants', '/roles/rep', { objects: granted }),
      ...anythingIn('/roles/rep', { name: {}, objects: {} }),
    ],
    startViewing: anythingIn('/viewing', { user_id: {} }),
    createKey: anythingIn('/keys', { name: {}, scopes: { name: 'x' }, expires_at: { name: 'x' } }),
    updateKey: anythingIn(`/keys/${at.key}`, { name: {}, expires_at: {} }),
    createWebhook: webhookBodies('/webhooks', HOOK),
    updateWebhook: webhookBodies(`/webhooks/${at.webhook}`, {}),
    rotateWebhookSecret: anythingIn(`/webhooks/${at.webhook}/rotate_secret`, { overlap_hours: {} }),
    replayWebhook: anythingIn(`/webhooks/${at.webhook}/replay`, {
      ...{ since: {}, until: { since: '2026-01-01' }, states: { since: '2026-01-01' } },
    }),
    sendFile: ['\n'.repeat(MEGABYTE), `a,b\n${'"",'.repeat(MEGABYTE / 3)}`].map((body, index) => ({
      ...{ what: `file ${index}`, path: '/files', body, type: 'text/csv' },
    })),
    startErasure: anythingIn('/erasures', {
      ...{ records: {}, dry_run: { records: [{ object_type: 'things', id: at.thing }] } },
    }),
    startImport: anythingIn('/imports', {
      ...{ file_id: { mapping: {} }, mapping: { file_id: at.thing } },
    }),
    readSentFile: anythingIn('/imports/readings', {
      file_id: {},
      delimiter: { file_id: at.thing },
    }),
    startExport: [
      named('operands', '/exports', { object_type: 'nothing', format: 'csv', where: WHERE }),
      ...anythingIn('/exports', {
        ...{ object_type: {}, fields: { object_type: 'x' }, where: { object_type: 'x' } },
      }),
    ],
    planDefinition: anythingIn('/definition/plan', { document: {}, patch: {} }),
    applyDefinition: anythingIn('/definition/apply', {
      ...{ document: { plan_id: 'x' }, allow: { plan_id: 'x', patch: {} } },
    }),
    createSession: anythingIn('/sessions', {
      ...{ workspace: { token: 'x' }, token: { workspace: 'acme' } },
      ...{ email: { workspace: 'acme', password: 'x' } },
      ...{ password: { workspace: 'acme', email: 'ada@acme.example' } },
      ...{ challenge: { code: '123456' }, code: { challenge: 'x' } },
      ...{ recovery_code: { challenge: 'x' }, assertion: { challenge: 'x' } },
    }),
    mailSignInLink: anythingIn('/sign_in_links', {
      ...{ workspace: { email: 'ada@acme.example' }, email: { workspace: 'acme' } },
    }),
    updateNotificationSettings: anythingIn('/me/notification_settings', {
      ...{ mail: {}, language: {}, time_zone: {}, kinds: {} },
    }),
    readAuthorization: anythingIn('/oauth/authorizations', { query: {} }),
    createGrant: anythingIn('/oauth/grants', { query: { digest: 'x' }, digest: { query: 'x' } }),
    createOauthClient: anythingIn('/oauth/clients', {
      ...{ name: { redirect_uris: ['https://a.example/cb'] }, redirect_uris: { name: 'x' } },
    }),
    switchOauthClient: anythingIn('/oauth/clients', { client_id: { enabled: true } }),
    beginPasskeySignIn: anythingIn('/sign_in/passkey', { workspace: {} }),
    confirmCodes: anythingIn('/me/second_factor/code', { code: {} }),
    createPasskey: anythingIn('/me/passkeys', {
      ...{ challenge: { name: 'x', credential: {} }, name: { challenge: 'x', credential: {} } },
      credential: { challenge: 'x', name: 'x' },
    }),
    setPassword: anythingIn('/me/password', {
      ...{ password: {}, current_password: { password: 'a long password' } },
    }),
  };
}

const HOOK = { url: 'https://hooks.example.com/in', events: ['record.*'] };

/** Bodies of a webhook that is created or changed. */
function webhookBodies(path: string, others: object): readonly HostileRequest[] {
  return [
    named('operands', path, { ...others, object_types: ['things'], where: WHERE }),
    ...anythingIn(path, {
      ...{ url: others, events: others, object_types: others, changed_fields: others },
      ...{ where: { ...others, object_types: ['things'] }, status_to: others, except: others },
      ...{ headers: others, payload: others },
    }),
  ];
}
