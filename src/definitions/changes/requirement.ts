// Conditions on the stored data before a change, as data; requirement-sql.ts counts the records that violate them.
// Pure.

import type { Field, ObjectModel } from '../../model/model.ts';

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
): string {
  const counted = violations.map(({ value, records }) => `${value} (${countRecords(records)})`);
  const total = violations.reduce((sum, { records }) => sum + records, 0);
  const { object_type } = requirement.object;
  switch (requirement.kind) {
    case 'options_unused':
      return `${object_type}.${requirement.field.key}: records still have removed options: ${counted.join(', ')}`;
    case 'statuses_unused': {
      const type = requirement.type === undefined ? '' : ` of type ${requirement.type}`;
      return `${object_type}: records${type} still have removed statuses: ${counted.join(', ')}`;
    }
    case 'types_unused':
      return `${object_type}: records still have removed work item types: ${counted.join(', ')}`;
    case 'links_single':
      return `relationship ${requirement.relationship}: ${countRecords(total)} of ${object_type} have more than one link`;
    case 'field_empty':
      return `${object_type}.${requirement.field.key}: the object it refers to can change only while no record has a value; ${countRecords(total)} have one`;
    case 'values_distinct':
      return `${object_type}.${requirement.field.key} cannot be unique: ${countValues(total)} more than one record`;
    case 'field_filled':
      return `${object_type}.${requirement.field.key}: ${countRecords(total)} have no value`;
    case 'no_records':
      return `${object_type}: there are ${countRecords(total)}`;
    case 'values_fit':
      return `${object_type}.${requirement.field.key}: values of ${countRecords(total)} cannot become ${requirement.into.type}`;
  }
}

function countRecords(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}

function countValues(count: number): string {
  return count === 1 ? '1 value is in' : `${count} values are each in`;
}
