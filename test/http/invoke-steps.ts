// The requests that are sent over HTTP and through `invoke`: every route with a success and its errors.

import { ROUTES } from '../../src/api/index.ts';
import type { PersonName } from '../world.ts';

export interface Step {
  readonly name: string;
  /** An `operationId`. */
  readonly route: string;
  readonly status: number;
  /** `$name` is replaced by a secret or a saved value of an earlier step, `#name` by a number. */
  readonly call: {
    readonly params?: Readonly<Record<string, string | number>>;
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  /** Names with paths into the answer. */
  readonly save?: Readonly<Record<string, string>>;
}

interface KeyOf {
  readonly person: PersonName;
  readonly scopes?: readonly string[];
  readonly requestsPerMinute?: number;
}

const MANY = 100_000;

export const KEYS: Readonly<Record<string, KeyOf>> = {
  ada: { person: 'ada', requestsPerMinute: MANY },
  mia: { person: 'mia', requestsPerMinute: MANY },
  rob: { person: 'rob', requestsPerMinute: MANY },
  bea: { person: 'bea', requestsPerMinute: MANY },
  con: { person: 'con', requestsPerMinute: MANY },
  bare: { person: 'ada', scopes: [], requestsPerMinute: MANY },
  spent: { person: 'ada', requestsPerMinute: 1 },
};

/** Sessions by name: of an administrator, one that is to end, one that began an hour ago, and one of another person. */
export const SESSIONS: Readonly<Record<string, PersonName>> = {
  inPage: 'ada',
  ending: 'rob',
  stale: 'mia',
  other: 'sam',
};

export const OPERATOR_KEY = 'the key of the operator, in tests'.replaceAll(' ', '-');

type Call = Step['call'];
const as = (name: string, more: Readonly<Record<string, string>> = {}) => ({
  authorization: `Bearer $${name}`,
  ...more,
});
const ADA = as('ada');
/** In a page of the service; the header of the key is left out. */
const inSession = (name: string) => ({
  authorization: '',
  cookie: `wrs-1=$${name}`,
  'sec-fetch-site': 'same-origin',
});
const IN_PAGE = inSession('inPage');
const ABSENT = '01900000-0000-7000-8000-000000000000';
const BIG = { field: 'amount', op: 'gte', value: 1000 };
const deals = { object_type: 'deals' };
const boats = { object_type: 'boats' };
const deal = { ...deals, record_id: '$deal' };
const absent = { ...deals, record_id: ABSENT };
const company = { object_type: 'companies', record_id: '$company' };
const contacts = { ...deal, association_id: 'assoc.contacts_deals' };

const IS_OPEN = { field: 'status', op: 'eq', value: 'open' };

/** The request of a client that was entered. */
const AUTHORIZATION = [
  'client_id=$oauthClient&redirect_uri=https%3A%2F%2Fagent.example%2Fback&response_type=code',
  `code_challenge=${'x'.repeat(43)}&code_challenge_method=S256`,
].join('&');

/** Requests that succeed, in an order in which each finds the data it needs. */
export const GOOD: Readonly<Record<string, Call & Pick<Step, 'save'>>> = {
  getMe: {},
  listUsers: {
    query: 'limit=2',
    save: { user: 'body.data.0.id', userCursor: 'body.pagination.next_cursor' },
  },
  getUser: { params: { user_id: '$user' } },
  listTeams: {},
  listObjects: {},
  getObject: { params: deals },
  getWorkflow: { params: { workflow_id: 'pipeline' } },
  getOpenApi: { query: 'workspace=true' },
  createRecord: {
    params: deals,
    body: { fields: { name: 'Zephyr', amount: 12.5, code: 'one' } },
    save: { deal: 'body.data.id', version: 'body.data.version' },
  },
  getRecord: { params: deal, query: 'fields=name,amount', save: { tag: 'headers.etag' } },
  updateRecord: { params: deal, body: { fields: { amount: 13 } } },
  changeStatus: { params: deal, body: { status_id: 'lost' } },
  createStatusRequest: {
    headers: as('rob'),
    params: { ...deals, record_id: '$lost0' },
    body: { status_id: 'won', comment: 'They called again' },
    save: { request0: 'body.data.id' },
  },
  listStatusRequests: { query: 'state=pending&limit=1' },
  getStatusRequest: { params: { request_id: '$request0' } },
  approveStatusRequest: { headers: as('mia'), params: { request_id: '$request0' }, body: {} },
  rejectStatusRequest: { headers: as('mia'), params: { request_id: '$request1' } },
  withdrawStatusRequest: { headers: as('rob'), params: { request_id: '$request2' } },
  listRecords: { params: deals, query: 'filter[amount][gte]=1&sort=-amount&limit=1' },
  searchRecords: { params: deals, body: { limit: 2 } },
  queryRecords: {
    params: deals,
    body: { where: IS_OPEN, count: 'exact', expand: ['owner_user_id'] },
  },
  queryAggregates: {
    params: deals,
    body: {
      where: { not: IS_OPEN },
      group_by: ['company_id.name', { field: 'created_at', by: 'month' }],
      metrics: [{ name: 'count', op: 'count' }],
    },
  },
  queryObjects: {
    body: { queries: [{ object_type: 'deals', where: IS_OPEN }, { object_type: 'companies' }] },
  },
  aggregateObjects: {
    body: { queries: [{ object_type: 'deals', metrics: [{ name: 'count', op: 'count' }] }] },
  },
  aggregateRecords: { params: deals, body: { metrics: [{ name: 'count', op: 'count' }] } },
  batchRecords: {
    params: deals,
    body: { operations: [{ action: 'create', fields: { name: 'Batched' } }] },
  },
  batchObjects: {
    body: {
      operations: [
        { action: 'create', object_type: 'companies', fields: { name: 'Ordered' } },
        {
          action: 'create',
          object_type: 'deals',
          fields: { name: 'Line', company_id: { $op: 0 } },
        },
      ],
    },
  },
  createView: {
    body: { object_type: 'deals', name: 'Big', query: { where: BIG }, shared: 'workspace' },
    save: { view: 'body.data.id' },
  },
  listViews: { query: 'object_type=deals&limit=1' },
  getView: { params: { view_id: '$view' } },
  copyView: { params: { view_id: '$view' }, body: {} },
  updateView: {
    params: { view_id: '$view' },
    body: { name: 'Large', kind: 'calendar', group_by: 'closes_on' },
  },
  orderViews: { body: { object_type: 'deals', view_ids: ['$view'] } },
  createDashboard: { body: { name: 'Sales' }, save: { dashboard: 'body.data.id' } },
  listDashboards: { query: 'limit=1' },
  getDashboard: { params: { dashboard_id: '$dashboard' } },
  updateDashboard: { params: { dashboard_id: '$dashboard' }, body: { shared: 'team' } },
  deleteDashboard: { params: { dashboard_id: '$dashboard' } },
  createCalendarFeed: { params: { view_id: '$view' } },
  deleteView: { params: { view_id: '$view' } },
  bulkRecords: {
    params: deals,
    body: {
      where: { field: 'name', op: 'eq', value: 'Line' },
      action: 'update',
      fields: { amount: 1 },
      dry_run: true,
    },
  },
  search: { query: 'q=Zephyr' },
  listRelationships: { params: deal },
  linkRecord: { params: contacts, body: { target_id: '$contact' } },
  listLinkedRecords: { params: contacts },
  unlinkRecord: { params: { ...contacts, target_id: '$contact' } },
  listHistory: { params: company, query: 'limit=1' },
  getRecordBundle: { params: company },
  restoreRecordValues: {
    params: company,
    body: { revision: 1, fields: ['name'] },
    headers: { 'idempotency-key': 'restored' },
  },
  mergeRecords: {
    params: { ...boats, record_id: '$kept' },
    body: { from: [{ id: '$merged', expected_version: '$mergedVersion' }] },
    headers: { 'idempotency-key': 'merged' },
  },
  unmergeRecord: { params: { ...boats, record_id: '$kept' } },
  startDuplicates: { params: deals, save: { duplicates: 'body.data.id' } },
  listDuplicates: { params: { job_id: '$duplicates' } },
  createComment: {
    params: company,
    body: { body: 'Look', mention_user_ids: ['#mention'] },
    headers: { 'idempotency-key': 'comment' },
  },
  listComments: { params: company },
  listNotifications: { headers: as('mia'), save: { notification: 'body.data.0.id' } },
  readNotification: { headers: as('mia'), params: { notification_id: '$notification' } },
  getNotificationSettings: {},
  updateNotificationSettings: { body: { mail: 'daily', kinds: { comment: { mail: false } } } },
  listMentionable: { params: company, query: 'q=a' },
  getFollow: { params: company },
  followRecord: { params: company },
  unfollowRecord: { params: company },
  deleteRecord: { params: { ...deals, record_id: '$doomed' } },
  listDeletedRecords: { params: boats },
  restoreRecord: { params: { ...boats, record_id: '$sunk' } },
  purgeRecord: { params: { ...boats, record_id: '$wrecked' } },
  getDefinition: { save: { revision: 'body.data.revision' } },
  planDefinition: { body: { revision: '#revision' }, save: { plan: 'body.data.plan_id' } },
  applyDefinition: {
    body: { revision: '#revision', plan_id: '$plan' },
    headers: { 'if-match': '"$revision"' },
  },
  listDefinitionRevisions: { query: 'limit=1' },
  getDefinitionRevision: { params: { revision: '1' } },
  sendFile: {
    query: 'name=some.csv',
    body: Buffer.from('name\nA\n'),
    headers: { 'content-type': 'text/csv' },
    save: { file: 'body.data.id' },
  },
  startImport: {
    body: { file_id: '$file', mapping: { object_type: 'companies' } },
    save: { job: 'body.data.id' },
  },
  readSentFile: { body: { file_id: '$file' } },
  startExport: { body: { object_type: 'deals', format: 'jsonl' } },
  listJobs: { query: 'kind=import&limit=1' },
  getJob: { params: { job_id: '$job' }, query: 'wait=1' },
  cancelJob: { params: { job_id: '$job' } },
  startErasure: { body: { records: [{ object_type: 'deals', id: ABSENT }], dry_run: true } },
  startWorkspaceExport: {},
  listAudit: { query: 'subject_type=job&limit=2' },
  listChanges: { query: 'type=reach.*' },
  createWebhook: {
    body: { url: 'https://hooks.example.com/in', events: ['record.*'] },
    save: { webhook: 'body.data.id' },
  },
  listWebhooks: { query: 'limit=1' },
  getWebhook: { params: { webhook_id: '$webhook' } },
  updateWebhook: { params: { webhook_id: '$webhook' }, body: { payload: 'record' } },
  rotateWebhookSecret: { params: { webhook_id: '$webhook' }, body: { overlap_hours: 1 } },
  listWebhookDeliveries: { params: { webhook_id: '$webhook' } },
  replayWebhook: { params: { webhook_id: '$webhook' }, body: { since: '2026-01-01' } },
  deleteWebhook: { params: { webhook_id: '$webhook' } },
  createUser: {
    body: { email: 'nia@acme.example', name: 'Nia' },
    save: { nia: 'body.data.id' },
  },
  updateUser: { params: { user_id: '$nia' }, body: { title: 'Clerk' } },
  listMembers: { query: 'role=admin&limit=1' },
  getMember: { params: { user_id: '$nia' } },
  createTeam: { body: { name: 'East' }, save: { team: 'body.data.id' } },
  updateTeamsOfUser: { params: { user_id: '$nia' }, body: { team_ids: ['#team'] } },
  updateTeam: { params: { team_id: '$team' }, body: { name: 'Far East' } },
  deleteTeam: { params: { team_id: '$team' } },
  createRole: { body: { key: 'clerk', directory: true } },
  updateRole: { params: { role_key: 'clerk' }, body: { name: 'Clerk' } },
  listRoles: {},
  deleteRole: { params: { role_key: 'clerk' } },
  getAccess: { query: 'object_type=deals' },
  startViewing: { headers: IN_PAGE, body: { user_id: '#mention' } },
  stopViewing: { headers: IN_PAGE },
  createKey: { body: { name: 'Key', scopes: [] }, save: { key: 'body.data.id' } },
  listKeys: { query: 'limit=1' },
  updateKey: { params: { key_id: '$key' }, body: { name: 'Other' } },
  revokeKey: { params: { key_id: '$key' } },
  createOauthClient: {
    body: { name: 'Agent', redirect_uris: ['https://agent.example/back'] },
    save: { oauthClient: 'body.data.client_id' },
  },
  readAuthorization: {
    headers: IN_PAGE,
    body: { query: AUTHORIZATION },
    save: { digest: 'body.data.digest' },
  },
  createGrant: { headers: IN_PAGE, body: { query: AUTHORIZATION, digest: '$digest' } },
  listOauthClients: {},
  switchOauthClient: { body: { client_id: '$oauthClient', enabled: false } },
  setPassword: { headers: IN_PAGE, body: { password: 'a password of two' } },
  createSession: {
    headers: { authorization: '' },
    body: { workspace: 'acme', email: 'ada@acme.example', password: 'a password of two' },
  },
  createWorkspace: {
    headers: { authorization: `Bearer ${OPERATOR_KEY}` },
    body: { slug: 'quay', admin: { email: 'ann@quay.example', name: 'Ann' } },
  },
  listSessions: { headers: IN_PAGE },
  createSignInLink: {
    headers: IN_PAGE,
    params: { user_id: '#mention' },
    save: { link: 'body.data.id' },
  },
  listSignInLinks: { headers: IN_PAGE, params: { user_id: '#mention' } },
  revokeSignInLink: { headers: IN_PAGE, params: { user_id: '#mention', link_id: '$link' } },
  listSignInMethods: { query: 'workspace=acme', headers: { authorization: '' } },
  mailSignInLink: {
    headers: { authorization: '' },
    body: { workspace: 'acme', email: 'mia@acme.example' },
  },
  beginPasskeySignIn: { headers: { authorization: '' }, body: { workspace: 'acme' } },
  beginCodes: { headers: IN_PAGE, save: { secret: 'body.data.secret' } },
  confirmCodes: { headers: IN_PAGE, body: { code: '~secret' } },
  getSecondFactor: { headers: IN_PAGE },
  makeRecoveryCodes: { headers: IN_PAGE },
  removeCodes: { headers: IN_PAGE },
  endSession: { headers: inSession('ending'), params: { session_id: 'current' } },
};

function successes(): readonly Step[] {
  return Object.entries(GOOD).map(([route, { save, headers, ...call }]) => {
    const status = ROUTES.find(({ operationId }) => operationId === route)?.status ?? 0;
    const step = {
      name: `${route}`,
      route,
      status,
      call: { ...call, headers: { ...ADA, ...headers } },
    };
    return save === undefined ? step : { ...step, save };
  });
}

/** Refusals of a route before it reads the request: each refuses one kind of it, by turns. */
function refusals(): readonly Step[] {
  const isKeyed = (route: (typeof ROUTES)[number]) =>
    route.events !== true && route.open !== true && route.feed !== true;
  return ROUTES.filter(isKeyed).map((route, turn) => {
    const names = Object.keys((route.params as { properties?: object }).properties ?? {});
    const params = Object.fromEntries(names.map((name) => [name, '1']));
    const query = route.operationId === 'getOpenApi' ? 'workspace=true' : '';
    const step = (name: string, status: number, call: Call): Step => {
      return {
        name: `${route.operationId}: ${name}`,
        route: route.operationId,
        status,
        call: { query, ...call },
      };
    };
    const kinds: readonly Step[] = [
      step('no key', 401, { params }),
      step('no developer access', 403, { params, headers: as('con') }),
      // A caller without any right to the route is not counted.
      route.sessionOnly === true
        ? step('a key', 403, { params, headers: as('spent') })
        : step('rate limit', 429, { params, headers: as('spent') }),
      ...(route.scope === null ? [] : [step('no scope', 403, { params, headers: as('bare') })]),
    ];
    return kinds[turn % kinds.length] as Step;
  });
}

const step = (name: string, status: number, route: string, call: Call): Step => {
  return { name, route, status, call: { ...call, headers: { ...ADA, ...call.headers } } };
};

const OTHERS: readonly Step[] = [
  step('a malformed key', 401, 'getMe', { headers: { authorization: 'Bearer wrs_p_x' } }),
  step('an unknown query parameter', 400, 'getMe', { query: 'x=1' }),
  step('a wrong scalar', 400, 'listUsers', { query: 'limit=x' }),
  step('a user page after another', 200, 'listUsers', { query: 'limit=2&cursor=$userCursor' }),
  step('a cursor of nobody', 400, 'listUsers', { query: 'cursor=x' }),
  step('a cursor of no feed', 400, 'listChanges', { query: 'cursor=x' }),
  step('changes from too long ago', 410, 'listChanges', { query: 'since=2020-01-01' }),
  step('changes of an unknown object', 404, 'listChanges', { query: 'object_type=nothing' }),
  step('changes with a field that is none', 400, 'listChanges', {
    query: 'object_type=deals&include=record&fields=nothing',
  }),
  step('an unknown user', 404, 'getUser', { params: { user_id: 999_999 } }),
  step('an unknown object', 404, 'getObject', { params: { object_type: 'nothing' } }),
  step('a malformed object', 400, 'getObject', { params: { object_type: 'a/b c%' } }),
  step('an unknown workflow', 404, 'getWorkflow', { params: { workflow_id: 'nothing' } }),
  step('a filter that is none', 400, 'listRecords', {
    params: deals,
    query: 'filter[amount][x]=1',
  }),
  step('a field that may not be read', 403, 'listRecords', {
    params: deals,
    query: 'sort=secret',
    headers: as('rob'),
  }),
  step('no text to search', 403, 'listRecords', {
    params: { object_type: 'readings' },
    query: 'q=a',
  }),
  step('bytes that are no JSON', 400, 'createRecord', { params: deals, body: Buffer.from('{') }),
  step('an empty body', 400, 'createRecord', { params: deals, body: Buffer.alloc(0) }),
  step('an optional body', 200, 'searchRecords', { params: deals }),
  step('a body of another type', 415, 'createRecord', {
    params: deals,
    body: {},
    headers: { 'content-type': 'text/plain' },
  }),
  step('a body that is too large', 413, 'createRecord', {
    params: deals,
    body: { fields: { name: 'x'.repeat(1_100_000) } },
  }),
  step('a body of another shape', 400, 'createRecord', { params: deals, body: { field: {} } }),
  step('a wrong value', 422, 'createRecord', { params: deals, body: { fields: { amount: -1 } } }),
  step('a unique value that is taken', 409, 'createRecord', {
    params: deals,
    body: { fields: { name: 'Two', code: 'one' } },
  }),
  step('a write that the object does not have', 403, 'updateRecord', {
    params: { object_type: 'readings', record_id: ABSENT },
    body: { fields: { value: 1 } },
  }),
  step('a key that is none', 400, 'createRecord', {
    params: deals,
    body: { fields: { name: 'Key' } },
    headers: { 'idempotency-key': 'a b' },
  }),
  ...['once', 'again'].map((name) =>
    step(`a create with a key, ${name}`, 201, 'createRecord', {
      params: deals,
      body: { fields: { name: 'Keyed' } },
      headers: { 'idempotency-key': 'keyed' },
    }),
  ),
  step('the key of another request', 422, 'createRecord', {
    params: deals,
    body: { fields: { name: 'Other' } },
    headers: { 'idempotency-key': 'keyed' },
  }),
  step('known already', 304, 'getRecord', {
    params: deal,
    query: 'fields=name,amount',
    headers: { 'if-none-match': '"$nowTag"' },
  }),
  step('a record that is not there', 404, 'getRecord', { params: absent }),
  step('a malformed record', 404, 'getRecord', { params: { ...deals, record_id: 'x' } }),
  step("another's record", 404, 'getRecord', { params: deal, headers: as('rob') }),
  step('a stale version', 412, 'updateRecord', {
    params: deal,
    body: { fields: { amount: 14 } },
    headers: { 'if-match': '"$version"' },
  }),
  step('a status that is no step', 422, 'changeStatus', {
    params: deal,
    body: { status_id: 'won' },
  }),
  step('a move that needs approval', 422, 'changeStatus', {
    params: deal,
    body: { status_id: 'won' },
  }),
  step('a request that nobody needs', 422, 'createStatusRequest', {
    params: deal,
    body: { status_id: 'open' },
  }),
  step('a request for a record that is not there', 404, 'createStatusRequest', {
    params: absent,
    body: { status_id: 'won' },
  }),
  step('a request that is not there', 404, 'getStatusRequest', { params: { request_id: ABSENT } }),
  step('an approval of what is decided', 409, 'approveStatusRequest', {
    params: { request_id: '$request0' },
    headers: as('mia'),
    body: {},
  }),
  step('an approval of somebody else', 403, 'approveStatusRequest', {
    params: { request_id: '$request1' },
  }),
  step('a withdrawal of somebody else', 403, 'withdrawStatusRequest', {
    params: { request_id: '$request1' },
  }),
  step('a batch with a wrong operation', 400, 'batchRecords', {
    params: deals,
    body: { operations: [{ action: 'create', fields: { name: 'A' } }, { action: 'jump' }] },
  }),
  step('a batch that is only checked', 200, 'batchObjects', {
    body: {
      operations: [{ action: 'create', object_type: 'companies', fields: { name: 'Dry' } }],
      dry_run: true,
    },
  }),
  step('a batch that refers to what comes later', 400, 'batchObjects', {
    body: {
      operations: [{ action: 'comment', object_type: 'deals', id: { $op: 1 }, body: 'Too early' }],
    },
  }),
  step('a bulk change of another number of records', 409, 'bulkRecords', {
    params: deals,
    body: {
      where: { field: 'name', op: 'eq', value: 'nobody' },
      ...{ action: 'status', status_id: 'lost', expected_count: 3 },
    },
  }),
  step('the history of an object without', 404, 'listHistory', { params: deal }),
  step('a bundle of a record that is not there', 404, 'getRecordBundle', { params: absent }),
  step('an erasure of an id that is none', 400, 'startErasure', {
    body: { records: [{ object_type: 'deals', id: 'x' }] },
  }),
  step('an erasure by somebody else', 403, 'startErasure', {
    body: { records: [{ object_type: 'deals', id: ABSENT }] },
    headers: as('mia'),
  }),
  step('a second export of the workspace', 409, 'startWorkspaceExport', {}),
  step('an export of the workspace by somebody else', 403, 'startWorkspaceExport', {
    headers: as('mia'),
  }),
  step('a restore of a field that is not there', 422, 'restoreRecordValues', {
    params: company,
    body: { revision: 1, fields: ['nope'] },
  }),
  step('a restore that is rehearsed', 200, 'restoreRecordValues', {
    params: company,
    body: { revision: 1, fields: ['name'], dry_run: true },
  }),
  step('comments of an object without', 404, 'listComments', {
    params: { object_type: 'boats', record_id: ABSENT },
  }),
  step('a notification that is not there', 404, 'readNotification', {
    params: { notification_id: ABSENT },
  }),
  step('a search of one letter', 400, 'search', { query: 'q=a' }),
  step('who has signed in', 200, 'getMe', { headers: IN_PAGE }),
  step('a session beside a key', 400, 'getMe', { headers: { cookie: 'wrs-1=$inPage' } }),
  step('a session that has ended', 401, 'getMe', { headers: inSession('ending') }),
  step('a page of another site', 403, 'createRecord', {
    params: deals,
    body: { fields: { name: 'Forged' } },
    headers: { ...IN_PAGE, 'sec-fetch-site': 'cross-site' },
  }),
  step('a sign-in that is not fresh', 403, 'createSignInLink', {
    params: { user_id: '#mention' },
    headers: inSession('stale'),
  }),
  step('a link for somebody inactive', 409, 'createSignInLink', {
    params: { user_id: '#inactive' },
    headers: IN_PAGE,
  }),
  step('a password that many use', 400, 'setPassword', {
    body: { password: 'password1234', current_password: 'a password of two' },
    headers: IN_PAGE,
  }),
  step('a wrong current password', 401, 'setPassword', {
    body: { password: 'the next password', current_password: 'x' },
    headers: IN_PAGE,
  }),
  step('a role that requires a second factor', 200, 'updateRole', {
    params: { role_key: 'rep' },
    body: { second_factor: 'required' },
  }),
  step('a session without a required second factor', 403, 'listObjects', {
    headers: inSession('other'),
  }),
  step('a role that no longer does', 200, 'updateRole', {
    params: { role_key: 'rep' },
    body: { second_factor: null },
    headers: IN_PAGE,
  }),
  step('a second factor of another person', 201, 'beginCodes', { headers: inSession('other') }),
  step('a second factor that is reset', 200, 'resetSecondFactor', {
    params: { user_id: '#sam' },
    headers: IN_PAGE,
  }),
  step('a new passkey', 201, 'beginPasskey', { headers: IN_PAGE }),
  step('codes before they are confirmed', 409, 'confirmCodes', {
    body: { code: '123456' },
    headers: IN_PAGE,
  }),
  {
    ...step('a sign-in to be followed by a factor', 201, 'beginCodes', { headers: IN_PAGE }),
    save: { secret: 'body.data.secret' },
  },
  step('its codes', 200, 'confirmCodes', { body: { code: '~secret' }, headers: IN_PAGE }),
  step('its password', 401, 'createSession', {
    body: { workspace: 'acme', email: 'ada@acme.example', password: 'a password of two' },
    headers: { authorization: '' },
  }),
  step('the end of its codes', 200, 'removeCodes', { headers: IN_PAGE }),
  step('a session that is not there', 404, 'endSession', {
    params: { session_id: ABSENT },
    headers: IN_PAGE,
  }),
  step('a wrong password', 401, 'createSession', {
    body: { workspace: 'acme', email: 'ada@acme.example', password: 'x' },
    headers: { authorization: '' },
  }),
  step('no provider', 401, 'startSignIn', {
    query: 'workspace=acme&provider=none',
    headers: { authorization: '' },
  }),
  step('back from nowhere', 401, 'finishSignIn', {
    query: 'code=x',
    headers: { authorization: '' },
  }),
  step('a file that is empty', 400, 'sendFile', {
    body: Buffer.alloc(0),
    headers: { 'content-type': 'text/csv' },
  }),
  step('a file of another type', 415, 'sendFile', {
    body: Buffer.from('x'),
    headers: { 'content-type': 'application/xml' },
  }),
  step('a file for a field, where there is none', 403, 'sendFile', {
    query: 'purpose=field',
    body: Buffer.from('x'),
    headers: { 'content-type': 'text/plain' },
  }),
  step('a file that no record has', 404, 'getRecordFile', {
    params: { ...company, field: 'name', file_id: '$file' },
  }),
  step('comments of an object without them', 404, 'startImport', {
    body: { file_id: '$file', mapping: { comments_on: 'boats' } },
  }),
  step('rejects before the file was read', 404, 'getRejects', { params: { job_id: '$job' } }),
  step('a file of an export that is none', 404, 'getExportFile', { params: { job_id: '$job' } }),
  step('what others did', 403, 'listAudit', { query: 'user_id=1', headers: as('mia') }),
];

/** A boat of this name. */
function madeBoat(name: string): Step {
  const fields = { name, company_id: '$company' };
  return {
    ...step(`a boat to be ${name}`, 201, 'createRecord', { params: boats, body: { fields } }),
    save: { [name]: 'body.data.id', [`${name}Version`]: 'body.data.version' },
  };
}

/** A boat in the trash, by this name. */
function deletedBoat(name: string): readonly Step[] {
  const gone = `a boat that is ${name}`;
  return [
    madeBoat(name),
    step(gone, 200, 'deleteRecord', { params: { ...boats, record_id: `$${name}` } }),
  ];
}

/** A deal of Rob that can be moved on with approval only. */
function lostDeal(at: number): readonly Step[] {
  const headers = as('rob');
  return [
    {
      name: `lost deal ${at}`,
      route: 'createRecord',
      status: 201,
      call: { params: deals, body: { fields: { name: `Lost ${at}` } }, headers },
      save: { [`lost${at}`]: 'body.data.id' },
    },
    {
      name: `lost deal ${at} is lost`,
      route: 'changeStatus',
      status: 200,
      call: { params: { ...deals, record_id: `$lost${at}` }, body: { status_id: 'lost' }, headers },
    },
  ];
}

export const STEPS: readonly Step[] = [
  {
    name: 'the only request of a minute',
    route: 'getMe',
    status: 200,
    call: { headers: as('spent') },
  },
  ...refusals(),
  {
    name: 'a record to delete',
    route: 'createRecord',
    status: 201,
    call: { params: deals, body: { fields: { name: 'Doomed' } }, headers: ADA },
    save: { doomed: 'body.data.id' },
  },
  {
    name: 'a contact to link',
    route: 'createRecord',
    status: 201,
    call: {
      params: { object_type: 'contacts' },
      body: { fields: { name: 'Link' } },
      headers: ADA,
    },
    save: { contact: 'body.data.id' },
  },
  {
    name: 'a company to comment on',
    route: 'createRecord',
    status: 201,
    call: {
      params: { object_type: 'companies' },
      body: { fields: { name: 'Spoken of' } },
      headers: ADA,
    },
    save: { company: 'body.data.id' },
  },
  ...['kept', 'merged'].map(madeBoat),
  ...['sunk', 'wrecked'].flatMap(deletedBoat),
  {
    name: 'a person to mention',
    route: 'listUsers',
    status: 200,
    call: { query: 'q=Mia', headers: ADA },
    save: { mention: 'body.data.0.id' },
  },
  {
    name: 'a person with a second factor',
    route: 'listUsers',
    status: 200,
    call: { query: 'q=Sam', headers: ADA },
    save: { sam: 'body.data.0.id' },
  },
  {
    name: 'a person who is inactive',
    route: 'listUsers',
    status: 200,
    call: { query: 'q=Zed&include_inactive=true', headers: ADA },
    save: { inactive: 'body.data.0.id' },
  },
  ...[0, 1, 2].flatMap(lostDeal),
  ...[1, 2].map(
    (at): Step => ({
      name: `request ${at}`,
      route: 'createStatusRequest',
      status: 201,
      call: {
        params: { ...deals, record_id: `$lost${at}` },
        body: { status_id: 'won' },
        headers: as('rob'),
      },
      save: { [`request${at}`]: 'body.data.id' },
    }),
  ),
  ...successes(),
  {
    name: 'a record as it is now',
    route: 'getRecord',
    status: 200,
    call: { params: deal, query: 'fields=name,amount', headers: ADA },
    save: { nowTag: 'headers.etag' },
  },
  ...OTHERS,
];
