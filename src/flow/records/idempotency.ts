// `Idempotency-Key`: claiming a key, storing an answer, and checking whether a stored answer may still be sent
// (specification §3, D50). The transaction of the write holds the key by an advisory lock, so any failure
// releases it, a crash included.

import { ApiError, recordNotFound } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import {
  type Caller,
  canReadField,
  isWithinReach,
  objectAccess,
  reachColumn,
} from '../../model/rights/access.ts';
import { identifiedOf } from '../../model/rights/principal.ts';
import { entityTag } from '../../model/values/entity-tag.ts';
import { isConstraint } from '../../postgres/constraint-name.ts';
import { isDatabaseError, type Queryable, type Row, type Shareable } from '../../postgres/db.ts';
import { toStatement } from '../../sql/sql.ts';
import {
  ANSWERS_INDEX,
  type ClaimedKey,
  claimKeysSql,
  deleteAnswerSql,
  type StoredAnswer,
} from '../../sql/write/idempotency-sql.ts';
import { reachOfRecordsSql } from '../../sql/write/lookup-sql.ts';

/** The key a client sent, with the SHA-256 of its request. */
export interface Claim {
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** The answer that is sent and stored. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** Version of the record in the body. */
  readonly version?: string | undefined;
  /** The `ETag` that an earlier request sent. */
  readonly etag?: string | undefined;
  /** Keys of the fields whose values the body has. */
  readonly fields: readonly string[];
  /** True when it comes from an earlier request. */
  readonly replayed?: boolean;
}

/** The request that claims a key. */
export interface Claimant {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  /** The object of the written records; undefined: the answer has none. */
  readonly object: ObjectModel | undefined;
  readonly claim: Claim;
}

/**
 * Hold the keys until the transaction ends, or find their stored answers: a row for each, with `claimed` true when
 * this transaction holds it. All of one workspace, no key twice.
 */
export async function claimKeys(
  tx: Queryable,
  claimants: readonly Claimant[],
): Promise<readonly Row[]> {
  const { schema } = (claimants[0] as Claimant).model;
  return tx.query(toStatement(claimKeysSql(schema, claimants.map(claimedKey))));
}

/**
 * The stored answer to a request whose key was not free. Errors: `idempotency_key_in_use` while another request holds
 * it, `idempotency_key_reused` for another request than the stored one, and `record_not_found` or `permission_denied`
 * for an answer that the caller may no longer read.
 */
export async function findReplay(tx: Queryable, claimant: Claimant, claimed: Row): Promise<Answer> {
  if (claimed.claimed === false) throw new ApiError('idempotency_key_in_use', PARAM);
  if (!claimant.claim.fingerprint.equals(claimed.fingerprint as Buffer)) {
    throw new ApiError('idempotency_key_reused', PARAM);
  }
  return replay(tx, claimant, claimed);
}

/**
 * True for a failure to store an answer where one is: an old one, or one stored a moment before.
 */
export function isAnswerStored(error: unknown): boolean {
  return isDatabaseError(error) && isConstraint(error, ANSWERS_INDEX);
}

/** Delete the stored answer of a key after its 24 hours; a newer one stays. */
export async function deleteExpiredAnswer(db: Shareable, claimant: Claimant): Promise<void> {
  const { schema } = claimant.model;
  await db.near(schema).query(toStatement(deleteAnswerSql(schema, claimedKey(claimant))));
}

const PARAM = { param: 'Idempotency-Key' } as const;

function claimedKey({ caller, claim }: Claimant): ClaimedKey {
  const principal = identifiedOf(caller.principal);
  if (principal === undefined) throw new Error('an Idempotency-Key needs a key or a session');
  return { api_key_id: principal.id, key: claim.key };
}

/** The stored answer, if the caller may still read its content. Errors: `record_not_found`, `permission_denied`. */
async function replay(tx: Queryable, claimant: Claimant, stored: Row): Promise<Answer> {
  const { object } = claimant;
  // The key stays claimed, so that the write is not repeated (D591).
  if (stored.body === null) {
    throw new ApiError('record_not_found', { message: say('replay_erased') });
  }
  if (object !== undefined) await requireReadable(tx, { ...claimant, object }, stored);
  const { status, body, etag } = stored;
  return {
    status: status as number,
    body,
    etag: (etag ?? undefined) as string | undefined,
    fields: [],
    replayed: true,
  };
}

type RecordClaimant = Claimant & { readonly object: ObjectModel };

async function requireReadable(
  tx: Queryable,
  claimant: RecordClaimant,
  stored: Row,
): Promise<void> {
  const { model, caller, object } = claimant;
  const ids = stored.record_ids as readonly string[];
  const owners = stored.reach_user_ids as readonly (number | null)[];
  const types = stored.record_types as readonly string[] | null;
  const objects = ids.map((_, index) => (types ? model.objects.get(types[index] ?? '') : object));
  const asked = [...new Set([object, ...objects])].filter((one) => one !== undefined);
  const rows = await tx.query(toStatement(reachOfRecordsSql(model.schema, asked, ids)));
  const present = new Map(
    rows.map((row) => [`${row.object_type} ${row.id}`, row.reach_user_id as number | null]),
  );
  ids.forEach((id, index) => {
    const own = objects[index];
    const key = `${own?.object_type} ${id}`;
    // For a deleted record, its last owner decides.
    const owner = present.has(key) ? present.get(key) : owners[index];
    const reach = own && objectAccess(caller, own).reach.read;
    if (!isWithinReach(caller, reach ?? null, owner ?? null)) {
      throw recordNotFound();
    }
  });
  requireReadableFields(claimant, stored.fields as readonly string[]);
}

function requireReadableFields({ caller, object }: RecordClaimant, keys: readonly string[]): void {
  for (const key of keys) {
    const field = object.fields.get(key);
    if (field === undefined || canReadField(caller, object, field)) continue;
    throw new ApiError('permission_denied', { message: say('replay_not_readable') });
  }
}

/** The records of an answer, and the object of each when they are of several. */
export interface WrittenRecords {
  readonly records: ReadonlyMap<string, Row>;
  readonly objects?: ReadonlyMap<string, ObjectModel> | undefined;
}

/** The answer to store, with its records; a deleted record as it was before. */
export function answerToStore(
  claimant: Claimant,
  { status, body, version, fields }: Answer,
  { records, objects }: WrittenRecords,
): StoredAnswer {
  const { object, claim } = claimant;
  const objectOf = (id: string) => objects?.get(id) ?? object;
  const typeOf = (id: string) => objectOf(id)?.object_type ?? '';
  const ownerOf = ([id, row]: readonly [string, Row]) => {
    const own = objectOf(id);
    return own === undefined ? null : ((row[reachColumn(own)] ?? null) as number | null);
  };
  return {
    ...claimedKey(claimant),
    fingerprint: claim.fingerprint,
    status,
    etag: version === undefined ? null : entityTag(JSON.stringify(body), version),
    body,
    object_type: object?.object_type ?? '',
    record_ids: [...records.keys()],
    record_types: objects === undefined ? null : [...records.keys()].map(typeOf),
    reach_user_ids: [...records].map(ownerOf),
    fields,
  };
}
