// Data rebuilt while clients write (D263): page by page under a name that no definition has yet, then the records
// that were written meanwhile, as the audit shows, and the last of these in the transaction that puts the definition
// in force. `_leftovers` has the progress; the caller computes the rows.

import { createHash, randomUUID } from 'node:crypto';
import { loadMomentOf } from '../../../control/process/moments.ts';
import {
  appendLeftover,
  type BuildState,
  deleteLeftover,
  type Leftover,
  loadLeftovers,
  lockLeftover,
  putBuild,
} from '../../../control/stored/leftover-rows.ts';
import type { WorkspaceRow } from '../../../control/workspace/workspaces.ts';
import { operatorError } from '../../../errors.ts';
import type { StoredName } from '../../../model/definition/storage-names.ts';
import { isSameEpoch, snapshotOf } from '../../../plan/events/snapshot-moment.ts';
import type { Database, Queryable } from '../../../postgres/db.ts';
import { runOnce } from '../../../postgres/run-once.ts';
import { changedRecordsSql, lastRecordSql } from '../../changes/build-sql.ts';

/** Records that are rebuilt in one transaction. */
const PORTION = 200;
/** The most records of a round that is short enough to run while the table is closed to writers. */
const FEW = 100;
/** The rounds after which more may be left, and after which the build is given up. */
const PATIENT_ROUNDS = 20;
const MOST_ROUNDS = 60;
const MANY = 1000;

type BuiltWorkspace = Pick<WorkspaceRow, 'id' | 'schema' | 'revision'>;

/** The context of a build. */
export interface Building {
  readonly db: Database;
  readonly workspace: BuiltWorkspace;
  readonly signal: AbortSignal | undefined;
  readonly jobId: string | undefined;
}

/** Something that is made of the records of a table. */
export interface DataBuild {
  /** Identifies the build among all others. */
  readonly about: string;
  /** The place in which it is built. */
  readonly target: StoredName;
  /** The object and its table as they are now. */
  readonly object_type: string;
  readonly table: string;
  /** Make the place; it may be there. */
  prepare?(db: Database): Promise<void>;
  /** Make the next records; answers the last one of them, undefined when there was none. */
  addPage(tx: Queryable, place: PagePlace): Promise<string | undefined>;
  /** Called when all pages are built. */
  complete?(db: Database): Promise<void>;
  /** Rebuild these records from their present values. */
  replace(tx: Queryable, ids: readonly string[]): Promise<void>;
  /** Take away what was made. */
  clear?(tx: Queryable): Promise<void>;
}

export interface PagePlace {
  readonly after: string | null;
  readonly last: string;
}

/** A build that lacks only the records written last. */
export interface BuiltData {
  readonly id: number;
  readonly build: DataBuild;
}

/** Make it, or continue where an ended process has stopped. */
export async function buildData(building: Building, build: DataBuild): Promise<BuiltData> {
  const { db, workspace, signal } = building;
  const { schema } = workspace;
  const owner = randomUUID();
  const id = await beginBuild(building, build, owner);
  /** No other process works on it: the rows and the progress are written in one transaction. */
  const step: Step = (work) => {
    signal?.throwIfAborted();
    return db.transaction(async (tx) => {
      const state = (await lockLeftover(tx, schema, id))?.build;
      if (state?.owner !== owner) throw new Error('another process continues this build');
      const next = await work(tx, state);
      if (next !== undefined) await putBuild(tx, schema, id, next);
      return next;
    });
  };
  await build.prepare?.(db);
  const addNext: PageBuild = (tx, state) => nextPage(tx, build, state);
  while ((await step(addNext)) !== undefined);
  await build.complete?.(db);
  for (let round = 1; ; round += 1) {
    const changed = await catchUp(building, build, step);
    if (changed <= FEW || (round >= PATIENT_ROUNDS && changed <= MANY)) return { id, build };
    if (round === MOST_ROUNDS) throw tooBusy(build);
  }
}

type PageBuild = (tx: Queryable, state: BuildState) => Promise<BuildState | undefined>;
type Step = (work: PageBuild) => Promise<BuildState | undefined>;

/** Undefined when the last page is done. */
async function nextPage(
  tx: Queryable,
  build: DataBuild,
  state: BuildState,
): Promise<BuildState | undefined> {
  const { after, last } = state;
  if (last === null) return undefined;
  const done = await build.addPage(tx, { after, last });
  return done === undefined ? undefined : { ...state, after: done };
}

/** Rebuild all records that were written since the last check; answers how many. */
async function catchUp(
  { db, workspace: { schema } }: Building,
  build: DataBuild,
  step: Step,
): Promise<number> {
  const { seen } = (await step(async (_, now) => now)) as BuildState;
  // Before the look: what ends in between is looked at twice.
  const moment = await loadNext(db, schema, seen);
  const ids = await loadChanged(db, schema, build, seen);
  for (let at = 0; at < ids.length; at += PORTION) {
    await step(async (tx, now) => {
      await build.replace(tx, ids.slice(at, at + PORTION));
      return now;
    });
  }
  await step(async (_, now) => ({ ...now, seen: moment }));
  return ids.length;
}

/**
 * The last records, while the table is closed to writers until the transaction ends. From then on the built data is
 * part of the definition.
 */
export async function finishBuild(
  tx: Queryable,
  schema: string,
  { id, build }: BuiltData,
): Promise<void> {
  const state = (await lockLeftover(tx, schema, id))?.build ?? undefined;
  if (state === undefined) throw new Error('the build no longer exists');
  const ids = await loadChanged(tx, schema, build, state.seen);
  if (ids.length > 0) await build.replace(tx, ids);
  await deleteLeftover(tx, schema, id);
}

async function beginBuild(
  { db, workspace, jobId }: Building,
  build: DataBuild,
  owner: string,
): Promise<number> {
  const { schema } = workspace;
  const leftover = findBuild(await loadLeftovers(db, schema), build.about, workspace);
  const seen = await loadMomentOf(db, schema);
  const [row] = await runOnce(db, lastRecordSql(schema, build.table));
  const last = (row?.id ?? null) as string | null;
  const fingerprint = fingerprintOf(build.about, workspace);
  const state: BuildState = { fingerprint, owner, last, after: null, seen };
  if (leftover !== undefined) {
    return db.transaction((tx) => takeBuild(tx, schema, { id: leftover.id, build }, state));
  }
  return appendLeftover(db, schema, { ...build.target, build: state, job_id: jobId ?? null });
}

/** Continue a build; in another life of the database from its beginning, because moments are not comparable. */
async function takeBuild(
  tx: Queryable,
  schema: string,
  { id, build }: BuiltData,
  fresh: BuildState,
): Promise<number> {
  const state = (await lockLeftover(tx, schema, id))?.build ?? undefined;
  const isKnown = state !== undefined && isSameEpoch(state.seen, fresh.seen);
  if (!isKnown) await build.clear?.(tx);
  await putBuild(tx, schema, id, isKnown ? { ...state, owner: fresh.owner } : fresh);
  return id;
}

/** The build of the same that can be gone on with. */
export function findBuild(
  leftovers: readonly Leftover[],
  about: string,
  workspace: Pick<WorkspaceRow, 'revision'>,
): Leftover | undefined {
  const fingerprint = fingerprintOf(about, workspace);
  return leftovers.find(({ build }) => build?.fingerprint === fingerprint);
}

/** A digest of what is built; another revision gives another digest. */
function fingerprintOf(about: string, { revision }: Pick<WorkspaceRow, 'revision'>): string {
  return createHash('sha256').update(`${revision} ${about}`).digest('base64url');
}

/** The present moment, of the same life of the database as `seen`. */
async function loadNext(db: Database, schema: string, seen: string): Promise<string> {
  const moment = await loadMomentOf(db, schema, seen);
  if (isSameEpoch(moment, seen)) return moment;
  throw new Error('the database was restarted; the build starts again');
}

/** The records of an object that were written since a moment. */
export async function loadChanged(
  db: Queryable,
  schema: string,
  object: Pick<DataBuild, 'object_type' | 'table'>,
  seen: string,
): Promise<readonly string[]> {
  const rows = await runOnce(db, changedRecordsSql(schema, object, snapshotOf(seen)));
  return rows.map(({ id }) => String(id));
}

function tooBusy({ object_type }: DataBuild): Error {
  return operatorError(
    `The records of "${object_type}" are written faster than their data is rebuilt; ` +
      'nothing was changed. Try again when there are fewer writes.',
  );
}
