// Turns a checked definition document into the immutable WorkspaceModel. It never fails on user
// input: check-definition.ts has refused bad documents before.

import { GATE_DEFAULTS } from '../rights/gate.ts';
import { statusesOf } from '../rights/workflow.ts';
import { addRollups } from '../rollups/compile-rollups.ts';
import { runSteps, type Steps } from '../steps.ts';
import { keepMatcher, type PatternMatcher, patternSteps } from '../text/pattern.ts';
import type { ValueRules } from '../values/field-type.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import { compileFormulas } from './compile-formulas.ts';
import { relationshipSteps } from './compile-relationships.ts';
import { compileSearch } from './compile-search.ts';
import {
  type DefinitionDocument,
  type FieldDefinition,
  type ObjectDefinition,
  type RoleDefinition,
  type Transition,
  transitionTarget,
} from './definition.ts';
import { inOrder } from './entry-order.ts';
import { compileHistory } from './history-words.ts';
import {
  BUILT_IN_OBJECT_TYPES,
  type Field,
  type Gate,
  type ObjectModel,
  type Role,
  WORK_ITEMS,
  type Workflow,
  type WorkItemType,
  type WorkspaceModel,
} from './model.ts';
import { collationOf } from './sort-locale.ts';
import { storageKeyOf } from './storage-key.ts';
import {
  fieldName,
  NO_NAMES,
  type StorageNames,
  searchName,
  storedTable,
} from './storage-names.ts';
import { type StatusOptions, systemFields } from './system-fields.ts';
import { plainText, statusPlace } from './texts.ts';
import { statusTint } from './tints.ts';
import { translationSteps } from './translations.ts';
import { valueType, withoutRollups } from './value-type.ts';

/** A built-in object that has comments only where its definition says so, as custom objects (specification §4.5). */
const PRODUCTS = 'products';

/** Where a model lives: the row of the workspace in the control schema. */
export interface WorkspaceIdentity {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly schema: string;
  readonly revision: number;
  readonly cursor_secret: Buffer;
}

/** Compile a document that `checkDefinition` found good. */
export function* compileSteps(
  identity: WorkspaceIdentity,
  document: DefinitionDocument,
  names: StorageNames = NO_NAMES,
): Steps<WorkspaceModel> {
  const workflows = yield* workflowSteps(document);
  const workItemTypes = compileWorkItemTypes(document, workflows);
  const relationships = yield* relationshipSteps(document);
  const collation = collationOf(document.sort_locale);
  const objects = new Map<string, ObjectModel>();
  const statusesFor = sharedStatuses(workItemTypes);
  for (const [objectType, definition] of Object.entries(document.objects)) {
    yield;
    const workflow = workflows.get(definition.workflow ?? '') ?? null;
    const statuses = statusesFor(objectType, workflow);
    const context = { workflow, statuses, names, collation };
    const object = compileObject(objectType, withoutRollups(definition), context);
    const own = relationships.get(objectType) ?? [];
    objects.set(objectType, Object.freeze({ ...object, relationships: Object.freeze(own) }));
  }
  addRollups(document, objects);
  const roles = new Map<string, Role>();
  for (const [key, role] of Object.entries(document.roles ?? {})) {
    yield;
    roles.set(key, compileRole(key, role));
  }
  const { id, slug, name, schema, revision, cursor_secret } = identity;
  return Object.freeze({
    workspace: Object.freeze({ id, slug, name }),
    schema,
    revision,
    cursor_secret,
    collation,
    objects,
    workflows,
    work_item_types: workItemTypes,
    roles,
    texts: yield* translationSteps(document),
  });
}

/** Runs `compileSteps` without a pause. */
export function compileModel(
  identity: WorkspaceIdentity,
  document: DefinitionDocument,
  names: StorageNames = NO_NAMES,
): WorkspaceModel {
  return runSteps(compileSteps(identity, document, names));
}

/** Compile the patterns of a model that is to be used, so that no request has to. */
export function* prepareSteps({ objects }: WorkspaceModel): Steps<void> {
  const matchersByPattern = new Map<string, PatternMatcher>();
  for (const object of objects.values()) {
    for (const { rules } of object.fields.values()) {
      const { pattern } = rules;
      if (pattern === undefined) continue;
      const matcher = matchersByPattern.get(pattern) ?? (yield* patternSteps(pattern));
      matchersByPattern.set(pattern, keepMatcher(rules, matcher));
    }
    yield;
  }
}

function* workflowSteps(document: DefinitionDocument): Steps<ReadonlyMap<string, Workflow>> {
  const workflows = new Map<string, Workflow>();
  for (const [id, definition] of Object.entries(document.workflows ?? {})) {
    yield;
    const statuses = inOrder(definition.statuses, definition.status_order).map(
      ([statusId, status], position) =>
        [
          statusId,
          Object.freeze({
            id: statusId,
            name: plainText(status.name),
            color: status.color ?? statusTint(position),
            transitions: Object.freeze((status.transitions ?? []).map(transitionTarget)),
            gates: compileGates(status.transitions ?? []),
          }),
        ] as const,
    );
    const { initial } = definition;
    const name = plainText(definition.name);
    workflows.set(id, Object.freeze({ id, name, initial, statuses: new Map(statuses) }));
  }
  return workflows;
}

function compileGates(transitions: readonly Transition[]): ReadonlyMap<string, Gate> {
  const gates = transitions.flatMap((transition): (readonly [string, Gate])[] => {
    if (typeof transition === 'string') return [];
    const { to, approvers, when, ...rules } = transition;
    const { users = [], teams = [] } = approvers;
    const people = { users: new Set(users), teams: new Set(teams) };
    return [[to, Object.freeze({ ...GATE_DEFAULTS, ...rules, ...people, when })]];
  });
  return new Map(gates);
}

function compileWorkItemTypes(
  document: DefinitionDocument,
  workflows: ReadonlyMap<string, Workflow>,
): ReadonlyMap<string, WorkItemType> {
  const types = new Map<string, WorkItemType>();
  for (const [slug, definition] of Object.entries(document.work_item_types ?? {})) {
    types.set(
      slug,
      Object.freeze({
        id: slug,
        slug,
        name: plainText(definition.name),
        prefix: definition.prefix,
        active: definition.active ?? true,
        workflow: workflows.get(definition.workflow) as Workflow,
        fields: new Set(definition.fields ?? []),
      }),
    );
  }
  return types;
}

/** The context that an object is compiled with. */
interface ObjectContext {
  readonly workflow: Workflow | null;
  readonly statuses: StatusOptions;
  readonly names: StorageNames;
  readonly collation: string | null;
}

/** The statuses of an object as options: the same list for all objects of a workflow. */
function sharedStatuses(workItemTypes: ReadonlyMap<string, WorkItemType>) {
  const optionsByWorkflow = new Map<Workflow | null, StatusOptions>();
  return (object_type: string, workflow: Workflow | null): StatusOptions => {
    const statuses = optionsByWorkflow.get(workflow);
    if (statuses !== undefined && object_type !== WORK_ITEMS) return statuses;
    const statusList = [...statusesOf({ object_type, workflow }, workItemTypes).values()];
    const options = {
      options: statusList.map(({ id, name }) => Object.freeze({ value: id, label: name })),
      colors: statusList.map(({ color }) => color),
      places: statusList.map(({ id, workflow: of }) => statusPlace(of, id)),
      isGated: statusList.some(({ gates }) => gates.size > 0),
    };
    if (object_type !== WORK_ITEMS) optionsByWorkflow.set(workflow, options);
    return options;
  };
}

function compileObject(
  objectType: string,
  definition: ObjectDefinition,
  { workflow, statuses, names, collation }: ObjectContext,
): Omit<ObjectModel, 'relationships'> {
  const owned = definition.owned ?? true;
  const system = systemFields(objectType, { owned, statuses, collation });
  const fields = new Map(system.map((field) => [field.key, field]));
  const columnOf = (key: string) => fieldName(names, objectType, 'columns', key);
  const formulas = compileFormulas(definition, columnOf);
  for (const [key, field] of inOrder(definition.fields, definition.field_order)) {
    const formula = formulas.get(key) ?? null;
    const place = placeOf(objectType, key, field, names);
    fields.set(key, compileField(key, field, { ...place, collation, formula }));
  }
  const displayField = definition.display_field ?? null;
  const displayType = displayField === null ? undefined : fields.get(displayField)?.type;
  return {
    object_type: objectType,
    name: plainText(definition.name),
    singular_name: plainText(definition.singular_name),
    description: definition.description ?? null,
    kind: kindOf(objectType),
    category: definition.category ?? 'custom',
    icon: definition.icon ?? null,
    listed: definition.listed ?? true,
    display_field: displayField,
    field_order: definition.field_order ?? [],
    owned,
    workflow,
    capabilities: Object.freeze({
      search: displayType !== undefined && FIELD_TYPE_TRAITS[displayType].textual,
      create: definition.capabilities?.create ?? true,
      update: definition.capabilities?.update ?? true,
      delete: definition.capabilities?.delete ?? true,
    }),
    table: storedTable(names, objectType),
    search_name: searchName(names, objectType),
    commentable:
      definition.comments === true || (kindOf(objectType) !== 'default' && objectType !== PRODUCTS),
    history: compileHistory(definition.history),
    trash:
      definition.trash === undefined ? null : { days: Number.parseInt(definition.trash.keep, 10) },
    gated: statuses.isGated,
    fields,
    formulas: [...fields.values()].filter(({ formula }) => formula !== null),
    rollups: new Map(),
    file_fields: [...fields.values()].filter(({ type }) => FIELD_TYPE_TRAITS[type].holdsFiles),
    ...compileSearch(objectType, definition, { fields, names }),
  };
}

function kindOf(objectType: string): ObjectModel['kind'] {
  if (objectType === WORK_ITEMS) return 'work_item';
  return BUILT_IN_OBJECT_TYPES.includes(objectType) ? 'built_in' : 'default';
}

type Place = Pick<
  Field,
  'storage' | 'storage_key' | 'custom_key' | 'column' | 'reference_object_type' | 'reference_table'
>;

/** Where its values are, and the records that they refer to. */
function placeOf(
  objectType: string,
  key: string,
  { storage = 'physical', reference_object_type: target }: FieldDefinition,
  names: StorageNames,
): Place {
  return {
    storage,
    storage_key: storageKeyOf(key, storage),
    custom_key: fieldName(names, objectType, 'custom', key),
    column: storage === 'jsonb' ? 'custom_fields' : fieldName(names, objectType, 'columns', key),
    reference_object_type: target ?? null,
    reference_table: target === undefined ? null : storedTable(names, target),
  };
}

function compileField(
  key: string,
  definition: FieldDefinition,
  { collation, ...place }: Place & Pick<Field, 'collation' | 'formula'>,
): Field {
  const rules = compileRules(definition);
  const defaultValue = compileDefault(definition, rules);
  return Object.freeze({
    key,
    name: plainText(definition.name ?? key),
    description: definition.description ?? null,
    type: valueType(definition),
    required: definition.required ?? false,
    editable: place.formula === null && (definition.editable ?? true),
    ...place,
    cast_type: FIELD_TYPE_TRAITS[valueType(definition)].castType,
    nullable: true,
    collation: FIELD_TYPE_TRAITS[valueType(definition)].sortsByLocale ? collation : null,
    indexed: definition.indexed ?? false,
    unique: definition.unique ?? false,
    default: defaultValue,
    rules,
    on_delete: onDeleteOf(definition),
    section: definition.section === undefined ? null : plainText(definition.section),
    colors: (definition.options ?? []).map(({ color }) => color),
    constraints: compileConstraints(definition, rules, defaultValue),
    system: false,
  });
}

/** A reference that is required cannot become null. */
function onDeleteOf(definition: FieldDefinition): Field['on_delete'] {
  const { required, on_delete } = definition;
  if (FIELD_TYPE_TRAITS[valueType(definition)].refersTo !== 'record') return null;
  return on_delete ?? (required === true ? 'restrict' : 'clear');
}

/** Returns the rules that values of the field must satisfy, with the bounds of its type. */
export function compileRules(definition: FieldDefinition): ValueRules {
  const { minLength, pattern, minimum, maximum, scale, multiple, types, max_bytes } = definition;
  const options = definition.options && plainOptions(definition.options);
  const maxLength =
    definition.maxLength ?? FIELD_TYPE_TRAITS[valueType(definition)].defaultMaxLength;
  return Object.freeze(
    withoutUndefined({
      ...{ options, minLength, maxLength, pattern, minimum, maximum, scale },
      ...{ multiple, types, max_bytes },
    }),
  ) as ValueRules;
}

/** Values do not depend on tints and translations: another one does not change a rule. */
function plainOptions(options: NonNullable<FieldDefinition['options']>): ValueRules['options'] {
  return options.map(({ value, label }) =>
    label === undefined ? { value } : { value, label: plainText(label) },
  );
}

/** The default in its canonical form, as if a client had written it; undefined when that is empty. */
function compileDefault(definition: FieldDefinition, rules: ValueRules): unknown {
  if ((definition.default ?? null) === null) return undefined;
  const parsed = FIELD_TYPE_TRAITS[valueType(definition)].parse(definition.default, rules);
  return 'value' in parsed ? (parsed.value ?? undefined) : undefined;
}

function compileConstraints(
  definition: FieldDefinition,
  rules: ValueRules,
  defaultValue: unknown,
): Readonly<Record<string, unknown>> | null {
  const { options: _, ...words } = rules;
  const constraints = withoutUndefined({
    ...words,
    ...FIELD_TYPE_TRAITS[valueType(definition)].constraints,
    currency: definition.currency,
    unique: definition.unique === true ? true : undefined,
    reference_object_type: definition.reference_object_type,
    on_delete: onDeleteOf(definition) === 'restrict' ? 'restrict' : undefined,
    default: defaultValue,
  });
  return Object.keys(constraints).length === 0 ? null : Object.freeze(constraints);
}

function withoutUndefined(entries: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // A loop: of a document with a thousand fields this is most of the work.
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(entries)) {
    if (entries[key] !== undefined) kept[key] = entries[key];
  }
  return kept;
}

/** A role as the definition has it. */
export function compileRole(key: string, definition: RoleDefinition): Role {
  const administrator = definition.administrator ?? false;
  const objects = Object.entries(definition.objects ?? {}).map(([objectType, grant]) => {
    const { fields = {}, ...reach } = grant;
    return [objectType, Object.freeze({ reach, fields: new Map(Object.entries(fields)) })] as const;
  });
  return Object.freeze({
    key,
    name: definition.name ?? key,
    administrator,
    developer: administrator || (definition.developer ?? false),
    directory: administrator || (definition.directory ?? false),
    assign_owner: administrator || (definition.assign_owner ?? false),
    second_factor: definition.second_factor ?? 'optional',
    objects: new Map(objects),
  });
}
