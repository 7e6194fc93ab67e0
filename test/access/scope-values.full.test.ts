// Every operation with keys of one scope each: an answer has a word only where its scope reads this kind of value (D569).
// Each place of the service has a word of its own (test/erased-traces.ts).

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { scopesOf } from '../../src/http/route/route.ts';
import { SCOPES, type Scope } from '../../src/model/rights/access.ts';
import type { Answer, Client } from '../client.ts';
import { DEALS, leaveTraces, TRACED } from '../erased-traces.ts';
import { call } from '../http-client.ts';
import { ALLOWED } from '../webhook-world.ts';
import { openWorldWith, type World } from '../world.ts';

let world: World;
let ada: Client;

const VALUE = 'Persimmon';
/** Each word, and the scope that reads it. */
const words = new Map<string, Scope>([
  [VALUE, 'records:read'],
  ['Tamarind', 'comments:read'],
  ['Mia Quince', 'users:read'],
  ['mia@acme.example', 'users:read'],
]);

/** Answers of writes, which have the content as written (D48): with the scope of the write. */
const WRITES = [
  ...['createRecord', 'updateRecord', 'changeStatus', 'restoreRecordValues', 'linkRecord'],
  ...['unlinkRecord', 'createView', 'updateView', 'createDashboard', 'updateDashboard'],
];
/** Names of people are part of comments and notifications, and of mentions. */
const AUTHORS = ['listComments', 'listMentionable', 'listNotifications', 'readNotification'];

/** Operations that take more than one scope or a file, and those whose answers have counts and names only. */
const UNANSWERED = [
  ...['listDeletedRecords', 'bulkRecords', 'mergeRecords', 'unmergeRecord', 'listDuplicates'],
  ...['copyView', 'createCalendarFeed', 'readCalendarFeed'],
  ...['listMembers', 'getMember', 'createUser'],
  ...['updateUser', 'updateTeamsOfUser', 'updateTeam', 'listOauthClients', 'createOauthClient'],
  ...['switchOauthClient', 'createWebhook', 'startErasure'],
  ...[
    'startWorkspaceExport',
    'sendFile',
    'startImport',
    'readSentFile',
    'getRejects',
    'getExportFile',
  ],
  ...['applyDefinition', 'listDefinitionRevisions', 'getDefinitionRevision'],
];

async function done(answer: Promise<Answer>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data;
}

const idOf = async (path: string, body: object) => String((await done(ada.post(path, body))).id);
const deal = () => idOf(DEALS, { fields: { name: VALUE, owner_user_id: world.users.rob } });

async function lostDeal(): Promise<string> {
  const id = await deal();
  await done(ada.post(`${DEALS}/${id}/status`, { status_id: 'lost' }));
  return id;
}

async function deletedDeal(): Promise<string> {
  const id = await deal();
  await done(ada.delete(`${DEALS}/${id}`));
  return id;
}

const asking = { status_id: 'won', comment: VALUE };
const statusRequest = async () => idOf(`${DEALS}/${await lostDeal()}/status_requests`, asking);

const query = { where: { field: 'name', op: 'eq', value: VALUE } };
const metrics = [{ name: 'n', op: 'count' }];
const VIEW = { object_type: 'deals', name: VALUE, kind: 'table', shared: 'workspace', query };
const view = () => idOf('/views', VIEW);
const dashboard = () => idOf('/dashboards', { name: VALUE, shared: 'workspace' });
const WEBHOOK = { url: 'http://127.0.0.1:9/', events: ['record.*'] };
const webhook = () => idOf('/webhooks', WEBHOOK);
const team = () => idOf('/teams', { name: crypto.randomUUID() });
const apiKey = async () => (await world.key('mia')).id;

async function role(): Promise<string> {
  const name = `r${crypto.randomUUID().replaceAll('-', '')}`;
  await done(ada.post('/roles', { key: name, name }));
  return name;
}

/** The bodies of operations that need one; `id` is a deal. */
const bodiesOf = (id: string, target_id: string): Readonly<Record<string, object>> => ({
  aggregateRecords: { metrics, group_by: ['name'] },
  queryRecords: query,
  queryAggregates: { metrics, group_by: ['name'] },
  queryObjects: { queries: [{ object_type: 'deals', ...query }] },
  aggregateObjects: { queries: [{ object_type: 'deals', metrics, group_by: ['name'] }] },
  createRecord: { fields: { name: 'New' } },
  updateRecord: { fields: { secret: 'new' } },
  changeStatus: { status_id: 'lost' },
  createStatusRequest: { status_id: 'won', comment: VALUE },
  batchRecords: { operations: [{ action: 'update', id, fields: { secret: 'other' } }] },
  batchObjects: { operations: [{ action: 'update', object_type: 'deals', id, fields: {} }] },
  bulkRecords: { action: 'update', ...query, fields: { secret: 'one' }, dry_run: true },
  restoreRecordValues: { revision: 1, fields: ['secret'] },
  linkRecord: { target_id },
  createComment: { body: 'Seen' },
  createView: VIEW,
  orderViews: { object_type: 'deals', view_ids: [] },
  createDashboard: { name: VALUE },
  createKey: { name: 'narrow', scopes: ['keys:write'] },
  createWebhook: WEBHOOK,
  updateWebhook: { active: false },
  replayWebhook: { since: new Date().toISOString() },
  createTeam: { name: crypto.randomUUID() },
  createRole: { key: `r${Date.now()}` },
  startErasure: { records: [{ object_type: 'deals', id }], dry_run: true },
  startExport: { object_type: 'deals', format: 'csv' },
  planDefinition: { patch: { objects: { deals: { fields: { secret: { unique: true } } } } } },
  applyDefinition: { patch: {}, plan_id: 'x' },
});

/** The values of each path parameter. */
let params: Readonly<Record<string, readonly string[]>>;
let bodies: Readonly<Record<string, object>>;
/** Path parameters of which each request gets a new one. */
const NEW: Readonly<Record<string, Readonly<Record<string, () => Promise<string>>>>> = {
  deleteRecord: { record_id: deal },
  changeStatus: { record_id: deal },
  createStatusRequest: { record_id: lostDeal },
  restoreRecord: { record_id: deletedDeal },
  purgeRecord: { record_id: deletedDeal },
  approveStatusRequest: { request_id: statusRequest },
  rejectStatusRequest: { request_id: statusRequest },
  withdrawStatusRequest: { request_id: statusRequest },
  updateView: { view_id: view },
  deleteView: { view_id: view },
  deleteDashboard: { dashboard_id: dashboard },
  deleteTeam: { team_id: team },
  deleteRole: { role_key: role },
  revokeKey: { key_id: apiKey },
  deleteWebhook: { webhook_id: webhook },
  updateWebhook: { webhook_id: webhook },
  testWebhook: { webhook_id: webhook },
  rotateWebhookSecret: { webhook_id: webhook },
};

beforeAll(async () => {
  world = await openWorldWith(TRACED, ALLOWED);
  ada = await world.as('ada');
  await done(ada.patch(`/users/${world.users.mia}`, { name: 'Mia Quince' }));
  const { id, words: left } = await leaveTraces({ world, ada });
  for (const [place, word] of Object.entries(left)) {
    words.set(word, /comment/i.test(place) ? 'comments:read' : 'records:read');
  }
  const mia = await world.as('mia');
  const mention = { body: 'Tamarind', mention_user_ids: [world.users.ada] };
  const other = await deal();
  await done(mia.post(`${DEALS}/${other}/comments`, mention));
  await deletedDeal();
  const [views, dashboards] = [await view(), await dashboard()];
  const column = async (table: string) =>
    (await world.rows(`select id from ${table}`)).map((row) => String(row.id));
  const contacts = await column('contacts');
  bodies = bodiesOf(other, String(contacts[0]));
  params = {
    object_type: ['deals'],
    record_id: [id, other],
    association_id: ['assoc.contacts_deals'],
    workflow_id: ['pipeline'],
    field: ['papers'],
    file_id: await column('_files'),
    target_id: contacts,
    request_id: await column('_status_requests'),
    webhook_id: await column('_webhooks'),
    delivery_id: await column('_webhook_deliveries'),
    notification_id: await column('_notifications'),
    user_id: [String(world.users.mia)],
    job_id: (await done(ada.get('/jobs?limit=100'))).map((job: { id: string }) => job.id),
    view_id: [views],
    dashboard_id: [dashboards],
    revision: ['1'],
    team_id: [await team()],
    role_key: ['rep'],
    key_id: [await apiKey()],
    session_id: ['x'],
    link_id: ['x'],
  };
});
afterAll(() => world?.close());

type Route = (typeof ROUTES)[number];
/** Without a caller nobody has scopes; a session has all of them; a stream does not end. */
const ASKED = ROUTES.filter(
  ({ open, events, sessionOnly }) => open !== true && events !== true && sessionOnly !== true,
);

async function* requestsOf({ path, operationId }: Route, isInScope: boolean) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const count = Math.max(1, ...names.map((name) => params[name]?.length ?? 0));
  for (let index = 0; index < (isInScope ? count : 1); index += 1) {
    let filled: string = path;
    for (const name of names) {
      const values = params[name] ?? [];
      const made = isInScope ? await NEW[operationId]?.[name]?.() : undefined;
      filled = filled.replace(`{${name}}`, made ?? String(values[index % values.length]));
    }
    yield filled;
  }
}

test('an answer has only values that its scope reads', async () => {
  const answered = new Set<string>();
  const leaks: string[] = [];
  for (const scope of SCOPES) {
    const { secret } = await world.key('ada', { scopes: [scope] });
    const approver = await world.key('mia', { scopes: [scope] });
    for (const route of ASKED) {
      const { method, operationId } = route;
      const key = /^(?:approve|reject)/.test(operationId) ? approver.secret : secret;
      const isInScope = scopesOf(route)?.includes(scope) ?? true;
      const end = operationId === 'search' ? `?q=${VALUE}` : '';
      for await (const path of requestsOf(route, isInScope)) {
        const body = bodies[operationId] ?? (route.body === undefined ? undefined : {});
        const { status, text } = await call(world.port, `/v1${path}${end}`, { method, key, body });
        expect(status, `${operationId}: ${text}`).toBeLessThan(500);
        if (status < 300) answered.add(operationId);
        for (const [word, needed] of words) {
          if (!text.includes(word) || needed === scope) continue;
          if (isInScope && WRITES.includes(operationId)) continue;
          if (word === 'Mia Quince' && AUTHORS.includes(operationId)) continue;
          leaks.push(`${operationId} with ${scope}: ${word}`);
        }
      }
    }
  }
  const silent = ASKED.map(({ operationId }) => operationId).filter((id) => !answered.has(id));
  expect([...new Set(leaks)]).toEqual([]);
  expect(silent).toEqual(UNANSWERED);
});
