// `Idempotency-Key`: who holds a key, what it stored, and whether the stored answer may still be sent
// (specification §3, D50). The key is held by the transaction of the write and so is released by any
// failure, a crash included.

import { ApiError } from '../errors.ts';
import {
  type Caller,
  canReadField,
  isWithinReach,
  objectAccess,
  reachColumn,
} from '../model/access.ts';
import { entityTag } from '../model/entity-tag.ts';
import type { ObjectModel, WorkspaceModel } from '../model/model.ts';
import {
  ANSWERS_INDEX,
  claimKeysSql,
  forgetAnswerSql,
  type KeyOwner,
  type RememberedAnswer,
  rememberSql,
} from '../sql/idempotency-sql.ts';
import { reachOfRecordsSql } from '../sql/lookup-sql.ts';
import { type Sql, toStatement } from '../sql/sql.ts';
import {
  type Database,
  isDatabaseError,
  type Queryable,
  type Row,
  type Transaction,
} from '../store/db.ts';

/** The key a client sent, with the SHA-256 of its request. */
export interface Claim {
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** What is answered and stored. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Of the record in the body. */
  readonly version?: string | undefined;
  /** Of an earlier request: the `ETag` that was sent. */
  readonly etag?: string | undefined;
  /** Keys of the fields whose values the body has. */
  readonly fields: readonly string[];
  /** True when it comes from an earlier request. */
  readonly replayed?: boolean;
}

/** Whose key it is, and for what. */
export interface Asked {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly object: ObjectModel;
  readonly claim: Claim;
}

/**
 * The answer of `work`, once for each key: it runs in the transaction that holds the key and stores the
 * answer (`remember`). A repeated request gets what is stored. Errors: `idempotency_key_in_use` while
 * another request holds the key, `idempotency_key_reused` for another request than the stored one, those
 * of `replay`.
 */
export async function answerOnce(
  db: Database,
  asked: Asked,
  work: (tx: Transaction, now: string) => Promise<Answer>,
): Promise<Answer> {
  const attempt = () =>
    db.transaction(async (tx) => {
      const claimed = (await claimKeys(tx, [asked])).get(asked.claim.key) as Row;
      const stored = storedAnswer(asked, claimed);
      return stored === undefined ? work(tx, String(claimed.now)) : replay(tx, asked, stored);
    });
  try {
    return await attempt();
  } catch (error) {
    if (!isDatabaseError(error) || error.constraint !== ANSWERS_INDEX) throw error;
    // An old answer is deleted; one that was stored just before is found the second time.
    await db.query(toStatement(forgetAnswerSql({ ...ownerOf(asked), key: asked.claim.key })));
    return attempt();
  }
}

/**
 * Of requests of one API key those whose keys this transaction holds now, and its time. All others have
 * to be asked one by one (`answerOnce`): what has the key of one before it, is under way or was answered.
 */
export async function claimFresh<Request extends { readonly asked: Asked }>(
  tx: Queryable,
  requests: readonly Request[],
): Promise<{ readonly fresh: readonly Request[]; readonly now: string }> {
  const first = new Map<string, Request>();
  for (const one of requests) {
    const { key } = one.asked.claim;
    if (!first.has(key)) first.set(key, one);
  }
  const claimed = await claimKeys(
    tx,
    [...first.values()].map(({ asked }) => asked),
  );
  const fresh = [...first].flatMap(([key, one]) => (claimed.get(key)?.claimed ? [one] : []));
  return { fresh, now: String([...claimed.values()][0]?.now) };
}

/**
 * Hold the keys until the transaction ends, or find what they stored; a row each, none of them twice
 * and all of one API key.
 */
async function claimKeys(
  tx: Queryable,
  askeds: readonly Asked[],
): Promise<ReadonlyMap<string, Row>> {
  const keys = askeds.map(({ claim }) => claim.key);
  const rows = await tx.query(toStatement(claimKeysSql(ownerOf(askeds[0] as Asked), keys)));
  return new Map(rows.map((row) => [String(row.key), row]));
}

/** What the key stored; undefined when this transaction holds it. */
function storedAnswer({ claim }: Asked, claimed: Row): Row | undefined {
  if (claimed.claimed === true) return undefined;
  if (claimed.claimed === false) throw new ApiError('idempotency_key_in_use', PARAM);
  if (claim.fingerprint.equals(claimed.fingerprint as Buffer)) return claimed;
  throw new ApiError('idempotency_key_reused', PARAM);
}

const PARAM = { param: 'Idempotency-Key' } as const;

function ownerOf({ model, caller }: Asked): KeyOwner {
  if (caller.key === null) throw new Error('an Idempotency-Key needs an API key');
  return { schema: model.schema, api_key_id: caller.key.id };
}

/**
 * The stored answer, if the caller may still read what it says. Errors: `record_not_found`,
 * `permission_denied`.
 */
async function replay(tx: Queryable, asked: Asked, stored: Row): Promise<Answer> {
  const { model, caller, object } = asked;
  const ids = stored.record_ids as readonly string[];
  const owners = stored.reach_user_ids as readonly (number | null)[];
  const reach = objectAccess(caller, object).reach.read;
  const rows = await tx.query(toStatement(reachOfRecordsSql(model.schema, object, ids)));
  const present = new Map(rows.map((row) => [row.id, row.reach_user_id as number | null]));
  ids.forEach((id, index) => {
    // Of a record that is gone, it counts whose it was.
    const owner = present.has(id) ? present.get(id) : owners[index];
    if (!isWithinReach(caller, reach, owner ?? null)) {
      throw new ApiError('record_not_found', { param: 'record_id' });
    }
  });
  requireReadableFields(asked, stored.fields as readonly string[]);
  const { status, body, etag } = stored;
  return {
    status: status as number,
    body,
    etag: (etag ?? undefined) as string | undefined,
    fields: [],
    replayed: true,
  };
}

function requireReadableFields({ caller, object }: Asked, keys: readonly string[]): void {
  for (const key of keys) {
    const field = object.fields.get(key);
    if (field === undefined || canReadField(caller, object, field)) continue;
    throw new ApiError('permission_denied', {
      message: 'The user may not read all of the answer.',
    });
  }
}

/** An answer to store, about these records. One that will be gone is given as it was. */
export interface Remembered {
  readonly asked: Asked;
  readonly answer: Answer;
  readonly records: ReadonlyMap<string, Row>;
}

/** What stores answers of one API key, in the transaction that holds their keys. */
export function remember(answers: readonly Remembered[]): Sql {
  const [{ asked }] = answers as readonly [Remembered];
  return rememberSql(ownerOf(asked), answers.map(rememberedRow));
}

function rememberedRow({ asked, answer, records }: Remembered): RememberedAnswer {
  const { object, claim } = asked;
  const { status, body, version, fields } = answer;
  const column = reachColumn(object);
  return {
    ...claim,
    status,
    etag: version === undefined ? null : entityTag(JSON.stringify(body), version),
    body,
    object_type: object.object_type,
    record_ids: [...records.keys()],
    reach_user_ids: [...records.values()].map((row) => (row[column] ?? null) as number | null),
    fields,
  };
}
