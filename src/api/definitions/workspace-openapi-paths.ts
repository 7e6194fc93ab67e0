// The operations on records, spelled out for one object: its path, its fields, and only the operations that the
// caller may use. They are made of the general operations, so that parameters, answers and codes have one source.

import { WORK_ITEMS } from '../../model/definition/model.ts';
import { canReadField } from '../../model/rights/access.ts';
import type { Json } from './workspace-openapi-fields.ts';
import {
  choice,
  isAllowed,
  type Part,
  refOf,
  type SeenObject,
} from './workspace-openapi-object.ts';

/** Names what several operations have in common; answers the reference to it. */
export type Share = (kind: string, name: string, part: Json) => Json;

interface PathContext {
  readonly seen: SeenObject;
  /** The general schemas by name. */
  readonly schemas: Readonly<Record<string, Json>>;
  readonly share: Share;
}

const GENERAL = '/objects/{object_type}';

/** The paths of the records of an object. */
export function pathsOf(
  general: readonly (readonly [path: string, item: Readonly<Record<string, Json>>])[],
  surroundings: PathContext,
): Json {
  const { object } = surroundings.seen;
  const items = general.flatMap(([path, item]) => {
    const operations = Object.entries(item).flatMap(([method, operation]) => {
      const own = operationOf(operation, surroundings);
      return own === undefined ? [] : [[method, own] as const];
    });
    if (operations.length === 0) return [];
    const place = path.replace(GENERAL, `/objects/${object.object_type}`);
    return [[place, Object.fromEntries(operations)] as const];
  });
  return Object.fromEntries(items);
}

/** Operations have the name of their object: `listRecordsOfDeals`. */
function operationOf(operation: Json, surroundings: PathContext): Json | undefined {
  const { seen } = surroundings;
  const id = String(operation.operationId);
  if (!isOffered(id, surroundings)) return undefined;
  const { requestBody } = operation;
  return {
    ...operation,
    operationId: `${id}Of${seen.name}`,
    tags: [tagOf(seen)],
    parameters: parametersOf(operation, surroundings),
    ...(requestBody === undefined
      ? {}
      : { requestBody: bodyOf(id, requestBody as Json, surroundings) }),
    responses: responsesOf(operation, surroundings),
  };
}

export function tagOf({ name }: SeenObject): string {
  return `${name} records`;
}

/** Whether anybody with these rights could do it to any record. */
function isOffered(id: string, { seen, schemas }: PathContext): boolean {
  const { object, statuses, listed, linkable } = seen;
  switch (id) {
    case 'searchRecords':
      return object.capabilities.search;
    case 'createRecord':
      return isAllowed(seen, 'create');
    case 'updateRecord':
      return isAllowed(seen, 'update');
    case 'deleteRecord':
      return isAllowed(seen, 'delete');
    case 'changeStatus':
      return isAllowed(seen, 'update') && statuses.length > 0;
    case 'createStatusRequest':
      return isAllowed(seen, 'update') && object.gated;
    case 'linkRecord':
    case 'unlinkRecord':
      return isAllowed(seen, 'update') && linkable.length > 0;
    case 'batchRecords':
      return operationsOf(seen, schemas).length > 0;
    case 'bulkRecords':
      return bulkChangesOf(seen, schemas).length > 0;
    case 'listLinkedRecords':
      return listed.length > 0;
    case 'getRecordFile':
      return object.file_fields.some((field) => canReadField(seen.caller, object, field));
    case 'listHistory':
      return object.history !== null;
    case 'restoreRecordValues':
      return object.history !== null && isAllowed(seen, 'update');
    case 'listComments':
    case 'listMentionable':
    case 'createComment':
      return object.commentable;
    default:
      return true;
  }
}

/**
 * An operation on records of any object, ready to be spelled out: its failures and its parameters are
 * components, the same for all objects.
 */
export function sharedOperation(operation: Json, share: Share): Json {
  const { parameters, responses } = operation as GeneralOperation;
  const failures = Object.entries(responses).map(([status, response]) => {
    const isOwn = status.startsWith('2') || response.$ref !== undefined;
    return [status, isOwn ? response : share('responses', `Status${status}`, response)];
  });
  return {
    ...operation,
    parameters: parameters.flatMap((parameter) => {
      const { name, $ref } = parameter;
      if (name === 'object_type') return [];
      const isOwn = $ref !== undefined || name === 'association_id';
      return [isOwn ? parameter : share('parameters', String(name), parameter)];
    }),
    responses: Object.fromEntries(failures),
  };
}

interface GeneralOperation extends Json {
  readonly parameters: readonly Json[];
  readonly responses: Readonly<Record<string, Json>>;
}

/** The parameters that differ between objects: filters and relationships. */
function parametersOf({ operationId, parameters }: Json, { seen, share }: PathContext) {
  const ids = operationId === 'listLinkedRecords' ? seen.listed : seen.linkable;
  return (parameters as readonly Json[]).map((parameter) => {
    if (parameter.name === 'association_id') return { ...parameter, schema: choice(ids) };
    return parameter.$ref === FILTER ? filterParameter(seen, share) : parameter;
  });
}

const FILTER = '#/components/parameters/filter';

function filterParameter(seen: SeenObject, share: Share): Json {
  return share('parameters', `filter_${seen.object.object_type}`, {
    name: 'filter',
    in: 'query',
    required: false,
    style: 'deepObject',
    explode: true,
    description: '`filter[field]=value` or `filter[field][op]=value`, at most 16.',
    schema: refOf(seen, 'QueryFilters'),
  });
}

/** A success lists only the headers that are its own. */
function responsesOf({ operationId, responses }: Json, surroundings: PathContext): Json {
  const entries = Object.entries(responses as GeneralOperation['responses']);
  return Object.fromEntries(
    entries.map(([status, response]) => [
      status,
      status.startsWith('2') ? successOf(String(operationId), response, surroundings) : response,
    ]),
  );
}

const OWN_HEADERS: ReadonlySet<string> = new Set(['ETag', 'Idempotent-Replayed']);

function successOf(id: string, response: Json, { seen, schemas }: PathContext): Json {
  const { description, headers, content } = response;
  const own = Object.entries((headers ?? {}) as Json).filter(([name]) => OWN_HEADERS.has(name));
  const schema = resultOf(id, seen, schemas);
  return {
    description,
    ...(own.length === 0 ? {} : { headers: Object.fromEntries(own) }),
    content: schema === undefined ? content : { 'application/json': { schema } },
  };
}

/** The answer, where it says more than the general one. */
function resultOf(id: string, seen: SeenObject, schemas: PathContext['schemas']): Json | undefined {
  const record = refOf(seen, 'Record');
  switch (id) {
    case 'listRecords':
    case 'searchRecords':
      return changed(schemas.RecordList, { data: { type: 'array', items: record } });
    case 'queryRecords':
      return changed(schemas.CountedRecordList, { data: { type: 'array', items: record } });
    case 'createRecord':
    case 'getRecord':
    case 'updateRecord':
    case 'changeStatus':
      return changed(schemas.RecordResponse, { data: record });
    default:
      return undefined;
  }
}

/** The body, with the fields of the object in place of fields of any. */
function bodyOf(id: string, body: Json, surroundings: PathContext): Json {
  const { schema } = (body.content as { readonly 'application/json': { readonly schema: Json } })[
    'application/json'
  ];
  const own = ownSchemaOf(id, schema, surroundings);
  return own === undefined ? body : { ...body, content: { 'application/json': { schema: own } } };
}

function ownSchemaOf(id: string, schema: Json, surroundings: PathContext): Json | undefined {
  if (id === 'bulkRecords') return oneOf(bulkChangesOf(surroundings.seen, surroundings.schemas));
  const own = bodyChanges(id, schema.properties as Json, surroundings);
  return own && changed(schema, own);
}

function bodyChanges(
  id: string,
  { fields, sort, group_by, metrics, operations }: Json,
  { seen, schemas }: PathContext,
): Json | undefined {
  const part = (name: Part) => refOf(seen, name);
  const listOf = (name: Part, list: unknown) => ({ ...(list as Json), items: part(name) });
  switch (id) {
    case 'createRecord':
      return { fields: part('NewFields') };
    case 'updateRecord':
      return { fields: part('WrittenFields') };
    case 'changeStatus':
    case 'createStatusRequest':
      return { status_id: part('Status') };
    case 'searchRecords':
      return {
        filters: part('Filters'),
        fields: listOf('Field', fields),
        sort: itemsChanged(sort, { field: part('SortField') }),
      };
    // Keys of other objects have a place in their fields, orders, groups and metrics.
    case 'queryRecords':
    case 'queryAggregates':
      return { filters: part('Filters') };
    case 'aggregateRecords':
      return {
        filters: part('Filters'),
        group_by: listOf('GroupField', group_by),
        metrics: itemsChanged(metrics, { field: part('Column') }),
      };
    case 'batchRecords': {
      const items = oneOf(operationsOf(seen, schemas));
      return { operations: { ...(operations as Json), items } };
    }
    default:
      return undefined;
  }
}

/** The operations of a batch that the caller may have in one. */
function operationsOf(seen: SeenObject, schemas: PathContext['schemas']): readonly Json[] {
  const part = (name: Part) => refOf(seen, name);
  const [create, update, erase] = (['create', 'update', 'delete'] as const).map((action) =>
    isAllowed(seen, action),
  );
  const canWrite = seen.caller.scopes.has('records:write');
  const link = { association_id: choice(seen.linkable) };
  const links = update === true && seen.linkable.length > 0;
  const offered: readonly (readonly [boolean | undefined, string, Json])[] = [
    [create, 'CreateOperation', { fields: part('NewFields') }],
    [update, 'UpdateOperation', { fields: part('WrittenFields') }],
    [update && seen.statuses.length > 0, 'StatusOperation', { status_id: part('Status') }],
    [erase && canWrite, 'DeleteOperation', {}],
    [create || update, 'UpsertOperation', upsertChanges(seen)],
    [links, 'LinkOperation', link],
    [links, 'UnlinkOperation', link],
  ];
  return offered.flatMap(([isOne, name, own]) => (isOne ? [changed(schemas[name], own)] : []));
}

/** The changes of many records that the caller may start. */
function bulkChangesOf(seen: SeenObject, schemas: PathContext['schemas']): readonly Json[] {
  const canWrite = seen.caller.scopes.has('records:write');
  const update = isAllowed(seen, 'update');
  const offered: readonly (readonly [boolean, string, Json])[] = [
    [update, 'BulkUpdate', { fields: refOf(seen, 'WrittenFields') }],
    [update && seen.statuses.length > 0, 'BulkStatus', { status_id: refOf(seen, 'Status') }],
    [isAllowed(seen, 'delete') && canWrite, 'BulkDelete', {}],
  ];
  return offered.flatMap(([isOne, name, own]) => (isOne ? [changed(schemas[name], own)] : []));
}

function oneOf(schemas: readonly Json[]): Json {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { oneOf: schemas };
}

function upsertChanges(seen: SeenObject): Json {
  const { object, model } = seen;
  const types = [...model.work_item_types.values()].filter(({ active }) => active);
  const ofTypes = object.object_type === WORK_ITEMS ? types.map(({ slug }) => slug) : [];
  return {
    target: choice([object.object_type, ...ofTypes]),
    match: {
      type: 'object',
      description: 'One to three fields that a record is recognised by.',
      propertyNames: refOf(seen, 'Column'),
      additionalProperties: true,
      minProperties: 1,
      maxProperties: 3,
    },
    fields: refOf(seen, 'WrittenFields'),
  };
}

function changed(schema: unknown, changes: Json): Json {
  const { properties, ...rest } = schema as Json;
  return { ...rest, properties: { ...(properties as Json), ...changes } };
}

function itemsChanged(list: unknown, changes: Json): Json {
  const { items, ...rest } = list as Json;
  return { ...rest, items: changed(items, changes) };
}
