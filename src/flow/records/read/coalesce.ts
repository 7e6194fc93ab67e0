// Coalescing: concurrent requests of any callers share a statement (reads) or a transaction (group commit of
// writes; D129, D138, D140). Plans and statements do not depend on it; each request is validated and answered
// on its own.

import { ApiError, definitionChanged } from '../../../errors.ts';
import type { Field } from '../../../model/definition/model.ts';
import { type Caller, principalName } from '../../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../../model/values/field-types.ts';
import { writesFiles } from '../../../plan/write/file-values.ts';
import { treeStrength } from '../../../plan/write/work-items.ts';
import type { PlannedWrite, WritePlan } from '../../../plan/write/write-operation.ts';
import { type BatchingOptions, batchRequests } from '../../../postgres/batch-requests.ts';
import { type Account, isDatabaseError, type Shareable } from '../../../postgres/db.ts';
import { isRevisionChanged } from '../write-failure.ts';
import { type Outcome, type PlannedRequest, writeAlone, writeGroup } from '../write-group.ts';

/**
 * Two statements at once, so that PostgreSQL works while this process prepares the next one. 50 ms are far
 * more than a statement normally takes.
 */
const SHARED = { atOnce: 2, overdue: 50 } as const;

/** Milliseconds that a request waits for a second one when tests force sharing. */
const PARTNER_WITHIN = 20;

/** Requests in one transaction; each of them waits for the whole transaction. */
const MOST_WRITTEN = 20;

/** Queues of requests in flight, by pool and by kind. */
const queues = new WeakMap<object, Map<string, (item: never) => Promise<never>>>();

/**
 * The result of `item` from `run`, which gets the concurrent items of the same pool and `kind` and returns
 * their results in order.
 */
export function coalesce<Item, Result>(
  { origin }: Shareable,
  kind: string,
  item: Item,
  sharing: Pick<BatchingOptions<Item>, 'most' | 'names'> & {
    run(items: readonly Item[]): Promise<readonly Result[]>;
  },
): Promise<Result> {
  const { run, most, names } = sharing;
  if (origin.sharing === 'never') return run([item]).then(([result]) => result as Result);
  const kinds = queues.get(origin) ?? new Map();
  queues.set(origin, kinds);
  const known = kinds.get(kind) as ((item: Item) => Promise<Result>) | undefined;
  if (known !== undefined) return known(item);
  const partnerWithin = origin.sharing === 'always' ? PARTNER_WITHIN : 0;
  const { atOnce, overdue } = SHARED;
  const onIdle = () => kinds.delete(kind);
  const queue = batchRequests(run, { atOnce, overdue, most, names, partnerWithin, onIdle });
  kinds.set(kind, queue as never);
  return queue(item);
}

/** The account by which requests that share a statement or a transaction wait for a connection (D212). */
export function accountOf(contexts: readonly { readonly caller: Caller }[]): Account {
  const [first, ...others] = contexts.map(({ caller }) => principalName(caller));
  return { isShared: others.some((name) => name !== first) };
}

/**
 * Write a request, in a group with others when it can share a transaction; `plan`: only for
 * records.
 */
export async function writeTogether<Result>(
  request: PlannedRequest<Result>,
  plan: WritePlan | undefined,
): Promise<Result> {
  const kind = plan && kindOf(plan);
  if (kind === undefined) return writeAlone(request);
  const { context, keyed } = request;
  const isKeyed = keyed !== undefined;
  const key = `write ${context.model.schema} ${context.model.revision} ${kind} ${isKeyed}`;
  const outcome = await coalesce<PlannedRequest<Result>, Outcome<Result>>(
    context.db,
    key,
    request,
    {
      run: writeAll,
      most: MOST_WRITTEN,
      names: namesOf,
    },
  );
  if (outcome === undefined) return writeAlone(request);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/**
 * When the database refuses the group, each request is written alone, so that none fails because
 * of another.
 */
async function writeAll<Result>(
  requests: readonly PlannedRequest<Result>[],
): Promise<readonly Outcome<Result>[]> {
  const [first, second] = requests as readonly [PlannedRequest<Result>, PlannedRequest<Result>?];
  if (second === undefined) return Promise.allSettled([writeAlone(first)]);
  const isOptimistic = requests.every(({ optimistic }) => optimistic !== undefined);
  const mode = isOptimistic ? 'optimistic' : 'locking if free';
  try {
    const account = accountOf(requests.map(({ context }) => context));
    return await writeGroup(requests, mode, account);
  } catch (error) {
    // All of them were validated by the same definition: none would be written alone.
    if (isRevisionChanged(error)) throw definitionChanged(error);
    // A refusal writes nothing. After any other failure the outcome is unknown for the whole group.
    const isRefusal = error instanceof ApiError ? error.status < 500 : isDatabaseError(error);
    if (isRefusal) return requests.map(() => undefined);
    throw error;
  }
}

/** The kind of writes that can share a transaction; undefined when it must be written alone. */
function kindOf(plan: WritePlan): string | undefined {
  const { batch, source, writes } = plan;
  const [write, another] = writes;
  if (batch || write === undefined || another !== undefined) return undefined;
  const { action } = write.operation;
  if (writesFiles(plan)) return undefined;
  if (treeStrength(plan) !== undefined || !(action === 'create' || mayGoTogether(write))) {
    return undefined;
  }
  return `${action} ${write.object.object_type} ${source}`;
}

/**
 * False for updates that may wait for other transactions while they hold the lock of their
 * record.
 */
function mayGoTogether({ operation, id, values }: PlannedWrite): boolean {
  return operation.action === 'update' && id !== null && ![...values].some(mayWait);
}

function mayWait([{ unique, type }, value]: readonly [Field, unknown]): boolean {
  return value !== null && (unique || FIELD_TYPE_TRAITS[type].refersTo === 'record');
}

/** Requests with the same record or the same `Idempotency-Key` are written one at a time. */
function namesOf<Result>({ context, keyed, record }: PlannedRequest<Result>): readonly string[] {
  const key = keyed && `${principalName(context.caller)} ${keyed.claim.key}`;
  return [record, key].filter((name) => name !== undefined);
}
