// The one statement of a read on its way to the database: alone, or shared by concurrent reads.

import { ApiError } from '../../../errors.ts';
import { say } from '../../../messages/message.ts';
import { type CancelSignal, lastOf } from '../../../model/cancel-signal.ts';
import type { WorkspaceModel } from '../../../model/definition/model.ts';
import type { Caller } from '../../../model/rights/access.ts';
import {
  type Account,
  isDatabaseError,
  isUnknownZone,
  type QueryOptions,
  type Row,
  type Shareable,
} from '../../../postgres/db.ts';
import type { Statement } from '../../../sql/sql.ts';
import { explainByRevision } from '../changed-definition.ts';
import { accountOf, coalesce } from './coalesce.ts';

/** The caller of a read and the model it uses. */
export interface ReadContext {
  readonly db: Shareable;
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  /** Aborts the statement. */
  readonly signal?: () => CancelSignal;
  /** True: its rows may be many or large. */
  readonly isHeavy?: boolean;
  /** Milliseconds since 1970, for questions that are relative to it. */
  readonly now?: () => number;
}

/** Requests that share one statement; many, because they share one result. */
const MOST_SHARED = 100;

/**
 * Send the one statement of a read; concurrent reads with the same statement and parameters share it. The reach
 * is among the parameters, so only callers with the same reach share it (D207).
 */
export function readShared(
  context: ReadContext,
  statement: Statement,
  options?: QueryOptions,
): Promise<readonly Row[]> {
  const { text, values, key = text } = statement;
  const kind = `same ${context.model.revision} ${JSON.stringify(values)} ${key}`;
  const run = async (wanted: readonly { readonly context: ReadContext }[]) => {
    const [only, another] = wanted as readonly [{ context: ReadContext }, unknown?];
    const rows = await (another === undefined
      ? ask(only.context, statement, options)
      : askForAll(wanted, statement, options));
    return wanted.map(() => rows);
  };
  return coalesce(context.db, kind, { context }, { run, most: MOST_SHARED });
}

/** A shared statement is cancelled when the last of its requests is aborted. */
export function askForAll(
  wanted: readonly { readonly context: ReadContext }[],
  statement: Statement,
  options?: QueryOptions,
): Promise<readonly Row[]> {
  const contexts = wanted.map(({ context }) => context);
  const { db, model, caller } = contexts[0] as ReadContext;
  const signals = contexts.flatMap(({ signal }) => signal?.() ?? []);
  const signal = signals.length < contexts.length ? undefined : () => lastOf(signals);
  const context = { db, model, caller, ...(signal && { signal }) };
  return ask(context, statement, { ...options, ...accountOf(contexts) });
}

/** Send the one statement of a read; it is cancelled when its request is aborted. */
export async function ask(
  { db, model, signal, isHeavy }: ReadContext,
  statement: Statement,
  options: QueryOptions & Account = {},
): Promise<readonly Row[]> {
  try {
    const { prepare, isShared } = options;
    const { schema } = model;
    const sending = { prepare, isShared, isHeavy, reads: schema, signal: signal?.() };
    return await db.near(schema).query(statement, sending);
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    throw isUnknownZone(error) ? unknownZone(error) : await explainByRevision(db, model, error);
  }
}

function unknownZone(cause: Error): ApiError {
  const message = say('time_zone_unsupported');
  return new ApiError('validation_failed', { param: 'timezone', message, cause });
}
