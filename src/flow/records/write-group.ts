// The transaction of every write: claim keys → look up and lock → validate each request on its own →
// write all with their audit and search rows → store the answers → COMMIT. One request is a group of
// one; which requests form a group is decided in flow/records/read/coalesce.ts.

import { isRefusal } from '../../errors.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import type { Caller } from '../../model/rights/access.ts';
import type { Kept } from '../../plan/write/write-operation.ts';
import {
  type Account,
  type Database,
  isDatabaseError,
  type Row,
  type Transaction,
} from '../../postgres/db.ts';
import type { Actor } from '../../sql/events/audit-sql.ts';
import type { Statement } from '../../sql/sql.ts';
import type { OptimisticLookup } from '../../sql/write/lookup-sql.ts';
import { LOOKUP_MISS } from '../../sql/write/write-sql.ts';
import { type Effects, effectStatements } from './effects.ts';
import {
  type Answer,
  answerToStore,
  type Claim,
  type Claimant,
  claimKeys,
  deleteExpiredAnswer,
  findReplay,
  isAnswerStored,
} from './idempotency.ts';
import type { Lookup, WriteMode } from './lookups.ts';
import { needsLookupCheck, optimisticCheckOf } from './optimistic.ts';
import { runLookups } from './run-lookups.ts';

/** The caller of a write and the database it uses. */
export interface WriteContext {
  readonly db: Database;
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly requestId: string | null;
  /** The key or session of a job's author, for the audit. */
  readonly asked?: Pick<Actor, 'api_key_id' | 'api_key_prefix' | 'session_id'> | undefined;
  /** Statements that note what was written in the control schema, in the same transaction. */
  readonly notesOf?: NotesOf;
}

/** Notes on the outcome of each operation, in their order; undefined: the operation is refused by itself. */
export type NotesOf = (outcomes: readonly (WriteOutcome | undefined)[]) => readonly Statement[];

export interface WriteOutcome {
  readonly id: string;
  readonly created: boolean;
  /** False when the record had all values already. */
  readonly changed: boolean;
  /** The values that an upsert was to keep, and has kept. */
  readonly kept?: Kept | undefined;
}

/** The look-ups of a request with their answers in the same order; an optimistic write has none. */
export interface LookedUp {
  readonly mode: WriteMode;
  readonly lookups: readonly Lookup[];
  readonly answers: readonly (readonly Row[])[];
}

/** A request in the form that the write path takes, for records and comments alike. */
export interface PlannedRequest<Result> {
  readonly context: WriteContext;
  readonly object: ObjectModel;
  /** Id of the only record it changes, when there is one. */
  readonly record?: string | undefined;
  /** Undefined without an `Idempotency-Key`. */
  readonly keyed: Keyed<Result> | undefined;
  /** The rows whose existence an optimistic write assumes without a look-up; undefined when it must look up. */
  readonly optimistic: OptimisticLookup | undefined;
  /** The look-ups that `validate` needs. */
  lookups(mode: WriteMode): readonly Lookup[];
  /** The effects of the request. Undefined: write it alone. Errors: those of the request. */
  validate(tx: Transaction, looked: LookedUp): Promise<Validated<Result> | undefined>;
  /** The error to answer for a failure of the database. */
  explain(error: unknown): Promise<unknown>;
}

/** The key of a request, and how its results are stored. */
export interface Keyed<Result> {
  readonly claim: Claim;
  answerOf(result: Result): Answer;
  resultOf(replayed: Answer): Result;
}

/** A request that may be written. */
export interface Validated<Result> {
  readonly effects: Omit<Effects, 'storedAnswer'>;
  /** The records of the answer as they will be stored, when the transaction began at `now`. */
  predictRecords(now: string): ReadonlyMap<string, Row>;
  /** The object of each of them by id; undefined: that of the request. */
  readonly objects?: ReadonlyMap<string, ObjectModel> | undefined;
  /** The result, from the predicted records merged with the rows that the statements returned. */
  respond(records: ReadonlyMap<string, Row>): Result;
}

/** The outcome of one request of a group; undefined when it has to be written alone. */
export type Outcome<Result> = PromiseSettledResult<Result> | undefined;

/** Write one request. Errors: those of the request, and of its key. */
export async function writeAlone<Result>(request: PlannedRequest<Result>): Promise<Result> {
  const { context, optimistic } = request;
  const attempt = async (mode: WriteMode) => {
    const [outcome] = await writeGroup([request], mode);
    if (outcome === undefined) return attempt('locking');
    if (outcome.status === 'fulfilled') return outcome.value;
    throw outcome.reason;
  };
  try {
    try {
      return await attempt(optimistic === undefined ? 'locking' : 'optimistic');
    } catch (error) {
      if (isAnswerStored(error)) await deleteExpiredAnswer(context.db, claimantOf(request));
      else if (!isLookupMiss(error)) throw error;
      return await attempt('locking');
    }
  } catch (error) {
    throw await request.explain(error);
  }
}

/** True when what an optimistic write assumes to exist is not there. */
function isLookupMiss(error: unknown): boolean {
  return isDatabaseError(error) && error.code === LOOKUP_MISS;
}

/**
 * Write requests on one workspace in one transaction, the outcomes in their order. A group of
 * several does not wait for locks, so that it delays no request and cannot end in a deadlock. Errors: those of
 * the database, for all of them.
 */
export async function writeGroup<Result>(
  requests: readonly PlannedRequest<Result>[],
  mode: WriteMode,
  account?: Account,
): Promise<readonly Outcome<Result>[]> {
  const [{ context }] = requests as readonly [PlannedRequest<Result>];
  const options = { ...account, writes: context.model.schema };
  return databaseOf(context).transaction(async (tx) => {
    const { now, settled, open } = await claimAll(tx, requests);
    const validated = await validateAll(tx, open, mode);
    const outcomes = await finishAll(tx, validated, { now, mode });
    return requests.map((request) => settled.get(request) ?? outcomes.get(request));
  }, options);
}

/** A write is of one server; with notes it is of that of the control schema as well, which then leads. */
function databaseOf({ db, model, notesOf }: WriteContext): Database {
  return notesOf === undefined ? db.near(model.schema) : db;
}

interface Claims<Result> {
  /** Time of the transaction, when there were keys to claim. */
  readonly now: string | undefined;
  readonly settled: ReadonlyMap<PlannedRequest<Result>, Outcome<Result>>;
  /** Requests that have claimed their key or have none. */
  readonly open: readonly PlannedRequest<Result>[];
}

/** In a group of several, requests whose key is not free are written alone. */
async function claimAll<Result>(
  tx: Transaction,
  requests: readonly PlannedRequest<Result>[],
): Promise<Claims<Result>> {
  const keyed = requests.filter((request) => request.keyed !== undefined);
  if (keyed.length === 0) return { now: undefined, settled: new Map(), open: requests };
  const claimed = await claimKeys(tx, keyed.map(claimantOf));
  const taken = keyed.filter((_, index) => claimed[index]?.claimed !== true);
  const settled = new Map<PlannedRequest<Result>, Outcome<Result>>();
  const [only, another] = requests;
  if (only !== undefined && another === undefined && taken.length > 0) {
    const replayed = findReplay(tx, claimantOf(only), claimed[0] as Row);
    const result = replayed.then((answer) => (only.keyed as Keyed<Result>).resultOf(answer));
    settled.set(only, (await Promise.allSettled([result]))[0]);
  }
  const open = requests.filter((request) => !taken.includes(request));
  return { now: String(claimed[0]?.now), settled, open };
}

function claimantOf<Result>({ context, object, keyed }: PlannedRequest<Result>): Claimant {
  const { model, caller } = context;
  return { model, caller, object, claim: (keyed as Keyed<Result>).claim };
}

type ValidatedRequests<Result> = ReadonlyMap<
  PlannedRequest<Result>,
  PromiseSettledResult<Validated<Result> | undefined>
>;

async function validateAll<Result>(
  tx: Transaction,
  requests: readonly PlannedRequest<Result>[],
  mode: WriteMode,
): Promise<ValidatedRequests<Result>> {
  const looked = await lookUpAll(tx, requests, mode);
  const outcomes = await Promise.allSettled(
    requests.map((request, index) => request.validate(tx, looked[index] as LookedUp)),
  );
  for (const outcome of outcomes) {
    // An error that is not a refusal of the request fails the whole transaction.
    if (outcome.status === 'rejected' && !isRefusal(outcome.reason)) throw outcome.reason;
  }
  return new Map(
    requests.map((request, index) => {
      const outcome = outcomes[index] as (typeof outcomes)[number];
      // An optimistic write that is refused is repeated with look-ups, to report every problem.
      const isAssumed = mode === 'optimistic' && needsLookupCheck(request.optimistic);
      const isRepeated = outcome.status === 'rejected' && isAssumed;
      return [request, isRepeated ? { status: 'fulfilled', value: undefined } : outcome];
    }),
  );
}

async function lookUpAll<Result>(
  tx: Transaction,
  requests: readonly PlannedRequest<Result>[],
  mode: WriteMode,
): Promise<readonly LookedUp[]> {
  if (mode === 'optimistic') return requests.map(() => ({ mode, lookups: [], answers: [] }));
  const lookups = requests.map((request) => request.lookups(mode));
  const answers = await runLookups(tx, lookups);
  return lookups.map((own, index) => ({ mode, lookups: own, answers: answers[index] ?? [] }));
}

interface Finish {
  readonly now: string | undefined;
  readonly mode: WriteMode;
}

/** Write the validated requests, with the answers that are stored under their keys. */
async function finishAll<Result>(
  tx: Transaction,
  validated: ValidatedRequests<Result>,
  { now = '', mode }: Finish,
): Promise<ReadonlyMap<PlannedRequest<Result>, Outcome<Result>>> {
  const writable = [...validated].flatMap(([request, outcome]) => {
    if (outcome.status === 'rejected' || outcome.value === undefined) return [];
    return [predictAnswer(request, outcome.value, now)];
  });
  const outcomes = new Map<PlannedRequest<Result>, Outcome<Result>>();
  for (const [request, outcome] of validated) {
    if (outcome.status === 'rejected') outcomes.set(request, outcome);
  }
  const [first] = writable;
  if (first === undefined) return outcomes;
  const { schema, revision } = first.request.context.model;
  const assumed = writable.flatMap(({ request }) => request.optimistic ?? []);
  const optimisticCheck = mode === 'optimistic' ? optimisticCheckOf(schema, assumed) : undefined;
  const effects = writable.map((one) => one.effects);
  const answers = await tx.finish(effectStatements({ schema, revision }, effects, optimisticCheck));
  const written = rowsById(answers);
  for (const { request, records, stored, validated: valid } of writable) {
    const value = stored ?? valid.respond(withWritten(records, written));
    outcomes.set(request, { status: 'fulfilled', value });
  }
  return outcomes;
}

/** The effects of a request, with the answer that is stored under its key. */
function predictAnswer<Result>(
  request: PlannedRequest<Result>,
  validated: Validated<Result>,
  now: string,
) {
  const records = validated.predictRecords(now);
  if (request.keyed === undefined) {
    const effects = { ...validated.effects, storedAnswer: undefined };
    return { request, validated, records, effects, stored: undefined };
  }
  const stored = validated.respond(records);
  const answer = request.keyed.answerOf(stored);
  const written = { records, objects: validated.objects };
  const storedAnswer = answerToStore(claimantOf(request), answer, written);
  return { request, validated, records, effects: { ...validated.effects, storedAnswer }, stored };
}

/** The rows that the statements returned, by the id of the record. */
function rowsById(answers: LookedUp['answers']): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  for (const row of answers.flat()) {
    const id = String(row.id);
    const known = rows.get(id);
    rows.set(id, known === undefined ? row : { ...known, ...row });
  }
  return rows;
}

function withWritten(
  records: ReadonlyMap<string, Row>,
  written: ReadonlyMap<string, Row>,
): ReadonlyMap<string, Row> {
  return new Map([...records].map(([id, row]) => [id, { ...row, ...written.get(id) }]));
}
