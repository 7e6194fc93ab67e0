// Values of an earlier revision that become those of the record again: which fields may be asked for, and the update that
// writes them (docs/design/history.md). Pure.

import {
  type ApiError,
  type ErrorCode,
  errorFromProblems,
  messageOf,
  type Problem,
  shownName,
} from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { type Field, type ObjectModel, STATUS_ALIAS_KEY } from '../../model/definition/model.ts';
import { plainKey } from '../../model/definition/storage-key.ts';
import {
  type Caller,
  canReadField,
  canWriteField,
  isWithinReach,
  objectAccess,
} from '../../model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import type { Row } from '../../model/values/row.ts';
import { beginningOf, type KeySpan } from '../read/key-spans.ts';
import { isMet, type Precondition, versionToken } from './precondition.ts';
import type { FieldValues, WriteOperation } from './write-operation.ts';
import { refusalOf } from './write-plan.ts';
import { fieldParam } from './write-validation.ts';

/** The fields that are asked for, and the problems of keys, which come behind those of the record (D1). */
export interface RestoredFields {
  readonly fields: readonly Field[];
  readonly broken: readonly Problem[];
}

/** Errors: `write_not_supported`, `permission_denied`. */
export function planRestoredFields(
  caller: Caller,
  object: ObjectModel,
  keys: readonly string[],
): RestoredFields {
  const refusal = refusalOf({ caller, object, source: 'api', prefix: '' }, 'update');
  if (refusal !== undefined) throw errorFromProblems([refusal]);
  const refused: Problem[] = [];
  const broken: Problem[] = [];
  const fields = new Set<Field>();
  for (const name of keys) {
    const field = object.fields.get(plainKey(name));
    if (field === undefined) broken.push(broke(`fields.${shownName(name)}`, NO_FIELD));
    else if (canReadField(caller, object, field) && field.formula !== null) {
      broken.push(broke(fieldParam(field), COMPUTED));
    } else if (!canReadField(caller, object, field) || !canWriteField(caller, object, field)) {
      const message = say('field_not_writable');
      refused.push({ param: fieldParam(field), code: 'permission_denied', message });
    } else if (isStatus(field)) broken.push(broke(fieldParam(field), STATUS));
    else if (!field.editable) broken.push(broke(fieldParam(field), READ_ONLY));
    else if (FIELD_TYPE_TRAITS[field.type].holdsFiles) broken.push(broke(fieldParam(field), FILES));
    else fields.add(field);
  }
  if (refused.length > 0) throw errorFromProblems(refused);
  return { fields: [...fields], broken };
}

const NO_FIELD = say('field_unknown');
const COMPUTED = say('field_computed');
const READ_ONLY = say('field_read_only');
const FILES = say('files_not_restorable');
const STATUS = say('status_not_restorable');

function isStatus({ key }: Field): boolean {
  return key === 'status' || key === STATUS_ALIAS_KEY;
}

function broke(param: string, message: Message): Problem {
  return { param, code: 'invalid_write', message };
}

/** The person that decides the reach of the record, and what the history says of a revision. */
export interface KeptState {
  readonly owner: number | null;
  /** True when the record was changed to the revision, as far as the history goes back. */
  readonly reached: boolean;
  /** The revision of the next change, and the definition that it was made by; null: there is none. */
  readonly next: number | null;
  readonly definition: number | null;
  /** The first change of a field behind the revision, for each key that the field had. */
  readonly values: readonly (readonly [field: string, revision: number, value: unknown])[];
}

export interface Restoring extends RestoredFields {
  readonly caller: Caller;
  readonly object: ObjectModel;
  readonly revision: number;
  readonly spans: readonly KeySpan[];
  readonly precondition: Precondition | undefined;
}

export type UpdateOperation = Extract<WriteOperation, { action: 'update' }>;

/**
 * The update that brings the values back, of the record as it was read: when it has another version meanwhile, the
 * values may be others. `owner` decides the reach. Errors, in this order: `permission_denied`, `stale_record`,
 * `invalid_write`.
 */
export function planRestore(
  { caller, object, revision, fields, broken, spans, precondition }: Restoring,
  row: Row,
  { owner, ...state }: KeptState,
): UpdateOperation {
  if (!isWithinReach(caller, objectAccess(caller, object).reach.update, owner)) {
    throw refuse('permission_denied', say('may_not_act', { action: 'update' }));
  }
  if (!isMet(precondition, row)) {
    throw refuse('stale_record', messageOf('stale_record'));
  }
  requireKept(revision, row, state);
  const isEnded = ({ key }: Field) => beginningOf(key, spans) > (state.definition ?? Infinity);
  const ended = fields.filter(isEnded).map((field) => broke(fieldParam(field), ENDED));
  const problems = [...broken, ...ended];
  if (problems.length > 0) throw errorFromProblems(problems);
  const known = { any_of: [versionToken(row)] };
  const values = fieldsAt(fields, state);
  return { action: 'update', id: String(row.id), fields: values, precondition: known };
}

function refuse(code: ErrorCode, message: Message): ApiError {
  return errorFromProblems([{ code, message }]);
}

const ENDED = say('history_of_another_field');
const NOT_KEPT = say('history_too_short');

/** The state after the last revision is the present one; before a change it is known from what the change replaced. */
function requireKept(
  revision: number,
  row: Row,
  { reached, next }: Pick<KeptState, 'reached' | 'next'>,
): void {
  const present = Number(row.version);
  if (revision > present) {
    throw errorFromProblems([broke('revision', say('revision_in_future'))]);
  }
  const isNext = next !== null && next <= revision + 1;
  if (revision === present || reached || isNext) return;
  throw errorFromProblems([broke('revision', NOT_KEPT)]);
}

/** The values of the fields that have changed since, as a write names them. */
function fieldsAt(fields: readonly Field[], { values }: Pick<KeptState, 'values'>): FieldValues {
  const physicalValues: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  for (const { key, storage } of fields) {
    const changes = values.filter(([field]) => field === key);
    const [first] = changes.toSorted(([, one], [, other]) => one - other);
    if (first !== undefined) (storage === 'jsonb' ? custom : physicalValues)[key] = first[2];
  }
  return Object.keys(custom).length === 0
    ? physicalValues
    : { ...physicalValues, custom_fields: custom };
}
