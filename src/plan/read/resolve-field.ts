// From a key that a client sent to a field that rows may be selected by. Pure.

import { errorFromProblems, type Problems, shownName } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { plainKey } from '../../model/definition/storage-key.ts';
import { canReadField, objectAccess, type Planner } from '../../model/rights/access.ts';

/** Where keys are looked up, and by whom. */
export interface KeyScope {
  readonly model: WorkspaceModel;
  readonly caller: Planner;
  readonly object: ObjectModel;
}

/** The object that a reference leads to, as a table of its own in the statement. */
export interface Join {
  readonly object: ObjectModel;
  /** The name in the statement, the same for all fields behind the reference. */
  readonly alias: string;
  /** The column of the reference. */
  readonly column: string;
}

/**
 * A field that rows are selected, ordered or grouped by: of the object, or of the one record that a reference leads to.
 * Its key is the path then, and it is null where the reference is.
 */
export interface PlannedField extends Field {
  readonly join?: Join;
}

/** The key of a field in its own object. */
export function ownKeyOf({ key, join }: PlannedField): string {
  return join === undefined ? key : key.slice(key.indexOf('.') + 1);
}

/** A key as a client names it. */
export interface NamedField {
  readonly param: string;
  readonly key: string;
  /** The key of the reference that leads to the object of the field. */
  readonly through?: string | undefined;
}

/**
 * Resolve a key of the object, or one behind a reference: that needs the right to read the reference, all records it
 * can lead to, and the field. Otherwise it would reveal values that a list would not.
 */
export function resolvePath(
  { model, caller, object }: KeyScope,
  { param, key, through }: NamedField,
  problems: Problems,
): PlannedField | undefined {
  if (through === undefined) return resolveField(caller, object, { param, key }, problems);
  const reference = resolveField(caller, object, { param, key: through }, problems);
  if (reference === undefined) return undefined;
  const target = model.objects.get(reference.reference_object_type ?? '');
  if (target === undefined) {
    const message = say('field_not_reference', { field: JSON.stringify(through) });
    problems.push({ param, code: 'invalid_filter', message });
    return undefined;
  }
  if (objectAccess(caller, target).reach.read !== 'organisation') {
    problems.push({ param, code: 'permission_denied', message: say('referred_not_readable') });
    return undefined;
  }
  const field = resolveField(caller, target, { param, key }, problems);
  if (field === undefined) return undefined;
  const alias = `r${[...object.fields.keys()].indexOf(through)}`;
  const join = { object: target, alias, column: reference.column };
  return { ...field, key: `${through}.${key}`, nullable: true, join };
}

/**
 * Resolve a field key used to select rows: unknown keys and `jsonb` fields are `invalid_filter`,
 * unreadable ones `permission_denied` even when no row would match (D36, D37).
 */
export function resolveField(
  caller: Planner,
  object: ObjectModel,
  { param, key }: { readonly param: string; readonly key: string },
  problems: Problems,
): Field | undefined {
  const field = object.fields.get(key) ?? object.rollups.get(key);
  if (field === undefined) {
    problems.push({ param, code: 'invalid_filter', message: unknownField(key) });
    return undefined;
  }
  if (!canReadField(caller, object, field)) {
    const message = say('field_not_readable');
    problems.push({ param, code: 'permission_denied', message });
    return undefined;
  }
  if ('rollup' in field) {
    problems.push({ param, code: 'invalid_filter', message: say('field_computed_when_read') });
    return undefined;
  }
  if (field.storage === 'jsonb') {
    problems.push({ param, code: 'invalid_filter', message: say('field_not_queryable') });
    return undefined;
  }
  return field;
}

/** A field whose values are read, also one stored as jsonb. Errors: as `resolveField`. */
export function requireReadable(
  caller: Planner,
  object: ObjectModel,
  name: string,
  param = 'field',
): Field {
  const field = object.fields.get(plainKey(name));
  if (field !== undefined && canReadField(caller, object, field)) return field;
  const problem =
    field === undefined
      ? ({ code: 'invalid_filter', message: unknownField(name) } as const)
      : ({ code: 'permission_denied', message: say('field_not_readable') } as const);
  throw errorFromProblems([{ param, ...problem }]);
}

/** Names the key, because `sort` and `fields` of a query string have several in one parameter. */
export function unknownField(key: string): Message {
  return say('field_not_found', { field: JSON.stringify(shownName(key)) });
}
