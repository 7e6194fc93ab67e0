// Hostile text at every place where a client can put a key or a value: each answer is the one of the rules, without
// details of SQL or of the machine, no row changes, and as a value every text is literal.

import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { FIELD_TYPES } from '../../src/model/values/field-types.ts';
import { type Answer, call, type Request } from '../http-client.ts';
import { IS_LONG } from '../until.ts';
import { CANARY } from '../world.ts';
import { useGauges } from './gauges.ts';

const HOSTILE: readonly string[] = [
  "' or 1=1--",
  "'; drop table ws_acme.deals; --",
  '" or ""="',
  'name"',
  "name' or '1'='1",
  'id; drop table deals',
  'a::int',
  't1.password',
  't.id',
  '(select 1)',
  'pg_sleep(5)',
  "'||pg_sleep(5)||'",
  '/* comment */',
  '-- comment\n',
  '$1',
  '$$ $$',
  '%s%n%d',
  '%',
  '_',
  '{{7*7}}',
  '#{7*7}',
  '\\',
  "\\'",
  "\\x27 E'\\047'",
  '’ or ‘1’=‘1',
  '＇ or １=１',
  '\u202Egnirts\u202C',
  'a\u0000b',
  '\ud800',
  'x\udc00',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a[b]',
  'a]b[c',
  '{"gte":1}',
  '{"__proto__":{"polluted":1}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'a,b;c:d&e=f',
  'null',
  '[]',
  'x'.repeat(2000),
  "'".repeat(2000),
];

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();
const length = (text: string) => [...text].length;
/** Percent-encoded; a lone surrogate as the bytes some clients send for it. */
const encode = (text: string) =>
  text.isWellFormed()
    ? encodeURIComponent(text)
    : text.replaceAll(/[^ -~]/g, '').concat('%ED%A0%80');

/** The place of the text, and `status code` by the rules for this text. */
interface Place {
  readonly name: string;
  send(text: string): Request & { readonly path: string };
  readonly expected: (text: string) => string | readonly string[];
}

const opened = useGauges();
const LIST = '/objects/gauges/records';
const INVALID = '400 validation_failed';
const FILTER = '400 invalid_filter';
const OK = '200';

function get(name: string, path: (text: string) => string, expected: Place['expected']): Place {
  return { name, send: (text) => ({ path: path(encode(text)) }), expected };
}

function post(name: string, make: (text: string) => object, expected: Place['expected']): Place {
  const [where = ''] = name.split(' ');
  const send = (text: string) => ({ path: `${LIST}/${where}`, method: 'POST', body: make(text) });
  return { name, send, expected };
}

const objectCode = (text: string) =>
  /^[a-z0-9][a-z0-9_-]{0,99}$/.test(text) ? '404 object_not_available' : INVALID;
const recordCode = (text: string) =>
  isStorable(text) && length(text) <= 200 ? '404 record_not_found' : INVALID;
const queryCode = (text: string) => (isStorable(text) && length(text) <= 200 ? OK : INVALID);
const searchCode = (text: string) => (length(text.trim()) >= 2 ? queryCode(text) : INVALID);
const cursorCode = (text: string) =>
  isStorable(text) && length(text) <= 500 ? '400 invalid_cursor' : INVALID;
const always = (code: string) => () => code;
/** Refused before anything looks at the text. */
const byShape = () => INVALID;
const count = { name: 'n', op: 'count' };

const PATHS: readonly Place[] = [
  get('object type of a definition', (text) => `/objects/${text}`, objectCode),
  get('object type of a list', (text) => `/objects/${text}/records`, objectCode),
  get('object type of a record', (text) => `/objects/${text}/records/1`, objectCode),
  get('record id', (text) => `${LIST}/${text}`, recordCode),
  get('workflow id', (text) => `/workflows/${text}`, always('404 workflow_not_found')),
  get('user id', (text) => `/users/${text}`, always('404 user_not_found')),
];

const QUERIES: readonly Place[] = [
  get('name of a parameter', (text) => `${LIST}?${text}=1`, always(INVALID)),
  get('filter key', (text) => `${LIST}?filter[${text}]=1`, always(FILTER)),
  get('filter operator', (text) => `${LIST}?filter[label][${text}]=1`, always(FILTER)),
  get('limit', (text) => `${LIST}?limit=${text}`, byShape),
  get(
    'sort',
    (text) => `${LIST}?sort=${text}`,
    () => [INVALID, FILTER],
  ),
  get(
    'sort, descending',
    (text) => `${LIST}?sort=label,-${text}`,
    () => [INVALID, FILTER],
  ),
  get(
    'fields',
    (text) => `${LIST}?fields=${text}`,
    () => [INVALID, FILTER],
  ),
  get(
    'fields of a record',
    (text) => `${LIST}/1?fields=${text}`,
    () => [INVALID, FILTER],
  ),
  get('q', (text) => `${LIST}?q=${text}`, queryCode),
  get('cursor', (text) => `${LIST}?cursor=${text}`, cursorCode),
  get('q of /users', (text) => `/users?q=${text}`, queryCode),
  get('cursor of /users', (text) => `/users?cursor=${text}`, cursorCode),
  get('include_inactive', (text) => `/users?include_inactive=${text}`, byShape),
  get('include_unreadable', (text) => `/objects?include_unreadable=${text}`, byShape),
  get('type', (text) => `/objects/work_items?work_item_type_id=${text}`, byShape),
  get('q of /search', (text) => `/search?q=${text}`, searchCode),
  get('limit of /search', (text) => `/search?q=ab&limit=${text}`, byShape),
];

const BODIES: readonly Place[] = [
  ...['search', 'aggregate'].flatMap((where) => {
    const rest = where === 'aggregate' ? { metrics: [count] } : {};
    const place = (name: string, make: (text: string) => object, expected: Place['expected']) =>
      post(`${where} ${name}`, (text) => ({ ...rest, ...make(text) }), expected);
    return [
      place('property', (text) => ({ [text]: 1 }), always(INVALID)),
      place('filters', (text) => ({ filters: text }), byShape),
      place('filter key', (text) => ({ filters: { [text]: 1 } }), always(FILTER)),
      place('filter operator', (text) => ({ filters: { label: { [text]: 1 } } }), always(FILTER)),
      place('query', (text) => ({ query: text }), queryCode),
      place('limit', (text) => ({ limit: text }), byShape),
      place(
        'cursor',
        (text) => ({ cursor: text }),
        (text) => (length(text) <= 500 ? '400 invalid_cursor' : INVALID),
      ),
    ];
  }),
  post('search fields', (text) => ({ fields: ['label', text] }), always(FILTER)),
  post('search sort', (text) => ({ sort: [{ field: text }] }), always(FILTER)),
  post('search sort key', (text) => ({ sort: [{ field: 'id', [text]: 1 }] }), byShape),
  post('search direction', (text) => ({ sort: [{ field: 'id', direction: text }] }), byShape),
  post('aggregate group', (text) => ({ metrics: [count], group_by: [text] }), always(FILTER)),
  post(
    'aggregate metric',
    (text) => ({ metrics: [{ name: text, op: 'count' }] }),
    (text) => (/^[a-z][a-z0-9_]{0,39}$/.test(text) ? OK : INVALID),
  ),
  post('aggregate op', (text) => ({ metrics: [{ name: 'n', op: text }] }), byShape),
  post('aggregate field', (text) => ({ metrics: [{ ...count, field: text }] }), always(FILTER)),
  post('aggregate metric key', (text) => ({ metrics: [{ ...count, [text]: 1 }] }), byShape),
  post(
    'aggregate order',
    (text) => ({ metrics: [count], order_by: { name: text, direction: 'asc' } }),
    byShape,
  ),
  post(
    'aggregate direction',
    (text) => ({ metrics: [count], order_by: { name: 'n', direction: text } }),
    byShape,
  ),
  post(
    'search/x',
    () => ({}),
    () => ['404 route_not_found', '405 method_not_allowed'],
  ),
  {
    name: 'key of a field that is written',
    send: (text) => ({ path: LIST, method: 'POST', body: { fields: { [text]: 1 } } }),
    expected: () => FILTER,
  },
];

const TEXTUAL = ['text', 'long_text', 'email', 'phone', 'url', 'select', 'multi_select'];
/** A filter value: text fields compare with any text, others refuse text that is not a value of theirs. */
const VALUES: readonly Place[] = [...FIELD_TYPES, 'id', 'status'].flatMap((type): Place[] => {
  const [key, object] = type === 'status' ? ['status', 'deals'] : [`a_${type}`, 'gauges'];
  const field = type === 'id' ? 'id' : key;
  const takesText = TEXTUAL.includes(type) || type === 'status';
  const expected = (text: string) => {
    if (!takesText || !isStorable(text)) return FILTER;
    // Of a field whose values are short, a longer text is none.
    return text.length > LIMITS.textLength ? [OK, FILTER] : OK;
  };
  const path = `/objects/${object}/records`;
  const inBody = (operator: string) => (text: string) => ({
    path: `${path}/search`,
    method: 'POST',
    body: { filters: { [field]: { [operator]: operator === 'in' ? [text] : text } } },
  });
  return [
    get(
      `${type} in a query`,
      (text) => `${path}?filter[${field}]=${text}`,
      (text) => (text.startsWith('{"gte"') ? FILTER : expected(text)),
    ),
    get(
      `${type} in a list of a query`,
      (text) => `${path}?filter[${field}][in]="${text.replaceAll('%22', '%22%22')}"`,
      expected,
    ),
    { name: `${type} in a body`, send: inBody('eq'), expected },
    { name: `${type} in a list of a body`, send: inBody('in'), expected },
  ];
});

/** Text as a header can carry it. */
const header = (text: string) => Buffer.from(text.toWellFormed()).toString('latin1');
const canBeHeader = (text: string) => !/[\0\r\n]/.test(text);

const HEADERS: readonly Place[] = [
  ['Authorization', (text: string) => `Bearer ${text}`, '401 invalid_api_key'],
  ['authorization', (text: string) => text, '401 missing_api_key'],
  ['If-None-Match', (text: string) => text, OK],
  ['X-Request-Id', (text: string) => text, OK],
  ['X-Forwarded-Host', (text: string) => text, OK],
  ['X-HTTP-Method-Override', (text: string) => text, OK],
  ['Host', (text: string) => text, [OK, INVALID]],
].map(([name, value, code]) => ({
  name: `header ${name}`,
  send: (text) => ({
    path: '/objects',
    headers: { [name as string]: header((value as (text: string) => string)(text)) },
  }),
  expected: () => code as string,
}));

/** Text that must not be in an answer, for any caller. */
const LEAK =
  /sqlstate|syntax error|\b(select|insert|update|delete|drop)\b|relation|"?ws_acme|pg_|operator does|input syntax|node_modules|\.ts:\d|\bat [\w.]+ \(|127\.0\.0\.1|localhost|postgres|ECONN/i;

const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
let before: string;
beforeAll(async () => {
  before = await opened.world.digest();
});
afterAll(() => agent.destroy());

async function send(place: Place, text: string): Promise<Answer> {
  const { path, ...request } = place.send(text);
  const key =
    request.headers !== undefined && /auth/i.test(place.name) ? {} : { key: opened.ada.secret };
  return call(opened.world.port, `/v1${path}`, { ...key, ...request, agent });
}

/** The service's own words in an answer: without those that it repeats of the request. */
function wordsOf({ json }: Answer, text: string): string {
  const errors = [json.error, ...(json.error.details?.errors ?? [])];
  const words = errors.map(({ code, message }) => `${code} ${message}`).join('\n');
  const sent = [text, text.slice(0, 100)].flatMap((one) => [one, JSON.stringify(one).slice(1, -1)]);
  return sent.reduce((rest, one) => rest.replaceAll(one, '…'), words);
}

async function check(place: Place, text: string): Promise<void> {
  const answer = await send(place, text);
  const about = `${place.name}: ${JSON.stringify(text.slice(0, 60))} → ${answer.text.slice(0, 300)}`;
  const { json, status } = answer;
  const code = json?.error?.code;
  const expected = [place.expected(text)].flat();
  expect(expected, about).toContain(code === undefined ? String(status) : `${status} ${code}`);
  expect(answer.text).not.toContain(CANARY);
  expect(answer.headers['x-request-id'], about).toMatch(/^req_[0-9a-f-]{36}$/);
  if (code !== undefined) expect(wordsOf(answer, text), about).not.toMatch(LEAK);
}

describe('every place', () => {
  const places = [...PATHS, ...QUERIES, ...BODIES, ...VALUES];
  test.each(places.map((place) => [place.name, place] as const))('%s', async (_, place) => {
    // Types read their values alike: text is tried with everything, the others with a few of each kind.
    const isAlike = VALUES.includes(place) && !place.name.startsWith('text');
    const few = isAlike || place.expected === byShape;
    // Others with others, so that each text is tried somewhere.
    const turn = places.indexOf(place);
    const texts = HOSTILE.filter((_, index) => IS_LONG || !few || (index + turn) % 9 === 0);
    await Promise.all(texts.map((text) => check(place, text)));
  });

  test.each(HEADERS.map((place) => [place.name, place] as const))('%s', async (_, place) => {
    await Promise.all(HOSTILE.filter(canBeHeader).map((text) => check(place, text)));
  });

  test('a body that consists of hostile text', async () => {
    for (const text of HOSTILE) {
      const place = {
        name: 'body',
        send: () => ({ path: `${LIST}/search`, method: 'POST', body: text }),
      };
      const expected = () => ['400 invalid_json', INVALID];
      await check({ ...place, expected }, text);
    }
  });

  test('changed no row', async () => {
    expect(await opened.world.digest()).toBe(before);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('1');
  });
});

describe('as a value every text is literal', () => {
  const names = HOSTILE.filter((text) => isStorable(text) && length(text) <= 500);
  const COMPANIES = '/objects/companies/records';
  const displays = (answer: { body: { data: { display: string }[] } }) =>
    answer.body.data.map(({ display }) => display);

  beforeAll(async () => {
    for (const name of names) {
      const fields = { name, custom_fields: { note: name } };
      const { status, body } = await opened.ada.post(COMPANIES, { fields });
      expect([status, body.data.display]).toEqual([201, name]);
      expect(body.data.fields.custom_fields.note).toBe(name);
    }
  });

  test.each(names.map((name) => [name]))('%j', async (name) => {
    const { ada } = opened;
    const value = encodeURIComponent(name);
    const quoted = encodeURIComponent(`"${name.replaceAll('"', '""')}"`);
    const list = async (query: string) =>
      displays(await ada.get(`${COMPANIES}?${query}&limit=100`));
    const search = async (body: object) => displays(await ada.post(`${COMPANIES}/search`, body));
    expect(await list(`filter[name][eq]=${value}`)).toEqual([name]);
    expect(await list(`filter[name][in]=${quoted}`)).toEqual([name]);
    expect(await search({ filters: { name } })).toEqual([name]);
    expect(await search({ filters: { name: { in: [name] } } })).toEqual([name]);
    expect(await search({ filters: { name: { gte: name, lte: name } } })).toEqual([name]);
    const holding = names.filter((other) =>
      other.toLowerCase().includes(name.trim().toLowerCase()),
    );
    expect((await list(`q=${value}`)).sort()).toEqual([...holding].sort());
    expect((await search({ query: name, limit: 100 })).sort()).toEqual([...holding].sort());
    const metrics = [count, { name: 'least', op: 'min', field: 'name' }];
    const grouped = { filters: { name }, group_by: ['name'], metrics };
    const { body } = await ada.post(`${COMPANIES}/aggregate`, grouped);
    expect(body.data).toEqual([{ name, n: 1, least: name }]);
  });

  test('/search finds it where it has a word to look for', async () => {
    for (const name of names.filter((text) => /[\p{L}\p{N}]{2}/u.test(text))) {
      const answer = await opened.ada.get(`/search?limit=30&q=${encodeURIComponent(name)}`);
      expect(displays(answer), name).toContain(name);
    }
  });

  test('the others of ne are all others', async () => {
    const body = { filters: { name: { ne: "' or 1=1--" } }, limit: 100, sort: [{ field: 'name' }] };
    const { body: answer } = await opened.ada.post(`${COMPANIES}/search`, body);
    expect(answer.data).toHaveLength(names.length - 1);
  });
});
