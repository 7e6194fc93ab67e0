// The part of the OpenAPI document of a workspace for one object and one caller: its components, and the schemas that
// replace the general ones. It omits fields and relationships that the caller may not read.

import {
  type Field,
  type ObjectModel,
  type RecordAction,
  type Relationship,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import {
  type Caller,
  canReadField,
  canWriteField,
  objectAccess,
  permissionsOf,
  relatedObject,
} from '../../model/rights/access.ts';
import { statusesOf } from '../../model/rights/workflow.ts';
import { FIELD_TYPE_TRAITS, type FieldType } from '../../model/values/field-types.ts';
import { visibleRelationships } from '../../plan/read/linked-plan.ts';
import { readableFields } from '../../plan/read/read-plan.ts';
import {
  filterSchema,
  type Json,
  optionsOf,
  queryFilterSchema,
  readSchema,
  type ShownField,
  writtenSchema,
} from './workspace-openapi-fields.ts';
import { isNeededByCreate, keysOfSomeTypes } from './workspace-openapi-names.ts';

/** An object as the caller sees it. */
export interface SeenObject {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
  readonly object: ObjectModel;
  /** The part of the names of operations and components. */
  readonly name: string;
  readonly statuses: readonly string[];
  /** Ids of relationships: those whose other records can be listed, and linked. */
  readonly listed: readonly string[];
  readonly linkable: readonly string[];
}

export function seeObject(
  { model, caller }: Pick<SeenObject, 'model' | 'caller'>,
  object: ObjectModel,
  name: string,
): SeenObject {
  const visible = visibleRelationships(model, caller, object);
  const idsOf = (some: readonly Relationship[]) => some.map(({ id }) => id);
  return {
    ...{ model, caller, object, name },
    statuses: [...statusesOf(object, model.work_item_types).keys()],
    listed: idsOf(visible.filter((one) => isListed(model, caller, one))),
    linkable: idsOf(visible.filter((one) => isLinkable(caller, object, one))),
  };
}

/** A page of linked records needs the right to read all of them. */
function isListed(model: WorkspaceModel, caller: Caller, relationship: Relationship): boolean {
  const other = relatedObject(model, caller, relationship);
  return other !== undefined && objectAccess(caller, other).reach.read === 'organisation';
}

function isLinkable(caller: Caller, object: ObjectModel, relationship: Relationship): boolean {
  const { via, can_link } = relationship;
  const field = via.kind === 'reference' ? object.fields.get(via.field) : undefined;
  return can_link && (field === undefined || canWriteField(caller, object, field));
}

export function isAllowed({ caller, object }: SeenObject, action: RecordAction): boolean {
  return permissionsOf(caller, object)[action].allowed;
}

/** `#/components/…` of a component of this object. */
export function refOf({ name }: SeenObject, part: Part): Json {
  return { $ref: `#/components/schemas/${part}Of${name}` };
}

export type Part =
  | 'Record'
  | 'Fields'
  | 'NewFields'
  | 'WrittenFields'
  | 'Filters'
  | 'QueryFilters'
  | 'Status'
  | 'Field'
  | 'Column'
  | 'SortField'
  | 'GroupField';

/**
 * The components that `refOf` leads to; `filterOf` refers to what fields of a type are filtered
 * by.
 */
export function componentsOf(
  seen: SeenObject,
  record: Json,
  filterOf: (type: FieldType) => Json,
): Readonly<Record<string, Json>> {
  const { object, caller, statuses, name } = seen;
  const stored = readableFields(caller, object);
  const rollups = [...object.rollups.values()];
  const fields = [...stored, ...rollups.filter((field) => canReadField(caller, object, field))];
  const columns = stored.filter(({ storage }) => storage === 'physical');
  const keysOf = (some: readonly Field[]) => choice(some.map(({ key }) => key));
  const parts: Readonly<Record<Part, Json>> = {
    Record: recordSchema(seen, record),
    Fields: fieldsSchema(seen, fields, { schemaOf: readSchema, open: true }),
    ...writtenFields(seen),
    Filters: { ...mapOf(columns, (field) => bodyFilter(field, filterOf)), ...CLOSED },
    QueryFilters: { ...mapOf(columns, queryFilter), ...CLOSED },
    Status: choice(statuses),
    Field: keysOf(fields),
    Column: keysOf(columns),
    SortField: keysOf(columns.filter(({ type }) => FIELD_TYPE_TRAITS[type].sortable)),
    GroupField: keysOf(columns.filter(({ type }) => FIELD_TYPE_TRAITS[type].groupable)),
  };
  return Object.fromEntries(
    Object.entries(parts).map(([part, schema]) => [`${part}Of${name}`, schema]),
  );
}

function bodyFilter(field: Field, filterOf: (type: FieldType) => Json): Json {
  const options = optionsOf(field);
  return options === undefined ? filterOf(field.type) : filterSchema(field.type, options);
}

function queryFilter(field: Field): Json {
  const options = optionsOf(field);
  return options === undefined ? QUERY_FILTER : queryFilterSchema(field.type, options);
}

const CLOSED = { additionalProperties: false };
const QUERY_FILTER = { $ref: '#/components/schemas/QueryFilter' };

export function choice(values: readonly string[]): Json {
  return { type: 'string', enum: values };
}

function mapOf(fields: readonly Field[], schemaOf: (field: Field) => Json): FieldsObject {
  const properties = Object.fromEntries(fields.map((field) => [field.key, schemaOf(field)]));
  return { type: 'object', properties };
}

function recordSchema(seen: SeenObject, record: Json): Json {
  const { object, statuses } = seen;
  const { public_id, work_item_type_id, ...properties } = record.properties as Json;
  const ofWorkItems = object.object_type === WORK_ITEMS ? { public_id, work_item_type_id } : {};
  return {
    ...record,
    description: object.description ?? `${object.name}.`,
    properties: {
      ...properties,
      ...ofWorkItems,
      object_type: { const: object.object_type },
      status: statuses.length > 0 ? { anyOf: [refOf(seen, 'Status'), NULL] } : NULL,
      fields: refOf(seen, 'Fields'),
    },
  };
}

const NULL = { type: 'null' };

interface FieldsOptions {
  readonly schemaOf: typeof readSchema;
  /** Keys that must be there. */
  readonly needed?: ReadonlySet<string>;
  /** False: no other keys are taken. */
  readonly open: boolean;
}

/** A property for each field; those of storage `jsonb` are together in one. */
function fieldsSchema(
  seen: SeenObject,
  fields: readonly Field[],
  { schemaOf, needed = new Set(), open }: FieldsOptions,
): Json {
  const objectOf = (storage: Field['storage']): FieldsObject => {
    const some = fields.filter((field) => field.storage === storage);
    const required = some.map(({ key }) => key).filter((key) => needed.has(key));
    return {
      ...mapOf(some, (field) => schemaOf(seen.model, shownField(seen, field))),
      ...(required.length === 0 ? {} : { required }),
      ...(open ? {} : CLOSED),
    };
  };
  const physical = objectOf('physical');
  if (!fields.some(({ storage }) => storage === 'jsonb')) return physical;
  const custom_fields = objectOf('jsonb');
  const { properties, required = [] } = physical;
  const all = custom_fields.required === undefined ? required : [...required, 'custom_fields'];
  return {
    ...physical,
    properties: { ...properties, custom_fields },
    ...(all.length === 0 ? {} : { required: all }),
  };
}

interface FieldsObject extends Json {
  readonly properties: Json;
  readonly required?: readonly string[];
}

function shownField({ model, caller, object }: SeenObject, field: Field): ShownField {
  const other = model.objects.get(field.reference_object_type ?? '');
  const isKnown = other !== undefined && objectAccess(caller, other).reach.read !== null;
  return { object, field, refersTo: isKnown ? other.object_type : null };
}

function writableFields({ caller, object }: SeenObject): readonly Field[] {
  return readableFields(caller, object).filter(
    (field) => field.editable && canWriteField(caller, object, field),
  );
}

/** The fields that updates take, and the required ones of creates. */
function writtenFields(seen: SeenObject): Readonly<Record<'NewFields' | 'WrittenFields', Json>> {
  const fields = writableFields(seen);
  const ofSomeTypes = keysOfSomeTypes(seen.model, seen.object);
  const needed = fields.filter((one) => isNeededByCreate(one) && !ofSomeTypes.has(one.key));
  const options = { schemaOf: writtenSchema, open: false };
  // Generators of clients ignore a `required` next to a reference to the properties.
  const keys = new Set(needed.map(({ key }) => key));
  return {
    NewFields:
      keys.size === 0
        ? refOf(seen, 'WrittenFields')
        : fieldsSchema(seen, fields, { ...options, needed: keys }),
    WrittenFields: fieldsSchema(seen, fields, options),
  };
}
