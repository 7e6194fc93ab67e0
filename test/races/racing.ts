// The common part of the races: a workspace with a pool wide enough for all writers at once, writes by the way of the
// service, and the invariants that hold whichever write wins.

import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import type { WriteResult, Written } from '../../src/flow/records/write-flow.ts';
import { writeOnce, writeRecords } from '../../src/flow/records/write-flow.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { versionToken } from '../../src/plan/write/precondition.ts';
import type { FieldValues, WriteOperation } from '../../src/plan/write/write-operation.ts';
import type { Database, Row } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { LINKED_DOCUMENT } from '../linked-definition.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { timesOf } from '../until.ts';

/** The number of runs of each race. */
export const ROUNDS = timesOf(12);
/** Milliseconds a test of so many rounds may take at the very most. */
export const PATIENCE = 300_000 + ROUNDS * 2000;

const RACERS = 24;

/** The outcome of one attempt: `ok`, or the code of the error. */
export interface Outcome {
  readonly code: string;
  readonly results: readonly WriteResult[];
  readonly replayed: boolean;
}

export interface WriteOptions {
  readonly objectType?: string;
  /** Of each operation; they may name the records of earlier ones. */
  readonly objectTypes?: readonly string[];
  readonly batch?: boolean;
  readonly key?: string;
  readonly caller?: Caller;
}

/** A workspace whose invariants can be checked. */
export interface Watched {
  /** Object type and table of every object. */
  readonly tables: readonly (readonly [objectType: string, table: string])[];
  /** SQL in which `s.` means the schema. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface Track extends Watched {
  readonly sample: SampleWorkspace;
  readonly db: Database;
  write(operations: readonly WriteOperation[], options?: WriteOptions): Promise<Outcome>;
  /** Create one record; its row. */
  make(objectType: string, fields: FieldValues): Promise<Row>;
  row(objectType: string, id: unknown): Promise<Row | undefined>;
  close(): Promise<void>;
}

export async function openTrack(document: unknown = LINKED_DOCUMENT): Promise<Track> {
  const sample = await openSampleWorkspace(document);
  const { own, model } = sample;
  const db = openDatabase({
    connection: own.connection,
    poolSize: RACERS,
    statementTimeout: 60_000,
  });
  const rows: Track['rows'] = (text, values = []) =>
    own.rows(text.replaceAll(/\bs\./g, `"${model.schema}".`), values);

  // Every second attempt comes as if from another process: what one process sends at the same time is
  // coalesced, and two updates of a record then never meet in the database.
  let attempts = 0;
  function racer(): Caller {
    attempts += 1;
    return attempts % 2 === 0 ? sample.caller('anna') : { ...sample.caller('anna') };
  }

  async function write(
    operations: readonly WriteOperation[],
    {
      objectType = 'gadgets',
      objectTypes,
      batch = operations.length > 1,
      key,
      caller,
    }: WriteOptions = {},
  ): Promise<Outcome> {
    const context = { db, model, caller: caller ?? racer(), requestId: 'req_1' };
    const object = objectTypes?.map((one) => sample.object(one)) ?? sample.object(objectType);
    const refers = objectTypes !== undefined;
    const request = { operations, source: 'api', batch, refers } as const;
    try {
      if (key === undefined) {
        const { results } = await writeRecords(context, object, request);
        return { code: 'ok', results, replayed: false };
      }
      const fingerprint = createHash('sha256').update(JSON.stringify(operations)).digest();
      const once = { claim: { key, fingerprint }, respond };
      const { replayed = false, body } = await writeOnce(context, object, request, once);
      return { code: 'ok', results: body as readonly WriteResult[], replayed };
    } catch (error) {
      return { code: codeOf(error), results: [], replayed: false };
    }
  }

  return {
    sample,
    db,
    rows,
    tables: [...model.objects.values()].map(({ object_type, table }) => [object_type, table]),
    write,
    async make(objectType, fields) {
      const { code, results } = await write([{ action: 'create', fields }], { objectType });
      expect(code).toBe('ok');
      return results[0]?.row as Row;
    },
    row: async (objectType, id) =>
      (await rows(`select * from s."${sample.object(objectType).table}" where id = $1`, [id]))[0],
    async close() {
      await db.close();
      await own.drop();
    },
  };
}

function codeOf(error: unknown): string {
  if (error instanceof ApiError) return error.code;
  const { code, message } = error as { readonly code?: string; readonly message: string };
  return `internal_error ${code ?? ''} ${message}`;
}

function respond({ results }: Written) {
  const body = results.map(({ action, id, row }) => {
    return { action, id, ...(row === undefined ? {} : { version: versionToken(row) }) };
  });
  return { status: 200, body, fields: [] };
}

/** Start all at once; the outcomes in the order of the attempts. */
export function race(attempts: readonly (() => Promise<Outcome>)[]): Promise<readonly Outcome[]> {
  return Promise.all(attempts.map((attempt) => attempt()));
}

/** Sorted codes of the outcomes. */
export function codesOf(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ code }) => code).sort();
}

/** One race, repeated; `most` is less for slow ones. */
export async function rounds(run: (round: number) => Promise<void>, share = 1): Promise<void> {
  const count = Math.max(3, Math.round(ROUNDS * share));
  for (let round = 0; round < count; round += 1) await run(round);
}

/** Audit rows that raise the version of their record; `like '%.%'`: a link that no field holds. */
const RAISING = `(action in ('update', 'status') or (action in ('link', 'unlink')
  and not changed_fields[1] like '%.%'))`;

/** Every committed write has its audit row and every audit row its effect; no reference dangles. */
export async function requireInvariants(track: Watched): Promise<void> {
  const all = track.tables
    .map(([objectType, table]) => {
      return `select '${objectType}' as object_type, id, version from s."${table}"`;
    })
    .join(' union all ');
  const audited = await track.rows(
    `select r.object_type, r.id, r.version, a.* from (${all}) r full join (
        select record_id, count(*) filter (where ${RAISING}) as raising,
          count(*) filter (where action = 'create') as creates,
          count(*) filter (where action = 'delete') as deletes,
          bool_or(action = 'delete') and (array_agg(action order by id desc))[1] <> 'delete' as late
        from s._audit where record_id is not null group by record_id
      ) a on a.record_id = r.id
      where not coalesce(
        case when r.id is null then a.deletes = 1 and a.creates = 1
          else a.deletes = 0 and a.creates = 1 and r.version - 1 = a.raising end, false)`,
  );
  expect(audited, 'versions and audit rows').toEqual([]);
  const dangling = await track.rows(
    `select l.* from s._links l where not exists (select from (${all}) r where r.id = l.from_id)
      or not exists (select from (${all}) r where r.id = l.to_id)`,
  );
  expect(dangling, 'links that dangle').toEqual([]);
  const oneWay = await track.rows(
    `select l.* from s._links l where l.relationship in ('twins', 'peers') and not exists (
      select from s._links b where (b.relationship, b.from_id, b.to_id) =
        (l.relationship, l.to_id, l.from_id))`,
  );
  expect(oneWay, 'links of one direction').toEqual([]);
  const unfound = await track.rows(
    `select f.record_id from s._search f where not exists (
      select from (${all}) r where r.id = f.record_id)`,
  );
  expect(unfound, 'search rows of records that are gone').toEqual([]);
  await requireRest(track);
}

/** No lock remains when all are done. */
async function requireRest(track: Watched): Promise<void> {
  const held = await track.rows(
    `select pid::text from pg_locks l where locktype = 'advisory'
        and l.database = (select oid from pg_database where datname = current_database())
      union all select state from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(held, 'locks and transactions at rest').toEqual([]);
}
