// The fields that every record has, whatever the definition says. Pure.

import type { FieldType } from '../values/field-types.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import { type Field, PUBLIC_ID_KEY, STATUS_ALIAS_KEY, WORK_ITEMS } from './model.ts';

/** Statuses as options, and their tints in the same order. */
export interface StatusOptions {
  readonly options: NonNullable<Field['rules']['options']>;
  readonly colors: Field['colors'];
  /** The places of their names in the document (texts.ts). */
  readonly places: readonly string[];
  /** True when a move between them can need approval. */
  readonly isGated: boolean;
}

/** Imports bring ids of their own. */
const PUBLIC_ID: Partial<Field> = {
  nullable: false,
  unique: true,
  rules: { minLength: 1, maxLength: 100 },
};

const NO_COLORS: Field['colors'] = Object.freeze([]);

interface SystemParts extends Pick<Field, 'collation'> {
  readonly owned: boolean;
  readonly statuses: StatusOptions;
}

/** The fields of all records of an object; a status where there is a workflow. */
export function systemFields(
  objectType: string,
  { owned, statuses, collation }: SystemParts,
): readonly Field[] {
  const { options, colors, places } = statuses;
  const status = { nullable: false, rules: { options }, colors, places };
  return [
    systemField('id', 'ID', 'text', { cast_type: 'uuid', nullable: false, unique: true }),
    ...(objectType === WORK_ITEMS
      ? [systemField(PUBLIC_ID_KEY, 'Public ID', 'text', { ...PUBLIC_ID, collation })]
      : []),
    ...(options.length > 0 ? [systemField('status', 'Status', 'select', status)] : []),
    ...(options.length > 0 && objectType === WORK_ITEMS
      ? [systemField(STATUS_ALIAS_KEY, 'Status', 'select', { ...status, column: 'status' })]
      : []),
    ...(owned ? [systemField('owner_user_id', 'Owner', 'user', { editable: true })] : []),
    systemField('created_at', 'Created at', 'datetime', { nullable: false }),
    systemField('updated_at', 'Updated at', 'datetime', { nullable: false }),
  ];
}

/** A field that every record has, whatever the document says. */
export function systemField(
  key: string,
  name: string,
  type: FieldType,
  overrides: Partial<Field>,
): Field {
  return Object.freeze({
    key,
    name,
    description: null,
    type,
    required: false,
    editable: false,
    storage: 'physical',
    storage_key: key,
    custom_key: key,
    column: key,
    cast_type: FIELD_TYPE_TRAITS[type].castType,
    nullable: true,
    collation: null,
    indexed: false,
    unique: false,
    default: undefined,
    rules: {},
    reference_object_type: null,
    reference_table: null,
    on_delete: null,
    section: null,
    colors: NO_COLORS,
    constraints: null,
    formula: null,
    system: true,
    ...overrides,
  });
}
