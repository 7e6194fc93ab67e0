// From rows to the wire: the only place where a record, an object or a field gets its JSON shape. Columns that the
// plan did not select cannot appear here.

import { type Expanded, expandedKind } from '../flow/records/read/read-expanded.ts';
import type { Page } from '../flow/records/read/read-flow.ts';
import type { WriteResult } from '../flow/records/write-flow.ts';
import { LIMITS } from '../limits.ts';
import type { WorkspaceModel } from '../model/definition/model.ts';
import {
  type Field,
  type ObjectModel,
  type Relationship,
  type Rollup,
  WORK_ITEMS,
  type Workflow,
} from '../model/definition/model.ts';
import { type Say, sayPlain, systemFieldPlace } from '../model/definition/texts.ts';
import { optionTint } from '../model/definition/tints.ts';
import {
  type Caller,
  canReadField,
  canWriteField,
  isFieldOfType,
  objectAccess,
  permissionsOf,
} from '../model/rights/access.ts';
import type { SessionIdentity } from '../model/rights/principal.ts';
import { ownValue } from '../model/text/own-value.ts';
import type { AggregatePlan } from '../plan/read/aggregate-plan.ts';
import { visibleRelationships } from '../plan/read/linked-plan.ts';
import type { Expansion, ReadPlan } from '../plan/read/read-plan.ts';
import { versionToken } from '../plan/write/precondition.ts';
import type { Row } from '../postgres/db.ts';

type Shown = Pick<ReadPlan, 'object' | 'display' | 'fields' | 'rollups' | 'expand'>;

/** A record (specification §2.1): identity properties, `fields` when the plan has them. */
export function presentRecord(
  plan: Shown,
  row: Row,
  caller: Caller,
  expanded?: Expanded,
): Record<string, unknown> {
  const { object, display, fields, rollups } = plan;
  const { readable } = objectAccess(caller, object);
  const displayValue = display === undefined ? null : (row[display.column] ?? null);
  const record: Record<string, unknown> = { object_type: object.object_type, id: row.id };
  if (object.object_type === WORK_ITEMS) {
    record.public_id = row.public_id;
    record.work_item_type_id = row.work_item_type_id;
  }
  record.display = displayValue === null ? null : String(displayValue);
  record.status = row.status ?? null;
  record.owner_user_id = readable.has('owner_user_id') ? (row.owner_user_id ?? null) : null;
  record.created_at = row.created_at;
  record.updated_at = row.updated_at;
  record.version = versionToken(row);
  if (fields !== undefined) {
    const shown = rollups ? [...fields, ...rollups.map(({ rollup }) => rollup)] : fields;
    record.fields = presentFields(shown, row);
  }
  if (plan.expand !== undefined)
    record.expanded = presentExpanded(plan.expand, row, caller, expanded);
  return record;
}

/** A record for a key that reads no records: its id and its version (D569). */
export function presentUnread({ object_type }: ObjectModel, row: Row): Record<string, unknown> {
  const unread = { display: null, status: null, owner_user_id: null };
  const times = { created_at: null, updated_at: null };
  return { object_type, id: row.id, ...unread, ...times, version: versionToken(row) };
}

/** The targets of references, by the key of the field; null where the caller can see none. */
export function presentExpanded(
  expand: readonly Expansion[],
  row: Row,
  caller: Caller,
  expanded: Expanded = new Map(),
): Record<string, unknown> {
  const presented: Record<string, unknown> = {};
  for (const { key, column, target } of expand) {
    const found = target && expanded.get(expandedKind(target))?.get(row[column]);
    if (found === undefined || target === undefined) presented[key] = null;
    else presented[key] = target === 'user' ? found : presentRecord(target, found, caller);
  }
  return presented;
}

/** The answer of a delete beyond success: which references became null, if any did (D150). */
export function presentCleared(result: WriteResult | undefined) {
  const { cleared = {} } = result ?? {};
  return Object.keys(cleared).length === 0 ? {} : { cleared_references: cleared };
}

/** A page of linked records: records without `version` and `fields` (§2.1). */
export function presentLinkedPage(page: Page, caller: Caller): Record<string, unknown> {
  const { plan, rows, next_cursor, expanded } = page;
  return {
    object_type: plan.object.object_type,
    data: rows.map((row) => {
      const { version: _, ...record } = presentRecord(plan, row, caller, expanded);
      return record;
    }),
    pagination: presentPagination(plan.limit as number, next_cursor),
  };
}

/** A relationship of a record (specification §2.7). */
export function presentRelationship(
  { capabilities }: ObjectModel,
  { id, label, object_type, cardinality, can_link, via }: Relationship,
) {
  return {
    id,
    label,
    object_type,
    cardinality,
    can_link: can_link && capabilities.update,
    source_field: via.kind === 'reference' ? via.field : null,
  };
}

/** A page of records with its pagination (§2.2). */
export function presentPage(
  { plan, rows, next_cursor, expanded, count }: Page,
  caller: Caller,
): Record<string, unknown> {
  return {
    data: rows.map((row) => presentRecord(plan, row, caller, expanded)),
    pagination: presentPagination(plan.limit as number, next_cursor),
    ...(count === undefined ? {} : { count: presentCount(count) }),
  };
}

/** Exact as far as it goes. */
function presentCount(count: number) {
  const most = LIMITS.exactCount;
  return count > most ? { value: most, relation: 'at_least' } : { value: count, relation: 'exact' };
}

export function presentPagination(limit: number, next_cursor: string | null) {
  return { limit, has_more: next_cursor !== null, next_cursor };
}

/** A page of groups with its pagination. */
export function presentGroups({ plan, rows, next_cursor }: Page<AggregatePlan>) {
  return {
    data: rows.map((row) => presentGroup(plan, row)),
    pagination: presentPagination(plan.limit, next_cursor),
  };
}

/** One group: the group_by values, then a column per metric, by the names the client gave. */
function presentGroup(plan: AggregatePlan, row: Row): Record<string, unknown> {
  return Object.fromEntries(
    [...plan.groups, ...plan.metrics].map(({ name, alias }) => [name, row[alias] ?? null]),
  );
}

/** Field values by key; `jsonb` fields are under `custom_fields` (D24), empty ones are null. */
function presentFields(fields: readonly Field[], row: Row): Record<string, unknown> {
  const presented: Record<string, unknown> = {};
  let custom: Record<string, unknown> | undefined;
  for (const field of fields) {
    if (field.storage === 'physical') {
      presented[field.key] = row[field.column] ?? null;
    } else {
      custom ??= {};
      custom[field.key] = ownValue(row.custom_fields as Row, field.custom_key) ?? null;
    }
  }
  if (custom !== undefined) presented.custom_fields = custom;
  return presented;
}

/** An object summary (specification §2.3). */
export function presentObject(
  object: ObjectModel,
  caller: Caller,
  say: Say,
): Record<string, unknown> {
  const display = object.fields.get(object.display_field ?? '');
  const readable = display !== undefined && canReadField(caller, object, display);
  return {
    object_type: object.object_type,
    name: say(`objects.${object.object_type}.name`, object.name),
    singular_name: say(`objects.${object.object_type}.singular_name`, object.singular_name),
    description: object.description,
    kind: object.kind,
    category: object.category,
    display_field: readable ? display.key : null,
    capabilities: object.capabilities,
    permissions: permissionsOf(caller, object),
    searched: object.searched.length > 0,
    ...(object.gated ? { approvals: true } : {}),
  };
}

/** The icon of an object in the application, and whether its navigation lists it. */
export function presentLook({ icon, listed }: ObjectModel): Record<string, unknown> {
  return { icon, listed };
}

/** The parts of a definition that a request is about. */
export interface DefinitionView {
  readonly caller: Caller;
  readonly workItemTypeId: string | null;
  /** True: with the tints of options and the sections of fields. */
  readonly appearance: boolean;
  readonly say: Say;
}

/** An object definition (specification §2.4), with the fields of one work-item type if given. */
export function presentDefinition(
  model: WorkspaceModel,
  object: ObjectModel,
  { caller, workItemTypeId, appearance, say }: DefinitionView,
): Record<string, unknown> {
  const fields = [...object.fields.values(), ...object.rollups.values()].filter(
    (field) =>
      canReadField(caller, object, field) && isFieldOfType(model, object, field, workItemTypeId),
  );
  return {
    ...presentObject(object, caller, say),
    fields: fields.map((field) => ({
      ...presentField(object, field, { caller, appearance, say }),
    })),
    relationships: presentRelationships(model, object, { caller, say }),
    ...(appearance
      ? { ...presentLook(object), trash: object.trash, comments: object.commentable }
      : {}),
    workflow: presentWorkflowReference(object.workflow, say),
    ...(appearance ? { history: presentHistory(object) } : {}),
    ...presentTypesOf(model, object, say),
  };
}

function presentHistory({ history }: ObjectModel) {
  return history === null ? null : { keep_days: history.days };
}

/** The types that new work items can have. */
export function presentTypesOf(
  { work_item_types }: WorkspaceModel,
  { object_type }: ObjectModel,
  say: Say,
): Record<string, unknown> {
  if (object_type !== WORK_ITEMS) return {};
  const types = [...work_item_types.values()].filter((type) => type.active);
  const presented = types.map((type) => ({
    id: type.id,
    slug: type.slug,
    key: type.slug,
    name: say(`work_item_types.${type.slug}.name`, type.name),
    workflow: presentWorkflowReference(type.workflow, say),
  }));
  return { work_item_types: presented };
}

type FieldView = Omit<DefinitionView, 'workItemTypeId'>;

function presentField(
  object: ObjectModel,
  field: Field | Rollup,
  { caller, appearance, say }: FieldView,
): Record<string, unknown> {
  const editable = field.editable && object.capabilities.update;
  const fieldPath = `objects.${object.object_type}.fields.${field.key}`;
  const { section } = field;
  return {
    key: field.key,
    name: say(field.system ? systemFieldPlace(field.key) : `${fieldPath}.name`, field.name),
    ...(field.description === null ? {} : { description: field.description }),
    type: field.type,
    required: field.required,
    editable: editable && canWriteField(caller, object, field),
    storage: field.storage,
    storage_key: field.storage_key,
    ...(appearance ? { section: section && say(`${fieldPath}.section`, section) } : {}),
    ...(appearance && field.formula !== null ? { formula: field.formula.expression } : {}),
    ...(appearance && 'rollup' in field ? { rollup: field.rollup } : {}),
    ...presentOptions(field, fieldPath, { appearance, say }),
    ...(field.constraints === null ? {} : { constraints: field.constraints }),
  };
}

function presentOptions(
  { rules: { options }, colors, places }: Field,
  place: string,
  { appearance, say }: Pick<FieldView, 'appearance' | 'say'>,
) {
  if (options === undefined) return {};
  if (!appearance && say === sayPlain) return { options };
  const presented = options.map(({ value, label }, index) => ({
    value,
    ...(label === undefined
      ? {}
      : { label: say(places?.[index] ?? `${place}.options.${value}`, label) }),
    ...(appearance ? { color: colors[index] ?? optionTint(index) } : {}),
  }));
  return { options: presented };
}

/** Relationships whose other object and source field the caller may read (D28), as those of each record (D354). */
function presentRelationships(
  model: WorkspaceModel,
  object: ObjectModel,
  { caller, say }: Pick<DefinitionView, 'caller' | 'say'>,
): readonly Record<string, unknown>[] {
  return visibleRelationships(model, caller, object).map((relationship) => {
    const { label, object_type, ...rest } = presentRelationship(object, relationship);
    const name = model.objects.get(object_type)?.name;
    return {
      object: {
        key: object_type,
        name: name === undefined ? null : say(`objects.${object_type}.name`, name),
      },
      labels: [say(placeOfLabel(object, relationship), label)],
      ...rest,
    };
  });
}

/** The name that the label of a relationship comes from. */
function placeOfLabel({ object_type: own }: ObjectModel, { object_type, via }: Relationship) {
  if (via.kind === 'reference') return `objects.${own}.fields.${via.field}.name`;
  return via.kind === 'inverse' ? `objects.${object_type}.name` : `relationships.${via.key}.name`;
}

export function presentWorkflowReference(workflow: Workflow | null, say: Say = sayPlain): unknown {
  if (workflow === null) return null;
  const { id, name } = workflow;
  return { id, key: id, name: say(`workflows.${id}.name`, name) };
}

/** The part of a session that its user may see. */
export function presentSession(session: SessionIdentity) {
  const { id, created_at, last_used_at, expires_at } = session;
  return { id, created_at, last_used_at, expires_at };
}
