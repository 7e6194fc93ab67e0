// From a key that a client sent to a field that rows may be selected by. Pure.

import { shownName } from '../errors.ts';
import { type Caller, canReadField } from '../model/access.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../model/model.ts';
import type { Problems } from './filter.ts';

/** Where keys are looked up, and by whom. */
export interface KeyScope {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly object: ObjectModel;
}

/** A field that rows are selected, ordered or grouped by. */
export type PlannedField = Field;

/** A key as a client names it. */
export interface NamedField {
  readonly param: string;
  readonly key: string;
  /** The key of the reference that leads to the object of the field. */
  readonly through?: string | undefined;
}

/** Resolve a key of the object, or one behind a reference. */
export function resolvePath(
  { caller, object }: KeyScope,
  { param, key, through }: NamedField,
  problems: Problems,
): PlannedField | undefined {
  const path = through === undefined ? key : `${through}.${key}`;
  return resolveField(caller, object, { param, key: path }, problems);
}

/**
 * Resolve a field key used to select rows: unknown keys and `jsonb` fields are `invalid_filter`,
 * unreadable ones `permission_denied` even when no row would match (D36, D37).
 */
export function resolveField(
  caller: Caller,
  object: ObjectModel,
  { param, key }: { readonly param: string; readonly key: string },
  problems: Problems,
): Field | undefined {
  const field = object.fields.get(key);
  if (field === undefined) {
    problems.push({ param, code: 'invalid_filter', message: unknownField(key) });
    return undefined;
  }
  if (!canReadField(caller, object, field)) {
    const message = 'The user may not read this field.';
    problems.push({ param, code: 'permission_denied', message });
    return undefined;
  }
  if (field.storage === 'jsonb') {
    const message =
      'The field is stored as jsonb and can only be read and written. ' +
      'Declare it with "storage: physical" in the definition to filter, sort or group by it.';
    problems.push({ param, code: 'invalid_filter', message });
    return undefined;
  }
  return field;
}

/** Names the key, because `sort` and `fields` of a query string have several in one parameter. */
export function unknownField(key: string): string {
  return `There is no field ${JSON.stringify(shownName(key))}.`;
}
