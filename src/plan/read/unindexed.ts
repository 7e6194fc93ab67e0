// The parts of a question that no index serves: the remedy when its answer takes too long. Pure.

import type { ObjectModel } from '../../model/definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import type { OrderKey } from './read-plan.ts';
import type { PlannedField } from './resolve-field.ts';
import { conditionsOf, type Where } from './where.ts';

export interface Asked {
  readonly object: ObjectModel;
  readonly where: Where;
  readonly order: readonly OrderKey[];
}

/** Keys of the fields of the object that are filtered or sorted by, and could have an index. */
export function unindexedFields({ object, where, order }: Asked): readonly string[] {
  const fields = [...conditionsOf(where), ...order].map(({ field }) => field);
  return [...new Set(fields.filter((field) => lacksIndex(object, field)).map(({ key }) => key))];
}

function lacksIndex(object: ObjectModel, { key, join, type }: PlannedField): boolean {
  const field = join === undefined ? object.fields.get(key) : undefined;
  if (field === undefined || field.system || field.indexed || field.unique) return false;
  const { indexable, refersTo } = FIELD_TYPE_TRAITS[type];
  return field.storage === 'physical' && indexable && refersTo !== 'record';
}
