// Random calls of tools with the people, scopes and records of the access matrix: each gives what the request of REST
// gives, with the same key at the same time: the same records and values, or the same refusal.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cast, openCast } from '../access/cast.ts';
import { GUARDED, PERSONAS, type Persona, SUBJECTS, type Subject } from '../access/definition.ts';
import { KINDS, SCOPE_SETS, type Scope } from '../access/oracle.ts';
import type { Answer } from '../http-client.ts';
import { timesOf } from '../until.ts';
import { dataIn, post, recordIn, tableIn } from './agents.ts';

const CALLS = timesOf(10_000);
const AT_ONCE = 20;

let cast: Cast;
beforeAll(async () => {
  cast = await openCast();
});
afterAll(() => cast?.close());

/** The same numbers in each run. */
function openRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    chance: (of: number) => next() < of,
    one: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
  };
}
type Random = ReturnType<typeof openRandom>;

/** A call of a tool, the request that it stands for, and what both show. */
interface Pair {
  readonly tool: string;
  readonly sent: object;
  readonly rest: { readonly path: string; readonly method?: string; readonly body?: unknown };
  /** The part of the answer that is in the text of the tool. */
  shown(text: string): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every form
  answered(body: any): unknown;
}

interface Chosen {
  readonly random: Random;
  readonly person: Persona;
  readonly subject: Subject;
}

const plainFields = ({ random, subject }: Chosen) => {
  const keys = [
    ...GUARDED.filter((key) => key !== 'extra'),
    subject.title,
    'created_at',
    'nonsense',
  ];
  return [...new Set(Array.from({ length: 3 }, () => random.one(keys)))];
};

const kindOf = ({ random, person, subject }: Chosen) =>
  cast.record(subject, random.one(KINDS), person);

const whereOf = ({ random, subject }: Chosen) => {
  const conditions = [
    { field: 'rank', op: 'gte', value: 10 },
    { field: 'probe', op: 'starts_with', value: 'zqx' },
    { field: 'place_id', op: 'eq', value: cast.places.shared },
    { field: 'place_id.title', op: 'is_null', value: false },
    { field: 'created_at', op: 'gt', value: { relative: '-1d' } },
    { field: subject.title, op: 'is_null', value: false },
    { not: { field: 'rank', op: 'lt', value: 20 } },
  ];
  return random.chance(0.4) ? undefined : random.one(conditions);
};

type Row = Readonly<Record<string, unknown>>;

const filled = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

const MAKERS: readonly ((chosen: Chosen) => Pair)[] = [
  function get(chosen) {
    const { subject, random } = chosen;
    const { id } = kindOf(chosen);
    const fields = random.chance(0.5) ? plainFields(chosen) : undefined;
    const query = fields === undefined ? '' : `?fields=${fields.join()}`;
    const path = `/objects/${subject.type}/records/${encodeURIComponent(id)}${query}`;
    return {
      tool: 'get',
      sent: { object_type: subject.type, id, ...(fields === undefined ? {} : { fields }) },
      rest: { path },
      shown: recordIn,
      answered({ data }) {
        const { fields: { custom_fields: custom = {}, ...own } = {} as Row, ...identity } = data;
        const { object_type: _, work_item_type_id: type, display, ...rest } = identity;
        const { owner_user_id, created_at, updated_at, ...narrow } = rest;
        const values = {
          ...(fields === undefined ? { owner_user_id, created_at, updated_at } : {}),
          ...narrow,
          ...own,
          ...Object.fromEntries(
            Object.entries(custom as object).map(([key, value]) => [`custom_fields.${key}`, value]),
          ),
        };
        expect(type ?? null).toBe(own.work_item_type_id ?? type ?? null);
        const isShown = Object.values(values).includes(display);
        return filled({ ...values, ...(isShown ? {} : { display }) });
      },
    };
  },
  function query(chosen) {
    const { subject } = chosen;
    const [fields, where] = [plainFields(chosen), whereOf(chosen)];
    const sent = { fields, limit: 20, ...(where === undefined ? {} : { where }) };
    return {
      tool: 'query',
      sent: { object_type: subject.type, ...sent },
      rest: { path: `/objects/${subject.type}/records/query`, method: 'POST', body: sent },
      shown: (text) =>
        tableIn(text).map((row) => [row.id, ...fields.map((key) => row[key] ?? null)]),
      answered: ({ data }) =>
        data.map((record: { readonly id: string; readonly fields: Row }) => [
          record.id,
          ...fields.map((key) => record.fields[key] ?? null),
        ]),
    };
  },
  function aggregate(chosen) {
    const { subject, random } = chosen;
    const where = whereOf(chosen);
    const metrics = [
      { name: 'n', op: 'count' },
      { name: 'm', op: 'max', field: random.one(['rank', 'created_at', 'nonsense']) },
    ];
    const group_by = random.chance(0.5) ? [random.one(['place_id', 'probe', 'status'])] : [];
    const sent = { metrics, group_by, limit: 20, ...(where === undefined ? {} : { where }) };
    return {
      tool: 'aggregate',
      sent: { object_type: subject.type, ...sent },
      rest: {
        path: `/objects/${subject.type}/records/aggregate/query`,
        method: 'POST',
        body: sent,
      },
      shown: tableIn,
      answered: ({ data }) => data,
    };
  },
  function search({ random }) {
    const text = random.one(['prq', 'mtq', 'frq', 'zqx', 'Shared']);
    return {
      tool: 'search',
      sent: { text, limit: 20 },
      rest: { path: `/search?q=${text}&limit=20` },
      shown: (shown) => dataIn(shown).map((line) => JSON.parse(line)),
      answered: ({ data }) =>
        data.map(({ object_type, id, display, subtitle }: Row) => [
          object_type,
          id,
          display,
          subtitle,
        ]),
    };
  },
  function describe({ subject }) {
    return {
      tool: 'describe',
      sent: { object_type: subject.type },
      rest: { path: `/objects/${subject.type}` },
      shown: (text) =>
        [...text.matchAll(/^\["(probe|rank|place_id|extra)",/gm)].map(([, key]) => key),
      answered: ({ data }) =>
        data.fields
          .map(({ key }: { readonly key: string }) => key)
          .filter((key: string) => (GUARDED as readonly string[]).includes(key)),
    };
  },
  function write(chosen) {
    const { random, subject } = chosen;
    const { id } = kindOf(chosen);
    const named = { object_type: subject.type, id };
    const operation = random.one([
      { action: 'update', ...named, fields: { [random.one(['probe', 'rank', subject.title])]: 7 } },
      { action: 'update', ...named, fields: { [subject.title]: 'New' } },
      { action: 'comment', ...named, body: 'Seen' },
      { action: 'status', ...named, status_id: random.one(['open', 'done', 'nonsense']) },
      { action: 'create', object_type: subject.type, fields: { [subject.title]: 'Made', rank: 3 } },
    ]);
    const body = { operations: [operation], dry_run: true };
    return {
      tool: 'write',
      sent: body,
      rest: { path: '/batch', method: 'POST', body },
      shown: (text) => /would succeed/.test(text),
      answered: ({ data }) => data.dry_run,
    };
  },
  function comments(chosen) {
    const { subject } = chosen;
    const { id } = kindOf(chosen);
    const path = `/objects/${subject.type}/records/${encodeURIComponent(id)}/comments?limit=10`;
    return {
      tool: 'get',
      sent: { object_type: subject.type, id, comments: true },
      rest: { path },
      shown: (text) => dataIn(text).length,
      answered: ({ data }) => data.length,
    };
  },
];

/** The refusal of either: its code alone. */
const codeOf = ({ json }: Answer) => json?.error?.code;

/** How many calls showed something, and how many were refused by both. */
const tally = { shown: 0, refused: 0 };

async function compare(chosen: Chosen, scopes: readonly Scope[]): Promise<string | undefined> {
  const pair = chosen.random.one(MAKERS)(chosen);
  const key = await cast.key(chosen.person.name, scopes);
  const params = { name: pair.tool, arguments: pair.sent };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const [tool, rest] = await Promise.all([
    post(cast.port, body, { key }),
    cast.call(pair.rest.path, { key, ...pair.rest }),
  ]);
  const label = `${chosen.person.name} [${scopes}] ${pair.tool} ${JSON.stringify(pair.sent)}`;
  const differ = (left: unknown, right: unknown) =>
    JSON.stringify(left) === JSON.stringify(right)
      ? undefined
      : `${label}\n  ${JSON.stringify(left)}\n  ${JSON.stringify(right)}`;
  if (tool.status !== 200) return differ([tool.status, codeOf(tool)], [rest.status, codeOf(rest)]);
  const { content, isError } = tool.json.result;
  const { text } = content[0];
  if (isError === true) {
    tally.refused += 1;
    return differ(text.split('\n')[0], codeOf(rest));
  }
  if (rest.status !== 200) return differ(text, codeOf(rest));
  const shown = sorted(pair.shown(text));
  if (!['[]', '{}', '0'].includes(JSON.stringify(shown))) tally.shown += 1;
  return differ(shown, sorted(pair.answered(rest.json)));
}

/** Names in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

test(`${CALLS} random calls give what REST gives, and change nothing`, async () => {
  const random = openRandom(39);
  const before = await cast.digest();
  const found: string[] = [];
  for (let done = 0; done < CALLS && found.length < 5; done += AT_ONCE) {
    const calls = Array.from({ length: AT_ONCE }, () => {
      const chosen = { random, person: random.one(PERSONAS), subject: random.one(SUBJECTS) };
      const scopes = random.chance(0.5) ? SCOPE_SETS[0] : random.one(SCOPE_SETS);
      return compare(chosen, scopes as readonly Scope[]);
    });
    for (const difference of await Promise.all(calls)) {
      if (difference !== undefined) found.push(difference);
    }
  }
  expect(found).toEqual([]);
  expect(await cast.digest()).toBe(before);
  expect(Math.min(tally.shown, tally.refused)).toBeGreaterThan(CALLS / 10);
});
