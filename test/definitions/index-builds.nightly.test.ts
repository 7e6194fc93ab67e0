// Indexes of large tables: clients do not wait for them, a refusal leaves none, an index of a killed process is used
// or dropped, and the index of texts comes and goes with pg_trgm.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../src/control/jobs/jobs.ts';
import {
  findWorkspace,
  requireModel,
  type WorkspaceRow,
} from '../../src/control/workspace/workspaces.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { buildIndex, runIndexJob } from '../../src/definitions/apply/prepare/index-builds.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { ObjectModel } from '../../src/model/definition/model.ts';
import { workspaceSchema } from '../../src/model/definition/physical-names.ts';
import { namesOfIndexes } from '../../src/sql/write/index-sql.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { CARS, carsWith, createCars } from '../large-cars.ts';
import {
  createMigratedDatabase,
  createOwnDatabase,
  lacks,
  type OwnDatabase,
} from '../own-database.ts';
import { nfc, sorted } from '../sql/nfc.ts';

let own: OwnDatabase;
let counter = 0;

beforeAll(async () => {
  own = await createMigratedDatabase();
});

afterAll(() => own?.drop());

const INDEXED = carsWith('code', { indexed: true });
const UNIQUE = carsWith('code', { unique: true });

interface Garage {
  readonly slug: string;
  readonly schema: string;
  readonly table: string;
}

async function createGarage(rows?: number, filler?: number): Promise<Garage> {
  counter += 1;
  const slug = `large-${counter}`;
  await createCars(own, slug, { rows, filler });
  const schema = workspaceSchema(slug);
  return { slug, schema, table: `"${schema}".cars` };
}

const workspaceOf = async ({ slug }: Garage) => (await findWorkspace(own.db, slug)) as WorkspaceRow;

const apply = ({ slug }: Garage, document: unknown) => applyDefinition(own.db, slug, document);

/** Names of the indexes of `cars`, the broken ones with a `!`; without the two that are always there. */
async function indexesOf({ schema }: Garage): Promise<readonly string[]> {
  const rows = await own.rows(
    `select c.relname || case when i.indisvalid then '' else '!' end as name
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = ('"' || $1 || '".cars')::regclass order by 1`,
    [schema],
  );
  const names = rows.map(({ name }) => String(name).replace('cars.', ''));
  return names.filter((name) => !['id.key', 'created_at.index'].includes(name));
}

async function oidOf({ schema }: Garage, name: string): Promise<unknown> {
  const [row] = await own.rows(`select to_regclass($1)::oid as oid`, [`"${schema}"."${name}"`]);
  return row?.oid;
}

/** Run `work` while a transaction that has written to the table is open; it commits afterwards. */
async function besideWriter<Result>(
  { table }: Garage,
  code: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return own.db.transaction(async (tx) => {
    await tx.query(insertOf(table, code), { prepare: false });
    return work();
  });
}

function insertOf(table: string, code: string) {
  const text = `insert into ${table} (id, created_by_user_id, code) values (gen_random_uuid(), 1, $1)`;
  return { text, values: [code] };
}

/** Until a build of this workspace waits for a transaction that is older. */
async function untilBuildWaits({ schema }: Garage): Promise<void> {
  await expect
    .poll(
      () =>
        own.rows(
          `select 1 as waits from pg_stat_activity
            where query like 'create %index concurrently%' and position($1 in query) > 0
              and wait_event_type = 'Lock'`,
          [`"${schema}"`],
        ),
      { timeout: 60_000, interval: 20 },
    )
    .toHaveLength(1);
}

test('those who write do not wait for the build of an index', async () => {
  const garage = await createGarage(300_000, 40);
  const { table } = garage;
  const [row] = await own.rows(`select id from ${table} limit 1`);
  const state = { isBuilding: true, longest: 0, writes: 0 };
  const write = async () => {
    while (state.isBuilding) {
      const start = performance.now();
      await own.rows(insertOf(table, 'new').text, ['new']);
      await own.rows(`update ${table} set version = version + 1 where id = $1`, [row?.id]);
      state.longest = Math.max(state.longest, performance.now() - start);
      state.writes += 1;
    }
  };
  const writing = write();
  const start = performance.now();
  await apply(garage, INDEXED).finally(() => {
    state.isBuilding = false;
  });
  const took = performance.now() - start;
  await writing;
  expect(await indexesOf(garage)).toEqual(['code.by2a633a', 'code.eq_nfc', 'code.part']);
  expect(state.writes).toBeGreaterThan(10);
  expect(state.longest, `of ${took} ms`).toBeLessThan(took / 3);
});

test.each<[string, number]>([
  ['small', 10],
  ['large', 5000],
])(
  'another order of texts together with uniqueness or an index, of a %s table',
  async (_, rows) => {
    const garage = await createGarage(rows);
    const steps: [object, string][] = [
      [{ unique: true }, 'und'],
      [{ unique: true, indexed: true }, 'de'],
      [{ indexed: true }, 'sv'],
      [{ indexed: true, unique: true }, 'code_points'],
      [{ unique: true }, 'de'],
      [{ unique: true }, 'code_points'],
      [{ indexed: true, unique: true }, 'sv'],
    ];
    for (const [field, sort_locale] of steps) {
      const document = mergePatch(carsWith('code', field), { sort_locale });
      await apply(garage, document);
      const model = await requireModel(own.db, await workspaceOf(garage));
      const wanted = namesOfIndexes(model.objects.get('cars') as ObjectModel).filter(
        (name) => !name.endsWith('created_at.index') && !name.endsWith('code.unique'),
      );
      expect(await indexesOf(garage)).toEqual(wanted.map((name) => name.slice(5)).sort());
      expect(await apply(garage, document)).toMatchObject({ changes: [], notes: [] });
    }
  },
);

test('a table is analysed once, after the last of its indexes', async () => {
  const garage = await createGarage();
  await apply(garage, INDEXED);
  expect(await indexesOf(garage)).toEqual(['code.by2a633a', 'code.eq_nfc', 'code.part']);
  const analysed = async () => {
    const [row] = await own.rows(
      `select analyze_count::integer as times from pg_stat_user_tables
        where schemaname = $1 and relname = 'cars'`,
      [garage.schema],
    );
    return row?.times;
  };
  expect(await analysed()).toBe(1);
});

test('duplicate values refuse a unique index, and no index is built', async () => {
  const garage = await createGarage();
  await own.rows(insertOf(garage.table, 'c1').text, ['c1']);
  await expect(apply(garage, UNIQUE)).rejects.toThrow(
    /nothing was changed:\n {2}cars.code cannot be unique: 1 value is in more than one record$/,
  );
  expect(await indexesOf(garage)).toEqual([]);
});

test('a value that comes twice during the build refuses it in the same words', async () => {
  const garage = await createGarage();
  const applying = await besideWriter(garage, 'c1', async () => {
    const outcome = apply(garage, UNIQUE).then(
      () => 'applied',
      (error: Error) => error.message,
    );
    await untilBuildWaits(garage);
    return { outcome };
  });
  expect(await applying.outcome).toMatch(
    /nothing was changed:\n {2}cars.code cannot be unique: 1 value is in more than one record$/,
  );
  expect(await indexesOf(garage)).toEqual([]);
});

test('a failure after the build leaves no index', async () => {
  const garage = await createGarage();
  const small = { name: 'Small', singular_name: 'Small', owned: false, searchable: false };
  const both = (indexed: boolean) =>
    mergePatch(indexed ? INDEXED : CARS, {
      objects: {
        small: { ...small, fields: { note: { type: 'text', indexed } } },
      },
    });
  await apply(garage, both(false));
  // Longer than the definition allows, and than an index can hold.
  const noise = Array.from({ length: 3000 }, (_, n) =>
    String.fromCodePoint(0x4e00 + ((n * 7919) % 20000)),
  );
  await own.rows(
    `insert into "${garage.schema}".small (id, created_by_user_id, note)
      values (gen_random_uuid(), 1, $1)`,
    [noise.join('')],
  );
  await expect(apply(garage, both(true))).rejects.toThrow('Nothing was changed');
  expect(await indexesOf(garage)).toEqual([]);
});

test('a broken index of a killed process is rebuilt', async () => {
  const garage = await createGarage();
  const { schema, table } = garage;
  const [twin] = await own.rows(`${insertOf(table, 'c1').text} returning id`, ['c1']);
  const statement = `create unique index concurrently "cars.code.one_nfc" on "${schema}".cars ((${nfc('code')}))`;
  await expect(own.rows(statement)).rejects.toThrow('could not create unique index');
  expect(await indexesOf(garage)).toEqual(['code.one_nfc!']);
  await own.rows(`delete from ${table} where id = $1`, [twin?.id]);
  await apply(garage, UNIQUE);
  expect(await indexesOf(garage)).toEqual(['code.by2a633a', 'code.one_nfc']);
});

test('a good index of a killed process is used, without a lock on the table', async () => {
  const garage = await createGarage();
  const { schema } = garage;
  await own.rows(`create unique index "cars.code.one_nfc" on "${schema}".cars ((${nfc('code')}))`);
  await own.rows(`create index "cars.code.by2a633a" on "${schema}".cars (${sorted('code')}, id)`);
  const oid = await oidOf(garage, 'cars.code.one_nfc');
  await besideWriter(garage, 'new', () => apply(garage, UNIQUE));
  expect(await indexesOf(garage)).toEqual(['code.by2a633a', 'code.one_nfc']);
  expect(await oidOf(garage, 'cars.code.one_nfc')).toBe(oid);
});

test('an unneeded index of a killed process is dropped, those of others stay', async () => {
  const garage = await createGarage();
  const { schema } = garage;
  await own.rows(`create unique index "cars.code.one_nfc" on "${schema}".cars ((${nfc('code')}))`);
  await own.rows(`create index by_hand on "${schema}".cars (code)`);
  await apply(garage, carsWith('size', { type: 'integer' }));
  expect(await indexesOf(garage)).toEqual(['by_hand']);
});

test('an index of the right name but another form is rebuilt', async () => {
  const garage = await createGarage();
  await own.rows(`create index "cars.code.by2a633a" on "${garage.schema}".cars (code)`);
  await apply(garage, INDEXED);
  const [row] = await own.rows(`select pg_get_indexdef($1::oid) as text`, [
    await oidOf(garage, 'cars.code.by2a633a'),
  ]);
  expect(row?.text).toMatch(/\(code COLLATE .*, id\)$/);
});

test('several at once: one builds, the others find it done', async () => {
  const garage = await createGarage();
  const plans = await Promise.all([
    apply(garage, UNIQUE),
    apply(garage, UNIQUE),
    apply(garage, UNIQUE),
  ]);
  expect(plans.map(({ changes }) => changes.length).sort()).toEqual([0, 0, 1]);
  expect(await indexesOf(garage)).toEqual(['code.by2a633a', 'code.one_nfc']);
});

test('a transaction that does not end stops the build, and the next change cleans up', async () => {
  const garage = await createGarage();
  const name = 'cars.code.by2a633a';
  const index = { kind: 'value', name, table: 'cars', column: 'code' } as const;
  await besideWriter(garage, 'new', () =>
    expect(
      buildIndex(own.db, garage.schema, index, { trigrams: undefined, patience: 200 }),
    ).rejects.toThrow(/^Open transactions block the change: create index concurrently /),
  );
  await apply(garage, CARS);
  expect(await indexesOf(garage)).toEqual([]);
  await apply(garage, INDEXED);
  expect(await indexesOf(garage)).toEqual(['code.by2a633a', 'code.eq_nfc', 'code.part']);
});

test('the index of a new field comes after it; one that did not come, with the next change', async () => {
  const garage = await createGarage();
  const document = carsWith('size', { type: 'integer', indexed: true, unique: true });
  await apply(garage, document);
  expect(await indexesOf(garage)).toEqual(['size.index', 'size.unique']);
  await own.rows(`drop index "${garage.schema}"."cars.size.index"`);
  expect((await apply(garage, document)).changes).toEqual([]);
  expect(await indexesOf(garage)).toEqual(['size.index', 'size.unique']);
});

test('the index of texts follows the display field, and has statistics', async () => {
  const garage = await createGarage();
  const shown = (key: string | null) =>
    mergePatch(CARS, { objects: { cars: { display_field: key } } });
  await apply(garage, shown('code'));
  expect(await indexesOf(garage)).toEqual(['code.part']);
  if (!lacks('plans')) {
    const statistics = await own.rows(
      `select 1 as found from pg_stats where schemaname = $1 and tablename = 'cars.code.part'`,
      [garage.schema],
    );
    expect(statistics).toHaveLength(1);
  }
  await apply(garage, shown('filler'));
  expect(await indexesOf(garage)).toEqual(['filler.part']);
  await apply(garage, shown(null));
  expect(await indexesOf(garage)).toEqual([]);
});

test('without pg_trgm there is no index of texts; a start that finds it later has them built by a job', async () => {
  const other = await createOwnDatabase();
  try {
    await migrate(other.db);
    await other.rows('drop extension pg_trgm');
    const document = mergePatch(CARS, { objects: { cars: { display_field: 'code' } } });
    await createWorkspace(other.db, { slug: 'late', document });
    const named = `select count(*) as texts from pg_indexes where indexname like '%.part'`;
    await migrate(other.db);
    expect(await other.rows(named)).toEqual([{ texts: 0 }]);
    expect((await applyDefinition(other.db, 'late', document)).changes).toEqual([]);

    await other.rows('create schema elsewhere');
    await other.rows('create extension pg_trgm schema elsewhere');
    await Promise.all([migrate(other.db), migrate(other.db)]);
    const jobs = `select * from workspace_records.jobs where kind = 'indexes'`;
    const [job, ...more] = await other.rows(jobs);
    expect([job?.state, more]).toEqual(['queued', []]);
    await runIndexJob(other.db, job as unknown as Job, new AbortController().signal);
    const [row] = await other.rows(`${named} and indexdef like '%elsewhere.gin_trgm_ops%'`);
    expect(Number(row?.texts)).toBeGreaterThan(5);
    await other.rows('delete from workspace_records.jobs');
    await migrate(other.db);
    expect(await other.rows(jobs)).toEqual([]);
  } finally {
    await other.drop();
  }
});
