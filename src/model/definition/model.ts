// The running model of one workspace: immutable, compiled from a definition document, shared by all
// requests. Only types and look-ups live here; compile.ts builds it.

import type { Formula } from '../formulas/formula-tree.ts';
import type { RollupDefinition } from '../rollups/rollup-words.ts';
import type { SearchKind } from '../text/search-text.ts';
import type { GateOperator, ValueRules } from '../values/field-type.ts';
import type { FieldType } from '../values/field-types.ts';
import type { ObjectIcon } from './object-icons.ts';
import type { Translations } from './texts.ts';
import type { Tint } from './tints.ts';

export type Reach = 'own' | 'team' | 'organisation';
export type RecordAction = 'create' | 'read' | 'update' | 'delete';
export type FieldAccess = 'none' | 'read' | 'write';
export type OnDelete = 'clear' | 'restrict';
export type Cardinality = 'one_to_one' | 'many_to_one' | 'one_to_many' | 'many_to_many';

/** One field of an object (specification §2.5), system fields included. */
export interface Field {
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: FieldType;
  readonly required: boolean;
  /** false: only the service (or an import) writes it. */
  readonly editable: boolean;
  readonly storage: 'physical' | 'jsonb';
  /** The name of the object in columns of files, parameters and messages (storage-key.ts). */
  readonly storage_key: string;
  /** The key in `custom_fields`, when the field is stored there (D420). */
  readonly custom_key: string;
  /** The column of the field, mostly its key (D420); `custom_status_id` shares the column of `status`. */
  readonly column: string;
  /** Type for parameter casts: the record id is `uuid` although its field type is text. */
  readonly cast_type: string;
  readonly nullable: boolean;
  /** The collation it is sorted by, by its name in the control schema; null: that of the column. */
  readonly collation: string | null;
  readonly indexed: boolean;
  readonly unique: boolean;
  /** Canonical; undefined when there is none. */
  readonly default: unknown;
  readonly rules: ValueRules;
  readonly reference_object_type: string | null;
  /** The table of the records that it refers to. */
  readonly reference_table: string | null;
  /** The effect of deleting the target: the reference becomes null, or it prevents the delete. */
  readonly on_delete: OnDelete | null;
  /** The title above it on the page of a record. */
  readonly section: string | null;
  /** The colors of the options in their order; undefined: a color by position. */
  readonly colors: readonly (Tint | undefined)[];
  /** The places in the document of the names of statuses that are options (texts.ts). */
  readonly places?: readonly string[];
  /** JSON-Schema words for the definition answer, or null when there are none. */
  readonly constraints: Readonly<Record<string, unknown>> | null;
  /** Null: it is not computed. A computed one is never written. */
  readonly formula: Formula | null;
  /** True for id, status, owner and times: part of every record, never part of a document. */
  readonly system: boolean;
}

/**
 * A field without a column: its value is computed from the records that refer to a record, when it is read. Its
 * `column` is its place in a row that has been read.
 */
export interface Rollup extends Field {
  readonly rollup: RollupDefinition;
}

/** The approval that a move needs. */
export interface Gate {
  /** Approvers by e-mail. */
  readonly users: ReadonlySet<string>;
  /** Teams by name, whose members are approvers. */
  readonly teams: ReadonlySet<string>;
  /** How many people have to approve. */
  readonly required: number;
  /** `each`: at least one of every named user and team. */
  readonly from: 'any' | 'each';
  /** Undefined: it applies to every record. */
  readonly when: GateCondition | undefined;
  /** True: the person who asked may approve as well. */
  readonly self_approval: boolean;
  readonly expires_days: number;
}

/** A condition on a field of the record, with the value as the definition has it. */
export interface GateCondition {
  readonly field: string;
  readonly op: GateOperator;
  readonly value?: unknown;
}

export interface Status {
  readonly id: string;
  readonly name: string;
  readonly color: Tint;
  readonly transitions: readonly string[];
  /** The gates of the moves from here that only approvers may make, by target status. */
  readonly gates: ReadonlyMap<string, Gate>;
}

export interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly initial: string;
  readonly statuses: ReadonlyMap<string, Status>;
}

export interface WorkItemType {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly prefix: string;
  readonly active: boolean;
  readonly workflow: Workflow;
  /** Keys of the fields that only some types carry and this one does. */
  readonly fields: ReadonlySet<string>;
}

/** Links between records that no field holds; kept in a table of their own. */
export interface LinkKind {
  readonly kind: 'link';
  readonly key: string;
  /** The end of the link that the object is at; `both` when a relationship joins an object to itself. */
  readonly side: 'from' | 'to' | 'both';
  /** True when a record at this end has at most one link. */
  readonly from_one: boolean;
  readonly to_one: boolean;
}

/** How a relationship is stored: a field of the object, a field of the other object, or links. */
export type Via =
  | { readonly kind: 'reference'; readonly field: string }
  | { readonly kind: 'inverse'; readonly field: string }
  | LinkKind;

/** A relationship as seen from one object (specification §2.7). */
export interface Relationship {
  /** `ref.<field>`, `inv.<object>.<field>`, `assoc.<key>` or `link.<key>`. */
  readonly id: string;
  readonly label: string;
  /** The other object. */
  readonly object_type: string;
  readonly cardinality: Cardinality;
  readonly can_link: boolean;
  readonly via: Via;
}

/** The value of one field, which `GET /search` searches. */
export interface SearchedField {
  readonly field: Field;
  /** `<search name>.<name of the text>`; of most objects and fields these are their keys (D420). */
  readonly source: string;
  readonly kind: SearchKind;
}

export interface ObjectModel {
  readonly object_type: string;
  readonly name: string;
  readonly singular_name: string;
  readonly description: string | null;
  readonly kind: 'built_in' | 'work_item' | 'default';
  readonly category: string;
  /** Null: the application shows a letter, or an icon of its own. */
  readonly icon: ObjectIcon | null;
  /** False: the navigation of the application shows it on request only. */
  readonly listed: boolean;
  readonly display_field: string | null;
  /** The fields that come first, as the definition has them. */
  readonly field_order: readonly string[];
  readonly owned: boolean;
  readonly workflow: Workflow | null;
  readonly capabilities: Readonly<Record<'search' | 'create' | 'update' | 'delete', boolean>>;
  /** Mostly its type (D420). */
  readonly table: string;
  /** The prefix of `source` in its rows of the search index. */
  readonly search_name: string;
  /** Every field by key, system fields first, then in the order of the definition. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Fields that `GET /search` looks into; none when it does not find these records. */
  readonly searched: readonly SearchedField[];
  /** Fields for the subtitle of a search hit; the first one the caller may read is shown. */
  readonly subtitles: readonly Field[];
  readonly relationships: readonly Relationship[];
  /** True when its records can have comments (specification §4.5). */
  readonly commentable: boolean;
  /** Null: values that changes replace are not kept. */
  readonly history: History | null;
  /** How long its deleted records can be restored; null: they are gone at once. */
  readonly trash: Trash | null;
  /** True when a move of its records can need approval. */
  readonly gated: boolean;
  /** The fields that are computed. */
  readonly formulas: readonly Field[];
  /** The fields that are computed from other records, by key; they are not among `fields`. */
  readonly rollups: ReadonlyMap<string, Rollup>;
  /** The fields that hold files. */
  readonly file_fields: readonly Field[];
}

/** How long the values are kept that changes of records replace. */
export interface History {
  /** Null: for ever. */
  readonly days: number | null;
}

export interface Trash {
  readonly days: number;
}

/** The rights of a role on one object. */
export interface Grant {
  readonly reach: Readonly<Partial<Record<RecordAction, Reach>>>;
  readonly fields: ReadonlyMap<string, FieldAccess>;
}

export interface Role {
  readonly key: string;
  readonly name: string;
  readonly administrator: boolean;
  readonly developer: boolean;
  readonly directory: boolean;
  readonly assign_owner: boolean;
  /** Required: people with the role have to set up a second factor. */
  readonly second_factor: 'optional' | 'required';
  readonly objects: ReadonlyMap<string, Grant>;
}

export interface WorkspaceModel {
  readonly workspace: { readonly id: number; readonly slug: string; readonly name: string };
  /** PostgreSQL schema that holds everything of the workspace. */
  readonly schema: string;
  readonly revision: number;
  /** Signs the cursors of this workspace. */
  readonly cursor_secret: Buffer;
  /** The collation of all its texts. */
  readonly collation: string | null;
  readonly objects: ReadonlyMap<string, ObjectModel>;
  readonly workflows: ReadonlyMap<string, Workflow>;
  readonly work_item_types: ReadonlyMap<string, WorkItemType>;
  readonly roles: ReadonlyMap<string, Role>;
  readonly texts: Translations;
}

export const WORK_ITEMS = 'work_items';
/** The number of a work item that people use, such as TASK-42. */
export const PUBLIC_ID_KEY = 'public_id';
/** The status of a work item once more. */
export const STATUS_ALIAS_KEY = 'custom_status_id';
/** The field of a work item that names its type; it never changes. */
export const TYPE_KEY = 'work_item_type_id';
/** The field of a work item that names its parent. */
export const PARENT_KEY = 'parent_work_item_id';

/** The built-in object types; all others are custom objects. */
export const BUILT_IN_OBJECT_TYPES: readonly string[] = Object.freeze([
  'companies',
  'contacts',
  'deals',
  'meetings',
  'events',
  'products',
  WORK_ITEMS,
]);

/** Columns that PostgreSQL adds to every table; no column may take these names. */
export const SYSTEM_COLUMNS: readonly string[] = Object.freeze([
  'tableoid',
  'xmin',
  'cmin',
  'xmax',
  'cmax',
  'ctid',
]);

/** Columns every record table has besides its fields; no field may take these names. */
export { RESERVED_FIELD_KEYS } from '../../../packages/tables/src/field-keys.ts';
