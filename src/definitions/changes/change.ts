// What applying a definition document would change, as data: steps the database has to take, what
// they lose, and what must hold before them. diff.ts computes them, ddl-sql.ts makes statements of them.

import type { TeamDefinition, UserDefinition } from '../../model/definition.ts';
import type { Field, ObjectModel } from '../../model/model.ts';

/** One step. Objects and fields are those after the change, dropped ones those before. */
export type Step =
  | { readonly kind: 'add_object' | 'drop_object'; readonly object: ObjectModel }
  | { readonly kind: FieldStep; readonly object: ObjectModel; readonly field: Field }
  | {
      /** `reorder_field`: its texts are sorted in another order, which its index has to have. */
      readonly kind: 'retype_field' | 'reorder_field';
      readonly object: ObjectModel;
      readonly from: Field;
      readonly field: Field;
    }
  | { readonly kind: 'add_owner' | 'drop_owner' | 'drop_status'; readonly object: ObjectModel }
  | RenameStep
  /** Other texts are searched than before, or the records belong to others. */
  | { readonly kind: 'index_search'; readonly from: ObjectModel; readonly object: ObjectModel }
  | { readonly kind: 'add_status'; readonly object: ObjectModel; readonly initial: string }
  | { readonly kind: 'put_user'; readonly email: string; readonly user: UserDefinition }
  | { readonly kind: 'put_team'; readonly team: string; readonly definition: TeamDefinition }
  | { readonly kind: 'drop_team'; readonly team: string }
  /** The links of a relationship go, or an end of it holds one at most or many from now on. */
  | { readonly kind: 'drop_links'; readonly relationship: string }
  | ({ readonly kind: 'limit_links' } & LinkLimits)
  /** Only the document changes: the database has nothing to do. */
  | { readonly kind: 'note' };

/**
 * `move_field`: from the storage before to `field.storage`. `rebuild_reference`: new foreign key.
 * `index_text`: the `q` of lists looks into this field from now on.
 */
type FieldStep =
  | 'add_field'
  | 'drop_field'
  | 'move_field'
  | 'index_field'
  | 'unindex_field'
  | 'index_text'
  | 'unindex_text'
  | 'make_unique'
  | 'drop_unique'
  | 'rebuild_reference';

/** Tables and columns keep their names (D420); `object` and `field` are as before, with their new keys. */
export type RenameStep =
  | ({ readonly kind: 'rename_object'; readonly object: ObjectModel } & RenamedKey)
  | ({
      readonly kind: 'rename_field';
      readonly object: ObjectModel;
      readonly field: Field;
    } & RenamedKey)
  | ({ readonly kind: 'rename_relationship' | 'rename_role' } & RenamedKey)
  | ({
      readonly kind: 'rename_status';
      readonly workflow: string;
      readonly places: readonly StatusPlace[];
    } & RenamedKey);

interface RenamedKey {
  readonly old_key: string;
  readonly new_key: string;
}

/** Records that have a status of a workflow. */
export interface StatusPlace {
  readonly object: ObjectModel;
  /** Only these work-item types. */
  readonly types: readonly string[] | undefined;
}

/** How many links of a relationship its ends may hold. */
export interface LinkLimits {
  readonly relationship: string;
  readonly from_one: boolean;
  readonly to_one: boolean;
}

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

export type Change = Step & {
  /** One line of the plan; its first character is `+`, `-` or `~`. */
  readonly summary: string;
  /** The name that --allow-drop has to give, e.g. `deals.close_value`, when data would be lost. */
  readonly loss: string | null;
  /** Why the change cannot be made at all. */
  readonly refusal: string | null;
  /** True: over HTTP the refusal is a conflict. */
  readonly conflicts?: boolean;
  /** All of them must hold. */
  readonly requirements: readonly Requirement[];
  /** What does not have to hold; the plan counts the records of which it does not. */
  readonly expectations?: readonly Requirement[];
  /** Where it is in the document; undefined when the step says it (`changePath`). */
  readonly path?: string;
};

export function isRename(change: Change): change is Change & RenameStep {
  return change.kind.startsWith('rename_');
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
