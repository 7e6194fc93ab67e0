// Wrong values in a body, a path or a query string: no route fails with 500. Every value of a valid request is
// replaced in turn by hostile ones: by every third, by all of them where there is time.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { call } from '../http-client.ts';
import { IS_LONG } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { filledCall, savedFrom } from './invoke-saved.ts';
import { GOOD, KEYS, OPERATOR_KEY, SESSIONS, type Step } from './invoke-steps.ts';

const HOSTILE: readonly unknown[] = [
  ...['\0', 'a\0b', '\ud800', '', ' ', '__proto__', 'constructor', 'length', 'map', '0', '-1'],
  ...[
    '2147483648',
    '9223372036854775808',
    '1e400',
    '9'.repeat(400),
    '\u202e',
    '%00',
    '%',
    "'",
    '{}',
    'null',
    '10000-01-01',
  ],
  ...[null, true, 0, -1, 1.5, 1e300, [], [0], [''], [[]], {}, { length: 1 }, { $op: 'length' }],
  ...[{ $op: '__proto__' }, { $op: [0] }, { $op: '0' }, { relative: 'now' }, { me: true }],
];

/** A value of the request meets every so many hostile ones, the next value those after them. */
const NTH = IS_LONG ? 1 : 3;

let world: World;
let secrets: Readonly<Record<string, string>>;
const saved = new Map<string, string>();

beforeAll(async () => {
  world = await openWorld({ OPERATOR_KEY, OAUTH: 'on', REQUESTS_PER_MINUTE: '1000000' });
  const made: Record<string, string> = {};
  for (const [name, { person, ...options }] of Object.entries(KEYS)) {
    made[name] = (await world.key(person, options)).secret;
  }
  for (const [name, person] of Object.entries(SESSIONS)) {
    made[name] = (await world.inSession(person)).secret;
  }
  secrets = made;
  saved.set('mention', String(world.users.mia));
});
afterAll(() => world?.close());

type Sent = Step['call'];
type Route = (typeof ROUTES)[number];

/** Every value of the tree replaced, one at a time, by `value`; keys of objects too, where it is a text. */
function* replaced(tree: unknown, value: unknown): Generator<unknown> {
  yield value;
  if (typeof tree !== 'object' || tree === null) return;
  for (const [key, part] of Object.entries(tree)) {
    const put = (name: string, next: unknown) => {
      if (Array.isArray(tree))
        return tree.map((one, index) => (String(index) === key ? next : one));
      const others = Object.entries(tree).filter(([other]) => other !== key);
      // Not by assignment: `__proto__` is a key like any other in JSON.
      return Object.fromEntries([...others, [name, next]]);
    };
    for (const next of replaced(part, value)) yield put(key, next);
    if (typeof value === 'string' && !Array.isArray(tree)) yield put(value, part);
  }
}

/** Properties of the body that the good request does not have. */
function otherProperties({ body: schema }: Route, body: unknown): readonly string[] {
  const { properties = {} } = (schema ?? {}) as { readonly properties?: object };
  const sent = typeof body === 'object' && body !== null ? body : {};
  return Object.keys(properties).filter((name) => !(name in sent));
}

function* variantsOf(route: Route, sent: Sent): Generator<Sent> {
  for (const [turn, value] of HOSTILE.entries()) {
    let place = turn;
    for (const variant of variantsWith(value, route, sent)) {
      if (place % NTH === 0) yield variant;
      place += 1;
    }
  }
}

function* variantsWith(value: unknown, route: Route, sent: Sent): Generator<Sent> {
  const { params = {}, query = '', body } = sent;
  if (body !== undefined) for (const next of replaced(body, value)) yield { ...sent, body: next };
  for (const name of otherProperties(route, body)) {
    yield { ...sent, body: { ...(body as object | undefined), [name]: value } };
  }
  if (typeof value !== 'string' || !value.isWellFormed()) return;
  for (const name of Object.keys(params)) yield { ...sent, params: { ...params, [name]: value } };
  for (const part of query === '' ? [] : query.split('&')) {
    const [name = ''] = part.split('=');
    yield { ...sent, query: query.replace(part, `${name}=${encodeURIComponent(value)}`) };
  }
}

async function send(route: Route, sent: Sent) {
  const { params = {}, query = '', headers = {}, body } = sent;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const target = `/v1${path}${query === '' ? '' : `?${query}`}`;
  const { method } = route;
  const text = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
  const type = { 'content-type': 'application/json' };
  const owner = secrets.inPage as string;
  return call(world.port, target, { method, headers: { ...type, ...headers }, ...text, owner });
}

test.each(Object.entries(GOOD))('%s', async (operationId, { save, ...good }) => {
  const route = ROUTES.find((one) => one.operationId === operationId);
  if (route === undefined) throw new Error(`there is no ${operationId}`);
  const headers = { authorization: `Bearer ${secrets.ada}`, ...good.headers };
  const known = (name: string) => secrets[name] ?? saved.get(name) ?? `no ${name}`;
  const sent = filledCall({ ...good, headers }, known);
  const answered = await send(route, sent);
  for (const [name, value] of savedFrom(save, { ...answered, body: answered.json })) {
    saved.set(name, value);
  }
  if (ONCE.has(operationId)) return;
  const failures: string[] = [];
  for (const variant of variantsOf(route, sent)) {
    const { status } = await send(route, variant);
    if (status >= 500) failures.push(`${status} ${JSON.stringify(variant).slice(0, 300)}`);
    if (failures.length > 5) break;
  }
  expect(failures).toEqual([]);
});

/** Numbers beyond those of a column, and what PostgreSQL takes in no text. */
const OUT_OF_RANGE = [
  ...['-1', '2147483648', '9007199254740993', '9223372036854775808', '9'.repeat(150), '1e400'],
  ...['%00', '1%00', 'TASK-9223372036854775808', '%ED%A0%80', '0001-01-01', '99999-01-01'],
];
const SIGNATURE = 'A'.repeat(43);
/** Texts with numbers that are parsed: of links, tags, ids of events, ranges, keys. */
const TOKENS = OUT_OF_RANGE.flatMap((number) => [
  ...[`${number}.1.${SIGNATURE}`, `1.${number}.${SIGNATURE}`, `"${number}"`, `"1-${number}"`],
  ...[`bytes=${number}-`, `bytes=0-${number}`, `bytes=-${number}`, `wrs_${number}_${SIGNATURE}`],
  Buffer.from(JSON.stringify([number])).toString('base64url'),
]);
const READ_HEADERS = [
  ...['if-match', 'if-none-match', 'range', 'if-range', 'last-event-id', 'x-view-as'],
  ...['x-workspace', 'idempotency-key', 'prefer', 'accept-language', 'x-request-id', 'traceparent'],
];

function propertiesOf(schema: unknown): readonly string[] {
  return Object.keys((schema as { readonly properties?: object }).properties ?? {});
}

describe('numbers and texts out of range', () => {
  const reads = ROUTES.filter(({ method }) => method === 'GET');

  const read = async (path: string, headers: Readonly<Record<string, string>>) => {
    const credential: Readonly<Record<string, string>> =
      'authorization' in headers ? {} : { authorization: `Bearer ${secrets.ada}` };
    const sent = { headers: { ...credential, ...headers }, owner: secrets.ada as string };
    const { status } = await call(world.port, `/v1${path}`, sent);
    return status < 500 ? [] : [`${status} ${path} ${JSON.stringify(headers)}`];
  };
  const pathOf = ({ path }: Route, put: Readonly<Record<string, string>> = {}) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => put[name] ?? IN_PATHS[name] ?? '1');

  test.each(reads.map((route) => [route.operationId, route] as const))('%s', async (_, route) => {
    const failures: string[] = [];
    for (const name of propertiesOf(route.params)) {
      for (const value of OUT_OF_RANGE) {
        failures.push(...(await read(pathOf(route, { [name]: value }), {})));
      }
    }
    const query = propertiesOf(route.query);
    const answersLate = new Set(['wait']);
    for (const name of query.filter((one) => !answersLate.has(one))) {
      const tokens = name === 'token' || name === 'cursor' ? TOKENS : [];
      for (const value of [...OUT_OF_RANGE, ...tokens]) {
        failures.push(...(await read(`${pathOf(route)}?${name}=${value}`, {})));
      }
    }
    expect(failures).toEqual([]);
  });

  test.each(READ_HEADERS)('the header %s', async (name) => {
    const failures: string[] = [];
    for (const value of [...OUT_OF_RANGE, ...TOKENS]) {
      for (const path of ['/me', '/objects/companies/records?limit=1', '/changes?limit=1']) {
        failures.push(...(await read(path, { [name]: value })));
      }
    }
    expect(failures).toEqual([]);
  });
});

/** Parts of paths that lead as far as the part under test. */
const IN_PATHS: Readonly<Record<string, string>> = {
  object_type: 'companies',
  target: 'companies',
};

/** Would end the session that the others need. */
const ONCE: ReadonlySet<string> = new Set(['endSession']);
