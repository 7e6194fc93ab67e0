// The access matrix: requests to every endpoint, with keys of every set of scopes, on records of every kind,
// compared with the oracle in oracle.ts. matrix.test.ts sends those of a few people, matrix.full.test.ts those of
// people with every combination of grants and field access.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { administrationCases, ownRightsCases } from './administration-cases.ts';
import { bulkCases } from './bulk-cases.ts';
import type { Case } from './case.ts';
import { type Cast, openCast } from './cast.ts';
import { changeCases } from './change-cases.ts';
import { dashboardCases, makeDashboards } from './dashboard-cases.ts';
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
import { askCases, makeRequests, requestCases } from './request-cases.ts';
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

/** The cases to run. */
export interface Extent {
  readonly people: readonly Persona[];
  /** Of similar cases the first and every `nth` after it. */
  readonly nth: number;
  /** There are at least so many, so that none get lost when cases are built otherwise. */
  readonly least: number;
}

/**
 * `GET /events/stream` does not end: its rights are tested with the stream. Signing in has no caller yet:
 * test/api/sessions.full.test.ts, test/api/sign-in-oidc.full.test.ts.
 */
const ELSEWHERE: readonly string[] = [
  'GET /events/stream',
  'POST /sessions',
  // No key of a person creates a workspace: test/api/workspace-creation.test.ts.
  'POST /workspaces',
  'GET /sign_in_methods',
  'POST /sign_in/passkey',
  // Of the person in a session alone: test/api/second-factor.test.ts.
  'POST /me/second_factor/code',
  'POST /me/passkeys',
  // Without a caller: test/mail/link-mails.full.test.ts.
  'POST /sign_in_links',
  'GET /mail/unsubscribe',
  'POST /mail/unsubscribe',
  'GET /sign_in/start',
  'GET /sign_in/callback',
  // With a secret in the path: test/api/calendar-feed.test.ts.
  'GET /calendar/{secret}.ics',
  // Of people in a session, with OAuth: test/api/oauth.test.ts, test/api/oauth-attacks.full.test.ts.
  'POST /oauth/authorizations',
  'POST /oauth/grants',
  // A restore takes a record out of the trash: test/access/trash-rights.full.test.ts.
  'GET /objects/{object_type}/deleted',
  'POST /objects/{object_type}/deleted/{record_id}/restore',
  'DELETE /objects/{object_type}/deleted/{record_id}',
  // A merge deletes records, and an unmerge restores them: test/access/merge-rights.full.test.ts.
  'POST /objects/{object_type}/records/{record_id}/merge',
  'POST /objects/{object_type}/records/{record_id}/unmerge',
  // The groups are for the person who asked for them, as they may read them: test/api/duplicates.full.test.ts.
  'POST /objects/{object_type}/duplicates',
  'GET /jobs/{job_id}/duplicates',
  // Files take no JSON and imports administrators only; exports are compared with lists, person by person:
  // test/api/import-refusals.test.ts, test/api/exports.test.ts.
  'POST /files',
  'POST /imports',
  'POST /imports/readings',
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

interface Matrix {
  readonly cast: Cast;
  readonly reads: readonly Run[];
  readonly writes: readonly Run[];
}

async function openMatrix({ people, nth }: Extent): Promise<Matrix> {
  const cast = await openCast();
  const told = await tell(cast);
  const cursors = await makeCursors(cast);
  const views = await makeViews(cast);
  const dashboards = await makeDashboards(cast, views);
  const requests = await makeRequests(cast, deals);
  // Beginning is audited, and what follows must change nothing.
  for (const { name } of people) await cast.viewing(name);
  const readCases = people.flatMap((person) => [
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
      ...changeCases(cast, person, subject),
      ...recordReadCases(cast, person, subject),
      ...bulkCases(cast, person, subject),
      ...inverseCases(cast, person, subject),
    ]),
    ...told(person).filter(({ writes }) => writes !== true),
    ...viewCases(views, person).filter(({ writes }) => writes !== true),
    ...dashboardCases(dashboards, person).filter(({ writes }) => writes !== true),
    ...requestCases(cast, requests, person, deals).filter(({ writes }) => writes !== true),
  ]);
  const writeCases = people.flatMap((person) => [
    ...SUBJECTS.flatMap((subject) => {
      const created = createCases(cast, person, subject);
      const written = recordWriteCases(cast, person, subject);
      const asked = askCases(person, subject);
      return [
        ...created,
        ...(subject.owned ? ownerCases(cast, person, subject) : []),
        ...written,
        ...asked,
        ...inObjectBatches([...created, ...written]),
      ];
    }),
    ...told(person).filter(({ writes }) => writes === true),
    ...viewCases(views, person).filter(({ writes }) => writes === true),
    ...dashboardCases(dashboards, person).filter(({ writes }) => writes === true),
    ...requestCases(cast, requests, person, deals).filter(({ writes }) => writes === true),
    ...applyCases(person),
    ...administrationCases(cast, person),
  ]);
  const reads = planRuns(everyNth(readCases.filter(isTried), nth));
  const writes = planRuns(everyNth(writeCases.filter(isTried), nth));
  return { cast, reads, writes };
}

/** Mention everybody on records of each kind; one of them the team could read only at that time. */
async function tell(cast: Cast): Promise<(person: Persona) => readonly Case[]> {
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
  await cast.own.rows(`delete from ws_matrix._notifications where kind <> 'mention'`);
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

/** First cursors of one person over the deals; valid for that person only. */
async function makeCursors(cast: Cast): Promise<Cursors> {
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

/** Of each kind of mismatch the first few are reported. */
function expectOutcomes(done: readonly Outcome[]): void {
  const wrong = done.filter(({ mismatches }) => mismatches.length > 0);
  const seen = new Map<string, number>();
  const told = wrong.filter(({ case: { name } }) => {
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return (seen.get(name) ?? 0) <= 3;
  });
  expect(told.map(describeMismatch), `${wrong.length} mismatches`).toEqual([]);
}

/** The tests of a matrix of this extent. */
export function tryMatrix(extent: Extent): void {
  let matrix: Matrix;
  const outcomes: Outcome[] = [];
  beforeAll(async () => {
    matrix = await openMatrix(extent);
  });
  afterAll(() => matrix?.cast.close());

  /** Run them and keep what came. */
  async function run(runs: readonly Run[]): Promise<readonly Outcome[]> {
    const done = await execute(matrix.cast, runs);
    outcomes.push(...done);
    return done;
  }

  test('reads are as the oracle says, and change nothing', async () => {
    const before = await matrix.cast.digest();
    expectOutcomes(await run(matrix.reads));
    expect(await matrix.cast.digest()).toBe(before);
  });

  test('refused writes change nothing', async () => {
    const groups = new Map<string, Run[]>();
    for (const run of matrix.writes.filter((one) => !isAllowed(one))) {
      const name = run.case.name.replace(/^batch /, '').split(' ')[0] ?? '';
      groups.set(name, [...(groups.get(name) ?? []), run]);
    }
    const done: Outcome[] = [];
    const changed: string[] = [];
    let before = await matrix.cast.digest();
    for (const [name, runs] of groups) {
      done.push(...(await run(runs)));
      const after = await matrix.cast.digest();
      if (after !== before) changed.push(name);
      before = after;
    }
    expectOutcomes(done);
    expect(changed).toEqual([]);
  });

  test('allowed writes have one effect each', async () => {
    const audited = async () =>
      Number(
        (await matrix.cast.own.rows('select count(*) as count from ws_matrix._audit'))[0]?.count,
      );
    const allowed = matrix.writes.filter(isAllowed);
    // Marks, settings of one person, and restores of the values that a record has.
    const isSilent = /^(?:mark|restore$|(?:PUT|DELETE) follow|change notification)/;
    const silent = allowed.filter(({ case: { name } }) => isSilent.test(name));
    const before = await audited();
    expectOutcomes(await run(allowed));
    // Records made for the writes are audited as well: a create and a link each.
    const made = allowed.filter(({ case: { about } }) => about && about.kind !== 'absent').length;
    expect((await audited()) - before).toBe(allowed.length - silent.length + 2 * made);
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
    expect(bodies.size).toBeGreaterThan(extent.least / 100);
    expect([...bodies].filter(([, texts]) => texts.size > 1)).toEqual([]);
  });

  test(`every route, and at least ${extent.least} cases`, () => {
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
    expect(outcomes.length).toBe(matrix.reads.length + matrix.writes.length);
    expect(outcomes.filter(({ principal }) => principal === 'session').length).toBeGreaterThan(
      extent.least / 10,
    );
    expect(outcomes.length).toBeGreaterThanOrEqual(extent.least);
  });
}
