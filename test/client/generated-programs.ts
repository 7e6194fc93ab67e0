// A program for each generator of clients that docs/guide/openapi.md names: how its client is made from a document,
// and how it makes the same calls. Each program defines `client`; `CALLS` uses it and prints what came back.

export interface Generator {
  readonly name: string;
  /** Its packages, by exact version. */
  readonly packages: readonly string[];
  /** Its command, in the folder of openapi.json. */
  readonly command: readonly [string, ...string[]];
  readonly program: string;
  /** The query string for `filter: { name }` and for `filter: { amount: { gte: 2 } }`, decoded; `NOT_SENT`: refused. */
  readonly sent: readonly [equality: string, operator: string];
}

const RIGHT = 'filter[name]=Second';
const LOST = 'filter=[object Object]';
const LOST_OPERATOR = 'filter[amount]=[object Object]';
const NOT_SENT = 'not sent';

/** Statuses, bodies and headers of answers in one form: `{ status, body }`. */
export const GENERATORS: readonly Generator[] = [
  {
    name: '@hey-api/openapi-ts',
    packages: ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'],
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'out', '-c', '@hey-api/client-fetch'],
    program: `
import * as sdk from './out/sdk.gen.ts';
import { client as configured } from './out/client.gen.ts';
configured.setConfig({ baseUrl: BASE, auth: KEY });
const answer = ({ data, error, response }) => ({ status: response?.status, body: data ?? error });
const at = (record_id) => ({ object_type: 'deals', record_id });
const client = {
  list: async (query) => answer(await sdk.listRecords({ path: { object_type: 'deals' }, query })),
  get: async (id) => answer(await sdk.getRecord({ path: at(id) })),
  create: async (fields, key) => answer(await sdk.createRecord({
    path: { object_type: 'deals' }, body: { fields }, headers: { 'Idempotency-Key': key } })),
  update: async (id, fields, version) => answer(await sdk.updateRecord({
    path: at(id), body: { fields }, headers: { 'If-Match': version } })),
};`,
    sent: [RIGHT, NOT_SENT],
  },
  {
    name: 'orval',
    packages: ['orval@8.38.0'],
    command: ['orval', '--input', 'openapi.json', '--output', 'out.ts', '--client', 'fetch'],
    program: `
import * as api from './out.ts';
const fetchUrl = globalThis.fetch;
globalThis.fetch = (path, init) => fetchUrl(BASE + path, init);
const options = (more = {}) => ({ headers: { Authorization: 'Bearer ' + KEY, ...more } });
const answer = ({ status, data }) => ({ status, body: data });
const client = {
  list: async (query) => answer(await api.listRecords('deals', query, options())),
  get: async (id) => answer(await api.getRecord('deals', id, {}, options())),
  create: async (fields, key) => answer(await api.createRecord('deals', { fields }, options({ 'Idempotency-Key': key }))),
  update: async (id, fields, version) => answer(
    await api.updateRecord('deals', id, { fields }, options({ 'If-Match': version }))),
};`,
    sent: [RIGHT, LOST_OPERATOR],
  },
  {
    name: 'oazapfts',
    packages: ['oazapfts@7.5.0', '@oazapfts/runtime@1.2.0'],
    command: ['oazapfts', 'openapi.json', 'out.ts'],
    program: `
import * as api from './out.ts';
api.defaults.baseUrl = BASE;
api.defaults.headers = { Authorization: 'Bearer ' + KEY };
const answer = ({ status, data }) => ({ status, body: data });
const client = {
  list: async (query) => answer(await api.listRecords('deals', query)),
  get: async (id) => answer(await api.getRecord('deals', id)),
  create: async (fields, key) => answer(await api.createRecord('deals', { fields }, { idempotencyKey: key })),
  update: async (id, fields, version) => answer(await api.updateRecord('deals', id, { fields }, { ifMatch: version })),
};`,
    sent: [RIGHT, 'filter[amount][gte]=2'],
  },
  {
    name: 'swagger-typescript-api',
    packages: ['swagger-typescript-api@13.13.0'],
    command: [
      'swagger-typescript-api',
      'generate',
      '-p',
      'openapi.json',
      '-o',
      '.',
      '-n',
      'out.ts',
    ],
    program: `
import { Api } from './out.ts';
const api = new Api({
  baseUrl: BASE, securityWorker: () => ({ headers: { Authorization: 'Bearer ' + KEY } }) });
// Its functions throw answers that are errors.
const answer = (calling) => calling.catch((failed) => failed).then(({ status, data, error }) => ({ status, body: data ?? error }));
const client = {
  list: (query) => answer(api.objects.listRecords('deals', query)),
  get: (id) => answer(api.objects.getRecord('deals', id)),
  create: (fields, key) => answer(api.objects.createRecord('deals', { fields }, { headers: { 'Idempotency-Key': key } })),
  update: (id, fields, version) => answer(
    api.objects.updateRecord('deals', id, { fields }, { headers: { 'If-Match': version } })),
};`,
    sent: [LOST, LOST],
  },
  {
    name: 'typed-openapi',
    packages: ['typed-openapi@2.2.7'],
    command: ['typed-openapi', 'openapi.json', '-o', 'out.ts'],
    program: `
import { createApiClient } from './out.ts';
const fetcher = { fetch: ({ method, url, urlSearchParams, parameters }) => {
  if (urlSearchParams) url.search = String(urlSearchParams);
  const headers = { Authorization: 'Bearer ' + KEY, 'Content-Type': 'application/json', ...parameters?.header };
  return fetch(url, { method: method.toUpperCase(), headers, ...(parameters?.body ? { body: JSON.stringify(parameters.body) } : {}) });
} };
const api = createApiClient(fetcher, BASE);
const LIST = '/objects/{object_type}/records', ONE = LIST + '/{record_id}', path = { object_type: 'deals' };
const answer = ({ status, data }) => ({ status, body: data });
const client = {
  list: async (query) => answer(await api.get(LIST, { path, query, withResponse: true })),
  get: async (record_id) => answer(await api.get(ONE, { path: { ...path, record_id }, withResponse: true })),
  create: async (fields, key) => answer(await api.post(LIST, {
    path, body: { fields }, header: { 'Idempotency-Key': key }, withResponse: true })),
  update: async (record_id, fields, version) => answer(await api.patch(ONE, {
    path: { ...path, record_id }, body: { fields }, header: { 'If-Match': version }, withResponse: true })),
};`,
    sent: [LOST, LOST],
  },
  {
    name: 'openapi-typescript with openapi-fetch',
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
    command: ['openapi-typescript', 'openapi.json', '-o', 'out.d.ts'],
    program: `
import createClient from 'openapi-fetch';
const api = createClient({ baseUrl: BASE, headers: { Authorization: 'Bearer ' + KEY } });
const LIST = '/objects/{object_type}/records', ONE = LIST + '/{record_id}';
const answer = ({ data, error, response }) => ({ status: response.status, body: data ?? error });
const at = (record_id) => ({ object_type: 'deals', record_id });
const client = {
  list: async (query) => answer(await api.GET(LIST, { params: { path: { object_type: 'deals' }, query } })),
  get: async (id) => answer(await api.GET(ONE, { params: { path: at(id) } })),
  create: async (fields, key) => answer(await api.POST(LIST, {
    params: { path: { object_type: 'deals' }, header: { 'Idempotency-Key': key } }, body: { fields } })),
  update: async (id, fields, version) => answer(await api.PATCH(ONE, {
    params: { path: at(id), header: { 'If-Match': version } }, body: { fields } })),
};`,
    sent: [RIGHT, NOT_SENT],
  },
];

/** The start of a program: what the service gets of each request is kept in `requests`. */
export const PRELUDE = `
const { BASE, KEY } = process.env;
const requests = [];
const send = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  requests.push({ query: decodeURIComponent(new URL(request.url).search.slice(1).replaceAll('+', ' ')),
    headers: Object.fromEntries(request.headers) });
  return send(request);
};`;

/** The same calls by each client; one line of JSON. */
export const CALLS = `
const made = [];
for (const [name, amount] of [['First', 1], ['Second', 2]]) {
  made.push(await client.create({ name, amount }, 'generated-' + name + KEY.slice(-6)));
}
const again = await client.create({ name: 'First', amount: 1 }, 'generated-First' + KEY.slice(-6));
const { id, version } = made[0].body.data;
const updated = await client.update(id, { amount: 5 }, '"' + version + '"');
const stale = await client.update(id, { amount: 6 }, '"' + version + '"');
const got = await client.get(id);
const missing = await client.get('0190aaaa-0000-7000-8000-000000000000');
requests.length = 0;
const equality = await client.list({ fields: 'name', filter: { name: 'Second' } });
try { await client.list({ filter: { amount: { gte: 2 } } }); } catch {}
const queries = [0, 1].map((index) => requests[index]?.query ?? 'not sent');
const plain = await client.list({ q: 'Second', fields: 'name', sort: '-name', limit: 1 });
console.log(JSON.stringify({
  made: made.map(({ status }) => status),
  isReplayed: again.body.data.id === id,
  updated: [updated.status, got.body.data.fields.amount],
  stale: [stale.status, stale.body.error.code],
  missing: [missing.status, missing.body.error.code],
  plain: [plain.status, plain.body.data[0].fields.name],
  equality: [equality.status, equality.body.data ? [...new Set(equality.body.data.map(({ fields }) => fields.name))] : null],
  queries,
  cookies: requests.filter(({ headers }) => headers.cookie !== undefined).length,
}));`;
