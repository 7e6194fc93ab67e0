// Writes against the floor, which does the obvious: BEGIN, the record, its audit row, its search rows,
// COMMIT, one after the other, into tables of the same shape with the same indexes. It writes the same
// rows.

import { randomUUID } from 'node:crypto';
import { byOneAndByMany, type FloorQuestions, measureAgainstFloor } from './floor-tasks.ts';
import type { Load, Request } from './measure.ts';
import type { Result } from './report.ts';
import { columnsOf, searchRowsOfText } from './search-rows.ts';
import type { Site } from './site.ts';

const COMPANIES = '/v1/objects/companies/records';
const BATCH = 100;
const FLOOR = 'floor_of_writes';

/** The measurements, by the names `--only` takes. */
export const WRITE_TASKS = [
  'create',
  'create-keys',
  'create-once',
  'patch',
  'patch-keys',
  'batch',
  'batch-keys',
] as const;

/** Measure writes on the demo; the records they create stay in its cached data directory. */
export async function measureWrites(
  site: Site,
  load: Load,
  wanted: (name: string) => boolean,
): Promise<readonly Result[]> {
  const visitor = await site.visit('demo');
  await makeFloorTables(site);
  const results: Result[] = [];
  const patches = await patchQuestions(site);
  for (const questions of [
    ...byOneAndByMany(createQuestions(), 1.2),
    onceQuestions(),
    ...byOneAndByMany(patches, 1),
    ...byOneAndByMany(batchQuestions(), 1.2),
  ]) {
    if (!wanted(questions.name)) continue;
    results.push(await measureAgainstFloor(site, visitor, questions, load));
  }
  return results;
}

/** Copies of the tables a create writes to, emptied: the floor must not write into a workspace. */
async function makeFloorTables({ db }: Site): Promise<void> {
  const statements = [
    `drop schema if exists ${FLOOR} cascade`,
    `create schema ${FLOOR}`,
    ...['companies', '_audit', '_search'].map(
      (table) => `create table ${FLOOR}.${table} (like ws_demo.${table} including all)`,
    ),
    `insert into ${FLOOR}.companies select * from ws_demo.companies order by id limit 85`,
  ];
  for (const text of statements) await db.query({ text, values: [] }, { prepare: false });
}

const FIELDS = {
  sector: 'software',
  year_established: 1998,
  revenue: 1234.5,
  employees: 420,
  office_location: 'Kenya',
};

function companyOf(index: number) {
  return { name: `Northern Lights ${index}`, ...FIELDS };
}

function createRequest(): Request {
  return { path: COMPANIES, method: 'POST', body: JSON.stringify({ fields: companyOf(1) }) };
}

/** The search rows of the company, as the service makes them. */
const SEARCHED = searchRowsOfText('companies.name', companyOf(1).name);

const CREATE = [
  {
    text: `insert into ${FLOOR}.companies (id, name, sector, year_established, revenue, employees,
        office_location, created_by_user_id)
      values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, 1) returning *`,
    values: Object.values(companyOf(1)),
  },
  {
    text: `insert into ${FLOOR}._audit (user_id, object_type, record_id, action, changed_fields,
        source, request_id)
      values (1, 'companies', gen_random_uuid(), 'create', $1, 'api', $2)`,
    values: [Object.keys(companyOf(1)), 'req_00000000'],
  },
  {
    text: `insert into ${FLOOR}._search (record_id, source, place, text, reach_user_id, created_at,
        words)
      select gen_random_uuid(), 'companies.name', place, text, 1, now(), words::tsvector
      from unnest($1::smallint[], $2::text[], $3::text[]) as s (place, text, words)`,
    values: columnsOf(SEARCHED),
  },
];

function createQuestions(): FloorQuestions {
  return {
    name: 'create',
    task: 'create one',
    target: 1.6,
    requests: [createRequest()],
    statements: [CREATE],
  };
}

function onceQuestions(): FloorQuestions {
  return {
    name: 'create-once',
    task: 'create one with an Idempotency-Key',
    target: 0.7,
    requests: [
      { ...createRequest(), renew: () => ({ headers: { 'idempotency-key': randomUUID() } }) },
    ],
    statements: [CREATE],
  };
}

/** Every patch has another value: one without a change writes no row. */
async function patchQuestions({ db }: Site): Promise<FloorQuestions> {
  const rows = await db.query({
    text: `select id::text as id from ${FLOOR}.companies order by id`,
    values: [],
  });
  let employees = 0;
  const renew = () => {
    employees += 1;
    return { body: JSON.stringify({ fields: { employees } }) };
  };
  return {
    name: 'patch',
    task: 'patch one',
    target: 1.3,
    requests: rows.map(({ id }) => ({
      ...{ path: `${COMPANIES}/${id}`, method: 'PATCH', ...renew() },
      renew,
    })),
    statements: rows.map(({ id }, index) => [
      {
        text: `select * from ${FLOOR}.companies where id = $1 for update`,
        values: [id],
      },
      {
        text: `update ${FLOOR}.companies set employees = $2, version = version + 1,
          updated_at = now() where id = $1 returning *`,
        values: [id, index],
      },
      {
        text: `insert into ${FLOOR}._audit (user_id, object_type, record_id, action,
            changed_fields, source, request_id)
          values (1, 'companies', $1, 'update', '{employees}', 'api', $2)`,
        values: [id, 'req_00000000'],
      },
    ]),
  };
}

/** A hundred records with their traces, on the floor by one statement a table. */
function batchQuestions(): FloorQuestions {
  const companies = Array.from({ length: BATCH }, (_, index) => companyOf(index));
  const operations = companies.map((fields) => ({ action: 'create', fields }));
  const searched = companies.flatMap(({ name }) => searchRowsOfText('companies.name', name));
  return {
    name: 'batch',
    task: `batch of ${BATCH} creates`,
    target: 1.2,
    requests: [
      { path: `${COMPANIES}/batch`, method: 'POST', body: JSON.stringify({ operations }) },
    ],
    statements: [
      [
        {
          text: `insert into ${FLOOR}.companies (id, name, sector, year_established, revenue,
              employees, office_location, created_by_user_id)
            select gen_random_uuid(), name, sector, year_established, revenue, employees,
              office_location, 1
            from jsonb_to_recordset($1::jsonb) as r (name text, sector text,
              year_established integer, revenue numeric, employees integer, office_location text)
            returning *`,
          values: [JSON.stringify(companies)],
        },
        {
          text: `insert into ${FLOOR}._audit (user_id, object_type, record_id, action,
              changed_fields, source, request_id)
            select 1, 'companies', gen_random_uuid(), 'create', $1, 'api', $2
            from generate_series(1, $3)`,
          values: [Object.keys(companyOf(1)), 'req_00000000', BATCH],
        },
        {
          text: `insert into ${FLOOR}._search (record_id, source, place, text, reach_user_id,
              created_at, words)
            select gen_random_uuid(), 'companies.name', place, text, 1, now(), words::tsvector
            from unnest($1::smallint[], $2::text[], $3::text[]) as s (place, text, words)`,
          values: columnsOf(searched),
        },
      ],
    ],
  };
}
