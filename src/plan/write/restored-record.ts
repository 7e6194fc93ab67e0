// Restoring a deleted record: which values, links and references come back, which do not because their other side is
// gone or taken, and which wait for a record that is in the trash as well (docs/design/trash.md). Pure: rows in, parts
// or problems out.

import { errorFromProblems, type Problem } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import {
  type Field,
  type ObjectModel,
  STATUS_ALIAS_KEY,
  TYPE_KEY,
  WORK_ITEMS,
} from '../../model/definition/model.ts';
import type { FileValue } from '../../model/fields/file-field.ts';
import { withFormulas } from '../../model/formulas/evaluate-formula.ts';
import { canReadField } from '../../model/rights/access.ts';
import { workflowOf } from '../../model/rights/workflow.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { keptValue } from './replaced-values.ts';
import type {
  OwnReference,
  RestoreFindings,
  RestoreQuestion,
  ReturningReferences,
  TrashedRecord,
  WaitingFor,
} from './restore-question.ts';
import { linkedAgain, referringAgain } from './restored-others.ts';
import type { TrashScope } from './trash-plan.ts';
import { AUTHOR_KEY } from './write-fields.ts';
import { currentValue, fieldParam, type LinkedPair, recordKey } from './write-validation.ts';

type Row = Readonly<Record<string, unknown>>;

/** The parts that did not come back, as far as the caller may know of them. */
export interface NotRestored {
  readonly links: number;
  readonly references: number;
  readonly fields: readonly string[];
}

export interface RestoredRecordPlan {
  /** The row to insert. */
  readonly columns: Row;
  readonly keys: string[];
  readonly pairs: readonly LinkedPair[];
  readonly references: readonly ReturningReferences[];
  readonly waiting: readonly WaitingFor[];
  readonly notRestored: NotRestored;
  /** Values that do not come back, and those that the fields get, by key. */
  readonly replaced: { readonly old: Row; readonly now: Row } | undefined;
}

/** Errors: `invalid_write` for a required reference to a record that is gone, and for a type that is gone. */
export function planRestoredRecord(
  scope: TrashScope,
  question: RestoreQuestion,
  found: RestoreFindings,
): RestoredRecordPlan {
  const { caller, object } = scope;
  const { record } = question;
  const lost = lostValues(scope, question, found);
  requireRestorable(scope, record, lost);
  const links = linkedAgain(scope, question, found);
  const restoredReferrers = referringAgain(scope, question, found);
  const columns = columnsOf(object, record, lost);
  const fields = [...lost.keys()].filter((field) => canReadField(caller, object, field));
  return {
    columns,
    keys: filledKeys(object, columns),
    pairs: links.pairs,
    references: restoredReferrers.references,
    waiting: [
      ...waitingTargets(object, record, lost, found),
      ...links.waiting,
      ...restoredReferrers.waiting,
    ],
    notRestored: {
      links: links.missing,
      references: restoredReferrers.missing,
      fields: fields.map(({ key }) => key),
    },
    replaced: lost.size === 0 ? undefined : replacedValues(record, lost),
  };
}

function replacedValues({ row }: TrashedRecord, lost: LostValues) {
  const fields = [...lost];
  return {
    old: Object.fromEntries(
      fields.map(([field]) => [field.key, keptValue(field, currentValue(row, field))]),
    ),
    now: Object.fromEntries(fields.map(([field, { now }]) => [field.key, keptValue(field, now)])),
  };
}

/** A value that does not come back. */
interface LostValue {
  /** The value that the field gets. */
  readonly now: unknown;
  /** The reference to a record that is gone. */
  readonly reference?: OwnReference;
}

type LostValues = ReadonlyMap<Field, LostValue>;

/** The values that a restored record loses. */
function lostValues(
  scope: TrashScope,
  question: RestoreQuestion,
  found: RestoreFindings,
): LostValues {
  const { record } = question;
  const values = [...scope.object.fields.values()].map(
    (field) => [field, currentValue(record.row, field)] as const,
  );
  const lost = lostAmong(values, question, found);
  const status = lostStatus(scope, record);
  return status === undefined ? lost : lost.set(...status);
}

/**
 * The values among these that cannot come back: references to records that are gone, removed options, files of others.
 * Other rules do not count: existing records keep their values when a rule is added as well (D573).
 */
export function lostAmong(
  values: Iterable<readonly [Field, unknown]>,
  { references }: Pick<RestoreQuestion, 'references'>,
  { present, files }: Pick<RestoreFindings, 'present' | 'files'>,
): Map<Field, LostValue> {
  const lost = new Map<Field, LostValue>();
  for (const reference of references) {
    const { field, target, id } = reference;
    if (!present.has(recordKey(target, id))) lost.set(field, { now: null, reference });
  }
  for (const [field, value] of values) {
    if (field.system || value === null) continue;
    const { holdsFiles, parse } = FIELD_TYPE_TRAITS[field.type];
    if (holdsFiles) {
      const all = value as readonly FileValue[];
      const held = all.filter(({ id }) => files.has(id));
      if (held.length < all.length) lost.set(field, { now: held.length === 0 ? null : held });
    } else if (field.rules.options !== undefined && !('value' in parse(value, field.rules))) {
      lost.set(field, { now: null });
    }
  }
  return lost;
}

/** A status that its workflow no longer has becomes the initial one. */
function lostStatus({ model, object }: TrashScope, { row }: TrashedRecord) {
  const field = object.fields.get('status');
  const workflow = workflowOf(model, object, row[TYPE_KEY]);
  if (field === undefined || workflow === null) return undefined;
  if (workflow.statuses.has(String(row.status))) return undefined;
  return [field, { now: workflow.initial }] as const;
}

function requireRestorable(
  { caller, model, object }: TrashScope,
  { row }: TrashedRecord,
  lost: LostValues,
): void {
  const problems = requiredProblems({ caller, object }, lost);
  const isTyped =
    object.object_type !== WORK_ITEMS || model.work_item_types.has(String(row[TYPE_KEY]));
  if (!isTyped) {
    const message = say('work_item_type_gone');
    problems.push({ param: `fields.${TYPE_KEY}`, code: 'invalid_write', message });
  }
  if (problems.length > 0) throw errorFromProblems(problems);
}

/** The required references to records that are gone. */
export function requiredProblems(
  { caller, object }: Pick<TrashScope, 'caller' | 'object'>,
  lost: LostValues,
): Problem[] {
  return [...lost].flatMap(([field, { reference }]): Problem[] => {
    if (reference === undefined || !field.required) return [];
    const isKnown = canReadField(caller, object, field);
    const message = say('required_record_gone');
    return [{ ...(isKnown ? { param: fieldParam(field) } : {}), code: 'invalid_write', message }];
  });
}

/** The columns of the restored record. Its counter continues, and it counts as changed now. */
function columnsOf(object: ObjectModel, { row, revision }: TrashedRecord, lost: LostValues): Row {
  const columns: Record<string, unknown> = {
    version: revision + 1,
    [AUTHOR_KEY]: row[AUTHOR_KEY],
  };
  const custom: Record<string, unknown> = {};
  for (const field of object.fields.values()) {
    const isComputed = field.formula !== null || field.key === STATUS_ALIAS_KEY;
    if (field.key === 'updated_at' || isComputed) continue;
    const gone = lost.get(field);
    const value = gone === undefined ? currentValue(row, field) : gone.now;
    if (field.storage === 'physical') columns[field.column] = value;
    else if (value !== null) custom[field.custom_key] = value;
  }
  columns.custom_fields = custom;
  return columns;
}

function filledKeys(object: ObjectModel, columns: Row): string[] {
  const filled = [...object.fields.values()].filter(
    ({ key, system }) => !system || REPORTED.has(key),
  );
  const row = withFormulas(object, columns);
  return filled.filter((field) => currentValue(row, field) !== null).map(({ key }) => key);
}

/** The system fields among the changed ones. */
const REPORTED: ReadonlySet<string> = new Set(['owner_user_id', 'status']);

/** A target in the trash gives the reference back when it is restored. */
function waitingTargets(
  object: ObjectModel,
  { id }: TrashedRecord,
  lost: LostValues,
  { trashed }: RestoreFindings,
): readonly WaitingFor[] {
  return [...lost].flatMap(([field, { reference }]): WaitingFor[] => {
    if (reference === undefined || !trashed.has(recordKey(reference.target, reference.id)))
      return [];
    const cleared = [[object.table, id, field.column]] as const;
    return [{ object: reference.target, id: reference.id, links: [], cleared, columns: [] }];
  });
}
