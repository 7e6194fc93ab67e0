// Conditions on the stored data before a change, as data; requirement-sql.ts counts the records that violate them.
// Pure.

import { type Message, say } from '../../messages/message.ts';
import type { Field, ObjectModel } from '../../model/definition/model.ts';

/** A condition on the stored data; rows that violate it are counted by `requirementSql`. */
export type Requirement =
  | {
      readonly kind: 'options_unused';
      readonly object: ObjectModel;
      readonly field: Field;
      readonly values: readonly string[];
    }
  | {
      readonly kind: 'statuses_unused';
      readonly object: ObjectModel;
      readonly statuses: readonly string[];
      /** Only records of this work-item type. */
      readonly type?: string;
    }
  | {
      readonly kind: 'types_unused';
      readonly object: ObjectModel;
      readonly types: readonly string[];
    }
  | { readonly kind: 'no_records'; readonly object: ObjectModel }
  | {
      readonly kind: 'links_single';
      readonly object: ObjectModel;
      readonly relationship: string;
      /** The end that may hold one link at most. */
      readonly end: 'from' | 'to';
    }
  | {
      readonly kind: 'field_empty' | 'values_distinct' | 'field_filled';
      readonly object: ObjectModel;
      readonly field: Field;
    }
  | FittingValues;

/** Every value of the field is one of the field that it becomes. */
export interface FittingValues {
  readonly kind: 'values_fit';
  readonly object: ObjectModel;
  readonly field: Field;
  readonly into: Field;
}

/** A value that violates a requirement, and how many records have it. */
export interface Violation {
  readonly value: string | null;
  readonly records: number;
}

/** The sentence that refuses a change whose requirement has violations. */
export function describeViolations(
  requirement: Requirement,
  violations: readonly Violation[],
): Message {
  const counted = violations
    .map(({ value, records }) => `${value} (${countRecords(records)})`)
    .join(', ');
  const total = violations.reduce((sum, { records }) => sum + records, 0);
  const records = countRecords(total);
  const { object_type: object } = requirement.object;
  const field = 'field' in requirement ? `${object}.${requirement.field.key}` : object;
  switch (requirement.kind) {
    case 'options_unused':
      return say('records_with_options', { field, counted });
    case 'statuses_unused': {
      const type = requirement.type === undefined ? '' : ` of type ${requirement.type}`;
      return say('records_with_statuses', { objects: `${object}: records${type}`, counted });
    }
    case 'types_unused':
      return say('records_with_types', { object, counted });
    case 'links_single':
      return say('records_with_links', {
        relationship: requirement.relationship,
        records,
        object,
      });
    case 'field_empty':
      return say('records_with_references', { field, records });
    case 'values_distinct':
      return say('records_with_same_values', { field, values: countValues(total) });
    case 'field_filled':
      return say('records_without_value', { field, records });
    case 'no_records':
      return say('records_present', { object, records });
    case 'values_fit':
      return say('records_misfit', { field, records, type: requirement.into.type });
  }
}

function countRecords(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}

function countValues(count: number): string {
  return count === 1 ? '1 value is in' : `${count} values are each in`;
}
