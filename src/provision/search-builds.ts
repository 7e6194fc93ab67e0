// Search rows made anew beside those who write (D261): page by page under a name that no definition has yet,
// then the records that were written meanwhile, as the audit tells, and the last of these in the
// transaction that puts the definition in force. How far it is stands in `_leftovers`.

import { createHash, randomUUID } from 'node:crypto';
import {
  appendLeftover,
  type BuildState,
  deleteLeftover,
  type Leftover,
  loadLeftovers,
  lockLeftover,
  putBuild,
} from '../control/leftover-rows.ts';
import { queryMoment } from '../control/moments.ts';
import type { WorkspaceRow } from '../control/workspaces.ts';
import { operatorError } from '../errors.ts';
import { describeBuild, type SearchBuild } from '../plan/search-build.ts';
import { isSameEpoch, snapshotOf } from '../plan/snapshot-moment.ts';
import type { Database, Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { changedRecordsSql } from '../sql/build-sql.ts';
import { MOMENT } from '../sql/moment-sql.ts';
import { clearSearchSql } from '../sql/search-rows-sql.ts';
import { sql, toStatement } from '../sql/sql.ts';
import { addPage, loadLastRecord, replaceRows } from './search-index.ts';

/** Records whose rows are made anew in one transaction. */
const PORTION = 200;
/** With no more records than these a round is small enough to be done while nobody may write. */
const FEW = 100;
/** After so many rounds more may be left, and after so many it is given up. */
const PATIENT_ROUNDS = 20;
const MOST_ROUNDS = 60;
const MANY = 1000;

/** What a workspace needs to build. */
export interface Building {
  readonly db: Database;
  readonly workspace: Pick<WorkspaceRow, 'id' | 'schema' | 'revision'>;
  readonly signal: AbortSignal | undefined;
  readonly jobId: string | undefined;
}

/** Rows that are there but for the last records that were written. */
export interface BuiltSearch {
  readonly id: number;
  readonly build: SearchBuild;
}

/** What the rows are for: another revision, or other texts, make others. */
export function fingerprintOf(build: SearchBuild, revision: number): string {
  return createHash('sha256')
    .update(`${revision} ${describeBuild(build)}`)
    .digest('base64url');
}

/** Build the rows, or go on where a process that is gone has left off. */
export async function buildSearch(building: Building, build: SearchBuild): Promise<BuiltSearch> {
  const { db, workspace, signal } = building;
  const { schema } = workspace;
  const owner = randomUUID();
  const id = await beginBuild(building, build, owner);
  /** Nobody else is at it: what is written and how far it is are one transaction. */
  const step = (work: (tx: Queryable, state: BuildState) => Promise<BuildState | undefined>) => {
    signal?.throwIfAborted();
    return db.transaction(async (tx) => {
      const state = (await lockLeftover(tx, schema, id))?.build;
      if (state?.owner !== owner) throw new Error('another process builds these search rows');
      const next = await work(tx, state);
      if (next !== undefined) await putBuild(tx, schema, id, next);
      return next;
    });
  };
  await buildPages(schema, build, step);
  for (let round = 1; ; round += 1) {
    const changed = await catchUp({ ...building, build, step }, id);
    if (changed <= FEW || (round >= PATIENT_ROUNDS && changed <= MANY)) return { id, build };
    if (round === MOST_ROUNDS) throw tooBusy(build);
  }
}

type Step = (
  work: (tx: Queryable, state: BuildState) => Promise<BuildState | undefined>,
) => Promise<BuildState | undefined>;

async function buildPages(schema: string, build: SearchBuild, step: Step): Promise<void> {
  const addNext = (tx: Queryable, state: BuildState) => nextPage(tx, schema, build, state);
  while ((await step(addNext)) !== undefined);
}

/** Undefined when the last page is done. */
async function nextPage(
  tx: Queryable,
  schema: string,
  build: SearchBuild,
  state: BuildState,
): Promise<BuildState | undefined> {
  const { after, last } = state;
  if (last === null) return undefined;
  const done = await addPage(tx, schema, build, { after, last });
  return done === undefined ? undefined : { ...state, after: done };
}

interface CatchUp extends Building {
  readonly build: SearchBuild;
  readonly step: Step;
}

/** Make the rows of all records anew that were written since the last look; answers how many. */
async function catchUp(
  { db, workspace: { schema }, build, step }: CatchUp,
  id: number,
): Promise<number> {
  const state = (await loadLeftovers(db, schema)).find((one) => one.id === id)?.build;
  if (state === undefined || state === null) throw new Error('the build is gone');
  const { seen } = state;
  // Before the look: what ends in between is looked at twice.
  const moment = await loadMoment(db, seen);
  const ids = await loadChanged(db, schema, build, seen);
  for (let at = 0; at < ids.length; at += PORTION) {
    await step(async (tx, now) => {
      await replaceRows(tx, schema, build, ids.slice(at, at + PORTION));
      return now;
    });
  }
  await step(async (_, now) => ({ ...now, seen: moment }));
  return ids.length;
}

/**
 * The last records, when nobody writes any more until the transaction ends. From then on the rows are those of the
 * definition.
 */
export async function finishSearch(
  tx: Queryable,
  schema: string,
  { id, build }: BuiltSearch,
): Promise<void> {
  const state = (await lockLeftover(tx, schema, id))?.build ?? undefined;
  if (state === undefined) throw new Error('the build is gone');
  const ids = await loadChanged(tx, schema, build, state.seen);
  if (ids.length > 0) await replaceRows(tx, schema, build, ids);
  await deleteLeftover(tx, schema, id);
}

async function beginBuild(
  { db, workspace: { schema, revision }, jobId }: Building,
  build: SearchBuild,
  owner: string,
): Promise<number> {
  const { search_name: name } = build.object;
  const fingerprint = fingerprintOf(build, revision);
  const known = findBuild(await loadLeftovers(db, schema), fingerprint);
  const seen = await loadMoment(db);
  const last = await loadLastRecord(db, schema, build.table);
  const state: BuildState = { fingerprint, owner, last, after: null, seen };
  if (known !== undefined) return takeBuild(db, schema, known, state);
  return appendLeftover(db, schema, {
    ...{ kind: 'search', table_name: null, name, build: state },
    job_id: jobId ?? null,
  });
}

/** Go on with a build; in another life of the database from its beginning, because moments are not comparable. */
async function takeBuild(
  db: Database,
  schema: string,
  { id, name }: Leftover,
  fresh: BuildState,
): Promise<number> {
  return db.transaction(async (tx) => {
    const state = (await lockLeftover(tx, schema, id))?.build ?? undefined;
    const isKnown = state !== undefined && isSameEpoch(state.seen, fresh.seen);
    if (!isKnown) await runOnce(tx, clearSearchSql(schema, name));
    await putBuild(tx, schema, id, isKnown ? { ...state, owner: fresh.owner } : fresh);
    return id;
  });
}

/** A build of the same rows that can be gone on with. */
export function findBuild(
  leftovers: readonly Leftover[],
  fingerprint: string,
): Leftover | undefined {
  return leftovers.find(({ build }) => build?.fingerprint === fingerprint);
}

async function loadMoment(db: Queryable, seen?: string): Promise<string> {
  const { moment } = await queryMoment(db, toStatement(sql`select ${MOMENT} as moment`), seen);
  if (seen === undefined || isSameEpoch(moment, seen)) return moment;
  throw new Error('the database was started anew; the build begins again');
}

async function loadChanged(
  db: Queryable,
  schema: string,
  { object_type }: SearchBuild,
  seen: string,
): Promise<readonly string[]> {
  const rows = await runOnce(db, changedRecordsSql(schema, object_type, snapshotOf(seen)));
  return rows.map(({ id }) => String(id));
}

function tooBusy({ object }: SearchBuild): Error {
  return operatorError(
    `The records of "${object.object_type}" are written faster than they are made ready for search; ` +
      'nothing was changed. Try again when less is written.',
  );
}
