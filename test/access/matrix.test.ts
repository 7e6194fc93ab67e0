// The access matrix: every endpoint, for people with every combination of grants and field access,
// with keys of every set of scopes, on records of every kind, compared with the oracle in
// oracle.ts.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { IS_LONG } from '../until.ts';
import { administrationCases, ownRightsCases } from './administration-cases.ts';
import { bulkCases } from './bulk-cases.ts';
import type { Case } from './case.ts';
import { type Cast, openCast } from './cast.ts';
import { PERSONAS, type Persona, SUBJECTS, type Subject } from './definition.ts';
import { applyCases, definitionCases } from './definition-cases.ts';
import { documentCases } from './document-cases.ts';
import { inObjectBatches } from './object-batch-cases.ts';
import { ALL_SCOPES, reaches } from './oracle.ts';
import {
  notificationCases,
  peopleCases,
  routeCases,
  schemaCases,
  sessionCases,
  type Told,
} from './people-cases.ts';
import {
  CURSOR_MAKER,
  inverseCases,
  recordReadCases,
  searchCases,
  selectionCases,
} from './read-cases.ts';
import {
  describeMismatch,
  everyNth,
  execute,
  isAllowed,
  isTried,
  type Outcome,
  planRuns,
  type Run,
} from './running.ts';
import type { Cursors } from './selection.ts';
import { makeViews, viewCases } from './view-cases.ts';
import { createCases, ownerCases, recordWriteCases } from './write-cases.ts';

/** On every commit a part of what is alike, all of it when there is time. */
const NTH = IS_LONG ? 1 : 19;
/** So that none get lost when cases are built otherwise. */
const LEAST = NTH === 1 ? 15_000 : 5000;
/**
 * `GET /events/stream` does not end: its rights are tested with the stream. Whoever signs in is nobody yet:
 * test/api/sessions.test.ts, test/api/sign-in-oidc.test.ts.
 */
const ELSEWHERE: readonly string[] = [
  'GET /events/stream',
  'POST /sessions',
  // No key of a person creates a workspace: test/api/workspace-creation.test.ts.
  'POST /workspaces',
  'GET /sign_in_methods',
  'GET /sign_in/start',
  'GET /sign_in/callback',
  // Files take no JSON and imports administrators only; exports are compared with lists, person by person:
  // test/api/import-refusals.test.ts, test/api/exports.test.ts.
  'POST /files',
  'POST /imports',
  'GET /imports/{job_id}/rejects',
  'POST /exports',
  'GET /exports/{job_id}/file',
  'GET /jobs',
  'GET /jobs/{job_id}',
  'POST /jobs/{job_id}/cancel',
];
/** Routes that need other scopes are about no records: each is tested where its rights are. */
const isOfRecords = ({ scope }: (typeof ROUTES)[number]) =>
  [scope ?? []].flat().every((one) => (ALL_SCOPES as readonly string[]).includes(one));

const deals = SUBJECTS[0] as Subject;
let cast: Cast;
let reads: readonly Run[];
let writes: readonly Run[];
const outcomes: Outcome[] = [];

beforeAll(async () => {
  cast = await openCast();
  const told = await tell();
  const cursors = await makeCursors();
  const views = await makeViews(cast);
  const readCases = PERSONAS.flatMap((person) => [
    ...peopleCases(cast, person),
    ...schemaCases(person),
    ...documentCases(person),
    ...definitionCases(person),
    ...ownRightsCases(cast, person),
    ...routeCases(person),
    ...sessionCases(cast, person),
    ...searchCases(cast, person, SUBJECTS),
    ...SUBJECTS.flatMap((subject) => [
      ...selectionCases(cast, cursors, person, subject),
      ...recordReadCases(cast, person, subject),
      ...bulkCases(cast, person, subject),
      ...inverseCases(cast, person, subject),
    ]),
    ...told(person).filter(({ writes }) => writes !== true),
    ...viewCases(views, person).filter(({ writes }) => writes !== true),
  ]);
  const writeCases = PERSONAS.flatMap((person) => [
    ...SUBJECTS.flatMap((subject) => {
      const created = createCases(cast, person, subject);
      const written = recordWriteCases(cast, person, subject);
      return [
        ...created,
        ...(subject.owned ? ownerCases(cast, person, subject) : []),
        ...written,
        ...inObjectBatches([...created, ...written]),
      ];
    }),
    ...told(person).filter(({ writes }) => writes === true),
    ...viewCases(views, person).filter(({ writes }) => writes === true),
    ...applyCases(person),
    ...administrationCases(cast, person),
  ]);
  reads = planRuns(everyNth(readCases.filter(isTried), NTH));
  writes = planRuns(everyNth(writeCases.filter(isTried), NTH));
});

afterAll(() => cast?.close());

/** Mention everybody on records of each kind; one of them the team could read only at that time. */
async function tell(): Promise<(person: Persona) => readonly Case[]> {
  const admin = await cast.key('admin', ALL_SCOPES);
  const people = PERSONAS.filter(({ active, kind }) => active && kind === 'user');
  const at = (owner: string) => cast.records(deals).get(owner)?.id as string;
  const mention = async (id: string, mentioned: readonly Persona[]) => {
    for (let start = 0; start < mentioned.length; start += 20) {
      const mention_user_ids = mentioned
        .slice(start, start + 20)
        .map(({ name }) => cast.users.get(name));
      const body = { body: 'See here', mention_user_ids };
      const path = `/objects/deals/records/${id}/comments`;
      const { status, text } = await cast.call(path, { method: 'POST', key: admin, body });
      expect(status, text).toBe(201);
    }
  };
  for (const person of people) await mention(at(person.name), [person]);
  await cast.giveDeal(at('outsider'), 'mate');
  for (const id of [at('mate'), at('stranger'), at('outsider')]) await mention(id, people);
  await cast.giveDeal(at('outsider'), 'outsider');
  const rows = await cast.own.rows('select id, user_id, record_id from ws_matrix._notifications');
  return (person) => {
    const { grants, name } = person;
    const userId = cast.users.get(name);
    const shown = people.includes(person)
      ? [
          ...(reaches(grants.read, 'mine') ? [at(name)] : []),
          ...(reaches(grants.read, 'mate') ? [at('mate')] : []),
          ...(reaches(grants.read, 'foreign') ? [at('stranger'), at('outsider')] : []),
        ]
      : [];
    const own = rows.filter(({ user_id }) => user_id === userId);
    const isShown = ({ record_id }: { readonly record_id?: unknown }) =>
      shown.includes(String(record_id));
    const told: Told = {
      mine: own.filter(isShown).map(({ id }) => String(id)),
      hidden: own.filter((row) => !isShown(row)).map(({ id }) => String(id)),
      foreign: String(rows.find(({ user_id }) => user_id !== userId)?.id),
    };
    return notificationCases(person, shown, told);
  };
}

/** First cursors of one person over the deals; they are nobody else's. */
async function makeCursors(): Promise<Cursors> {
  const key = await cast.key(CURSOR_MAKER, ALL_SCOPES);
  const path = '/objects/deals/records';
  const metrics = [{ name: 'n', op: 'count' }];
  const answers = await Promise.all([
    cast.call(`${path}?limit=1`, { key }),
    cast.call(`${path}/search`, { key, method: 'POST', body: { limit: 1 } }),
    cast.call(`${path}/aggregate`, {
      ...{ key, method: 'POST' },
      body: { limit: 1, metrics, group_by: ['id'] },
    }),
    cast.call(`${path}/query`, { key, method: 'POST', body: { limit: 1 } }),
    cast.call(`${path}/aggregate/query`, {
      ...{ key, method: 'POST' },
      body: { limit: 1, metrics, group_by: ['id'] },
    }),
  ]);
  const [list, search, aggregate, query, aggregateQuery] = answers.map(
    ({ json }) => json.pagination.next_cursor,
  );
  return { list, search, aggregate, query, aggregateQuery };
}

/** Run them and keep what came. */
async function run(runs: readonly Run[]): Promise<readonly Outcome[]> {
  const done = await execute(cast, runs);
  outcomes.push(...done);
  return done;
}

/** Of each kind of mismatch the first few are told. */
function expectAsSaid(done: readonly Outcome[]): void {
  const wrong = done.filter(({ mismatches }) => mismatches.length > 0);
  const seen = new Map<string, number>();
  const told = wrong.filter(({ case: { name } }) => {
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return (seen.get(name) ?? 0) <= 3;
  });
  expect(told.map(describeMismatch), `${wrong.length} mismatches`).toEqual([]);
}

test('reads are as the oracle says, and change nothing', async () => {
  const before = await cast.digest();
  expectAsSaid(await run(reads));
  expect(await cast.digest()).toBe(before);
});

test('refused writes change nothing', async () => {
  const groups = new Map<string, Run[]>();
  for (const run of writes.filter((one) => !isAllowed(one))) {
    const name = run.case.name.replace(/^batch /, '').split(' ')[0] ?? '';
    groups.set(name, [...(groups.get(name) ?? []), run]);
  }
  const done: Outcome[] = [];
  const changed: string[] = [];
  let before = await cast.digest();
  for (const [name, runs] of groups) {
    done.push(...(await run(runs)));
    const after = await cast.digest();
    if (after !== before) changed.push(name);
    before = after;
  }
  expectAsSaid(done);
  expect(changed).toEqual([]);
});

test('allowed writes have one effect each', async () => {
  const audited = async () =>
    Number((await cast.own.rows('select count(*) as count from ws_matrix._audit'))[0]?.count);
  const allowed = writes.filter(isAllowed);
  const marks = allowed.filter(({ case: { name } }) => name.startsWith('mark'));
  const before = await audited();
  expectAsSaid(await run(allowed));
  // Records made for the writes are audited as well: a create and a link each.
  const made = allowed.filter(({ case: { about } }) => about && about.kind !== 'absent').length;
  expect((await audited()) - before).toBe(allowed.length - marks.length + 2 * made);
});

test('unreadable, absent, foreign and malformed look alike', () => {
  const bodies = new Map<string, Set<string>>();
  for (const { case: one, answer } of outcomes) {
    const { code, param, request_id } = answer.json.error ?? {};
    const isRecord = param === 'record_id' || param === 'operations[0].id';
    if (code !== 'record_not_found' || !isRecord || one.about === undefined) continue;
    const name = `${one.name} ${one.about.subject.type}`;
    const known = bodies.get(name) ?? new Set();
    bodies.set(name, known.add(answer.text.replace(request_id, '')));
  }
  expect(bodies.size).toBeGreaterThan(60);
  expect([...bodies].filter(([, texts]) => texts.size > 1)).toEqual([]);
});

test(`every route, and at least ${LEAST} cases`, () => {
  const tried = outcomes.map(
    ({ sent: { method = 'GET', path } }) => `${method} ${path.split('?')[0]}`,
  );
  const untried = ROUTES.filter(isOfRecords)
    .filter(({ method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return !tried.some((one) => pattern.test(one));
    })
    .map(({ method, path }) => `${method} ${path}`);
  expect(untried.filter((route) => !ELSEWHERE.includes(route))).toEqual([]);
  expect(outcomes.length).toBe(reads.length + writes.length);
  expect(outcomes.filter(({ principal }) => principal === 'session').length).toBeGreaterThan(500);
  expect(outcomes.length).toBeGreaterThanOrEqual(LEAST);
});
