// The data of a validation: the results of look-ups, the changes that it returns, and how a problem of
// one operation is reported at its stage. Pure.

import { type ErrorCode, messageOf, type Problem } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Field, LinkKind, ObjectModel, RecordAction } from '../../model/definition/model.ts';
import type { FileValue } from '../../model/fields/file-field.ts';
import { isWithinReach, objectAccess, reachColumn } from '../../model/rights/access.ts';
import { ownValue } from '../../model/text/own-value.ts';
import type { Row } from '../../model/values/row.ts';
import type { Mentioned } from '../events/comment-plan.ts';
import type { Kept, PlannedWrite, WritePlan } from './write-operation.ts';
import { labelOf } from './write-plan.ts';

/** The rows that the plan looked up: only those that the caller may read. */
export interface LookupResults {
  readonly rows: ReadonlyMap<string, Row>;
  /** Rows by index of the upsert that matched them; at most two each. */
  readonly matches: ReadonlyMap<number, readonly Row[]>;
  /** Ids of readable records, by object type. */
  readonly references: ReadonlyMap<string, ReadonlySet<string>>;
  readonly activeUsers: ReadonlySet<number>;
  /** References to records that are to be deleted, by the id of the target. */
  readonly referring: ReadonlyMap<string, Referring>;
  /** Public ids by index of the operation that creates the work item. */
  readonly publicIds: ReadonlyMap<number, string>;
  /** Names of the caller's teams among those that may approve a move of this plan. */
  readonly approvingTeams: ReadonlySet<string>;
  /** The people of the last changes of records that this plan moves, by id. */
  readonly lastChangedBy: ReadonlyMap<string, number>;
  /** Records that are linked among those to link or unlink, as `pairKey` names them. */
  readonly links: ReadonlySet<string>;
  /** The people whom comments mention, as far as they exist. */
  readonly mentioned: readonly Mentioned[];
  /** Files that no other record has, by id. */
  readonly files: ReadonlyMap<string, FoundFile>;
}

/** A file that can be set, and where it was before. */
export interface FoundFile extends FileValue {
  readonly uploaded_by: number;
  /** Undefined: no record has it. */
  readonly place: FilePlace | undefined;
  /** False: it was removed from this place. */
  readonly isAttached: boolean;
}

/** A field of a record, by stored names. */
export interface FilePlace {
  readonly table: string;
  readonly record_id: string;
  readonly column: string;
}

/** The results without any look-up. */
export const NO_LOOKUP_RESULTS: LookupResults = {
  rows: new Map(),
  matches: new Map(),
  references: new Map(),
  activeUsers: new Set(),
  referring: new Map(),
  publicIds: new Map(),
  approvingTeams: new Set(),
  lastChangedBy: new Map(),
  links: new Set(),
  mentioned: [],
  files: new Map(),
};

/** Two records and the kind of link between them. */
export interface LinkedPair {
  readonly via: LinkKind;
  readonly from_id: string;
  readonly to_id: string;
}

/** Numbers of records, by object type. */
export type Counts = Readonly<Record<string, number>>;

/**
 * References to a record that is to be deleted. The counts have only records the caller may read.
 */
export interface Referring {
  /** Records with a required or restricting reference to it. */
  readonly needing: Counts;
  /** Records that would lose their reference to it. */
  readonly cleared: Counts;
  /** True when records that the caller may not read prevent the delete. */
  readonly hidden: boolean;
}

/**
 * One effect on one record. `before` is the record as the earlier operations leave it; `set` has the
 * values of fields, `columns` those of a new record.
 */
export type Change =
  | { readonly kind: 'insert'; readonly id: string; readonly columns: Row; readonly keys: string[] }
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly before: Row;
      readonly action: 'update' | 'status' | 'link' | 'unlink';
      readonly set: ReadonlyMap<Field, unknown>;
      readonly keys: string[];
      /** The requested fields that keep their values. */
      readonly kept?: Kept;
    }
  | {
      readonly kind: 'delete';
      readonly id: string;
      readonly before: Row;
      readonly keys: string[];
      /** Records that lose their reference to it, as far as the caller may read them. */
      readonly cleared: Counts;
    }
  | {
      readonly kind: 'link' | 'unlink';
      readonly id: string;
      readonly before: Row;
      readonly pair: LinkedPair;
      readonly keys: string[];
    }
  | {
      readonly kind: 'comment';
      readonly id: string;
      readonly before: Row;
      readonly comment: NewText;
      readonly keys: string[];
    }
  | { readonly kind: 'none'; readonly id: string; readonly before: Row; readonly kept?: Kept };

/** A comment, and the users that it notifies. */
export interface NewText {
  readonly id: string;
  readonly body: string;
  readonly notified: readonly number[];
}

/** Problems by stage; only those of the earliest stage that has any are reported (D1). */
export interface ProblemsByStage {
  readonly record: Problem[];
  readonly permission: Problem[];
  readonly precondition: Problem[];
  readonly rules: Problem[];
}

/** The validation of one operation. */
export interface WriteValidation {
  readonly plan: WritePlan;
  readonly lookedUp: LookupResults;
  readonly write: PlannedWrite;
  readonly problems: ProblemsByStage;
  readonly records: Records;
  /** Files that operations of the request have set: each goes to one record. */
  readonly attached: Set<string>;
}

/**
 * Records as the earlier operations of the request leave them, by `recordKey`; null: deleted. A record without an
 * entry is as it was looked up. A row is made when it is first read: of a hundred creates none is read.
 */
export type Records = Map<string, () => Row | null>;

/** Objects may share ids: imports bring their own. */
export function recordKey({ object_type }: Pick<ObjectModel, 'object_type'>, id: string): string {
  return `${object_type} ${id}`;
}

/** True when the row is within the caller's reach of the action; reports it when not. */
export function requireReach(one: WriteValidation, row: Row, action: RecordAction): boolean {
  const { caller } = one.plan;
  const { object } = one.write;
  if (isWithinReach(caller, objectAccess(caller, object).reach[action], ownerOf(object, row))) {
    return true;
  }
  report(one, 'permission', {
    code: 'permission_denied',
    message: say('may_not_act', { action }),
  });
  return false;
}

function ownerOf(object: ObjectModel, row: Row): number | null {
  return row[reachColumn(object)] as number | null;
}

/** The stored value of a field; null when it has none. */
export function currentValue(row: Row, field: Field): unknown {
  if (field.storage === 'physical') return row[field.column] ?? null;
  return ownValue(row.custom_fields as Row | undefined, field.custom_key) ?? null;
}

/** Fields are compared as stored; arrays and JSON by their text. */
export function isSame(current: unknown, value: unknown): boolean {
  if (current === value) return true;
  if (typeof current !== 'object' || typeof value !== 'object') return false;
  return JSON.stringify(sortKeys(current)) === JSON.stringify(sortKeys(value));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sortKeys(item)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The row of an operation: the one with its id, or the one that it matched. */
export function rowOf(lookedUp: LookupResults, { id, index }: PlannedWrite): Row | undefined {
  return lookedUp.rows.get(id ?? '') ?? lookedUp.matches.get(index)?.[0];
}

/**
 * The value that the operation sets, by the field's key or by a link; undefined when it does not.
 */
export function givenValue({ values, link, operation }: PlannedWrite, field: Field): unknown {
  const via = link?.relationship.via;
  if (via?.kind === 'reference' && via.field === field.key) {
    return operation.action === 'link' ? link?.target : null;
  }
  return values.get(field);
}

/** The record of an operation as the earlier ones leave it, if the caller may read it still. */
export function recordNow(one: WriteValidation): Row | undefined {
  const { lookedUp, records, write } = one;
  const { id, object } = write;
  if (id === undefined || id === null) return undefined;
  const known = records.get(recordKey(object, id))?.();
  if (known === undefined) return lookedUp.rows.get(id);
  return known !== null && isReadable(one, object, known) ? known : undefined;
}

/**
 * True when the record exists within the caller's reach, after the earlier operations: a reference to one
 * that they delete would dangle.
 */
export function isPresent(one: WriteValidation, objectType: string, id: string): boolean {
  const { plan, lookedUp, records } = one;
  const object = plan.model.objects.get(objectType);
  const known = records.get(`${objectType} ${id}`)?.();
  if (known === undefined) return lookedUp.references.get(objectType)?.has(id) === true;
  return known !== null && object !== undefined && isReadable(one, object, known);
}

function isReadable({ plan: { caller } }: WriteValidation, object: ObjectModel, row: Row): boolean {
  return isWithinReach(caller, objectAccess(caller, object).reach.read, ownerOf(object, row));
}

/** The path of a field in the request. */
export function fieldParam(field: Field): string {
  return `fields.${field.storage_key}`;
}

/** A problem of one operation: `param` is relative to it, `message` is that of the code by default. */
interface Reported {
  readonly code: ErrorCode;
  readonly param?: string;
  readonly message?: Message;
  readonly [extra: string]: unknown;
}

/** Add a problem of an operation to its stage. */
export function report(
  one: WriteValidation,
  stage: keyof ProblemsByStage,
  reported: Reported,
): void {
  const { param, code, message = messageOf(code), ...extra } = reported;
  const { prefix } = one.write;
  const path = param === undefined ? prefix.slice(0, -1) : `${prefix}${param}`;
  const problem = { ...(path === '' ? {} : { param: path }), code, message, ...extra };
  one.problems[stage].push({ ...problem, ...labelOf(one.plan, one.write) });
}

/** A value that breaks a rule. */
export function refuseValue(one: WriteValidation, field: Field, message: Message): void {
  report(one, 'rules', { code: 'invalid_write', param: fieldParam(field), message });
}
